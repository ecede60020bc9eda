// Time of one evaluation of each closed form through the public interface, in each number type, in one run.
#include <benchmark/benchmark.h>

#include "bounds/core/registry.hpp"

using namespace epsilary::bounds;

namespace {

const char* const closed_forms[] = {"balle2020-thm3.2",
                                    "balle2020-thm3.2-simple",
                                    "balle2020-thm3.2-approx",
                                    "balle2020-thm3.2-approx-printed",
                                    "balle2020-thmA.4",
                                    "balle2020-cor3.3",
                                    "balle2020-cor3.3-closed",
                                    "balle2020-cor3.3-closed-loose",
                                    "balle2020-thm4.1",
                                    "balle2020-thm4.1-approx",
                                    "balle2020-thm4.1-approx-printed",
                                    "balle2020-thmA.5",
                                    "balle2020-lemA.6",
                                    "balle2020-lemA.6-tightmean",
                                    "balle2020-thm4.3",
                                    "balle2020-thm4.3-simple",
                                    "balle2020-thm4.3-approx",
                                    "balle2020-thm5.1",
                                    "balle2020-thm5.1-approx",
                                    "balle2020-thmA.7",
                                    "balle2020-thmA.7-approx-printed",
                                    "erlingsson2019-thm7",
                                    "balle2020-prop3.4",
                                    "balle2020-prop3.4-bound",
                                    "balle2020-prop4.4",
                                    "balle2020-prop4.4-bound",
                                    "balle2020-thm3.5",
                                    "balle2020-thm3.5-tight",
                                    "balle2020-thm4.2-convex",
                                    "balle2020-thm4.2-convex-doubled",
                                    "balle2020-thm4.2-smooth",
                                    "balle2020-lemA.1",
                                    "balle2020-lemA.3",
                                    "balle2020-lemA.3-printed",
                                    "dwork2010-strong",
                                    "kairouz2015-adv",
                                    "kairouz2015-adv-e",
                                    "balle2018-subsampling",
                                    "epsilary-fixed-posterior",
                                    "epsilary-fixed-clip",
                                    "epsilary-averaged"};

Point example(const Bound& b) {
  Point point;
  for (const Param p : b.needs) point.set(p, Decimal(info(p).example));
  return point;
}

template <class R>
void evaluate_form(benchmark::State& state, const Bound& b, Formula<R> formula, long bits) {
  const Ball::Precision scope(bits);
  const Values<R> x(example(b));
  for (auto _ : state) benchmark::DoNotOptimize(formula(x));
}

const bool registered = [] {
  for (const char* id : closed_forms) {
    const Bound& b = *named(id).front();
    const std::string name(id);
    benchmark::RegisterBenchmark((name + "/double").c_str(),
                                 [&b](auto& s) { evaluate_form<double>(s, b, b.evaluate.in_double, 64); });
    benchmark::RegisterBenchmark((name + "/ball64").c_str(),
                                 [&b](auto& s) { evaluate_form<Ball>(s, b, b.evaluate.in_ball, 64); });
    benchmark::RegisterBenchmark((name + "/ball128").c_str(),
                                 [&b](auto& s) { evaluate_form<Ball>(s, b, b.evaluate.in_ball, 128); });
    benchmark::RegisterBenchmark((name + "/mp50").c_str(),
                                 [&b](auto& s) { evaluate_form<mp50>(s, b, b.evaluate.in_mp50, 64); });
  }
  return true;
}();

}  // namespace
