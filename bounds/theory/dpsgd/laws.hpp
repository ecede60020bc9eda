// The privacy-loss laws of one step of DP-SGD.
#pragma once

#include "solvers/losses/pair.hpp"

namespace epsilary::bounds::dpsgd {

// C_p(G_mu): fixed-size batches without replacement, replace-one neighbours. Symmetric; an atom at 0.
solvers::LossLaw subsampled_gaussian(const solvers::Ball& p, const solvers::Ball& mu);

// Poisson sampling: P = (1-p) N(0,1) + p N(mu,1) against Q = N(0,1) when the record is removed, the other way round
// when it is added.
solvers::LossLaw poisson_removed(const solvers::Ball& p, const solvers::Ball& mu);
solvers::LossLaw poisson_added(const solvers::Ball& p, const solvers::Ball& mu);

}  // namespace epsilary::bounds::dpsgd
