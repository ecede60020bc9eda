// Every operation and function of balls, real and complex, on random balls at random precisions.
#include "solvers/numbers/chance.hpp"
#include "solvers/numbers/complex_ball.hpp"
#include "solvers/numbers/functions.hpp"
#include "tests/solvers/numbers/random_balls.hpp"

using namespace epsilary::solvers;
using random_balls::fine_bits;
using random_balls::holds_every_point;
using random_balls::Source;

namespace {

constexpr int times = 500;

// As often as it says something, and it must mostly.
template <class Draw>
void many(Draw draw, double least = 0.5) {
  int said = 0;
  for (int i = 0; i < times; ++i) said += draw();
  CHECK(said > least * times);
}

}  // namespace

TEST_CASE("random balls: arithmetic holds the exact result of every point") {
  Source s(1);
  const auto same = [&](auto f) { many([&] { return holds_every_point(s, f, f, s.any(), s.any()); }); };
  // Truth by rationals, which know no rounding.
  const auto by_rationals = [&](auto f, auto exact) {
    many([&] {
      return holds_every_point(
          s, f,
          [&](const Ball& x, const Ball& y) {
            Rational a, b;
            arf_get_fmpq(a.raw(), arb_midref(x.arb()));
            arf_get_fmpq(b.raw(), arb_midref(y.arb()));
            return Ball(exact(a, b));
          },
          s.any(), s.any());
    });
  };
  by_rationals([](const Ball& a, const Ball& b) { return a + b; },
               [](const Rational& a, const Rational& b) { return a + b; });
  by_rationals([](const Ball& a, const Ball& b) { return a - b; },
               [](const Rational& a, const Rational& b) { return a - b; });
  by_rationals([](const Ball& a, const Ball& b) { return a * b; },
               [](const Rational& a, const Rational& b) { return a * b; });
  by_rationals([](const Ball& a, const Ball& b) { return a / b; },
               [](const Rational& a, const Rational& b) { return a / b; });
  by_rationals(
      [](Ball a, const Ball& b) {
        a += b;
        a *= b;
        a -= b;
        return a /= b;
      },
      [](const Rational& a, const Rational& b) { return ((a + b) * b - b) / b; });
  by_rationals([](const Ball& a, const Ball& b) { return min(a, b); },
               [](const Rational& a, const Rational& b) { return a < b ? a : b; });
  by_rationals([](const Ball& a, const Ball& b) { return max(a, b); },
               [](const Rational& a, const Rational& b) { return a < b ? b : a; });
  by_rationals([](const Ball& a, const Ball&) { return abs(-a); },
               [](const Rational& a, const Rational&) { return a < Rational(0) ? Rational(0) - a : a; });
  by_rationals([](const Ball& a, const Ball&) { return 3 - (7 * a + 5) / 2 - (a * 11) / 3; },
               [](const Rational& a, const Rational&) {
                 return Rational(3) - (Rational(7) * a + Rational(5)) / Rational(2) - a * Rational(11) / Rational(3);
               });
  by_rationals([](const Ball& a, const Ball&) { return ldexp(a, -13) + (a - 4); },
               [](const Rational& a, const Rational&) { return a / Rational(8192) + a - Rational(4); });
  const auto whole = [](const Rational& a) { return floor(a); };
  by_rationals([](const Ball& a, const Ball&) { return floor(a); },
               [&](const Rational& a, const Rational&) { return whole(a); });
  by_rationals([](const Ball& a, const Ball&) { return ceil(a); },
               [&](const Rational& a, const Rational&) { return Rational(0) - whole(Rational(0) - a); });
  same([](const Ball& a, const Ball& b) { return Ball::hull(a, b); });
  same([](const Ball& a, const Ball& b) { return Ball::hull(b, a); });
}

TEST_CASE("random balls: what is certain of a comparison holds at every point, and what is impossible at none") {
  Source s(2);
  int decided = 0;
  for (int i = 0; i < 20 * times; ++i) {
    Ball a = s.any(2), b = s.coin() ? s.any(2) : s.point_of(a);
    if (s.whole(0, 9) == 0) b = a;
    const Ball x = s.point_of(a), y = s.point_of(b);
    const int order = arf_cmp(arb_midref(x.arb()), arb_midref(y.arb()));
    const auto agrees = [&](Truth t, bool exact) {
      decided += !undecided(t);
      if (certainly(t)) CHECK(exact);
      if (!possibly(t)) CHECK_FALSE(exact);
    };
    agrees(a < b, order < 0);
    agrees(a <= b, order <= 0);
    agrees(a > b, order > 0);
    agrees(a >= b, order >= 0);
    agrees(a > 0, arf_sgn(arb_midref(x.arb())) > 0);
    agrees(a > 1, arf_cmp_si(arb_midref(x.arb()), 1) > 0);
    agrees(!(a < b) && (a <= b), order == 0);
    agrees((a < b) || (a > b), order != 0);
    // Ends are on their sides, as balls and as doubles.
    CHECK(certainly(a.lower_end() <= x));
    CHECK(certainly(x <= a.upper_end()));
    CHECK(arf_cmp_d(arb_midref(x.arb()), a.lower()) >= 0);
    CHECK(arf_cmp_d(arb_midref(x.arb()), a.upper()) <= 0);
    CHECK(a.contains(x));
    CHECK((!a.overlaps(b) || undecided(a < b) || possibly(a >= b)));
  }
  CHECK(decided > 40 * times);
}

TEST_CASE("random balls: elementary functions hold the function of every point, written another way") {
  Source s(3);
  const auto one = [&](auto f, auto truth, double low, double high) {
    many([&] { return holds_every_point(s, f, truth, s.between(low, high)); });
  };
  one([](const Ball& x) { return exp(x); }, [](const Ball& x) { return pow(Ball::e(), x); }, -300, 300);
  one([](const Ball& x) { return expm1(x); }, [](const Ball& x) { return exp(x) - 1; }, -50, 50);
  one([](const Ball& x) { return log1p(x); }, [](const Ball& x) { return log(1 + x); }, -1, 50);
  one([](const Ball& x) { return log(x); }, [](const Ball& x) { return 2 * log(sqrt(x)); }, 0, 50);
  one([](const Ball& x) { return log(exp(x)); }, [](const Ball& x) { return x; }, -300, 300);
  one([](const Ball& x) { return sqrt(x); }, [](const Ball& x) { return exp(log(x) / 2); }, 0, 50);
  one([](const Ball& x) { return tanh(x); }, [](const Ball& x) { return 1 - 2 / (exp(2 * x) + 1); }, -20, 20);
  one([](const Ball& x) { return lgamma(x + 1) - lgamma(x); }, [](const Ball& x) { return log(x); }, 0, 200);
  one([](const Ball& x) { return erfc(-x); }, [](const Ball& x) { return 2 - erfc(x); }, -20, 20);
  one([](const Ball& x) { return erfc_inv(x); }, [](const Ball& x) { return -erfc_inv(2 - x); }, 0, 2);
  many([&] {
    return holds_every_point(
        s, [](const Ball& x, const Ball& y) { return pow(x, y); },
        [](const Ball& x, const Ball& y) { return exp(y * log(x)); }, s.between(0, 10), s.between(-30, 30));
  });
  // The inverse of a function of a point holds the point.
  one([](const Ball& x) { return erfc(erfc_inv(x)); }, [](const Ball& x) { return x; }, 0, 2);
  one([](const Ball& x) { return normal_cdf(normal_quantile(x)); }, [](const Ball& x) { return x; }, 0, 1);
}

TEST_CASE("random balls: functions that keep their digits hold their plain definitions") {
  Source s(4);
  const auto one = [&](auto f, auto truth, double low, double high) {
    many([&] { return holds_every_point(s, f, truth, s.between(low, high)); });
  };
  one([](const Ball& x) { return log1mexp(x); }, [](const Ball& x) { return log(1 - exp(-x)); }, 0, 60);
  one([](const Ball& x) { return normal_cdf(x); }, [](const Ball& x) { return 1 - erfc(x / sqrt(Ball(2))) / 2; }, -20,
      20);
  one(
      [](const Ball& x) {
        return log_complement(Chance<Ball>{x, 1 - x});
      },
      [](const Ball& x) { return log(1 - x); }, 0, 1);
  const auto two = [&](auto f, auto truth, auto first, auto second) {
    many([&] { return holds_every_point(s, f, truth, first(), second()); });
  };
  const auto wide = [&] { return s.between(-80, 80); };
  two([](const Ball& a, const Ball& b) { return log_add(a, b); },
      [](const Ball& a, const Ball& b) { return log(exp(a) + exp(b)); }, wide, wide);
  const auto size = [&] { return s.between(10, 500); };
  const auto part = [&] { return s.between(0, 10); };
  two([](const Ball& n, const Ball& k) { return log_falling_factorial(n, k); },
      [](const Ball& n, const Ball& k) { return lgamma(n + 1) - lgamma(n - k + 1); }, size, part);
  two([](const Ball& n, const Ball& k) { return log_binomial(n, k); },
      [](const Ball& n, const Ball& k) { return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1); }, size, part);
  // Exact numbers of trials and successes, random rates; the general form at both ends too.
  many([&] {
    const long n = s.whole(1, 60), k = s.whole(0, 4) ? s.whole(0, n) : n * s.whole(0, 1);
    return holds_every_point(
        s, [&](const Ball& p) { return log_binomial_weight(Ball(n), Ball(k), p, 1 - p); },
        [&](const Ball& p) {
          Ball weight(1);
          for (long i = 0; i < k; ++i) weight = weight * (n - i) / (i + 1) * p;
          for (long i = k; i < n; ++i) weight = weight * (1 - p);
          return log(weight);
        },
        s.between(0, 1));
  });
}

TEST_CASE("random balls: doubles of weights are right to their rounding") {
  Source s(5);
  for (int i = 0; i < times; ++i) {
    const double n = std::floor(std::exp(s.real(0, 27))), p = std::exp(s.real(-20, 0)), q = 1 - p,
                 k = std::min(n, std::floor(n * p * std::exp(s.real(-1, 1))));
    const Ball::Precision wide(600);
    const Ball exact = log_binomial_weight(Ball(n), Ball(k), Ball(p), 1 - Ball(p));
    if (!(q > 0)) continue;
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(p);
    // It is exponentiated: its absolute error counts, beside that of the q it was given.
    const double off = std::abs(log_binomial_weight(n, k, p, q) - exact.midpoint());
    CHECK(off <= 1e-15 * (std::abs(exact.midpoint()) + n * 1e-2 * (p > 0.5)) + 1e-13);
  }
}

TEST_CASE("random balls: complex arithmetic and functions hold every point, part by part") {
  Source s(6);
  const auto parts = [&](auto f, auto truth_re, auto truth_im, double most) {
    many([&] {
      const Ball a = s.between(-most, most), b = s.between(-most, most), c = s.between(-most, most),
                 d = s.between(-most, most);
      const auto re = [&](const Ball& a1, const Ball& b1, const Ball& c1, const Ball& d1) {
        return f(ComplexBall(a1, b1), ComplexBall(c1, d1)).real();
      };
      const auto im = [&](const Ball& a1, const Ball& b1, const Ball& c1, const Ball& d1) {
        return f(ComplexBall(a1, b1), ComplexBall(c1, d1)).imag();
      };
      const bool said = holds_every_point(s, re, truth_re, a, b, c, d);
      return holds_every_point(s, im, truth_im, a, b, c, d) && said;
    });
  };
  using B = const Ball&;
  using Z = const ComplexBall&;
  parts([](Z x, Z y) { return x + y; }, [](B a, B, B c, B) { return a + c; }, [](B, B b, B, B d) { return b + d; }, 9);
  parts([](Z x, Z y) { return x - y; }, [](B a, B, B c, B) { return a - c; }, [](B, B b, B, B d) { return b - d; }, 9);
  parts([](Z x, Z y) { return x * y; }, [](B a, B b, B c, B d) { return a * c - b * d; },
        [](B a, B b, B c, B d) { return a * d + b * c; }, 9);
  parts([](Z x, Z y) { return x / y; }, [](B a, B b, B c, B d) { return (a * c + b * d) / (c * c + d * d); },
        [](B a, B b, B c, B d) { return (b * c - a * d) / (c * c + d * d); }, 9);
  parts([](Z x, Z y) { return (-x) * 3 + y / 7 + x * y.real() + y.imag() * x; },
        [](B a, B, B c, B d) { return -3 * a + c / 7 + a * c + d * a; },
        [](B, B b, B c, B d) { return -3 * b + d / 7 + b * c + d * b; }, 9);
  const auto cosine = [](B x) {
    Ball r;
    arb_cos(r.arb(), x.arb(), fine_bits);
    return r;
  };
  const auto sine = [](B x) {
    Ball r;
    arb_sin(r.arb(), x.arb(), fine_bits);
    return r;
  };
  const auto angle = [](B x, B y) {
    Ball r;
    arb_atan2(r.arb(), y.arb(), x.arb(), fine_bits);
    return r;
  };
  parts([](Z x, Z) { return exp(x); }, [&](B a, B b, B, B) { return exp(a) * cosine(b); },
        [&](B a, B b, B, B) { return exp(a) * sine(b); }, 9);
  parts([](Z x, Z) { return expm1(x); }, [&](B a, B b, B, B) { return exp(a) * cosine(b) - 1; },
        [&](B a, B b, B, B) { return exp(a) * sine(b); }, 9);
  parts([](Z x, Z) { return log(x * x * Ball(Rational(1) / Rational(81)) + 2); },
        [&](B a, B b, B, B) {
          const Ball re = (a * a - b * b) / 81 + 2, im = 2 * a * b / 81;
          return log(re * re + im * im) / 2;
        },
        [&](B a, B b, B, B) { return angle((a * a - b * b) / 81 + 2, 2 * a * b / 81); }, 9);
  parts([](Z x, Z) { return log1p(x * Ball(Rational(1) / Rational(10))); },
        [&](B a, B b, B, B) { return log((a / 10 + 1) * (a / 10 + 1) + b * b / 100) / 2; },
        [&](B a, B b, B, B) { return angle(a / 10 + 1, b / 10); }, 9);
  parts([](Z x, Z) { return pow(x, 3UL); }, [](B a, B b, B, B) { return a * a * a - 3 * a * b * b; },
        [](B a, B b, B, B) { return 3 * a * a * b - b * b * b; }, 9);
  many([&] {
    return holds_every_point(
        s, [](B a, B b) { return abs(ComplexBall(a, b)); }, [](B a, B b) { return sqrt(a * a + b * b); },
        s.between(-9, 9), s.between(-9, 9));
  });
  // Widened: every point within the radius.
  for (int i = 0; i < times; ++i) {
    const Ball a = s.between(-9, 9), b = s.between(-9, 9), r = s.between(0, 2), turn = s.exact(-4, 4);
    const Ball::Precision wide(fine_bits);
    const Ball far = s.point_of(r), x = s.point_of(a) + far * cosine(turn), y = s.point_of(b) + far * sine(turn);
    const ComplexBall all = ComplexBall(a, b).widened(r);
    CHECK(all.real().overlaps(x));
    CHECK(all.imag().overlaps(y));
  }
}
