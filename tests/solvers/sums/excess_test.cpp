// E(X_1 + ... + X_n)_+ between two proved ends, against sums that are known otherwise.
#include "solvers/sums/excess.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/numbers/functions.hpp"
#include "solvers/search/bracket.hpp"

using namespace epsilary::solvers;

namespace {

constexpr double plenty = 2e8;

// Whole values and their masses, added up n times by the masses of all sums.
long double on_a_lattice(const std::vector<int>& value, const std::vector<double>& mass, int n) {
  const int low = *std::ranges::min_element(value), high = *std::ranges::max_element(value);
  std::vector<long double> law{1};
  for (int i = 0; i < n; ++i) {
    std::vector<long double> next(law.size() + static_cast<std::size_t>(high - low), 0);
    for (std::size_t s = 0; s < law.size(); ++s)
      for (std::size_t k = 0; k < value.size(); ++k)
        next[s + static_cast<std::size_t>(value[k] - low)] += law[s] * mass[k];
    law = std::move(next);
  }
  long double sum = 0;
  for (std::size_t s = 0; s < law.size(); ++s) {
    const long double total = static_cast<long double>(s) + static_cast<long double>(low) * n;
    if (total > 0) sum += law[s] * total;
  }
  return sum / n;
}

FiniteLaw law_of(const std::vector<int>& value, const std::vector<double>& mass) {
  FiniteLaw out;
  for (std::size_t k = 0; k < value.size(); ++k) {
    out.value.emplace_back(value[k]);
    out.mass.emplace_back(mass[k]);
  }
  return out;
}

bool holds(const Ball& bracket, long double value) {
  return bracket.lower() <= value * (1 + 1e-15L) && value * (1 - 1e-15L) <= bracket.upper();
}

}  // namespace

TEST_CASE("sums of whole numbers lie in the bracket, which is narrow") {
  const std::vector<double> mass{0.125, 0.5, 0.25, 0.125};  // exact
  for (const std::vector<int>& value : {std::vector{3, -1, 0, -2}, {2, -1, -1, 0}, {5, -3, 1, -4}, {1, -2, 0, 1}})
    for (const int n : {3, 30, 60, 300, 1000})
      for (const double width : {1e-2, 1e-3}) {
        CAPTURE(n);
        CAPTURE(width);
        const Ball found = mean_excess(law_of(value, mass), n, width, plenty);
        CHECK(holds(found, on_a_lattice(value, mass, n)));
        CHECK(is_narrow(found, 1e-2));  // sums that may be zero exactly cost more than the square of the noise
        CHECK(found.upper() <= chernoff_excess(law_of(value, mass), n).upper());
      }
}

TEST_CASE("the mean excess of a binomial law is known in closed form, at a thousand million trials too") {
  // De Moivre: E(B - np)_+ = k (1-p) P(B = k), k = floor(np) + 1.
  for (const long n : {1000L, 1000000L, 1000000000L}) {
    const Ball p = Ball(3) / 10, q = Ball(7) / 10;
    const FiniteLaw law{{q, -p}, {p, q}};
    const Ball k(3 * n / 10 + 1), size(n);
    const Ball log_weight = lgamma(size + 1) - lgamma(k + 1) - lgamma(size - k + 1) + k * log(p) + (size - k) * log(q);
    const Ball exact = k * q * exp(log_weight) / size;
    const Ball found = mean_excess(law, static_cast<double>(n), 1e-3, plenty);
    CAPTURE(n);
    CHECK(found.overlaps(exact));
    CHECK(is_narrow(found, 1e-3));
  }
}

TEST_CASE("far out in the tail the bracket keeps its width") {
  // All n values must be the largest for a gain: n p^n / n.
  const FiniteLaw law{{Ball(1), Ball(-100)}, {Ball(1) / 4, Ball(3) / 4}};
  const Ball found = mean_excess(law, 60, 1e-3, plenty);
  CHECK(found.overlaps(exp(Ball(60) * log(Ball(1) / 4))));
  CHECK(is_narrow(found, 1e-3));
}

TEST_CASE("what is never positive has no excess, and without work Chernoff's bound is left") {
  CHECK(mean_excess({{Ball(-1), Ball(0)}, {Ball(1) / 2, Ball(1) / 2}}, 100, 1e-3, plenty).is_zero());
  const FiniteLaw law = law_of({3, -1, 0, -2}, {0.125, 0.5, 0.25, 0.125});
  const Ball rough = mean_excess(law, 1000, 1e-3, 1);
  CHECK(rough.lower() <= 0);
  CHECK(rough.overlaps(mean_excess(law, 1000, 1e-3, plenty)));
}
