// The laws of one step of DP-SGD through their moment functions, for the contour integral.
#pragma once

#include "solvers/losses/compose.hpp"

namespace epsilary::bounds::dpsgd {

// The laws of laws.hpp, each T times.
solvers::MomentLaws subsampled_gaussian_moments(const solvers::Ball& p, const solvers::Ball& mu, double T);
solvers::MomentLaws poisson_removed_moments(const solvers::Ball& p, const solvers::Ball& mu, double T);
solvers::MomentLaws poisson_added_moments(const solvers::Ball& p, const solvers::Ball& mu, double T);

}  // namespace epsilary::bounds::dpsgd
