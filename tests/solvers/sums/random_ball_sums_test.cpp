// Sums, expectations, counts and transforms, on random laws in random balls at random precisions: what is cut off, or
// rounded, is part of the result.
#include <bit>
#include <complex>
#include <memory>
#include <thread>

#include "solvers/numbers/complex_ball.hpp"
#include "solvers/sums/counts.hpp"
#include "solvers/sums/expectation.hpp"
#include "solvers/sums/fft.hpp"
#include "solvers/sums/integrate.hpp"
#include "solvers/sums/progression.hpp"
#include "solvers/sums/sum.hpp"
#include "solvers/sums/trinomial.hpp"
#include "tests/solvers/numbers/random_balls.hpp"

using namespace epsilary::solvers;
using random_balls::fine_bits;
using random_balls::holds_every_point;
using random_balls::Source;

namespace {

// A double that somebody knows.
Ball ball(double x) { return Ball(x); }

// P(K = k) by products, for truth.
Ball weight(long n, long k, const Ball& p) {
  Ball w(1);
  for (long i = 0; i < k; ++i) w = w * (n - i) / (i + 1) * p;
  for (long i = k; i < n; ++i) w = w * (1 - p);
  return w;
}

// Of 1 - p: from a complement that is a ball of its own, as statements have it.
template <class F>
auto with_complement(F f) {
  return [=](const Ball& p) { return f(p, 1 - p); };
}

}  // namespace

TEST_CASE("random balls: binomial sums hold the whole sum") {
  Source s(11);
  int said = 0;
  for (int i = 0; i < 120; ++i) {
    const long n = s.whole(1, 120), from = s.whole(0, 2) ? s.whole(0, n) : 0;
    const Ball scale = s.exact(0, 5);
    const auto f = [&](const Ball& k) { return exp(-scale * k) * (1 + k) / (2 + k); };
    said += holds_every_point(
        s, with_complement([&](const Ball& p, const Ball& q) {
          return binomial_sum(Ball(n), p, q, static_cast<double>(from), Ball(1), f);
        }),
        [&](const Ball& p) {
          Ball sum(0);
          for (long k = from; k <= n; ++k) sum += weight(n, k, p) * f(Ball(k));
          return sum;
        },
        s.between(0, 1));
  }
  CHECK(said > 80);
}

TEST_CASE("random balls: binomial means hold the whole mean, of functions that grow above and below") {
  Source s(12);
  int said = 0;
  for (int i = 0; i < 120; ++i) {
    const long n = s.whole(1, 120), from = s.whole(0, n / 3);
    const int degree = static_cast<int>(s.whole(0, 5));
    const Ball rate = s.exact(0, 3);  // f falls below, where it is huge, and grows like k^degree above
    const auto f = [&](double k) { return pow(Ball(k), Ball(degree)) + exp(rate * (n - Ball(k))); };
    said += holds_every_point(
        s, with_complement([&](const Ball& p, const Ball& q) {
          const Binomial<Ball> law{Ball(n), p, q};
          return binomial_mean(
              law, static_cast<double>(from), Ball(degree), f, [](double, const Ball& v) { return v; },
              [&](double a, double b) { return pow(Ball(b), Ball(degree)) + exp(rate * (n - Ball(a))); });
        }),
        [&](const Ball& p) {
          Ball sum(0);
          for (long k = from; k <= n; ++k) sum += weight(n, k, p) * f(static_cast<double>(k));
          return sum;
        },
        s.between(0, 1));
  }
  CHECK(said > 80);
}

TEST_CASE("random balls: the excess of a power holds its definition") {
  Source s(13);
  int said = 0;
  for (int i = 0; i < 600; ++i) {
    const double reach = std::exp(s.real(-12, 2));
    said += holds_every_point(
        s, [](const Ball& nu, const Ball& z) { return power_excess(nu, z); },
        [](const Ball& nu, const Ball& z) { return exp(nu * log(1 + z)) - 1 - nu * z; }, s.between(-6, 30),
        s.coin() ? s.between(std::max(-1.0, -reach), reach) : s.between(-1, 4));
  }
  CHECK(said > 450);
}

TEST_CASE(
    "random balls: weights that are walked through in double are right to their slack, and tails above the truth") {
  Source s(14);
  for (int i = 0; i < 200; ++i) {
    const long n = std::lround(std::exp(s.real(0, 6)));
    const double size = static_cast<double>(n);
    const Ball::Precision wide(fine_bits);
    Ball p = s.whole(0, 9) ? s.exact(0, 1) : Ball(s.whole(0, 1));
    // A rate known to some 12 to 60 bits only: every point of it is charged.
    if (certainly(p > 0 && p < 1) && s.coin()) arb_add_error(p.arb(), ldexp(min(p, 1 - p), -s.whole(12, 60)).arb());
    const Ball at = s.point_of(p);
    const double depth = std::exp(s.real(-1, 5.3)), mean = size * at.midpoint();
    const Counts counts(size, p, 1 - p, depth);
    CAPTURE(n);
    std::vector<Ball> exact;
    for (long k = 0; k <= n; ++k) exact.push_back(weight(n, k, at));
    const auto law = [&](double k) -> const Ball& { return exact[static_cast<std::size_t>(k)]; };
    const auto mass = [&](double low, double high) {
      Ball sum(0);
      for (double k = low; k <= high; ++k) sum += law(k);
      return sum;
    };
    const Ball fuzz = ldexp(Ball(1), -200), slack = ball(counts.slack());
    int visits = 0;
    counts.walk([&](double k, double w) {
      CHECK(certainly(abs(ball(w) - law(k)) <= law(k) * (slack + fuzz)));
      ++visits;
    });
    CHECK(visits == static_cast<int>(counts.high() - counts.low()) + 1);
    for (double k = 0; k <= size; ++k) {
      if (k < counts.low() || k > counts.high()) CHECK(certainly(law(k) <= exp(-ball(depth) * (1 - ball(1e-9)))));
      if (counts.low() == counts.high()) continue;  // it is known
      const Ball beyond = k < mean ? mass(0, k) : mass(k, size);
      CHECK(certainly(beyond <= ball(counts.tail(k)) + beyond * fuzz));
      if (certainly(beyond > 0)) CHECK(certainly(log(beyond) <= ball(counts.log_tail(k)) + fuzz));
    }
    // Bins and blocks hold every number from `least` on once, and no less of the law.
    const double least = static_cast<double>(s.whole(0, n / 2)), width = s.real(0, 0.2);
    const BinnedCounts bins = bin_counts(counts, size, least, width);
    std::vector<int> covered(exact.size());
    for (const auto* list : {&bins.inside, &bins.outside})
      for (const CountBin& b : *list)
        for (double k = b.low; k <= b.high; ++k) ++covered[static_cast<std::size_t>(k)];
    for (double k = 0; k <= size; ++k) CHECK(covered[static_cast<std::size_t>(k)] == (k >= least));
    for (const CountBin& b : bins.inside) {
      const Ball all = mass(b.low, b.high);
      CHECK(certainly(abs(ball(b.weight) - all) <= all * (slack + fuzz)));
      Ball moment(0);
      for (double k = b.low; k <= b.high; ++k) moment += law(k) * ball(k);
      if (b.weight > 0)
        CHECK(std::abs(b.mean - (moment / all).midpoint()) <= 3 * counts.slack() * (b.high - b.low) + 1e-15 * b.high);
    }
    for (const CountBin& b : bins.outside) CHECK(certainly(mass(b.low, b.high) <= ball(b.weight) + fuzz * law(b.low)));
  }
}

namespace {

// Every number of labels, one by one.
Ball excess_of_all(long m, const Ball& share, const Ball& u, const Ball& steep, const Ball& d) {
  const Ball v = -steep * d / 2;
  Ball sum(0);
  for (long c = 1; c <= m; ++c) {
    const Ball of_c = weight(m, c, 2 * share);
    for (long a = 0; a <= c; ++a)
      sum += of_c * weight(c, a, Ball(0.5)) * max(Ball(0), -u + v * c + d * (2 * a - c) / 2);
  }
  return sum;
}

}  // namespace

TEST_CASE("random balls: labels' excess holds the sum over all their numbers") {
  Source s(15);
  int said = 0;
  for (int i = 0; i < 200; ++i) {
    const long m = s.whole(1, 40);
    const bool in_long_doubles = i % 2;
    // u, v <= 0 < d and v + d/2 > 0
    said += holds_every_point(
        s,
        [&](const Ball& share, const Ball& u, const Ball& steep, const Ball& d) {
          const Ball v = -steep * d / 2;
          const LabelLine<Ball> line{-u, v, d};
          if (in_long_doubles) {
            const auto found = enclosed_excess({m, share, 1 - 2 * share, line.u, line.v, line.d, 0, 0, 0});
            return found ? found->above : Ball::indeterminate();
          }
          return label_excess<Ball>({m, share, 1 - 2 * share}, line, line, GuardBits<Ball>(m)).above;
        },
        [&](const Ball& share, const Ball& u, const Ball& steep, const Ball& d) {
          return excess_of_all(m, share, u, steep, d);
        },
        s.between(0.01, 0.49), s.whole(0, 3) ? s.between(0, 3) : Ball(s.whole(0, 3)),
        s.whole(0, 3) ? s.between(0, 1) : Ball(0), s.between(0.1, 3));
  }
  CHECK(said > 100);
}

TEST_CASE("labels' excess in long doubles holds what balls give, down to 1e-300, and some forty bits of it") {
  Source s(19);
  int close = 0, tried = 0;
  for (int i = 0; i < 120; ++i) {
    const Ball::Precision bits(256);
    const auto m = static_cast<std::int64_t>(std::pow(10, s.real(1, 4.3)));
    const Ball share = s.exact(0.002, 0.49), d(1), rest = 1 - 2 * share;
    // How many standard deviations a line is above the mean decides the size of the excess.
    const double deep = s.real(0, 30), spread = std::sqrt(static_cast<double>(m) * share.midpoint() / 2);
    const double part = s.whole(0, 2) ? s.real(0, 1) : 0, at = deep * spread;
    const double from_u = part * at, steep = (1 - part) * at / (2 * share.midpoint() * static_cast<double>(m));
    if (!(steep < 0.49)) continue;
    const LabelLine<Ball> line{-ball(from_u), -ball(steep), d};
    const auto quick = enclosed_excess({m, share, rest, line.u, line.v, line.d, 0, 0, 0});
    if (!quick) continue;
    const Ball exact = label_excess<Ball>({m, share, rest}, line, line, GuardBits<Ball>(m)).above;
    CHECK(quick->above.contains(exact));
    ++tried;
    close += quick->above.accurate_bits() >= 36;
  }
  CHECK(tried > 40);
  CHECK(close > 9 * tried / 10);
}

TEST_CASE("random balls: sums over progressions by their series hold the sum one by one") {
  Source s(16);
  // Power sums are exact.
  for (int i = 0; i < 60; ++i) {
    const long length = s.whole(1, 300);
    const Ball::Precision bits(s.bits() + 200);
    const std::vector<Ball> sums = even_power_sums(Ball(length), 12);
    for (std::size_t k = 0; k < 12; k += 2) {
      Rational sum = 0;
      for (long j = 0; j < length; ++j) {
        const Rational z = Rational(2 * j + 1 - length) / Rational(length);
        Rational power = 1;
        for (std::size_t e = 0; e < k; ++e) power = power * z;
        sum = sum + power;
      }
      CHECK(sums[k / 2].overlaps(Ball(sum)));
      CHECK(sums[k / 2].accurate_bits() > 40);
    }
  }
  // Series: products and logarithms against the functions, at points of the disc, up to what is cut.
  for (int i = 0; i < 100; ++i) {
    const Ball::Precision bits(400);
    const Ball rho = s.exact(0, 0.3), z = s.exact(-1, 1), base = s.exact(-0.5, 3);
    const std::size_t terms = 200;
    Series<Ball> a(terms, Ball(0)), b(terms, Ball(0));
    a[0] = base;
    a[1] = -rho;
    b[0] = Ball(1);
    b[1] = rho;
    const auto at = [&](const Series<Ball>& f) {
      Ball sum(0), power(1);
      for (const Ball& c : f) {
        sum += c * power;
        power *= z;
      }
      return sum;
    };
    const auto near = [](const Ball& x, const Ball& y) { return certainly(abs(x - y) < ldexp(Ball(1), -90)); };
    CHECK(near(at(product(a, b)), (base - rho * z) * (1 + rho * z)));
    CHECK(near(at(log1p_series(a)), log(1 + base - rho * z)));
  }
  // Stretches cover every place once, and reach no further than twice their nearest point.
  for (int i = 0; i < 200; ++i) {
    const double N = static_cast<double>(s.whole(1, 5000)), beta = s.whole(0, 4) ? s.real(0, 1) : 0.0,
                 X0 = beta * (N - 1) + std::exp(s.real(-2, 8)), shortest = static_cast<double>(s.whole(1, 40));
    std::vector<int> seen(static_cast<std::size_t>(N));
    const auto mark = [&](const Stretch& t) {
      for (double j = t.first; j < t.first + t.length; ++j) ++seen[static_cast<std::size_t>(j)];
    };
    for_stretches(
        X0, beta, N, shortest, [](double, double) { return true; }, mark,
        [&](const Stretch& t) {
          mark(t);
          const double near = X0 - beta * (t.first + t.length - 1), far = X0 - beta * t.first;
          CHECK(far <= 2 * near * (1 + 1e-12));
        });
    CHECK(std::ranges::all_of(seen, [](int times) { return times == 1; }));
  }
}

TEST_CASE("random balls: Gauss's rule with its error, and the adaptive rule, hold integrals that are known") {
  Source s(17);
  for (int i = 0; i < 60; ++i) {
    const Ball::Precision bits(s.whole(64, 300));
    const int n = static_cast<int>(s.whole(2, 30));
    const Ball r = s.exact(1.5, 4), rate = s.exact(-2, 2);
    // |e^{rate z}| <= e^{|rate| (r + 1/r)/2} on the ellipse.
    const Ball most = exp(abs(rate) * (r + 1 / r) / 2), truth = (exp(rate) - exp(-rate)) / rate;
    const std::shared_ptr<const GaussRule> kept = gauss_rule(n);
    const GaussRule& rule = *kept;
    Ball sum(0);
    for (std::size_t k = 0; k < rule.node.size(); ++k) sum += rule.weight[k] * exp(rate * rule.node[k]);
    CHECK(possibly(abs(sum - truth) <= most * gauss_error(n, r)));
    // A pole outside of the ellipse: there the error comes near to its bound.
    const Ball pole = (r + 1 / r) / 2 * (1 + ldexp(Ball(1), -4)), peak = 1 / (pole - (r + 1 / r) / 2);
    Ball near_pole(0);
    for (std::size_t k = 0; k < rule.node.size(); ++k) near_pole += rule.weight[k] / (pole - rule.node[k]);
    CHECK(possibly(abs(near_pole - log((pole + 1) / (pole - 1))) <= peak * gauss_error(n, r)));
    const Ball a = s.exact(-1, 0), b = s.exact(0, 2);
    const Integrand f = [&](acb_ptr value, acb_srcptr t, bool, long p) {
      acb_mul_arb(value, t, rate.arb(), p);
      acb_exp(value, value, p);
    };
    const Ball found = integrate(f, a, b), exact = (exp(rate * b) - exp(rate * a)) / rate;
    CHECK(found.overlaps(exact));
    CHECK(found.accurate_bits() > 30);
  }
}

namespace {

template <class S>
Ball ball_of(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return ball(x);
  } else {
    const double high = static_cast<double>(x), low = static_cast<double>(x - Quad(high));
    return Ball(high) + Ball(low);
  }
}

// Largest error over the bound, for random vectors of n; the table of roots made at a given precision.
template <class S>
double worst_share_of_error(Source& s, std::size_t n, bool inverse) {
  std::vector<std::complex<S>> x(n);
  for (auto& z : x) z = {S(s.real(-1, 1)), S(s.real(-1, 1)) * S(s.coin())};
  auto y = x;
  fourier(y, inverse);
  const Ball::Precision wide(400);
  Ball error(0), size(0);
  for (std::size_t k = 0; k < n; ++k) {
    ComplexBall sum;
    for (std::size_t j = 0; j < n; ++j) {
      const Ball turn = ldexp(Ball(static_cast<long>(j * k % n) * (inverse ? 2 : -2)), -std::countr_zero(n));
      Ball sine, cosine;
      arb_sin_cos_pi(sine.arb(), cosine.arb(), turn.arb(), 400);
      sum += ComplexBall(ball_of(x[j].real()), ball_of(x[j].imag())) * ComplexBall(cosine, sine);
    }
    const Ball off = abs(sum - ComplexBall(ball_of(y[k].real()), ball_of(y[k].imag())));
    error += off * off;
    size += abs(sum) * abs(sum);
  }
  return (sqrt(error / size) / ball(fourier_error(n, unit_roundoff<S>))).upper();
}

}  // namespace

TEST_CASE(
    "random balls: the transform is as wrong as it says at most, in doubles and in quads, whoever made its roots") {
  Source s(18);
  // The table of roots is made by the first call of a thread, at whatever precision that has.
  for (const long first : {30L, 64L, 300L})
    for (const bool inverse : {false, true})
      for (const std::size_t n : {2, 8, 64, 128}) {
        double in_double = 0, in_quad = 0;
        std::thread([&] {
          const Ball::Precision made_at(first);
          in_double = worst_share_of_error<double>(s, n, inverse);
          const Ball::Precision still(first);
          in_quad = worst_share_of_error<Quad>(s, n, inverse);
        }).join();
        CAPTURE(n);
        CAPTURE(first);
        CHECK(in_double <= 1);
        CHECK(in_quad <= 1);
        if (n > 8) CHECK(in_double > 1e-4);  // it is wrong at all: nothing is compared with itself
      }
}
