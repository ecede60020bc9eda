#include "solvers/sums/expectation.hpp"

#include <doctest/doctest.h>

using namespace epsilary::solvers;

TEST_CASE("a scaled double computes where a double has long overflowed") {
  const Scaled big = Scaled::exp_of(5000), bigger = Scaled::exp_of(5001);
  CHECK((bigger / big).value() == doctest::Approx(std::exp(1.0)).epsilon(1e-12));
  CHECK(log(big * bigger).value() == doctest::Approx(10001).epsilon(1e-15));
  CHECK((big - big).value() == 0);
  CHECK(big < bigger);
  CHECK(-bigger < -big);
  CHECK((big * Scaled::exp_of(-5000)).value() == doctest::Approx(1).epsilon(1e-12));
  CHECK((Scaled(1) + Scaled::exp_of(-5000)).value() == 1);
  CHECK(sqrt(big * big) / big >= Scaled(1 - 1e-12));
  CHECK(sqrt(Scaled::exp_of(701)).value() == doctest::Approx(std::exp(350.5)).epsilon(1e-13));
}

TEST_CASE("the excess of a power keeps its digits where the powers cancel") {
  CHECK(power_excess(3.0, 1e-9) == doctest::Approx(3e-18 + 1e-27).epsilon(1e-15));
  CHECK(power_excess(2.0, 0.7) == doctest::Approx(0.49).epsilon(1e-15));
  CHECK(power_excess(-1.0, 1e-6) == doctest::Approx(1e-12 / (1 + 1e-6)).epsilon(1e-15));
  CHECK(power_excess(1.0, 0.1) == 0);
  const Ball::Precision bits(200);
  CHECK(power_excess(Ball(3), Ball(Rational(1) / Rational(1000))).contains(Ball(Rational(3001) / power_of_ten(9))));
}

TEST_CASE("a binomial mean encloses the moments it is known to have") {
  const Ball::Precision bits(128);
  const Ball n(10'000), p(Rational(1) / Rational(7));
  const Binomial<Ball> law{n, p, 1 - p};
  const auto mean = [&](auto f, int degree) {
    return binomial_mean(
        law, 0.0, Ball(degree), f, [](double, const Ball& v) { return v; }, [&](double, double b) { return f(b); });
  };
  const Ball one = mean([](double) { return Ball(1); }, 0);
  CHECK(one.overlaps(Ball(1)));
  CHECK(one.accurate_bits() > 90);
  CHECK(mean([](double k) { return Ball(k); }, 1).overlaps(n * p));
  CHECK(mean([](double k) { return Ball(k) * Ball(k); }, 2).overlaps(n * p * (1 - p) + n * p * n * p));
}

TEST_CASE("a function that is huge where the weights are tiny is not lost") {
  // f(0) = e^3000 at P(K = 0) = e^-1000 nearly: the mean is that one term.
  const Binomial<Scaled> law{Scaled(100000), Scaled(0.01), Scaled(0.99)};
  const auto f = [](double k) { return k == 0 ? Scaled::exp_of(3000) : Scaled(1); };
  const Scaled mean = binomial_mean(
      law, 0.0, Scaled(0), f, [](double, const Scaled& v) { return v; }, [&](double a, double) { return f(a); });
  CHECK(log(mean).value() == doctest::Approx(3000 + 100000 * std::log1p(-0.01)).epsilon(1e-13));
}
