#include "bounds/core/proofs.hpp"

namespace epsilary::bounds {

std::string proof_of(const Bound& b) {
  const std::string written = b.proof.empty() ? "" : "bounds/PROOFS.md, " + std::string(b.proof);
  switch (b.standing) {
    case Standing::unsound:
      return written.empty() ? "none: it is not true as printed" : "none that holds; what is wrong: " + written;
    case Standing::rate: return "of the rate, in the source; its constants are dropped there";
    case Standing::approximate: return written.empty() ? "none: a limit or a heuristic" : written;
    case Standing::proved:
    case Standing::repaired: return written;
    case Standing::published: return written.empty() ? "in the source" : written + "; the rest in the source";
  }
  return written;
}

}  // namespace epsilary::bounds
