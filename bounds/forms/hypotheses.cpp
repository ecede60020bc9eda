#include "bounds/forms/hypotheses.hpp"

#include "bounds/theory/checkin/overlapping_mixtures.hpp"

namespace epsilary::bounds::assume {

using enum Param;
using Exact = Values<Rational>;

Hypothesis integer_order(std::string_view words) {
  return exactly(words, [](const Exact& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); });
}

Hypothesis countable_clients() {
  return exactly("n <= 10^15, as check-ins are counted one by one",
                 [](const Exact& x) { return x[n] <= power_of_ten(15); });
}
Hypothesis small_eps0() {
  return exactly("eps0 <= 1", [](const Exact& x) { return x[eps0] <= 1; });
}
Hypothesis small_delta() {
  return exactly("delta <= 1/100", [](const Exact& x) { return 100 * x[delta] <= 1; });
}
Hypothesis moderate_eps0() {
  return exactly("0.01 <= eps0 <= 8", [](const Exact& x) { return 100 * x[eps0] >= 1 && x[eps0] <= 8; });
}
Hypothesis slots_within_users() {
  return exactly("m <= n", [](const Exact& x) { return x[m] <= x[n]; });
}
Hypothesis window_within_users() { return within<m, n>(); }
Hypothesis slots_divide_users() {
  return exactly("m divides n", [](const Exact& x) { return is_integer(x[n] / x[m]); });
}
Hypothesis delta0_within_delta() {
  return exactly("delta0 <= delta, as beyond there may be no finite epsilon",
                 [](const Exact& x) { return !x.has(delta0) || !x.has(delta) || x[delta0] <= x[delta]; });
}
Hypothesis own_delta0() {
  return exactly("delta0 left out, as a named randomizer has none and a matrix brings its own", [](const Exact& x) {
    return !x.has(delta0) || x[delta0] == 0 || x.randomizer().kind == Randomizer::Kind::matrix;
  });
}
Hypothesis matrix_within_reach() {
  return exactly("a matrix of at most 128 rows, rows^2 times its different columns <= 200000", [](const Exact& x) {
    const auto& rows = x.randomizer().rows;
    return rows.empty() || (rows.size() <= 128 && rows.size() * rows.size() * rows.front().size() <= 200000);
  });
}
Hypothesis delta2_within_delta() {
  return exactly("delta2 < delta",
                 [](const Exact& x) { return !x.has(delta2) || !x.has(delta) || x[delta2] < x[delta]; });
}
Hypothesis lemma_a3_admits_delta0() {
  return provably("delta0 <= (1-e^-eps0) delta1 / (4 e^eps0 (2 + ln(2/delta1)/ln(1/(1-e^(-5 eps0)))))",
                  [](const Values<Ball>& x) {
                    const Ball rounds = checkin::rejection_rounds(x[eps0], x[delta1]);
                    return checkin::admissible_delta0(x[eps0], x[delta1], rounds) - x[delta0];
                  });
}

}  // namespace epsilary::bounds::assume
