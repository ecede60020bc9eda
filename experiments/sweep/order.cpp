#include "experiments/sweep/order.hpp"

#include <algorithm>
#include <tuple>

namespace epsilary::experiments {

using namespace bounds;

bool has_number(const Row& row) { return row.evaluation.has_number(); }

bool is_tighter(const Row& a, const Row& b) {
  const Ball &x = a.evaluation.answer().value, &y = b.evaluation.answer().value;
  // Overlapping balls are told apart by their centres: the order is for reading, not a claim.
  const int order = arf_cmp(arb_midref(x.arb()), arb_midref(y.arb()));
  return a.bound->side == Side::lower ? order > 0 : order < 0;
}

void tightest_first(std::vector<Row>& rows) {
  struct Group {
    Subject subject;
    bool asked;
    std::ptrdiff_t rows;
  };
  std::vector<Group> groups;
  for (const Row& r : rows) {
    const Subject s = subject(*r.bound);
    const auto known = std::ranges::find(groups, s, &Group::subject);
    const std::ptrdiff_t counts = has_number(r) ? 1 : 0;
    if (known == groups.end())
      groups.push_back({s, other_question(*r.bound, r.asked).empty(), counts});
    else
      known->rows += counts;
  }
  std::ranges::stable_sort(groups, {},
                           [](const Group& g) { return std::tuple(g.subject.quantity, !g.asked, -g.rows); });
  const auto rank = [&](const Row& r) {
    return std::tuple(std::ranges::find(groups, subject(*r.bound), &Group::subject) - groups.begin(), r.bound->side,
                      !has_number(r), !guarantees(r));
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return has_number(a) && is_tighter(a, b);
  });
}

}  // namespace epsilary::experiments
