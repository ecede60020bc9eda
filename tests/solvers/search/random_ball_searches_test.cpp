// Roots, inversions, minima, shares, printing and conversions, on random numbers whose answer is known.
#include <cmath>

#include "solvers/numbers/decimal_double.hpp"
#include "solvers/numbers/scaled.hpp"
#include "solvers/search/crossing.hpp"
#include "solvers/search/enclose.hpp"
#include "solvers/search/invert.hpp"
#include "solvers/search/largest_share.hpp"
#include "solvers/search/minimise.hpp"
#include "tests/solvers/numbers/random_balls.hpp"

using namespace epsilary::solvers;
using random_balls::fine_bits;
using random_balls::Source;

namespace {

Rational exact_of(const Ball& point) {
  Rational r;
  arf_get_fmpq(r.raw(), arb_midref(point.arb()));
  return r;
}

}  // namespace

TEST_CASE("random balls: a root is enclosed whatever its guess, or nothing is said") {
  Source s(21);
  int said = 0;
  for (int i = 0; i < 400; ++i) {
    const Ball root = s.exact(0.01, 50);
    const Ball steep = s.exact(0.1, 3);
    const auto f = [&](const Ball& x) { return expm1(steep * (x - root)); };
    const auto slope = [&](const Ball& x) { return steep * exp(steep * (x - root)); };
    const mp50 guess = to_mp50(root) * (1 + mp50(s.real(-1, 1)) * pow(mp50(10), -static_cast<int>(s.whole(1, 49))));
    const Ball::Precision bits(s.whole(60, 500));
    for (const Ball& found :
         {enclose_root<Ball>(f, slope, guess), enclose_crossing([&](const Ball& x) { return -f(x); }, guess),
          prove_root(f, centre(guess))}) {
      if (!found.finite()) continue;
      ++said;
      CHECK(found.contains(root));
    }
  }
  CHECK(said > 600);
}

TEST_CASE("random balls: the first crossing is bracketed and sharpened to 50 digits") {
  Source s(22);
  for (int i = 0; i < 200; ++i) {
    const double rate = std::exp(s.real(-3, 4)), level = std::exp(s.real(-30, -0.1));
    const auto f = [&]<class R>(const R& x) { return R(exp(-R(rate) * x) - R(level)); };
    const double truth = -std::log(level) / rate;
    const auto within = first_bracket([&](double x) { return f(x); }, 0, truth * s.real(1.01, 50));
    REQUIRE(within.has_value());
    CHECK(within->low <= truth * (1 + 1e-12));
    CHECK(within->high >= truth * (1 - 1e-12));
    const auto sharp = sharpen_crossing([&](const mp50& x) { return f(x); }, truth, *within);
    REQUIRE(sharp.has_value());
    CHECK(abs(*sharp * mp50(rate) + log(mp50(level))) <= mp50("1e-45") * abs(log(mp50(level))));
  }
}

TEST_CASE("random balls: inversion finds the two neighbours between which a condition changes") {
  Source s(23);
  for (int i = 0; i < 300; ++i) {
    const bool whole = s.coin(), up = s.coin();
    const int digits = static_cast<int>(s.whole(1, 25));
    const Ball limit_ball = s.exact(s.whole(0, 1) ? 1e-6 : 2.0, 1e6);
    const Rational limit = exact_of(limit_ball);
    const Condition holds = [&](const Decimal& x) -> std::optional<bool> {
      return up ? x.exact() >= limit : x.exact() <= limit;
    };
    const Range range{.low = whole ? 1 : 0, .low_included = whole, .integer = whole};
    if (whole && limit < Rational(2)) continue;
    const std::optional<double> guess =
        s.coin() ? std::optional(limit_ball.midpoint() * std::exp(s.real(-1, 1))) : std::nullopt;
    const Inversion found = invert(holds, range, up ? Rounding::up : Rounding::down, digits, guess);
    CAPTURE(found.value.text());
    REQUIRE(found.status == Inverted::found);
    CHECK(*holds(found.value));
    CHECK_FALSE(*holds(*found.beyond));
    // Nothing of as many digits lies between: the distance is one unit of the last, on either side of a power of ten.
    const Rational gap = up ? found.value.exact() - found.beyond->exact() : found.beyond->exact() - found.value.exact();
    CHECK(gap > Rational(0));
    if (whole)
      CHECK(gap == Rational(1));
    else
      CHECK(gap <= limit * power_of_ten(2 - digits));
  }
}

TEST_CASE("random balls: minima of parabolas, and the largest share that can be kept") {
  Source s(24);
  for (int i = 0; i < 300; ++i) {
    const double at = s.real(-5, 5), depth = s.real(0.1, 9);
    const auto found = minimise<double>([&](double x) { return (x - at) * (x - at) * 3 + depth; }, -6.0, 6.0);
    CHECK(found.at.value == doctest::Approx(at).epsilon(1e-6));
    CHECK(found.value == doctest::Approx(depth).epsilon(1e-12));
    // s + c/s <= 1 for the larger root of s^2 - s + c; s + c e^{-k s} <= 1 by its own test.
    const double c = std::exp(s.real(-25, 0.5)), k = s.real(0, 3);
    for (const int kind : {0, 1}) {
      const auto cost = [&](double share) { return kind == 0 ? c / share : c * std::exp(-k * share); };
      const auto share = largest_share(cost);
      if (!share) {
        if (kind == 0) CHECK(c > 0.2499);
        continue;
      }
      CHECK(*share + cost(*share) <= 1 + 1e-13);
      if (kind == 0 && c < 0.24) CHECK(*share == doctest::Approx((1 + std::sqrt(1 - 4 * c)) / 2).epsilon(1e-12));
      const double more = *share + 1e-9;
      if (kind == 1 && more < 1) CHECK(more + cost(more) > 1);
    }
  }
}

TEST_CASE("random balls: numbers whose exponent never runs out are as right as doubles") {
  Source s(25);
  CHECK(std::isinf(Scaled::exp_of(1e40).value()));
  CHECK(Scaled::exp_of(-1e40).value() == 0);
  CHECK(log(Scaled::exp_of(1e17)).value() == doctest::Approx(1e17));
  const auto ball = [](double x) { return Ball(x); };
  for (int i = 0; i < 3000; ++i) {
    const double a = s.real(-3000, 3000), b = s.real(-3000, 3000);
    const Scaled x = Scaled::exp_of(a), y = Scaled::exp_of(b);
    // Compared by their logarithms, in balls: each operation adds a few units.
    const Ball::Precision wide(300);
    const auto near = [&](const Scaled& found, const Ball& log_truth) {
      return certainly(abs(ball(log(found).value()) - log_truth) <= ball(2e-12));
    };
    CHECK(near(x * y, ball(a) + ball(b)));
    CHECK(near(x / y, ball(a) - ball(b)));
    CHECK(near(x + y, log(exp(ball(a)) + exp(ball(b)))));
    CHECK(near(sqrt(x), ball(a) / 2));
    CHECK(near(ldexp(x, -7), ball(a) - 7 * log(Ball(2))));
    if (std::abs(a - b) > 1e-3) CHECK(near(abs(x - y), log(abs(exp(ball(a)) - exp(ball(b))))));
    CHECK((x < y) == (a < b));
    CHECK((-y < -x) == (a < b));
    CHECK((max(x, y) > min(x, y)) == (a != b));
    CHECK((x - x).value() == 0);
    if (std::abs(a) < 700) CHECK(x.value() == doctest::Approx(std::exp(a)).epsilon(1e-13));
    const double c = s.real(-200, 200);
    CHECK(near(exp(Scaled(c)), ball(c)));
    if (c != 0) CHECK(near(abs(expm1(Scaled(c))), log(abs(expm1(ball(c))))));
    CHECK(log1p(Scaled(std::abs(c))).value() == doctest::Approx(std::log1p(std::abs(c))).epsilon(1e-15));
    CHECK(floor(Scaled(c)).value() == std::floor(c));
  }
}

TEST_CASE("random balls: a printed end is outside of every point, and next to the ball") {
  Source s(26);
  for (int i = 0; i < 4000; ++i) {
    const Ball x = s.any(s.coin() ? 40 : 2000);
    const int digits = static_cast<int>(s.whole(1, 40));
    const Ball point = s.point_of(x);
    const Rational down = Decimal(decimal(x, digits, Rounding::down)).exact(),
                   up = Decimal(decimal(x, digits, Rounding::up)).exact(), truth = exact_of(point);
    CAPTURE(random_balls::words(x));
    CHECK(down <= truth);
    CHECK(truth <= up);
    // No further than a unit of the last digit from the end it stands for.
    const Ball::Precision wide(fine_bits);
    const Ball unit = abs(x).upper_end() * Ball(power_of_ten(1 - digits)) * (1 + ldexp(Ball(1), -40));
    CHECK(possibly(x.lower_end() - Ball(down) <= unit));
    CHECK(possibly(Ball(up) - x.upper_end() <= unit));
    // Exact decimals keep their side, and come back as themselves.
    const Decimal below = Decimal::round(truth, digits, Rounding::down),
                  above = Decimal::round(truth, digits, Rounding::up);
    CHECK(below.exact() <= truth);
    CHECK(truth <= above.exact());
    CHECK(Decimal::round(below.exact(), digits, Rounding::up) == below);
    CHECK(Decimal(below.text()).exact() == below.exact());
    const double d = point.midpoint();
    if (std::isfinite(d) && d != 0) {
      const DecimalEnds ends = decimal_ends(d, digits);
      CHECK(Decimal(ends.lower).exact() <= exact_of(Ball(d)));
      CHECK(exact_of(Ball(d)) <= Decimal(ends.upper).exact());
    }
  }
}

TEST_CASE("random balls: the bits for so many digits prove them") {
  const Ball::Precision wide(60000);
  for (const int digits : {1, 2, 3, 6, 7, 15, 40, 60, 333, 1000, 9999})
    CHECK(certainly(ldexp(Ball(power_of_ten(digits)), -bits_for(digits)) <= 1));
}

TEST_CASE("random balls: rationals become balls that hold them, and the nearest doubles and numbers of 50 digits") {
  Source s(27);
  for (int i = 0; i < 2000; ++i) {
    const Rational x = exact_of(s.exact(-1e3, 1e3)) / Rational(s.whole(1, 1'000'000'007));
    const Ball::Precision bits(s.bits());
    const Ball ball = from_rational<Ball>(x), other(x);
    Ball fine;
    {
      const Ball::Precision wide(fine_bits);
      fine = Ball(x);
    }
    CHECK(ball.overlaps(fine));
    CHECK(other.overlaps(fine));
    CHECK((ball.is_zero() || ball.accurate_bits() >= Ball::precision() - 2));
    const double d = from_rational<double>(x);
    const Rational off = exact_of(Ball(d)) - x, size = off < Rational(0) ? Rational(0) - off : off;
    for (const double side : {-HUGE_VAL, HUGE_VAL}) {
      const double next = std::nextafter(d, side);
      const Rational other_off = exact_of(Ball(next)) - x;
      CHECK(size <= (other_off < Rational(0) ? Rational(0) - other_off : other_off));
    }
    const mp50 m = from_rational<mp50>(x);
    const Ball::Precision wide(fine_bits);
    CHECK(certainly(abs(number_as<Ball>(m) - fine) <= abs(fine) * ldexp(Ball(1), -166)));
    CHECK(number_as<double>(m) == d);
    CHECK(to_mp50(number_as<Ball>(m)) == m);
    CHECK(floor(x) <= x);
    CHECK(x < floor(x) + Rational(1));
    CHECK(is_integer(floor(x)));
    const Rational whole = floor(x < Rational(0) ? Rational(1) - x : x + Rational(1));
    const long j = ceil_log2(whole);
    Rational power = 1;
    for (long k = 0; k < j; ++k) power = power * Rational(2);
    CHECK(whole <= power);
    CHECK((whole == Rational(1) || power < whole * Rational(2)));
  }
}
