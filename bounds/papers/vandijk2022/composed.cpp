#include <array>
#include <span>
#include <stdexcept>

#include "bounds/core/bound.hpp"
#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/laws.hpp"
#include "bounds/theory/dpsgd/moments.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"
#include "bounds/theory/larger.hpp"
#include "solvers/losses/pairs/few_rounds.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace vandijk2022;

constexpr double default_width = 1e-3;

// Complex products of a contour integral: at first some seconds, at last half a minute.
constexpr double at_first = 3e8, patience = 4e9;
constexpr int few = 100;  // rounds

// How narrow a bracket is asked for, by the bits of the balls: few for searches in double, then the default, then a
// millionth. The contour integral costs hardly more for a millionth; the lattice does.
struct Wanted {
  ContourEffort contour;
  double lattice;
  double patience = 0;  // of the contour integral where the lattice fails too
};
Wanted wanted() {
  if (Ball::precision() < 50) return {{.width = 1e-3, .most_work = 5e6}, 1e-2};
  if (Ball::precision() < 100) return {{.width = 0.9e-6, .most_work = 5e7}, 0.9 * default_width};
  return {{.width = 0.9e-6, .most_work = at_first}, 0.9e-6, patience};
}

struct Steps {
  Ball rate, sigma, rounds;  // rounds holds an integer: the hypotheses saw to it
};

// Sampling rate and rounds, from data set, batch and epochs or given as they are.
Steps steps_of(const Values<Ball>& x) {
  if (x.has(q)) return {x[q], x[sigma], x[T]};
  return {vandijk2022::rate(x), x[sigma], vandijk2022::rounds(x)};
}

// What the laws were tested with.
constexpr double least_noise = 0.05, most_noise = 10000;

Ball as_ball(const Bracket& b) {
  if (!std::isfinite(b.upper)) return Ball(b.upper);
  return Ball::hull(Ball(b.lower), Ball(b.upper));
}
bool narrow(const Ball& x, double width) {  // in balls: delta may be too small for a double
  return x.finite() && certainly(x.upper_end() - x.lower_end() <= Ball(width) * x.upper_end());
}
Ball intersection(const Ball& a, const Ball& b) {
  if (!a.finite() || !b.finite()) return a.finite() ? a : b;
  if (!a.overlaps(b)) throw std::logic_error("two proved brackets of one number do not meet");
  return Ball::hull(max(a.lower_end(), b.lower_end()), min(a.upper_end(), b.upper_end()));
}

// One direction of one step, as the lattice and as the contour integral take it.
struct Direction {
  LossLaw (*law)(const Ball& p, const Ball& mu);
  MomentLaws (*moments)(const Ball& p, const Ball& mu, double T);
};

Ball by_contour(const Values<Ball>& x, const Direction& d, const ContourEffort& effort) {
  const Steps s = steps_of(x);
  const MomentLaws laws = d.moments(s.rate, 1 / s.sigma, std::round(s.rounds.midpoint()));
  return x.has(delta) ? contour_epsilon(laws, x[delta], effort) : contour_delta(laws, x[eps], effort);
}
Ball by_pairs(const Values<Ball>& x, const Direction& d, double width) {
  const Steps s = steps_of(x);
  const LossLaw law = d.law(s.rate, 1 / s.sigma);
  const double rounds = std::round(s.rounds.midpoint());
  return as_ball(x.has(delta) ? few_rounds_epsilon(law, rounds, x[delta], {.width = width})
                              : few_rounds_delta(law, rounds, x[eps], {.width = width}));
}
Ball by_lattice(const Values<Ball>& x, const Direction& d, double width) {
  const Steps s = steps_of(x);
  const std::vector<Repeated> laws{{d.law(s.rate, 1 / s.sigma), std::round(s.rounds.midpoint())}};
  return as_ball(x.has(delta) ? composed_epsilon(laws, x[delta], {.width = width})
                              : composed_delta(laws, x[eps], {.width = width}));
}

// The contour integral where it is quick. Else, for a narrow bracket, few rounds pair by pair; then the lattice, for
// which rare batches are too much; and the contour integral at length.
Ball by_either(const Values<Ball>& x, const Direction& d) {
  const Wanted w = wanted();
  Ball best = by_contour(x, d, w.contour);
  const auto try_too = [&](auto tool) {
    if (!narrow(best, w.lattice)) best = intersection(best, tool());
  };
  const bool at_length = w.patience > 0, rare = certainly(100 * steps_of(x).rate < 1);
  if (at_length && certainly(steps_of(x).rounds <= few)) try_too([&] { return by_pairs(x, d, w.lattice); });
  if (!at_length || !rare) try_too([&] { return by_lattice(x, d, w.lattice); });
  if (at_length) try_too([&] { return by_contour(x, d, {.width = w.contour.width, .most_work = w.patience}); });
  return best;
}
Ball by_contour_alone(const Values<Ball>& x, const Direction& d) {
  return by_contour(x, d, {.width = wanted().contour.width, .most_work = patience});
}

using Tool = Ball(const Values<Ball>&, const Direction&);

// Fixed-size batches; one step, and a rate of 1, which is plain Gaussian composition, are known in closed form.
template <Tool* compose>
Ball fixed_size(const Values<Ball>& x) {
  const Steps s = steps_of(x);
  if (certainly(s.rate >= 1)) {
    const Ball mu_ = sqrt(s.rounds) / s.sigma;
    return x.has(delta) ? gdp_epsilon(x[delta], mu_) : gdp_delta(x[eps], mu_);
  }
  if (certainly(s.rounds <= 1))
    return x.has(delta) ? subsampled_epsilon(x[delta], s.rate, Ball(1 / s.sigma))
                        : subsampled_delta(x[eps], s.rate, Ball(1 / s.sigma));
  return compose(x, {subsampled_gaussian, subsampled_gaussian_moments});
}

// The worse of the two directions of ((1-q) N(0,1) + q N(1/sigma,1), N(0,1)): what Poisson sampling costs at most, and
// what a run with batches of fixed size attains.
Ball poisson(const Values<Ball>& x) {
  const Steps s = steps_of(x);
  if (certainly(s.rate >= 1)) return fixed_size<by_either>(x);
  const auto removed = [&] { return by_either(x, {poisson_removed, poisson_removed_moments}); };
  const auto added = [&] { return by_either(x, {poisson_added, poisson_added_moments}); };
  const Ball most = -s.rounds * log1p(-s.rate);  // no loss of a record that is added lies beyond
  if (x.has(eps)) return certainly(x[eps] >= most) ? removed() : larger(removed, added);
  const Ball first = removed();
  return certainly(most <= first) ? first : max(first, added());
}

// A bracket has no use for other number types: their value is the safe end of a rough one. Searches wander outside the
// range of the engine. There an upper bound is the value without amplification, and a lower one, which falls in sigma,
// that of the least sigma, or nothing.
template <Real R>
Answer<R> safe_end(Ball (*formula)(const Values<Ball>&), const Values<R>& x, Side side) {
  const Ball::Precision bits(40);
  Values<Ball> exact;
  for (const Param p : {q, n, batch, sigma, T, delta, eps})
    if (x.has(p)) exact.set(p, number_as<Ball>(x[p]));
  if (x.has(epochs)) exact.set(T, number_as<Ball>(rounds(x)));
  const double noise = to_double(x[sigma]);
  if (side == Side::lower) {
    if (noise > most_noise) return {R(0)};
    const double larger_noise = std::max(noise, least_noise);
    exact.set(sigma, Ball(larger_noise));
    return {R(formula(exact).lower())};
  }
  if (noise >= least_noise && noise <= most_noise) return {R(formula(exact).upper())};
  const double mu_ = std::sqrt(steps_of(exact).rounds.midpoint()) / noise;
  return {R(x.has(delta) ? gdp_epsilon(to_double(x[delta]), mu_) : gdp_delta(to_double(x[eps]), mu_))};
}
template <Ball (*formula)(const Values<Ball>&), Side side = Side::upper>
Evaluator bracketed() {
  return {[](const Values<double>& x) { return safe_end(formula, x, side); },
          [](const Values<mp50>& x) { return safe_end(formula, x, side); },
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
        .evaluate = bracketed<fixed_size<by_either>>(),
    };
    Bound contour = composed;
    contour.id = "vandijk2022-composed-contour";
    contour.formula =
        R"(\frac1{2\pi i}\int_{c-i\infty}^{c+i\infty}\frac{e^{-z\varepsilon}M(z)^T}{z(z+1)}dz,\ M(z)=E\,e^{zX})";
    contour.note =
        "the same quantity as vandijk2022-composed by the contour integral alone; unresolved where it is too long";
    contour.evaluate = bracketed<fixed_size<by_contour_alone>>();
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
    lower.evaluate = bracketed<poisson, Side::lower>();

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

}  // namespace epsilary::bounds
