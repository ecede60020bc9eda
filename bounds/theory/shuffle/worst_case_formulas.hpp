// The worst case of random check-ins and of shuffling, over all adaptive eps0-LDP randomizers and all data: epsilon at
// a delta, or delta at an epsilon.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::supremum {

Evaluator worst_in_fixed_window();
Evaluator worst_in_sliding_window();
// Where all n clients take part alike.
Evaluator worst_in_fixed_window_of_all();
Evaluator worst_in_sliding_window_of_all();
Evaluator worst_of_shuffle();             // by a pivot
Evaluator worst_of_shuffle_or_blanket();  // or by the blanket, which is less

}  // namespace epsilary::bounds::supremum
