// What the long runs gave, kept as tables that ship with the program.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/tables/table.hpp"

namespace epsilary::learning {

struct Stored {
  std::string_view id;   // of the training that made it
  std::string_view csv;  // as `epsilary train` wrote it
};
const std::vector<Stored>& stored_results();

// Several of them one below the other, with a column `training` that says of which each row is. Throws
// experiments::BadSpec where one is not there.
Table stored_table(const std::vector<std::string>& ids);

// The number in a column of the last row of an accountant (or of "training") that has these values, and a `value`, its
// epsilon, of at most `eps` where that is given.
struct Wanted {
  std::string training, bound, column, eps;
  std::vector<std::pair<std::string, std::string>> where;
};
std::string stored_number(const Wanted& wanted);

}  // namespace epsilary::learning
