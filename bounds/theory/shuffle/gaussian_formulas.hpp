// Shuffled reports with Gaussian noise, of one pair of data sets: the rounds in which all report, or who checks in.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::shuffled_gaussian {

RoundForms all_report();
RoundForms check_in();

}  // namespace epsilary::bounds::shuffled_gaussian
