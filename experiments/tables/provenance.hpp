// What made a result: enough to make it again.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace epsilary::experiments {

struct Provenance {
  std::string version;
  std::string source;  // of what computes: the same source gives the same numbers
  int digits = 0;
  std::vector<std::pair<std::string, std::string>> libraries;
  std::string spec = {};  // which points, where a spec says so
};

Provenance provenance(int digits, const std::string& spec = {});

}  // namespace epsilary::experiments
