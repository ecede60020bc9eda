#include "bounds/core/bound.hpp"

#include <array>

namespace epsilary::bounds {
namespace {

template <class Enum, std::size_t N>
std::string_view pick(const std::array<std::string_view, N>& names, Enum e) {
  return names[static_cast<std::size_t>(e)];
}

}  // namespace

std::string_view name(Quantity q) {
  return pick(std::array<std::string_view, 13>{"epsilon", "delta", "rdp", "risk", "bits", "count", "variance", "ratio",
                                               "mu", "sigma", "error", "rdp-approx", "limit"},
              q);
}
std::string_view name(Side s) {
  return pick(std::array<std::string_view, 4>{"upper", "lower", "exact", "estimate"}, s);
}
std::string_view name(Standing s) {
  return pick(std::array<std::string_view, 6>{"proved", "repaired", "published", "unsound", "rate", "approximate"}, s);
}
std::string_view name(Adjacency a) {
  return pick(std::array<std::string_view, 4>{"replace", "remove", "none", "either"}, a);
}
std::string_view name(View v) {
  return pick(std::array<std::string_view, 3>{"usual", "count-hidden", "told-steps"}, v);
}

std::string Point::text(Param p) const {
  if (p == Param::randomizer) return randomizer_->text;
  if (p != Param::steps) return (*this)[p].text();
  std::string joined;
  for (const Decimal& x : steps()) joined += (joined.empty() ? "" : "+") + x.text();
  return joined;
}

}  // namespace epsilary::bounds
