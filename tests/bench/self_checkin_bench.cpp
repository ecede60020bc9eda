// Speed of the self check-in family at the point of Figure 1 with n = 1e7.
#include <benchmark/benchmark.h>

#include "bounds/theory/renyi.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

const char* const figure1 = "eps0=1 n=10000000 gamma=1e-3 T=100000 delta=1e-7";

void exact_sum_optimised_in_double(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(at::in_double("checkin2022-thm2-exact", figure1));
}
BENCHMARK(exact_sum_optimised_in_double)->Unit(benchmark::kMillisecond);

void exact_sum_optimised_and_proved(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(at::proved("checkin2022-thm2-exact", figure1, 6));
}
BENCHMARK(exact_sum_optimised_and_proved)->Unit(benchmark::kMillisecond);

void theorem2_optimised_in_double(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(at::in_double("checkin2022-thm2", figure1));
}
BENCHMARK(theorem2_optimised_in_double)->Unit(benchmark::kMillisecond);

void least_divergence_in_double(benchmark::State& state) {
  double eps = 0.1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(renyi::least_divergence(32.0, eps, 1e-9));
    eps = 0.1 + 1e-9 * eps;
  }
}
BENCHMARK(least_divergence_in_double)->Unit(benchmark::kMicrosecond);

void shuffled_gaussian_order_50(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(at::in_double("epsilary-shuffled-gaussian", "sigma=2 n=10000000 lambda=50"));
}
BENCHMARK(shuffled_gaussian_order_50)->Unit(benchmark::kMicrosecond);

}  // namespace
