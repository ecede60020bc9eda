// The privacy blanket: delta at eps, eps at delta, and the whole ledger of Girgis et al. 2021, Section 6.
#include <benchmark/benchmark.h>

#include "bounds/theory/shuffle/blanket.hpp"
#include "tests/bounds/papers/girgis2021/section6_ledger.hpp"

using namespace epsilary::bounds;
using namespace epsilary::bounds::blanket;

namespace {

template <class Bound>
void delta_in_double(benchmark::State& state) {
  Reports<double> s{2, 1e6};
  double eps = 0.05;
  for (auto _ : state) {
    benchmark::DoNotOptimize(eps);
    benchmark::DoNotOptimize(s);
    benchmark::DoNotOptimize(Bound{}(eps, s));
  }
}

template <class Bound>
void epsilon_in_double(benchmark::State& state) {
  Reports<double> s{2, 1e6};
  for (auto _ : state) {
    benchmark::DoNotOptimize(s);
    benchmark::DoNotOptimize(blanket::epsilon(Bound{}, s, std::log(1e-7)));
  }
}

template <class Bound>
void epsilon_in_balls(benchmark::State& state) {
  const Ball::Precision scope(state.range(0));
  const Reports<Ball> s{Ball(2), Ball(1000000)};
  const Ball log_delta = log(Ball(Decimal("1e-7").exact()));
  for (auto _ : state) benchmark::DoNotOptimize(blanket::epsilon(Bound{}, s, log_delta));
}

void section6_ledger(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(section6::section6_ledger());
}

BENCHMARK(delta_in_double<Stated>);
BENCHMARK(delta_in_double<Bennett<RandomisedResponse>>);
BENCHMARK(epsilon_in_double<Stated>);
BENCHMARK(epsilon_in_double<Hoeffding<Generic>>);
BENCHMARK(epsilon_in_double<Bennett<Generic>>);
BENCHMARK(epsilon_in_double<Joint<GenericTight>>);
BENCHMARK(epsilon_in_double<Hoeffding<RandomisedResponse>>);
BENCHMARK(epsilon_in_double<Bennett<RandomisedResponse>>);
BENCHMARK(epsilon_in_balls<Joint<GenericTight>>)->Arg(64)->Arg(192)->Arg(1024);
BENCHMARK(epsilon_in_balls<Bennett<RandomisedResponse>>)->Arg(64)->Arg(192)->Arg(1024);
BENCHMARK(section6_ledger)->Unit(benchmark::kMillisecond);

}  // namespace
