// Check-in over T rounds by its own privacy losses: upper bounds from the clones' pair and the Gaussian pair under
// subsampling, and a lower bound from randomised response.
#include <cmath>
#include <span>

#include "bounds/accounting.hpp"
#include "bounds/epsilary_checkin_laws.hpp"
#include "bounds/feldman2021_clones.hpp"

namespace bounds {
namespace {

using enum Param;
using checkin::Between;
using checkin::Resolution;

constexpr double default_width = 2e-3;

// The relative width asked for: a sketch for searches in double, the default, or a narrower bracket for more digits.
double asked_width() {
  if (Ball::precision() < 50) return 2e-2;
  return Ball::precision() < 100 ? default_width : 2e-4;
}

// How bins, cells and the lattice share the width. A round in which something of probability e^-depth happens is
// charged to delta in full, so T e^-depth is a small part of it.
Resolution resolution(double width, double depth) {
  return {.counts = width / 3, .cells = std::min(0.1, std::sqrt(width / 3)), .depth = std::min(depth, 600.0)};
}
double depth_for(const Ball& rounds, const Ball& log_delta) { return (log(rounds) - log_delta).midpoint() + 25; }

Ball hull_of(double lower, double upper) {
  return std::isfinite(upper) ? Ball::hull(Ball(lower), Ball(upper)) : Ball(upper);
}

using Laws = std::pair<LossLaw, LossLaw>;  // the exact law of a round lies between them: upper, lower

// One round needs no composition: its delta is heavier - e^eps lighter, and its epsilon lies between two doubles, at
// the lower of which delta is proved to be exceeded and at the upper of which not.
Ball profile(const LossLaw& law, const Ball& at_) {
  const Ball::Precision bits(128);
  const Tail tail = law.right.tail(at_);
  return tail.heavy - exp(at_) * tail.light;
}
Bracket one_round_epsilon(const LossLaw& law, const Ball& d) {
  Bracket out{0, law.right.most};
  if (profile(law, Ball(0)) <= d) return {0, 0};
  if (!(profile(law, Ball(out.upper)) <= d)) return {0, HUGE_VAL};
  for (int i = 0; i < 60; ++i) {
    const double middle = (out.lower + out.upper) / 2;
    const Ball there = profile(law, Ball(middle));
    if (there <= d)
      out.upper = middle;
    else if (there > d)
      out.lower = middle;
    else
      break;
  }
  return out;
}

// epsilon at delta, or delta at eps, of T rounds between two laws. The end that the statement promises gets the finer
// lattice.
template <class MakeLaws>
Ball composed(const Values<Ball>& x, MakeLaws laws_at, Side side = Side::upper) {
  if (!(x[gamma] > 0)) return Ball(0);
  const double width = asked_width(), times = x[T].midpoint();
  const bool finer = side == Side::lower && width <= default_width;
  const Refinement wanted{.width = width / (finer ? 8 : 3), .most_points = 1 << 20};
  const Refinement above{.width = width / 6, .upper_only = true, .most_points = 1 << 21};
  const auto bracket = [&](double depth) {
    const Resolution r = resolution(width, depth);
    const auto [upper, lower] = laws_at(r, -r.depth + 10);
    if (x.has(delta)) {
      const double most = x.has(eps0) ? (x[T] * x[eps0]).upper() : HUGE_VAL;  // T eps0-DP rounds cost no more
      if (times <= 1)
        return hull_of(one_round_epsilon(lower, x[delta]).lower,
                       std::min(most, one_round_epsilon(upper, x[delta]).upper));
      return hull_of(composed_epsilon({{lower, times}}, x[delta], wanted).lower,
                     std::min(most, composed_epsilon({{upper, times}}, x[delta], above).upper));
    }
    if (times <= 1) return Ball::hull(max(Ball(0), profile(lower, x[eps])), profile(upper, x[eps]));
    return hull_of(composed_delta({{lower, times}}, x[eps], wanted).lower,
                   composed_delta({{upper, times}}, x[eps], above).upper);
  };
  if (x.has(delta)) return bracket(depth_for(x[T], log(x[delta])));
  Ball answer;
  for (double depth = 80; depth <= 600; depth *= 2) {  // deeper until what is charged in full no longer counts
    answer = bracket(depth);
    if (answer.lower() > 0 && depth > depth_for(x[T], log(Ball(answer.lower()))) - 8) break;
  }
  return answer;
}

// Specks are lost in full.
Laws symmetric_laws(Between round, double log_mass) {
  for (const checkin::Speck& speck : round.specks) round.upper.infinite += exp(Ball(speck.log_mass)).upper();
  return {symmetric_law(lose_tail(round.upper, log_mass)), symmetric_law(drop_tail(round.lower, log_mass))};
}

Ball clones_composed(const Values<Ball>& x) {
  return composed(x, [&](const Resolution& r, double log_mass) {
    return symmetric_laws(checkin::shuffled_clones(x[eps0], x[n].midpoint(), x[gamma], r), log_mass);
  });
}
Ball gaussian_composed(const Values<Ball>& x) {
  const double least = x.has(quorum) ? x[quorum].midpoint() : 1;
  return composed(x, [&](const Resolution& r, double log_mass) {
    return symmetric_laws(checkin::distributed_gaussian(x[sigma], x[n].midpoint(), x[gamma], least, r), log_mass);
  });
}
Ball response_composed(const Values<Ball>& x) {
  const auto laws = [&](Resolution r, double log_mass) {
    r.counts /= 4;
    const auto [above, below] = checkin::shuffled_response(x[eps0], x[n].midpoint(), x[gamma], r);
    return Laws{grown_law(lose_tail(above.right, log_mass), lose_tail(above.left, log_mass)),
                shrunk_law(drop_tail(below.right, log_mass), drop_tail(below.left, log_mass))};
  };
  return composed(x, laws, Side::lower);
}

// The moment minus one of a symmetric pair: losses +-log(1 + z) give (rho^lambda - 1)(1 - rho^{1-lambda}), rho = 1 + z.
template <Real M>
M moment(const Atoms& side, const M& order) {
  M sum(0);
  for (std::size_t i = 0; i < side.excess.size(); ++i) {
    const M loss = log1p(M(side.excess[i]));
    sum += M(side.light[i]) * expm1(order * loss) * -expm1((1 - order) * loss);
  }
  return sum;
}
// Of a pair with two different sides the larger of both directions: E_Q of (1 + z)^nu - 1 - nu z, nu = lambda or
// 1 - lambda, where z = excess on the right and -excess/(1 + excess) on the left.
template <Real M>
M moment(const checkin::Sides& sides, const M& order) {
  const auto direction = [&](const M& nu) {
    M sum(0);
    for (std::size_t i = 0; i < sides.right.excess.size(); ++i)
      sum += M(sides.right.light[i]) * power_excess(nu, M(sides.right.excess[i]));
    for (std::size_t i = 0; i < sides.left.excess.size(); ++i) {
      const M ratio = 1 + M(sides.left.excess[i]);
      sum += M(sides.left.light[i]) * ratio * power_excess(nu, M(-M(sides.left.excess[i]) / ratio));
    }
    return sum;
  };
  return max(direction(order), direction(M(1 - order)));
}

Ball moment(const std::vector<checkin::Speck>& specks, const Ball& order) {
  Ball sum;
  for (const checkin::Speck& s : specks) sum += exp(Ball(s.log_mass) + order * log1p(Ball(s.excess)));
  return sum;
}

// convert(divergence) of the clones' pair at this order, between its laws. There a loss of x spreads weighs
// e^{order spread x}. Cells, which grow with the loss, must be narrow where the weighted losses lie; and what is left
// out, in blocks that double x, must not count. That is told by normal tails; where they mislead, the largest loss of
// all decides.
template <class Convert>
Ball between_clones(const Values<Ball>& x, const Ball& order, double width, Convert convert) {
  const Ball clones = x[n] * x[gamma] * exp(-x[eps0]) + 1;
  const Ball spread = x[gamma] * min(Ball(expm1(x[eps0])), 2 * tanh(x[eps0] / 2) / sqrt(clones));
  const double steep = (order * spread).midpoint();
  const double reach = std::sqrt(2.0) * steep + std::sqrt(2 * steep * steep + 80);
  const double deepest = 80 + (order * x[eps0]).midpoint();
  Ball answer;
  for (const double depth : {std::min(reach * reach, deepest), deepest}) {
    Resolution r = resolution(width, depth);
    r.cells = std::max(width, r.cells / (1 + steep / 4));  // beyond, losses are at their largest
    const Between round = checkin::shuffled_clones(x[eps0], x[n].midpoint(), x[gamma], r);
    const auto converted = [&](const Ball& m1) { return convert(renyi::divergence<Ball>(m1, order)); };
    answer = Ball::hull(converted(moment(round.lower, order)),
                        converted(moment(round.upper, order) + moment(round.specks, order)));
    if (answer.finite() && answer.upper() <= (1 + 2 * width) * answer.lower()) break;
  }
  return answer;
}

Ball clones_divergence(const Values<Ball>& x) {
  if (!(x[gamma] > 0)) return Ball(0);
  return between_clones(x, x[lambda], asked_width() / 2, [](const Ball& rdp) { return rdp; });
}

// Any order is valid, so the search needs no proof.
template <class Side>
Ball best_real_order(const Side& round, const Values<Ball>& x) {
  const double rounds = x[T].midpoint(), log_d = log(x[delta]).midpoint();
  const auto cost = [&](double order) {
    const Scaled m1 = moment(round, Scaled(order));
    return rounds * renyi::divergence<double>(m1, order) + renyi::conversion_cost(order, log_d);
  };
  return short_decimal<Ball>(best_order(cost, Orders::real, 0x1p30));
}

Answer<Ball> response_divergence_after_rounds(const Values<Ball>& x) {
  if (!(x[gamma] > 0)) return {Ball(0)};
  const Resolution r = resolution(asked_width(), depth_for(x[T], log(x[delta])) + 40);
  const auto [above, below] = checkin::shuffled_response(x[eps0], x[n].midpoint(), x[gamma], r);
  const Ball order = x.has(lambda) ? x[lambda] : best_real_order(below, x), log_delta = log(x[delta]);
  const auto convert = [&](const checkin::Sides& sides) {
    return renyi::to_epsilon(Ball(x[T] * renyi::divergence<Ball>(moment(sides, order), order)), order, log_delta);
  };
  Answer<Ball> answer{Ball::hull(convert(below), convert(above))};
  if (!x.has(lambda)) answer.at.push_back({lambda, order});
  return answer;
}

Answer<Ball> clones_divergence_after_rounds(const Values<Ball>& x) {
  if (!(x[gamma] > 0)) return {Ball(0)};
  const auto search = [&] {
    const Resolution r = resolution(2e-2, depth_for(x[T], log(x[delta])) + 40);
    return best_real_order(checkin::shuffled_clones(x[eps0], x[n].midpoint(), x[gamma], r).lower, x);
  };
  const Ball order = x.has(lambda) ? x[lambda] : search();
  Answer<Ball> answer{between_clones(x, order, asked_width(), [&](const Ball& once) {
    const Ball::Precision bits(std::max(128L, Ball::precision()));
    const Ball rdp = x[T] * once, best = renyi::to_epsilon_optimal(rdp, order, x[delta]);
    return best.finite() ? best : renyi::to_epsilon(rdp, order, Ball(log(x[delta])));
  })};
  if (!x.has(lambda)) answer.at.push_back({lambda, order});
  return answer;
}

// One round exactly: sum over k of P(K = k) r delta_k(log(1 + (e^eps - 1)/r)), r = k/n.
template <Real R>
Answer<R> one_round_delta(const Values<R>& x) {
  using M = Moment<R>;
  const M size(x[n]);
  const R excess = expm1(x[eps]) * x[n];
  if (!(x[gamma] > 0) || !(x[eps] < x[eps0])) return {R(0)};
  const auto rate = [&](double k) { return M(M(k) / size); };
  const M sum = binomial_mean(
      Binomial<M>{size, M(x[gamma]), M(1 - x[gamma])}, 1.0, M(1),
      [&](double k) {
        return M(rate(k) * feldman2021::LabelledSlots<R>{R(k), x[eps0], R(1)}(R(log1p(excess / k))).delta);
      },
      [&](double k, const M&) { return rate(k); }, [&](double, double b) { return rate(b); });
  if constexpr (std::same_as<R, double>)
    return {sum.value()};
  else
    return {sum};
}

// A bracket has no use for other number types: their value is the safe end of a rough one.
template <Real R, class F>
Answer<R> safe_end(F formula, const Values<R>& x, Side side) {
  const Ball::Precision bits(40);
  Values<Ball> exact;
  for (const ParamInfo& p : params())
    if (p.param != Param::steps && x.has(p.param)) exact.set(p.param, Ball(to_double(x[p.param])));
  const Answer<Ball> rough{formula(exact)};
  Answer<R> answer{R(side == Side::lower ? rough.value.lower() : rough.value.upper())};
  for (const auto& chosen : rough.at) answer.at.push_back({chosen.param, R(chosen.value.midpoint())});
  return answer;
}
template <auto formula, Side side = Side::upper>
Evaluator bracketed() {
  return {[](const Values<double>& x) { return safe_end(formula, x, side); },
          [](const Values<mp50>& x) { return safe_end(formula, x, side); },
          [](const Values<Ball>& x) { return Answer<Ball>{formula(x)}; }};
}

std::vector<Hypothesis> within_reach() {
  return {exactly("n <= 10^12", [](const auto& x) { return x[n] <= 1000000000000; }),
          exactly("T <= 10^9", [](const auto& x) { return !x.has(T) || x[T] <= 1000000000; }),
          exactly("eps0 <= 20", [](const auto& x) { return !x.has(eps0) || x[eps0] <= 20; }),
          exactly("n gamma >= 1e-8, or gamma = 0",
                  [](const auto& x) { return 100000000 * x[n] * x[gamma] >= 1 || !(x[gamma] > 0); }),
          exactly("quorum <= n gamma", [](const auto& x) { return !x.has(quorum) || x[quorum] <= x[n] * x[gamma]; }),
          exactly("sigma^2 n gamma >= 0.1",
                  [](const auto& x) {
                    return !x.has(sigma) || 10 * x[sigma] * x[sigma] * x[n] * x[gamma] >= 1 || !(x[gamma] > 0);
                  }),
          exactly("delta >= 1e-200", [](const auto& x) {
            using N = std::decay_t<decltype(x[delta])>;
            if constexpr (std::same_as<N, Rational>)
              return !x.has(delta) || x[delta] >= power_of_ten(-200);
            else
              return !x.has(delta) || x[delta] >= 1e-200;
          })};
}

constexpr std::string_view one_randomizer =
    "all clients of a round must apply the same randomizer; the bracket holds the exact value of this pair";

// epsilon for --delta and delta for --eps.
void add_both(std::vector<Bound>& list, Bound form, std::string_view epsilon_title, std::string_view delta_title) {
  form.width = default_width;
  form.rises.push_back(T);
  form.assumes = within_reach();
  form.needs.push_back(T);
  for (const bool asks_epsilon : {true, false}) {
    Bound b = form;
    b.title = asks_epsilon ? epsilon_title : delta_title;
    b.quantity = asks_epsilon ? Quantity::epsilon : Quantity::delta;
    b.needs.push_back(asks_epsilon ? delta : eps);
    b.falls.push_back(asks_epsilon ? delta : eps);
    list.push_back(std::move(b));
  }
}

void add_clones_divergence(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-shuffled-checkin-rdp",
      .title = "Shuffled check-in by the clones' divergence, any order",
      .protocol = "shuffled-checkin",
      .source =
          "epsilary; Feldman, McMillan and Talwar 2021, the clones' pair, under subsampling at rate k/n (Dong, Roth "
          "and Su 2022), mixed over the number of check-ins",
      .formula =
          R"(\frac1{\lambda-1}\log\Bigl(1+\sum_k\mathrm{Bin}_{n,\gamma}(k)\sum_{P_k>Q_k}Q_k(\rho^\lambda-1)(1-\rho^{1-\lambda})\Bigr),\ \rho=1+\tfrac kn(P_k/Q_k-1))",
      .quantity = Quantity::rdp,
      .note = one_randomizer,
      .needs = {eps0, n, gamma, lambda},
      .rises = {eps0},
      .falls = {n},
      .assumes = within_reach(),
      .width = default_width,
      .evaluate = bracketed<clones_divergence>(),
  };
  list.push_back(form);
  form.title = "Shuffled check-in over T rounds by the clones' divergence";
  form.quantity = Quantity::epsilon;
  form.needs = {eps0, n, gamma, T, delta};
  form.takes = {lambda};
  form.rises = {eps0, T};
  form.falls = {n, delta};
  form.evaluate = bracketed<clones_divergence_after_rounds>();
  list.push_back(form);
}

// The form over T rounds of the divergence of checkin2022_lower.
void add_response_divergence(std::vector<Bound>& list) {
  list.push_back({
      .id = "checkin2022-thm3-exact",
      .title = "Shuffled check-in of randomised response on equal data over T rounds, by Lemma 2",
      .protocol = "shuffled-checkin",
      .source = "epsilary; the pair of the proof of Self check-in 2022, Theorem 3, and Lemma 2",
      .formula =
          R"(\min_\lambda\ T\varepsilon(\lambda)+\frac{\log(1/\delta)+(\lambda-1)\log(1-1/\lambda)-\log\lambda}{\lambda-1})",
      .side = Side::estimate,
      .standing = Standing::approximate,
      .note = "the least epsilon that accounting by this divergence and Lemma 2 could report, not a lower bound on "
              "epsilon, because Lemma 2 is one-sided: that is epsilary-lower-shuffled-checkin",
      .needs = {eps0, n, gamma, T, delta},
      .takes = {lambda},
      .rises = {eps0, T},
      .falls = {delta},
      .assumes = within_reach(),
      .width = default_width,
      .evaluate = bracketed<response_divergence_after_rounds>(),
  });
}

void add_one_round(std::vector<Bound>& list) {
  list.push_back({
      .id = "epsilary-shuffled-checkin-pld",
      .title = "delta of one round of shuffled check-in by the clones' pair, exactly",
      .protocol = "shuffled-checkin",
      .source = list.back().source,
      .formula = R"(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,r\,\delta_k\bigl(\log(1+(e^\varepsilon-1)/r)\bigr),\ r=k/n)",
      .quantity = Quantity::delta,
      .note = "all clients must apply the same randomizer; term by term, so for few check-ins: give --T 1 for many",
      .needs = {eps0, n, gamma, eps},
      .rises = {eps0},
      .falls = {eps},
      .assumes = {exactly("n gamma <= 100", [](const auto& x) { return x[n] * x[gamma] <= 100; })},
      .evaluate = each_number([]<Real R>(const Values<R>& x) { return one_round_delta(x); }),
  });
}

}  // namespace

std::span<const Bound> epsilary_checkin_rounds() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_clones_divergence(out);
    add_response_divergence(out);
    add_both(
        out,
        {
            .id = "epsilary-shuffled-checkin-pld",
            .protocol = "shuffled-checkin",
            .source = "epsilary; the clones' pair (Feldman, McMillan and Talwar 2021) under subsampling, mixed over "
                      "the number of check-ins and composed",
            .formula = R"(\Bigl(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,C_{k/n}(f_k)\Bigr)^{\otimes T})",
            .note = one_randomizer,
            .needs = {eps0, n, gamma},
            .rises = {eps0},
            .falls = {n},
            .evaluate = bracketed<clones_composed>(),
        },
        "epsilon of shuffled check-in by composing its privacy losses",
        "delta of shuffled check-in by composing its privacy losses");
    add_one_round(out);
    add_both(
        out,
        {
            .id = "epsilary-lower-shuffled-checkin",
            .protocol = "shuffled-checkin",
            .source = "epsilary; randomised response on equal data (Self check-in 2022, Theorem 3) composed exactly",
            .formula =
                R"(T(P,Q)^{\otimes T},\ \tfrac PQ=1+\tfrac{2\sinh\varepsilon_0}{n}(m-kp),\ m\sim\mathrm{Bin}_{k,p},\ k\sim\mathrm{Bin}_{n,\gamma},\ p=\tfrac1{e^{\varepsilon_0}+1})",
            .side = Side::lower,
            .note = "of one eps0-LDP randomizer and one pair of data sets: what no bound for all of them can beat",
            .needs = {eps0, n, gamma},
            .rises = {eps0, gamma},
            .falls = {n},
            .evaluate = bracketed<response_composed, Side::lower>(),
        },
        "Least epsilon of shuffled check-in that any analysis can show",
        "Least delta of shuffled check-in that any analysis can show");
    Bound distributed{
        .id = "epsilary-distributed-checkin-pld",
        .protocol = "distributed-checkin",
        .source =
            "epsilary; Self check-in 2022, Theorem 4, by the trade-off function of the subsampled Gaussian "
            "(Dong, Roth and Su 2022), mixed over the number of check-ins and composed",
        .formula = R"(\Bigl(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,C_{k/n}(G_{2/(\sigma\sqrt k)})\Bigr)^{\otimes T})",
        .note = "with --quorum a round with fewer check-ins is aborted and shows nothing but their number",
        .needs = {n, gamma, sigma},
        .falls = {n, sigma},
        .evaluate = bracketed<gaussian_composed>(),
    };
    const auto add_distributed = [&](const Bound& form) {
      add_both(out, form, "epsilon of distributed check-in by composing its privacy losses",
               "delta of distributed check-in by composing its privacy losses");
    };
    add_distributed(distributed);
    distributed.needs.push_back(quorum);
    distributed.falls = {sigma};  // among more clients fewer rounds are aborted
    add_distributed(distributed);
    return out;
  }();
  return list;
}

}  // namespace bounds
