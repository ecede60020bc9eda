// What hides a report among the others.
#pragma once

namespace epsilary::bounds::clones {

// Each of the others is a clone with probability e^{-eps0} (Feldman, McMillan and Talwar 2021), or shows a label of the
// blanket with probability 2/(e^{eps0}+1), which is larger (PROOFS.md, convex).
enum class Hiding { clones, blanket };

}  // namespace epsilary::bounds::clones
