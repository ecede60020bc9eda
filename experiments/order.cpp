#include "experiments/order.hpp"

#include <algorithm>
#include <tuple>

namespace experiments {

using namespace bounds;

bool has_number(const Row& row) { return row.evaluation.has_number(); }

bool is_tighter(const Row& a, const Row& b) {
  const Ball &x = a.evaluation.answer().value, &y = b.evaluation.answer().value;
  // Overlapping balls are told apart by their centres: the order is for reading, not a claim.
  const int order = arf_cmp(arb_midref(x.arb()), arb_midref(y.arb()));
  return a.bound->side == Side::lower ? order > 0 : order < 0;
}

void tightest_first(std::vector<Row>& rows) {
  const auto rank = [](const Row& r) {
    return std::tuple(r.bound->quantity, r.bound->side, !has_number(r),
                      !(r.evaluation.certified && is_guarantee(*r.bound)));
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return has_number(a) && is_tighter(a, b);
  });
}

}  // namespace experiments
