// What Self check-in 2022 compares itself with: one round by the mechanism's own epsilon and delta at an unlikely
// number of check-ins, subsampled, and composed over the rounds. Figure 1 and Section 5.1.
#include <span>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/distributed.hpp"
#include "bounds/theory/composition.hpp"
#include "bounds/theory/gaussian.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

// As many check in, unless something of probability at most `d` happens: by Chernoff's bounds,
template <Real R>
struct Chernoff {
  static R least(const R& size, const Chance<R>& rate, const R& d) {
    const R expected = size * rate.yes;
    return max(R(1), R(floor((1 - sqrt(-2 * log(d) / expected)) * expected)));
  }
  static R most(const R& size, const Chance<R>& rate, const R& d) {
    const R expected = size * rate.yes, l = -log(d) / expected;
    return min(size, R(ceil((1 + (l + sqrt(l * l + 8 * l)) / 2) * expected)));
  }
};

// or as the binomial law has it. Both are sought in double; one that is false in balls is moved outward by one, and one
// that they cannot decide is unknown.
template <Real R>
struct Quantile {
  static R least(const R& size, const Chance<R>& rate, const R& d) {
    const double N = count_of(size), low = Chernoff<double>::least(N, in_double(rate), to_double(d));
    const double above = std::ceil(N * to_double(rate.yes)) + 1;
    return max(R(1), last_unlikely(Binomial<R>{size, rate.no, rate.yes}, d, low, above));
  }
  static R most(const R& size, const Chance<R>& rate, const R& d) {
    const double N = count_of(size), high = Chernoff<double>::most(N, in_double(rate), to_double(d));
    const double under = std::max(0.0, std::floor(N * to_double(rate.yes)) - 1);
    return size - last_unlikely(Binomial<R>{size, rate.yes, rate.no}, d, N - high, N - under);
  }

 private:
  static Chance<double> in_double(const Chance<R>& rate) { return {to_double(rate.yes), to_double(rate.no)}; }

  // The largest k in [low, above) with P(K > n - k) <= d, where it is known of low.
  static R last_unlikely(const Binomial<R>& law, const R& d, double low, double above) {
    const double N = law.size();
    if (std::isnan(count_of(law.n))) return unknown<R>();
    const Binomial<Scaled> quick{Scaled(N), Scaled(to_double(law.p)), Scaled(to_double(law.q))};
    while (above - low > 1) {
      const double middle = std::floor((low + above) / 2);
      (at_least(quick, N - middle + 1) <= Scaled(to_double(d)) ? low : above) = middle;
    }
    if constexpr (std::same_as<R, Ball>)
      for (; low > 0; --low) {
        const Truth unlikely = at_least(law, N - low + 1) <= d;
        if (certainly(unlikely)) break;
        if (undecided(unlikely)) return unknown<R>();
      }
    return R(low);
  }
};

// Figure 1: delta/4 for fewer than k0 check-ins in some round, delta/4 for the shuffles, delta/2 for composition.
template <Real R, class Counts, class Shuffle, class Compose>
Answer<R> shuffled(const Values<R>& x, Counts, Shuffle shuffle, Compose compose) {
  const R k0 = Counts::least(x[n], chance_of<R>(x, gamma), R(x[delta] / (4 * x[T])));
  const R es = shuffle(x[eps0], k0, R(x[delta] / (4 * x[T] * x[gamma])));
  const R er = subsampled(es, x[gamma]);
  Answer<R> answer{.value = min(R(x[T] * er), R(compose(er, x[T], R(x[delta] / 2))))};
  answer.beside = {{"check_ins", k0}, {"eps_shuffle", es}, {"eps_round", er}};
  return answer;
}

template <Real R>
R clones_epsilon(const R& e, const R& k, const R& d) {
  return clones::clones_epsilon(e, k, d, R(0));
}

template <Real R>
struct CheckIns {
  R least, most;
};
template <template <class> class Counts, Real R>
CheckIns<R> check_ins(const Values<R>& x, const R& rounds) {
  const R missed = x[delta] / (4 * rounds);
  const Chance<R> rate = chance_of<R>(x, gamma);
  return {Counts<R>::least(x[n], rate, missed), Counts<R>::most(x[n], rate, missed)};
}

// Section 5.1: delta/4 each for too few and too many check-ins, and the other half of delta for the Gaussian
// mechanisms and for composition, which gets `part` of all delta.
template <Real R, class Compose>
Answer<R> distributed(const Values<R>& x, const CheckIns<R>& range, const R& part, Compose compose) {
  const R rate = range.most / x[n], spent = (R(0.5) - part) * x[delta] / (x[T] * rate);
  const R once = gdp_epsilon(spent, R(2 / (x[multiplier] * sqrt(range.least))));
  const R round = subsampled(once, rate);
  Answer<R> answer{.value = min(R(x[T] * round), R(compose(round, x[T], R(x[delta] * part))))};
  answer.beside = {{"least_check_ins", range.least}, {"most_check_ins", range.most}, {"eps_round", round}};
  return answer;
}

// The share of delta for composition that costs least, near enough: any is valid. Optimal composition has many small
// valleys, so the best of a row of shares is refined.
template <class Cost>
double best_share(Cost cost) {
  double best = 1e-4, least = cost(best);  // for few rounds composition is not worth its delta
  const auto try_ = [&](double part, double at_part) {
    if (at_part < least) best = part, least = at_part;
  };
  for (int i = 1; i < 50; ++i) try_(i / 100.0, cost(i / 100.0));
  const auto found = minimise<double>(cost, std::max(1e-4, best - 0.01), std::min(0.4999, best + 0.01), 30);
  try_(found.at.value, found.value);
  return best;
}

template <Real R, class Compose>
Answer<R> distributed_at_best(const Values<R>& x, const R& rounds, Compose compose) {
  const CheckIns<R> range = check_ins<Quantile>(x, rounds);
  if (!is_finite(range.least) || !is_finite(range.most)) return {unknown<R>()};
  if (x.has(share)) return distributed(x, range, x[share], compose);
  const Values<double> nearby = in_double(x);
  const CheckIns<double> nearby_range{to_double(range.least), to_double(range.most)};
  const R chosen =
      short_decimal<R>(best_share([&](double part) { return distributed(nearby, nearby_range, part, compose).value; }));
  Answer<R> answer = distributed(x, range, chosen, compose);
  answer.at = {{share, chosen}};
  return answer;
}

Bound figure_1(const std::string& id, const std::string& title, const std::string& formula) {
  return {
      .id = id,
      .title = title,
      .protocol = "shuffled-checkin",
      .source = "Self check-in 2022, Figure 1, baseline after Girgis et al. 2021; constants by epsilary",
      .formula = formula,
      .standing = Standing::published,
      .note = "the rate must be that of the most check-ins where K is public; the literature takes gamma",
      .proof = "baselines",
      .needs = {eps0, n, gamma, T, delta},
      .rises = {eps0, T},
      .assumes = {exactly("n gamma >= 1", [](const auto& x) { return x[n] * x[gamma] >= 1; }),
                  exactly("delta < 4 T gamma", [](const auto& x) { return x[delta] < 4 * x[T] * x[gamma]; })},
  };
}

Bound section_51(const std::string& id, const std::string& title, const std::string& formula) {
  return {
      .id = id,
      .title = title,
      .protocol = "distributed-checkin",
      .source = "Self check-in 2022, Section 5.1; constants by epsilary",
      .formula = formula,
      .standing = Standing::repaired,
      .note = "delta_1 and delta_2 of one round are counted T times, T (delta_1 + delta_2) + delta_3 in all",
      .proof = "baselines, composition, subsampling, tradeoff",
      .needs = {n, gamma, multiplier, T, delta},
      .rises = {T},
      .falls = {multiplier},
      .assumes = {exactly("n gamma >= 1", [](const auto& x) { return x[n] * x[gamma] >= 1; })},
  };
}

// Every baseline composed in one way.
template <class Compose>
void add_composed(std::vector<Bound>& list, const std::string& key, const std::string& how, Compose) {
  const auto add = [&](Bound bound, auto formula) {
    bound.evaluate = each_number(formula);
    list.push_back(std::move(bound));
  };
  add(figure_1(
          "checkin2022-fig1-closed-" + key, "Closed form of the shuffle and " + how,
          R"(\text{composition of }T\times\log(1+\gamma(e^{\varepsilon_s(k_0)}-1)),\ k_0=\lfloor n\gamma-\sqrt{2n\gamma\log(4T/\delta)}\rfloor)"),
      []<Real R>(const Values<R>& x) { return shuffled(x, Chernoff<R>{}, clones::closed_form_or_eps0<R>, Compose{}); });
  add(figure_1(
          "checkin2022-fig1-clones-" + key, "Exact clones and " + how,
          R"(\text{composition of }T\times\log(1+\gamma(e^{\varepsilon_s(k_0)}-1)),\ k_0=\max\{k:\mathrm P(K<k)\le\tfrac{\delta}{4T}\})"),
      []<Real R>(const Values<R>& x) { return shuffled(x, Quantile<R>{}, clones_epsilon<R>, Compose{}); });
  add(section_51(
          "checkin2022-sec5.1-" + key, "Distributed check-in by " + how,
          R"(\text{composition of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{\delta n}{4Tl_2})"),
      []<Real R>(const Values<R>& x) { return distributed(x, check_ins<Chernoff>(x, x[T]), R(0.25), Compose{}); });
  Bound exact = section_51(
      "checkin2022-sec5.1-exact-" + key, "Distributed check-in with exact quantiles of the check-ins, by " + how,
      R"(\text{composition at }s\delta\text{ of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \mathrm P(K<l_1),\mathrm P(K>l_2)\le\tfrac{\delta}{4T},\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{(1/2-s)\delta n}{Tl_2})");
  exact.takes = {share};
  exact.assumes.push_back(exactly("share < 1/2", [](const auto& x) { return !x.has(share) || 2 * x[share] < 1; }));
  Bound printed = exact;
  add(std::move(exact), []<Real R>(const Values<R>& x) { return distributed_at_best(x, x[T], Compose{}); });
  printed.id = "checkin2022-sec5.1-printed-" + key;
  printed.title = "Distributed check-in with the quantiles of one round alone, by " + how;
  printed.formula =
      R"(\text{composition at }s\delta\text{ of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \mathrm P(K<l_1),\mathrm P(K>l_2)\le\tfrac{\delta}{4},\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{(1/2-s)\delta n}{Tl_2})";
  printed.standing = Standing::published;
  printed.note =
      "delta_1 and delta_2 read as probabilities of one round: its argument covers the check-ins of one round, not of "
      "all T, and no run is known that breaks it";
  printed.proof.clear();
  add(std::move(printed), []<Real R>(const Values<R>& x) { return distributed_at_best(x, R(1), Compose{}); });
}

}  // namespace

std::span<const Bound> checkin2022_baselines() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    // Each sharper than the one before.
    add_composed(out, "strong", "strong composition",
                 []<Real R>(const R& e, const R& t, const R& d) { return strong_composition(e, t, d); });
    add_composed(out, "half", "composition with half the drift",
                 []<Real R>(const R& e, const R& t, const R& d) { return half_drift_composition(e, t, d); });
    add_composed(out, "tanh", "composition with the sharp drift",
                 []<Real R>(const R& e, const R& t, const R& d) { return sharp_drift_composition(e, t, d); });
    add_composed(out, "optimal", "optimal composition",
                 []<Real R>(const R& e, const R& t, const R& d) { return optimal_composition(e, t, d); });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
