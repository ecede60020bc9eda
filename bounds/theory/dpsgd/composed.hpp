// DP-SGD by the composed privacy losses of its steps: epsilon where x has delta, delta where it has eps; for a data set
// with batches, or for a sampling rate.
#pragma once

#include <vector>

#include "bounds/core/point.hpp"
#include "solvers/losses/pair.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::bounds::dpsgd {

constexpr double composed_width = 1e-3;  // of a bracket, unless more is asked for

// Fixed-size batches, C_{b/n}(G_{1/sigma}) T times.
Ball composed_fixed_size(const Values<Ball>& x, const Request& request);
// The same by the contour integral alone.
Ball composed_by_contour(const Values<Ball>& x, const Request& request);
// The worse of the two directions of ((1-q) N(0,1) + q N(1/sigma,1), N(0,1)): what Poisson sampling costs at most, and
// what a run with batches of fixed size attains.
Ball composed_poisson(const Values<Ball>& x, const Request& request);

// Steps of several kinds one after another: noise over what one record can change, sampling rate, how many of them.
struct SampledSteps {
  Ball sigma, rate;
  double times = 1;
};
// Poisson sampling: encloses what they cost when a record is removed or added, whichever is more; data attain it. Fixed
// sizes: encloses what C_{rate}(G_{1/sigma}) of each kind, so many times, costs together; no run costs more.
enum class Sampling { poisson, fixed_size };
Ball composed_kinds(const std::vector<SampledSteps>& kinds, Sampling sampling, const solvers::Target& target,
                    const Request& request);

}  // namespace epsilary::bounds::dpsgd
