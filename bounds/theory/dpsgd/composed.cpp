#include "bounds/theory/dpsgd/composed.hpp"

#include <cmath>

#include "bounds/theory/dpsgd/laws.hpp"
#include "bounds/theory/dpsgd/moments.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"
#include "bounds/theory/gaussian.hpp"
#include "bounds/theory/gaussian_tradeoff.hpp"
#include "bounds/theory/larger.hpp"
#include "solvers/losses/compose.hpp"

namespace epsilary::bounds::dpsgd {
namespace {

using enum Param;

struct Steps {
  Ball rate, sigma, rounds;  // rounds holds an integer: the hypotheses saw to it
};

// Sampling rate and rounds, from data set, batch and epochs or given as they are.
Steps steps_of(const Values<Ball>& x) {
  if (x.has(q)) return {x[q], x[sigma], x[T]};
  return {dpsgd::rate(x), x[sigma], dpsgd::rounds(x)};
}

// One direction of one step, as the lattice and as the contour integral take it.
struct Direction {
  LossLaw (*law)(const Ball& p, const Ball& mu);
  MomentLaws (*moments)(const Ball& p, const Ball& mu, double T);
};
enum class Tools { all, contour };

template <Tools tools>
Ball composed(const Values<Ball>& x, const Direction& d, const Request& request) {
  const Steps s = steps_of(x);
  const Ball mu_ = 1 / s.sigma;
  ComposedPair pair{.moments = [&](double rounds) { return d.moments(s.rate, mu_, rounds); }};
  if (tools == Tools::all) pair.law = d.law(s.rate, mu_);
  const Target target = x.has(delta) ? Target{.delta = x[delta]} : Target{.eps = x[eps]};
  return compose(pair, std::round(s.rounds.midpoint()), target, request);
}

// Fixed-size batches; one step, and a rate of 1, which is plain Gaussian composition, are known in closed form.
template <Tools tools>
Ball fixed_size(const Values<Ball>& x, const Request& request) {
  const Steps s = steps_of(x);
  if (certainly(s.rate >= 1)) {
    const Ball mu_ = sqrt(s.rounds) / s.sigma;
    return x.has(delta) ? gdp_epsilon(x[delta], mu_) : gdp_delta(x[eps], mu_);
  }
  if (certainly(s.rounds <= 1))
    return x.has(delta) ? subsampled_epsilon(x[delta], s.rate, Ball(1 / s.sigma))
                        : subsampled_delta(x[eps], s.rate, Ball(1 / s.sigma));
  return composed<tools>(x, {subsampled_gaussian, subsampled_gaussian_moments}, request);
}

}  // namespace

Ball composed_fixed_size(const Values<Ball>& x, const Request& request) { return fixed_size<Tools::all>(x, request); }
Ball composed_by_contour(const Values<Ball>& x, const Request& request) {
  return fixed_size<Tools::contour>(x, request);
}

Ball composed_poisson(const Values<Ball>& x, const Request& request) {
  const Steps s = steps_of(x);
  if (certainly(s.rate >= 1)) return fixed_size<Tools::all>(x, request);
  const auto removed = [&](const Request& r) {
    return composed<Tools::all>(x, {poisson_removed, poisson_removed_moments}, r);
  };
  const auto added = [&](const Request& r) {
    return composed<Tools::all>(x, {poisson_added, poisson_added_moments}, r);
  };
  const Ball most = -s.rounds * log1p(-s.rate);  // no loss of a record that is added lies beyond
  if (x.has(eps)) return certainly(x[eps] >= most) ? removed(request) : larger(request, removed, added);
  const Ball first = removed(request);
  return certainly(most <= first) ? first : max(first, added(request));
}

Ball composed_kinds(const std::vector<SampledSteps>& kinds, Sampling sampling, const Target& target,
                    const Request& request) {
  Ball squares;  // of the steps that take every record: one Gaussian mechanism together
  std::vector<SampledSteps> sampled;
  for (const SampledSteps& k : kinds)
    if (certainly(k.rate >= 1))
      squares += Ball(k.times) / (k.sigma * k.sigma);
    else
      sampled.push_back(k);
  const Ball together = sqrt(squares);
  if (sampled.empty()) return target.delta ? gdp_epsilon(*target.delta, together) : gdp_delta(*target.eps, together);
  const auto direction = [&](const Direction& d) {
    std::vector<RepeatedPair> pairs;
    for (const SampledSteps& k : sampled) {
      const Ball mu_ = 1 / k.sigma;
      pairs.push_back(
          {{.law = d.law(k.rate, mu_), .moments = [=](double rounds) { return d.moments(k.rate, mu_, rounds); }},
           k.times});
    }
    if (!squares.is_zero()) pairs.push_back({{.law = subsampled_gaussian(Ball(1), together)}, 1});
    return compose(pairs, target, request);
  };
  if (sampling == Sampling::fixed_size) return direction({subsampled_gaussian, subsampled_gaussian_moments});
  const Ball removed = direction({poisson_removed, poisson_removed_moments});
  return max(removed, direction({poisson_added, poisson_added_moments}));
}

}  // namespace epsilary::bounds::dpsgd
