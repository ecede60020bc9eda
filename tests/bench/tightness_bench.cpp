// The clones' epsilon: its cost grows like sqrt(n).
#include <benchmark/benchmark.h>

#include <cmath>

#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/steps.hpp"

using namespace epsilary::bounds;

namespace {

double users(const benchmark::State& state) { return std::pow(10.0, static_cast<double>(state.range(0))); }

void clones_in_double(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(clones::clones_epsilon(1.0, users(state), 1e-6, 0.0));
}
BENCHMARK(clones_in_double)->DenseRange(3, 10)->Unit(benchmark::kMillisecond);

void clones_proved(benchmark::State& state) {
  const Ball::Precision bits(64);
  const double n = users(state);
  for (auto _ : state) benchmark::DoNotOptimize(clones::clones_epsilon(Ball(1), Ball(n), Ball(1e-6), Ball(0)));
}
BENCHMARK(clones_proved)->DenseRange(3, 7)->Unit(benchmark::kMillisecond);

void response_in_double(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(family_epsilon<responses::Binary>(1e-6, users(state), 1.0, 1.0, false));
}
BENCHMARK(response_in_double)->DenseRange(3, 9)->Unit(benchmark::kMillisecond);

// The sums over the steps cost the same for any number of them.
void steps_in_double(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(steps::sums(steps::shuffle(1.0, users(state))));
}
BENCHMARK(steps_in_double)->DenseRange(3, 12, 3)->Unit(benchmark::kMillisecond);

}  // namespace
