// The families of statements: one for each file of bounds/papers, found by the build.
#pragma once

#include <span>
#include <string_view>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

using Family = std::span<const Bound>();

struct NamedFamily {
  Family* statements;
  std::string_view file;  // "balle2020/fixed_window.cpp"
};
std::span<const NamedFamily> families();

}  // namespace epsilary::bounds
