#include "bounds/core/point.hpp"

#include <string>

namespace epsilary::bounds {

std::string Point::text(Param p) const {
  if (p == Param::randomizer) return randomizer_->text;
  if (p != Param::steps) return (*this)[p].text();
  std::string joined;
  for (const Decimal& x : steps()) joined += (joined.empty() ? "" : "+") + x.text();
  return joined;
}

}  // namespace epsilary::bounds
