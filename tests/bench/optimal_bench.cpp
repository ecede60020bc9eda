// The sharpest bounds: epsilon of a shuffle by the blanket's pair, in double and proved, beside the clones'; the worst
// case of check-ins; a known randomizer of sixteen rows; rounds in which some report.
#include <benchmark/benchmark.h>

#include <cmath>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/own_randomizer.hpp"
#include "tests/reference/reference.hpp"

using namespace epsilary::bounds;

namespace {

double users(const benchmark::State& state) { return std::pow(10.0, static_cast<double>(state.range(0))); }

template <template <class> class Slots>
void in_double(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(family_epsilon<Slots>(1e-6, users(state), 1.0, 1.0));
}
template <template <class> class Slots>
void proved(benchmark::State& state) {
  const Ball::Precision bits(64);
  for (auto _ : state) {
    const double n = users(state);
    benchmark::DoNotOptimize(family_epsilon<Slots>(Ball(power_of_ten(-6)), Ball(n), Ball(1), Ball(1)));
  }
}
BENCHMARK(in_double<clones::BlanketSlots>)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond);
BENCHMARK(proved<clones::BlanketSlots>)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond);
BENCHMARK(in_double<clones::LabelledSlots>)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond);
BENCHMARK(proved<clones::LabelledSlots>)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond);

void sixteen_rows(benchmark::State& state) {
  Randomizer r{.kind = Randomizer::Kind::matrix};
  for (int x = 0; x < 16; ++x) {
    r.rows.emplace_back();
    for (int y = 0; y < 16; ++y) r.rows.back().push_back(Rational(10 + (7 * x + 5 * y + x * y) % 17));
    Rational total = 0;
    for (const Rational& v : r.rows.back()) total = total + v;
    for (Rational& v : r.rows.back()) v = v / total;
  }
  for (auto _ : state) {
    const Ball::Precision bits(128);
    const auto pairs = own::blankets(r, Ball(1));
    benchmark::DoNotOptimize(own::largest_epsilon(pairs, {1e6, Ball(1)}, Ball(power_of_ten(-6)), {1e-3, 1.7e8}));
  }
}
BENCHMARK(sixteen_rows)->Unit(benchmark::kMillisecond);

void statement(benchmark::State& state, const char* id, const char* where) {
  const Point point = reference::parse_point(where);
  const Bound* form = form_for(named(id), point);
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(*form, point));
}
BENCHMARK_CAPTURE(statement, supremum, "epsilary-checkin-supremum", "eps0=1 m=10000 p0=1 delta=1e-6")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(statement, best, "epsilary-shuffle-best", "eps0=1 n=10000 delta=1e-6")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(statement, checkins, "epsilary-shuffled-checkin-best-pld",
                  "eps0=1 n=100000 gamma=0.001 T=1000 delta=1e-6")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(statement, cldp_sgd, "epsilary-cldp-sgd-best-pld",
                  "eps0=1 clients=60000 per_round=10000 T=100 delta=1e-5")
    ->Unit(benchmark::kMillisecond);

}  // namespace
