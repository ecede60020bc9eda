#include "solvers/sums/sum.hpp"

#include <doctest/doctest.h>

using namespace epsilary::solvers;

namespace {

// The sum over all terms with exact integers, at 4000 bits.
template <class F>
Ball all_terms(long n, const Ball& p, long from, F f) {
  const Ball::Precision wide(4000);
  Ball sum(0);
  for (long k = from; k <= n; ++k) sum += exp(log_binomial_weight(Ball(n), Ball(k), p, 1 - p)) * f(Ball(k));
  return sum;
}

}  // namespace

TEST_CASE("a truncated binomial sum encloses the whole sum") {
  const auto f = [](const auto& k) { return decltype(k + 1)(1 / (1 + k)); };
  for (const long n : {1L, 7L, 400L, 3000L})
    for (const double p : {0.001, 0.3, 0.5, 0.97})
      for (const long from : {0L, n / 2, n}) {
        CAPTURE(n);
        CAPTURE(p);
        CAPTURE(from);
        const Ball truth = all_terms(n, Ball(p), from, f);
        const Ball::Precision bits(120);
        const Ball sum = binomial_sum(Ball(n), Ball(p), 1 - Ball(p), double(from), Ball(1), f);
        CHECK(sum.overlaps(truth));
        CHECK(sum.accurate_bits() > 70);
        const double in_double = binomial_sum(double(n), p, 1 - p, double(from), 1.0, f), t = truth.midpoint();
        if (t > 1e-290) CHECK(std::abs(in_double - t) <= 1e-12 * t);
      }
}

TEST_CASE("the total mass is one, also for a trillion trials of small probability") {
  const Ball::Precision bits(100);
  const Ball p = Ball(1) / 1000000000;
  const Ball mass = binomial_sum(Ball(1e12), p, 1 - p, 0.0, Ball(1), [](const Ball&) { return Ball(1); });
  CHECK(mass.contains(1));
  CHECK(mass.accurate_bits() > 50);
}

TEST_CASE("a tail far below the smallest double is still a number") {
  const Ball::Precision bits(100);
  const Ball tail =
      binomial_sum(Ball(10000), Ball(0.5), Ball(0.5), 9990.0, Ball(1), [](const Ball&) { return Ball(1); });
  CHECK(certainly(tail > 0));
  CHECK(tail.accurate_bits() > 60);
  CHECK(certainly(tail < exp(Ball(-6000))));
}

TEST_CASE("the edges of the distribution are exact") {
  const auto one = [](const double&) { return 1.0; };
  CHECK(binomial_sum(5.0, 0.0, 1.0, 0.0, 1.0, one) == 1.0);
  CHECK(binomial_sum(5.0, 0.0, 1.0, 1.0, 1.0, one) == 0.0);
  CHECK(binomial_sum(5.0, 1.0, 0.0, 5.0, 1.0, one) == 1.0);
  CHECK(binomial_sum(5.0, 0.5, 0.5, 6.0, 1.0, one) == 0.0);
}
