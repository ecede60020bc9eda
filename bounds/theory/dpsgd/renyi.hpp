// Renyi moments of one step of DP-SGD.
#pragma once

#include "solvers/numbers/real.hpp"

namespace epsilary::bounds::dpsgd {

using namespace solvers;

// log E_Q[(P/Q)^lambda] for Poisson sampling, P = (1-p) N(0,1) + p N(mu,1), Q = N(0,1); the other direction is smaller
// (Mironov, Talwar and Zhang 2019).
double poisson_log_moment(double lambda, double p, double mu);
mp50 poisson_log_moment(const mp50& lambda, const mp50& p, const mp50& mu);
Ball poisson_log_moment(const Ball& lambda, const Ball& p, const Ball& mu);

// The same for C_p(G_mu): log(1 + m), m the integral of phi (rho^lambda - 1)(1 - rho^{1-lambda}) over t > mu/2,
// rho = 1 + p (e^{mu t - mu^2/2} - 1).
double subsampled_log_moment(double lambda, double p, double mu);
mp50 subsampled_log_moment(const mp50& lambda, const mp50& p, const mp50& mu);
Ball subsampled_log_moment(const Ball& lambda, const Ball& p, const Ball& mu);

// The order that converts T such moments to the least epsilon at delta, found in double: any order is valid.
double best_poisson_order(double p, double mu, double T, double delta);
double best_subsampled_order(double p, double mu, double T, double delta);

}  // namespace epsilary::bounds::dpsgd
