// What simulate and audit share: the point they are asked for, checked, and how often to run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/epsilary/inside.hpp"
#include "experiments/protocols/pairs.hpp"
#include "experiments/protocols/runs.hpp"

namespace epsilary {

// A protocol's parameters: what is usual, and what may be given besides.
struct Usual {
  std::string protocol;
  Parameters usual;
  std::vector<std::string> also = {};
};

struct RunPoint {
  Parameters parameters;  // given, and the usual ones that were not
  Pairs where;            // the same as text
  experiments::Setting at;
  bounds::Point point;
};
// Refuses an unknown protocol, a parameter it does not take, more than one value, and what cannot be run.
RunPoint run_point(const std::vector<Usual>& usual, const std::string& protocol, const Parameters& given);
Parameters usual_of(const std::vector<Usual>& usual, const std::string& protocol);
// The parameters but those named.
Parameters without(const Parameters& all, const std::vector<std::string>& keys);

struct Repeated {
  std::uint64_t runs;
  double confidence;
  std::string confidence_text;
};
Repeated repeated(const Repetition& repetition, std::uint64_t usual, std::uint64_t least);

// Six digits, for reading; rounded down or up where that is the safe side.
std::string shown(double x);
std::string shown(double x, solvers::Rounding side);

}  // namespace epsilary
