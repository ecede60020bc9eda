// What made a result: enough to make it again.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace epsilary::experiments {

struct Provenance {
  std::string version;
  int digits = 0;
  std::vector<std::pair<std::string, std::string>> libraries;
};

Provenance provenance(int digits);

}  // namespace epsilary::experiments
