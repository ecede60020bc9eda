#include <array>
#include <span>

#include "bounds/bound.hpp"
#include "bounds/larger.hpp"
#include "bounds/vandijk2022_concentrated.hpp"
#include "bounds/vandijk2022_dpsgd.hpp"
#include "bounds/vandijk2022_laws.hpp"
#include "bounds/vandijk2022_moments.hpp"
#include "solvers/compose.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace vandijk2022;

constexpr double default_width = 1e-3;

struct Steps {
  Ball rate, sigma, rounds;  // rounds holds an integer: the hypotheses saw to it
};

// Sampling rate and rounds, from data set, batch and epochs or given as they are.
Steps steps_of(const Values<Ball>& x) {
  if (x.has(q)) return {x[q], x[sigma], x[T]};
  return {vandijk2022::rate(x), x[sigma], vandijk2022::rounds(x)};
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

// The worse of the two directions of ((1-q) N(0,1) + q N(1/sigma,1), N(0,1)): what Poisson sampling costs at most, and
// what a run with batches of fixed size attains.
Ball poisson(const Values<Ball>& x, const Request& request) {
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
        b.rises.push_back(q);
        b.assumes = {exactly("q >= 1e-8", [](const auto& x) { return 100000000 * x[q] >= 1; })};
      }
      b.assumes.push_back(
          exactly("0.05 <= sigma <= 10000", [](const auto& x) { return 20 * x[sigma] >= 1 && x[sigma] <= 10000; }));
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
    const Bound composed{
        .id = "vandijk2022-composed",
        .protocol = "dp-sgd",
        .source = "van Dijk and Nguyen 2022, section 4.4; Dong, Roth and Su 2022, Theorems 4.2 and 5.1",
        .formula = R"(C_{b/n}(G_{1/\sigma})^{\otimes T})",
        .note =
            "fixed-size batches drawn afresh at each step, replace-one neighbours, noise sigma times twice the "
            "clipping norm; exact for this trade-off function, which no DP-SGD run is shown to attain",
        .proof = "batches, subsampling, domination",
        .remark = fixed_size_remark,
        .width = default_width,
        .evaluate = bracketed<fixed_size<Tools::all>>(),
    };
    Bound contour = composed;
    contour.id = "vandijk2022-composed-contour";
    contour.formula =
        R"(\frac1{2\pi i}\int_{c-i\infty}^{c+i\infty}\frac{e^{-z\varepsilon}M(z)^T}{z(z+1)}dz,\ M(z)=E\,e^{zX})";
    contour.note = "the same quantity as vandijk2022-composed by the contour integral alone; wide where it is too long";
    contour.evaluate = bracketed<fixed_size<Tools::contour>>();
    Bound sampled = composed;
    sampled.id = "vandijk2022-poisson";
    sampled.proof = "poisson, domination";
    sampled.protocol = "dp-sgd-poisson";
    sampled.source =
        "Zhu, Dong and Wang 2022, dominating pairs of Poisson sampling, composed as in van Dijk and Nguyen 2022";
    sampled.formula =
        R"(\max\{T((1-q)\mathcal N_0+q\mathcal N_{1/\sigma},\mathcal N_0),T(\mathcal N_0,\cdot)\}^{\otimes T})";
    sampled.note = "Poisson sampling at rate b/n, add-or-remove neighbours, noise sigma times the clipping norm";
    sampled.adjacency = Adjacency::remove;
    sampled.remark = poisson_remark;
    sampled.evaluate = bracketed<poisson>();
    Bound lower = composed;
    lower.id = "epsilary-lower-dp-sgd";
    lower.proof = "opposite";
    lower.source = "epsilary; a linear loss, every other record with the opposite gradient";
    lower.formula =
        R"(\max\{T((1-\tfrac bn)\mathcal N_0+\tfrac bn\mathcal N_{1/\sigma},\mathcal N_0),T(\mathcal N_0,\cdot)\}^{\otimes T})";
    lower.side = Side::lower;
    lower.note =
        "of one loss and one pair of data sets, neighbours and noise as in vandijk2022-composed: what no bound for all "
        "of them can beat";
    lower.evaluate = bracketed<poisson>();

    std::vector<Bound> out;
    for (const auto& [bound, tool] :
         {std::pair{composed, std::array{"epsilon of DP-SGD by composing its privacy losses",
                                         "delta of DP-SGD by composing its privacy losses"}},
          {contour, std::array{"epsilon of DP-SGD by the contour integral", "delta of DP-SGD by the contour integral"}},
          {sampled, std::array{"epsilon of DP-SGD with Poisson sampling by composing its "
                               "privacy losses",
                               "delta of DP-SGD with Poisson sampling by composing its "
                               "privacy losses"}},
          {lower, std::array{"Least epsilon of DP-SGD that any analysis can show",
                             "Least delta of DP-SGD that any analysis can show"}}})
      for (Bound& b : forms(bound, tool[0], tool[1])) out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace bounds
