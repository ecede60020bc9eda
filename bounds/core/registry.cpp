#include "bounds/core/registry.hpp"

#include <algorithm>

#include "bounds/core/families.hpp"
#include "bounds/core/units.hpp"

namespace epsilary::bounds {

const std::vector<const Bound*>& all() {
  static const std::vector<const Bound*> list = [] {
    std::vector<const Bound*> out;
    for (const NamedFamily& family : families())
      for (const Bound& b : family.statements()) out.push_back(&b);
    std::ranges::stable_sort(out, {}, &Bound::id);
    return out;
  }();
  return list;
}

std::vector<const Bound*> named(std::string_view id) {
  std::vector<const Bound*> forms;
  std::ranges::copy_if(all(), std::back_inserter(forms), [&](const Bound* b) { return b->id == id; });
  return forms;
}

std::vector<Param> missing(const Bound& bound, const Point& point) {
  std::vector<Param> lacking;
  std::ranges::copy_if(bound.needs, std::back_inserter(lacking), [&](Param p) { return !is_given(bound, p, point); });
  return lacking;
}

const Bound* form_for(const std::vector<const Bound*>& forms, const Point& point) {
  const Bound* best = nullptr;
  for (const Bound* b : forms)
    if (missing(*b, point).empty() && (!best || b->needs.size() > best->needs.size())) best = b;
  return best;
}

}  // namespace epsilary::bounds
