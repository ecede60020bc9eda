// Two forms of a bound by the privacy blanket: delta at eps, and eps at delta.
#pragma once

#include <vector>

#include "bounds/core/bound.hpp"
#include "bounds/theory/shuffle/blanket_inequalities.hpp"

namespace epsilary::bounds::blanket {

void add(std::vector<Bound>& out, Inequality by, Bound form);

inline constexpr const char* bennett_formula =
    R"(\delta=\frac{b_+}{\log(1+t)\gamma n}\left((1-\gamma+\gamma e^{-x})^n-(1-\gamma)^n\right),\ t=\frac{ab_+}{c},\ x=\frac{c}{b_+^2}((1+t)\log(1+t)-t))";

}  // namespace epsilary::bounds::blanket
