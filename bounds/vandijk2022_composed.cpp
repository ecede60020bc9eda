#include <span>

#include "bounds/bound.hpp"
#include "bounds/vandijk2022_concentrated.hpp"
#include "bounds/vandijk2022_dpsgd.hpp"
#include "bounds/vandijk2022_laws.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace vandijk2022;

constexpr double default_width = 1e-3;

// Asked for in balls of few bits: the default. More digits asked for: the narrowest bracket that fits in memory.
Refinement refinement() {
  if (Ball::precision() < 50) return {.width = 1e-2};  // a sketch, for searches in double
  if (Ball::precision() < 100) return {.width = 0.9 * default_width};
  return {.width = 1e-6};
}

struct Steps {
  Ball rate, sigma, rounds;  // rounds holds an integer: the hypotheses saw to it
};

// Sampling rate and rounds, from data set, batch and epochs or given as they are.
Steps steps_of(const Values<Ball>& x) {
  if (x.has(q)) return {x[q], x[sigma], x[T]};
  return {vandijk2022::rate(x), x[sigma], vandijk2022::rounds(x)};
}

template <class N>
bool noise_in_range(const N& noise) {
  return 20 * noise >= 1 && noise <= 10000;
}

Ball as_ball(const Bracket& b) {
  if (!std::isfinite(b.upper)) return Ball(b.upper);
  return Ball::hull(Ball(b.lower), Ball(b.upper));
}

using Law = LossLaw(const Ball& p, const Ball& mu);

// The worst of the directions, each a law of its own.
Ball composed(const Values<Ball>& x, std::initializer_list<Law*> directions) {
  const Steps s = steps_of(x);
  Bracket worst{0, 0};
  for (Law* law : directions) {
    const std::vector<Repeated> laws{{law(s.rate, 1 / s.sigma), std::round(s.rounds.midpoint())}};
    const Bracket b =
        x.has(delta) ? composed_epsilon(laws, x[delta], refinement()) : composed_delta(laws, x[eps], refinement());
    worst = {std::max(worst.lower, b.lower), std::max(worst.upper, b.upper)};
  }
  return as_ball(worst);
}

// Fixed-size batches; one step, and a rate of 1, which is plain Gaussian composition, are known in closed form.
Ball fixed_size(const Values<Ball>& x) {
  const Steps s = steps_of(x);
  if (s.rate >= 1) {
    const Ball mu_ = sqrt(s.rounds) / s.sigma;
    return x.has(delta) ? gdp_epsilon(x[delta], mu_) : gdp_delta(x[eps], mu_);
  }
  if (s.rounds <= 1)
    return x.has(delta) ? subsampled_epsilon(x[delta], s.rate, Ball(1 / s.sigma))
                        : subsampled_delta(x[eps], s.rate, Ball(1 / s.sigma));
  return composed(x, {subsampled_gaussian});
}

Ball poisson(const Values<Ball>& x) {
  const Steps s = steps_of(x);
  if (s.rate >= 1) return fixed_size(x);
  return composed(x, {poisson_removed, poisson_added});
}

// A bracket has no use for other number types: their value is the upper end of a rough one, which is safe. Searches
// wander outside the range of the engine; there the value is the one without amplification, which is safe too.
template <Real R>
Answer<R> upper_end(Ball (*formula)(const Values<Ball>&), const Values<R>& x) {
  const Ball::Precision bits(40);
  Values<Ball> exact;
  for (const Param p : {q, n, batch, sigma, T, epochs, delta, eps})
    if (x.has(p)) exact.set(p, Ball(to_double(x[p])));
  const Steps s = steps_of(exact);
  if (noise_in_range(s.sigma)) return {R(formula(exact).upper())};
  const double mu_ = std::sqrt(s.rounds.midpoint()) / s.sigma.midpoint();
  return {R(x.has(delta) ? gdp_epsilon(to_double(x[delta]), mu_) : gdp_delta(to_double(x[eps]), mu_))};
}
template <Ball (*formula)(const Values<Ball>&)>
Evaluator bracketed() {
  return {[](const Values<double>& x) { return upper_end(formula, x); },
          [](const Values<mp50>& x) { return upper_end(formula, x); },
          [](const Values<Ball>& x) { return Answer<Ball>{formula(x)}; }};
}

// Four forms: epsilon or delta, for a data set with batches or for a rate.
std::vector<Bound> forms(const Bound& common, std::string_view epsilon_title, std::string_view delta_title) {
  std::vector<Bound> out;
  for (const bool asks_epsilon : {true, false})
    for (const bool has_data : {true, false}) {
      Bound b = common;
      b.title = asks_epsilon ? epsilon_title : delta_title;
      b.quantity = asks_epsilon ? Quantity::epsilon : Quantity::delta;
      const Param given = asks_epsilon ? delta : eps;
      b.needs = has_data ? std::vector{n, batch, sigma, given} : std::vector{q, sigma, T, given};
      b.falls = {sigma, given};
      b.rises = {T};
      if (has_data) {
        b.takes = {T, epochs};
        b.rises.push_back(epochs);
        b.assumes = dpsgd_hypotheses();
        b.assumes.push_back(exactly("batch/n >= 1e-8", [](const auto& x) { return 100000000 * x[batch] >= x[n]; }));
      } else {
        b.assumes = {exactly("q >= 1e-8", [](const auto& x) { return 100000000 * x[q] >= 1; })};
      }
      b.assumes.push_back(exactly("0.05 <= sigma <= 10000", [](const auto& x) { return noise_in_range(x[sigma]); }));
      b.assumes.push_back(exactly("T <= 10^9", [](const auto& x) {
        return x.has(T) ? x[T] <= 1000000000 : x[epochs] * x[n] <= 1000000000 * x[batch];
      }));
      out.push_back(std::move(b));
    }
  return out;
}

}  // namespace

std::span<const Bound> vandijk2022_composed() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = forms(
        {
            .id = "vandijk2022-composed",
            .protocol = "dp-sgd",
            .source = "van Dijk and Nguyen 2022, section 4.4; Dong, Roth and Su 2022, Theorems 4.2 and 5.1",
            .formula = R"(C_{b/n}(G_{1/\sigma})^{\otimes T})",
            .note = "fixed-size batches drawn afresh at each step, replace-one neighbours, noise sigma times twice the "
                    "clipping norm; exact for this trade-off function, which no DP-SGD run is shown to attain",
            .width = default_width,
            .evaluate = bracketed<fixed_size>(),
        },
        "epsilon of DP-SGD by composing its privacy losses", "delta of DP-SGD by composing its privacy losses");
    for (
        Bound& b : forms(
            {
                .id = "vandijk2022-poisson",
         .protocol = "dp-sgd-poisson",
         .source = "Zhu, Dong and Wang 2022, dominating pairs of Poisson sampling, composed as in van Dijk and Nguyen "
                   "2022",
         .formula = R"(\max\{T((1-q)\mathcal N_0+q\mathcal N_{1/\sigma},\mathcal N_0),T(\mathcal N_0,\cdot)\}^{\otimes T})",
         .standing = Standing::published,
         .note = "Poisson sampling at rate b/n, add-or-remove neighbours, noise sigma times the clipping norm",
         .adjacency = Adjacency::remove,
         .width = default_width,
         .evaluate = bracketed<poisson>(),
            },
            "epsilon of DP-SGD with Poisson sampling by composing its privacy losses",
            "delta of DP-SGD with Poisson sampling by composing its privacy losses"))
      out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace bounds
