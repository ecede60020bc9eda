#include "bounds/forms/composed_rounds.hpp"

#include <utility>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/rounds.hpp"

namespace epsilary::bounds::rounds {

using enum Param;

std::vector<Hypothesis> within_reach() {
  return {assume::at_most<T, 9>(),
          exactly("eps0 <= 20", [](const Values<Rational>& x) { return !x.has(eps0) || x[eps0] <= 20; }),
          exactly("delta >= 1e-200",
                  [](const Values<Rational>& x) { return !x.has(delta) || x[delta] >= power_of_ten(-200); })};
}

std::vector<Hypothesis> checkin_within_reach() {
  std::vector<Hypothesis> list{
      assume::at_most<n, 12>(),
      exactly("n gamma >= 1e-8, or gamma = 0",
              [](const Values<Rational>& x) { return 100000000 * x[n] * x[gamma] >= 1 || !(x[gamma] > 0); }),
      exactly("quorum <= n gamma",
              [](const Values<Rational>& x) { return !x.has(quorum) || x[quorum] <= x[n] * x[gamma]; }),
      exactly("multiplier^2 n gamma >= 0.1", [](const Values<Rational>& x) {
        return !x.has(multiplier) || 10 * x[multiplier] * x[multiplier] * x[n] * x[gamma] >= 1 || !(x[gamma] > 0);
      })};
  for (Hypothesis& h : within_reach()) list.push_back(h);
  return list;
}

void add_both(std::vector<Bound>& list, Bound form, const std::string& epsilon_title, const std::string& delta_title) {
  form.width = default_width;
  form.rises.push_back(T);
  form.needs.push_back(T);
  for (const bool asks_epsilon : {true, false}) {
    Bound b = form;
    b.title = asks_epsilon ? epsilon_title : delta_title;
    b.quantity = asks_epsilon ? Quantity::epsilon : Quantity::delta;
    b.needs.push_back(asks_epsilon ? delta : eps);
    b.falls.push_back(asks_epsilon ? delta : eps);
    list.push_back(std::move(b));
  }
}

}  // namespace epsilary::bounds::rounds
