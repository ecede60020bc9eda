#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

// Without a default, so that the compiler tells what has no name.
std::string_view name(Quantity x) {
  switch (x) {
    case Quantity::epsilon: return "epsilon";
    case Quantity::delta: return "delta";
    case Quantity::rdp: return "rdp";
    case Quantity::risk: return "risk";
    case Quantity::bits: return "bits";
    case Quantity::count: return "count";
    case Quantity::variance: return "variance";
    case Quantity::ratio: return "ratio";
    case Quantity::mu: return "mu";
    case Quantity::sigma: return "sigma";
    case Quantity::error: return "error";
    case Quantity::rdp_approx: return "rdp-approx";
    case Quantity::limit: break;
  }
  return "limit";
}
std::string_view name(Side x) {
  switch (x) {
    case Side::upper: return "upper";
    case Side::lower: return "lower";
    case Side::exact: return "exact";
    case Side::estimate: break;
  }
  return "estimate";
}
std::string_view name(Standing x) {
  switch (x) {
    case Standing::proved: return "proved";
    case Standing::repaired: return "repaired";
    case Standing::published: return "published";
    case Standing::unsound: return "unsound";
    case Standing::rate: return "rate";
    case Standing::approximate: break;
  }
  return "approximate";
}
std::string_view name(Adjacency x) {
  switch (x) {
    case Adjacency::replace: return "replace";
    case Adjacency::remove: return "remove";
    case Adjacency::none: return "none";
    case Adjacency::either: break;
  }
  return "either";
}
std::string_view name(View x) {
  switch (x) {
    case View::usual: return "usual";
    case View::count_hidden: return "count-hidden";
    case View::told_steps: break;
  }
  return "told-steps";
}

}  // namespace epsilary::bounds
