#include "experiments/tightness/tightness.hpp"

#include <algorithm>
#include <tuple>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/order.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

bool is_about_epsilon(const Bound& b) {
  return b.quantity == Quantity::epsilon && (b.side == Side::upper || b.side == Side::lower);
}

}  // namespace

const Protocol* protocol_named(std::string_view name) {
  const auto found = std::ranges::find(protocols(), name, &Protocol::name);
  return found == protocols().end() ? nullptr : &*found;
}

std::vector<const Bound*> statements(const Protocol& protocol, const Point& point, std::vector<const Bound*>* lacking) {
  std::vector<const Bound*> chosen;
  std::vector<std::string_view> seen;
  for (const Bound* b : all()) {
    if (b->protocol != protocol.name || !is_about_epsilon(*b) || std::ranges::count(seen, b->id)) continue;
    seen.push_back(b->id);
    std::vector<const Bound*> forms = named(b->id);
    std::erase_if(forms, [](const Bound* f) { return !is_about_epsilon(*f); });
    if (const Bound* form = form_for(forms, point))
      chosen.push_back(form);
    else if (lacking)
      lacking->push_back(forms.front());
  }
  return chosen;
}

Ball best_value(const Row& row) { return capped(row.evaluation.answer()); }

namespace {

// The end that is printed.
double safe_end(const Row& row) {
  const Ball value = best_value(row);
  return row.bound->side == Side::lower ? value.lower() : value.upper();
}

}  // namespace

void loosest_first(std::vector<Row>& rows) {
  const auto rank = [](const Row& r) { return std::tuple(!has_number(r), !answers(r), r.bound->side); };
  const auto printed = [](const Row& r) {
    return r.bound->side == Side::lower ? r.evaluation.answer().value.lower() : r.evaluation.answer().value.upper();
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return has_number(a) && printed(a) > printed(b);
  });
}

const Row* tightest(const std::vector<Row>& rows, Side side) {
  const Row* best = nullptr;
  for (const Row& r : rows) {
    if (r.bound->side != side || !guarantees(r)) continue;
    if (!best || (side == Side::lower ? safe_end(r) > safe_end(*best) : safe_end(r) < safe_end(*best))) best = &r;
  }
  return best;
}

std::vector<Loss> losses(const Protocol& protocol, const std::vector<Row>& rows) {
  const auto find = [&](std::string_view id) -> const Row* {
    for (const Row& r : rows)
      if (r.bound->id == id && answers(r)) return &r;
    return nullptr;
  };
  std::vector<Loss> out;
  for (const Slack& s : protocol.chain) {
    const Row *loose = find(s.looser), *tight = find(s.tighter);
    if (!loose || !tight || !certainly(tight->evaluation.answer().value > 0)) continue;
    const Ball &from = loose->evaluation.answer().value, &to = tight->evaluation.answer().value;
    if (certainly(from < to))
      continue;  // nothing is gained here, as by the own blanket of one that is itself the worst
    out.push_back({&s, from / to});
  }
  return out;
}

}  // namespace epsilary::experiments
