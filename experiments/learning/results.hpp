// What the long runs gave, kept as tables that ship with the program.
#pragma once

#include <string_view>
#include <vector>

namespace epsilary::learning {

struct Stored {
  std::string_view id;   // of the training that made it
  std::string_view csv;  // as `epsilary train` wrote it
};
const std::vector<Stored>& stored_results();

}  // namespace epsilary::learning
