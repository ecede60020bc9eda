// Each function against a 3000-bit ball of its definition, in all three number types, and beside its naive form.
#include "solvers/numbers/functions.hpp"

#include <doctest/doctest.h>

#include "solvers/numbers/decimal.hpp"

using namespace epsilary::solvers;

namespace {

// The definition at 3000 bits, where nothing is lost, and the three evaluations against it.
template <class Stable, class Definition>
void agree(const char* text, Stable stable, Definition definition, double in_double = 4e-15) {
  CAPTURE(std::string(text));
  const Rational x = Decimal(text).exact();
  Ball truth;
  {
    const Ball::Precision wide(3000);
    truth = definition(Ball(x));
  }
  const double d = stable(from_rational<double>(x)), t = truth.midpoint();
  CHECK(std::abs(d - t) <= in_double * std::abs(t));
  const mp50 m = stable(from_rational<mp50>(x)), tm = to_mp50(truth);
  CHECK(abs(m - tm) <= abs(tm) * mp50("1e-47"));
  const Ball::Precision bits(150);
  const Ball b = stable(Ball(x));
  CHECK(b.overlaps(truth));
  CHECK(b.accurate_bits() > 100);
}

}  // namespace

TEST_CASE("log(1 - e^-x) keeps its digits at both ends") {
  for (const char* x : {"1e-300", "1e-20", "0.5", "1", "3", "100"})
    agree(
        x, [](const auto& v) { return log1mexp(v); }, [](const Ball& v) { return log(1 - exp(-v)); });
  CHECK(std::isinf(std::log(1 - std::exp(-1e-20))));
}

TEST_CASE("log(e^a + e^b) works far outside the range of exp") {
  CHECK(log_add(1000.0, 1000.0) == doctest::Approx(1000 + std::log(2.0)).epsilon(1e-15));
  CHECK(log_add(-1e5, 3.0) == 3.0);
  CHECK(std::isinf(std::log(std::exp(1000.0) + std::exp(1000.0))));
  const Ball::Precision bits(200);
  CHECK(log_add(Ball(2000), Ball(-3)).overlaps(2000 + log1p(exp(Ball(-2003)))));
}

TEST_CASE("binomial coefficients agree with exact integers") {
  for (const auto& [n, k] : std::initializer_list<std::pair<long, long>>{
           {5, 2}, {60, 30}, {1000, 3}, {5000, 4990}, {300, 150}, {10, 0}, {10, 10}}) {
    fmpz_t c;
    fmpz_init(c);
    fmpz_bin_uiui(c, static_cast<ulong>(n), static_cast<ulong>(k));
    const Ball::Precision bits(200);
    Ball exact;
    arb_set_fmpz(exact.arb(), c);
    fmpz_clear(c);
    exact = log(exact);
    CHECK(log_binomial(Ball(n), Ball(k)).overlaps(exact));
    CHECK(log_binomial(double(n), double(k)) == doctest::Approx(exact.midpoint()).epsilon(1e-13));
    CHECK(abs(log_binomial(mp50(n), mp50(k)) - to_mp50(exact)) <= mp50("1e-44"));
  }
}

TEST_CASE("C(1e12, 2) in double keeps the digits that a difference of lgamma loses") {
  const double exact = std::log(1e12) + std::log(1e12 - 1) - std::log(2.0);
  CHECK(log_binomial(1e12, 2.0) == doctest::Approx(exact).epsilon(1e-14));
  CHECK(std::abs(std::lgamma(1e12 + 1) - std::lgamma(3.0) - std::lgamma(1e12 - 1) - exact) > 1e-4);
}

TEST_CASE("binomial weights in double agree with balls from the middle to the far tail") {
  for (const auto& [n, k, p] : std::initializer_list<std::tuple<double, double, double>>{{20, 3, 0.5},
                                                                                         {1e6, 5e5, 0.5},
                                                                                         {1e6, 4e5, 0.5},
                                                                                         {1e9, 1e3, 1e-6},
                                                                                         {1e9, 2e3, 1e-6},
                                                                                         {50, 0, 0.25},
                                                                                         {50, 50, 0.25}}) {
    const Ball::Precision bits(300);
    const double exact = log_binomial_weight(Ball(n), Ball(k), Ball(p), 1 - Ball(p)).midpoint();
    CHECK(log_binomial_weight(n, k, p, 1 - p) == doctest::Approx(exact).epsilon(2e-14));
  }
}

TEST_CASE("the normal distribution and its quantile agree between the types and invert each other") {
  for (const char* text : {"1e-300", "1e-20", "0.001", "0.3", "0.5", "0.9", "0.999999"}) {
    CAPTURE(std::string(text));
    const Rational p = Decimal(text).exact();
    const Ball::Precision bits(200);
    const Ball x = normal_quantile(Ball(p));
    CHECK(normal_cdf(x).overlaps(Ball(p)));
    // Near 1 the nearest double to p already moves the quantile, so double is judged at that double.
    const double near = from_rational<double>(p), truth = normal_quantile(Ball(near)).midpoint();
    CHECK(std::abs(normal_quantile(near) - truth) <= 1e-14 * std::max(1.0, std::abs(truth)));
    CHECK(abs(normal_quantile(from_rational<mp50>(p)) - to_mp50(x)) <= mp50("1e-45"));
  }
  const Ball::Precision bits(200);
  CHECK(normal_cdf(Ball(-40)).accurate_bits() > 150);
  CHECK(normal_cdf(-40.0) == 0.0);  // below the range of double, which is why balls print such numbers
}
