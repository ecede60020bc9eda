// What a statement says of itself, where statements of a paper have the rest in common.
#pragma once

#include <string>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

struct Words {
  std::string id, title, source, formula;
  Standing standing;
  std::string note, proof;
};

// The form given, in these words.
Bound in_words(Bound form, const Words& words);

}  // namespace epsilary::bounds
