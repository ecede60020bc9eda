#include "bounds/theory/composition.hpp"

#include <doctest/doctest.h>

#include <random>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/theory/subsampling.hpp"
#include "tests/bounds/at.hpp"
#include "tests/reference/reference.hpp"

using namespace epsilary::bounds;

namespace {

// The exact optimal delta of a sequence by enumerating all 2^k outcomes of randomised response.
Ball enumerated_delta(const std::vector<double>& steps, const Ball& total) {
  Ball delta(0);
  for (unsigned outcome = 0; outcome < 1u << steps.size(); ++outcome) {
    Ball probability(1), loss(0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool plus = (outcome >> i & 1) != 0;
      const Ball e(steps[i]);
      probability *= (plus ? exp(e) : Ball(1)) / (1 + exp(e));
      loss += plus ? e : -e;
    }
    delta += probability * max(Ball(0), -expm1(total - loss));
  }
  return delta;
}

}  // namespace

TEST_CASE("every composition bound is above the exact optimum of random sequences, and the sharp one is the least") {
  std::mt19937_64 random(1);
  const Ball::Precision bits(128);
  for (int i = 0; i < 60; ++i) {
    std::vector<double> steps(1 + static_cast<std::size_t>(i) % 10);
    for (double& e : steps) e = std::exp(std::uniform_real_distribution<double>(-5, 1)(random));
    std::vector<Ball> balls(steps.begin(), steps.end());
    const StepSums<Ball> sums = step_sums(balls);
    for (const double delta : {0.3, 1e-2, 1e-6, 1e-12}) {
      const Ball sharp = composition_sharp(sums, Ball(delta)), adv = kov_advanced(sums, Ball(delta)),
                 adv_e = kov_advanced_e(sums, Ball(delta));
      for (const Ball& eps : {sharp, adv, adv_e}) CHECK(certainly(enumerated_delta(steps, eps) <= Ball(delta)));
      CHECK_FALSE(certainly(sharp > adv));
      CHECK_FALSE(certainly(sharp > adv_e));
    }
  }
}

TEST_CASE("optimal composition of equal steps is the enumeration, in both directions") {
  const Ball::Precision bits(160);
  for (const int T : {1, 2, 5, 9})
    for (const double eps : {0.05, 0.7, 2.0}) {
      const std::vector<double> steps(static_cast<std::size_t>(T), eps);
      for (const double total : {0.0, 0.3 * eps, 0.5 * T * eps, T * eps}) {
        const Ball exact = enumerated_delta(steps, Ball(total));
        CHECK(optimal_composition_delta(Ball(eps), Ball(T), Ball(total)).overlaps(exact));
      }
      for (const double delta : {0.1, 1e-3, 1e-9}) {
        const Ball found = optimal_composition(Ball(eps), Ball(T), Ball(delta));
        if (certainly(found > 0)) CHECK(enumerated_delta(steps, found).overlaps(Ball(delta)));
        CHECK(found.accurate_bits() > 100);
      }
    }
}

TEST_CASE("lower <= tighter <= looser: optimal, sharp, the two branches, basic") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    const double eps0 = std::exp(std::uniform_real_distribution<double>(-7, 0.5)(random));
    const double T = std::floor(std::exp(std::uniform_real_distribution<double>(0, 7)(random)));
    const double delta = std::exp(std::uniform_real_distribution<double>(-40, -1)(random));
    const Ball::Precision bits(128);
    const StepSums<Ball> sums = equal_step_sums(Ball(eps0), Ball(T));
    const Ball best = optimal_composition(Ball(eps0), Ball(T), Ball(delta));
    CHECK_FALSE(certainly(best > composition_sharp(sums, Ball(delta))));
    CHECK_FALSE(certainly(best > sums.epsilons));
    CHECK(certainly(kov_advanced(sums, Ball(delta)) < strong_composition(Ball(eps0), Ball(T), Ball(delta))));
  }
}

TEST_CASE("a trillion mechanisms compose, where a double sum of binomials has no digits") {
  const Evaluation e = evaluate(*named("kairouz2015-adv").front(),
                                reference::parse_point("eps0=1e-6 T=1000000000000 delta=1e-300"), {.digits = 20});
  CHECK(e.certified);
  const Evaluation exact = evaluate(*named("kairouz2015-optimal").front(),
                                    reference::parse_point("eps0=0.001 T=100000 delta=1e-100"), {.digits = 12});
  CHECK(exact.certified);
  CHECK(certainly(exact.answer().value < e.answer().value));
}

TEST_CASE("delta of the parts is added, and taken from the whole delta where no share is given") {
  for (const char* id : {"dwork2010-strong", "kairouz2015-optimal", "kairouz2015-adv", "epsilary-composition-sharp"}) {
    INFO(id);
    const Evaluation parts = at::evaluated(id, "eps0=0.1 T=100 delta=2e-6 share=0.5 delta0=1e-9");
    CHECK(delta_total(parts.answer())->midpoint() == doctest::Approx(1.1e-6).epsilon(1e-6));
    CHECK(parts.within);
    CHECK_FALSE(at::evaluated(id, "eps0=0.1 T=100 delta=1.05e-6 share=0.96 delta0=1e-9").within);
    const Evaluation whole = at::evaluated(id, "eps0=0.1 T=100 delta=1e-6 delta0=1e-9");
    CHECK(whole.within);
    CHECK(delta_total(whole.answer())->midpoint() == doctest::Approx(1e-6).epsilon(1e-11));
    CHECK(at::number(id, "eps0=0.1 T=100 delta=1e-6") < whole.answer().value.midpoint());
    CHECK(whole.answer().value.midpoint() < at::number(id, "eps0=0.1 T=100 delta=8.99e-7"));
    CHECK(at::number(id, "eps0=0.1 T=100 delta=1e-6") == at::number(id, "eps0=0.1 T=100 delta=1e-6 delta0=0"));
    CHECK(at::refusal(id, "eps0=0.1 T=100 delta=1e-6 delta0=1.1e-8") == "room in delta for the delta0 of T mechanisms");
  }
}

TEST_CASE("subsampling twice is subsampling once at the product of the rates") {
  const Ball::Precision bits(200);
  CHECK(subsampled(subsampled(Ball(0.7), Ball(0.25)), Ball(0.5)).overlaps(subsampled(Ball(0.7), Ball(0.125))));
  CHECK(subsampled(Ball(0.7), Ball(1)).overlaps(Ball(0.7)));
  CHECK(subsampled(0.7, 0.0) == 0);
  CHECK(subsampled(1e-20, 0.5) == doctest::Approx(5e-21));
}
