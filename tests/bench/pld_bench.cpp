// Accounting of DP-SGD: sigma = 1, rate = 1e-3, T = 1e5, delta = 1e-6.
#include <benchmark/benchmark.h>

#include <cmath>

#include "bounds/core/registry.hpp"
#include "bounds/theory/dpsgd/laws.hpp"
#include "bounds/theory/dpsgd/moments.hpp"
#include "solvers/losses/pairs/few_rounds.hpp"

using namespace epsilary::bounds;
using namespace epsilary::bounds::dpsgd;

namespace {

std::vector<Repeated> steps(LossLaw law) { return {{std::move(law), 1e5}}; }

MomentLaws fixed_size() { return subsampled_gaussian_moments(Ball(0.001), Ball(1), 1e5); }

void epsilon_by_contour(benchmark::State& state) {  // to 1e-6
  for (auto _ : state) benchmark::DoNotOptimize(contour_epsilon(fixed_size(), Ball(1e-6)));
}
BENCHMARK(epsilon_by_contour)->Unit(benchmark::kMillisecond);

void epsilon_of_fixed_size_batches(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(composed_epsilon(steps(subsampled_gaussian(Ball(0.001), Ball(1))), Ball(1e-6)));
}
BENCHMARK(epsilon_of_fixed_size_batches)->Unit(benchmark::kMillisecond);

void epsilon_of_poisson_batches(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(composed_epsilon(steps(poisson_removed(Ball(0.001), Ball(1))), Ball(1e-6)));
}
BENCHMARK(epsilon_of_poisson_batches)->Unit(benchmark::kMillisecond);

void epsilon_of_few_steps(benchmark::State& state) {  // five at rate 1e-4, to the relative width 10^-k
  const double width = std::pow(10, -static_cast<double>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        few_rounds_epsilon(subsampled_gaussian(Ball(1e-4), Ball(1)), 5, Ball(1e-6), {.width = width}));
}
BENCHMARK(epsilon_of_few_steps)->DenseRange(3, 6)->Unit(benchmark::kMillisecond);

void renyi_of_poisson_batches(benchmark::State& state) {
  Values<double> x;
  x.set(Param::q, 0.001);
  x.set(Param::sigma, 1);
  x.set(Param::T, 1e5);
  x.set(Param::delta, 1e-6);
  Point point;
  for (const Param p : {Param::q, Param::sigma, Param::T, Param::delta}) point.set(p, Decimal(1));
  const Bound* bound = form_for(named("vandijk2022-poisson-rdp"), point);
  for (auto _ : state) benchmark::DoNotOptimize(bound->evaluate.in_double(x).value);
}
BENCHMARK(renyi_of_poisson_batches)->Unit(benchmark::kMicrosecond);

}  // namespace
