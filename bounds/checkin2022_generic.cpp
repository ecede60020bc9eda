// The generic conversion of Self check-in 2022, Section 4.1.
#include <span>

#include "bounds/accounting.hpp"
#include "bounds/checkin2022_distributed.hpp"
#include "bounds/checkin2022_shuffled.hpp"
#include "bounds/feldman2021_clones.hpp"
#include "bounds/subsampling.hpp"
#include "bounds/wang2019_subsampling.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace checkin2022;

// The mean over K of moment(shuffle's epsilon, rate) for moments of at most `ceiling(rate)`, which grows at most like
// the rate to the power lambda + 1.
template <Real R, class F, class Ceiling>
Moment<R> mean_over_shuffles(const Values<R>& x, const R& order, F moment, Ceiling ceiling) {
  using M = Moment<R>;
  const M N = M(x[n]);
  const Chance<M> rate = chance_of<M>(x, gamma);
  return binomial_mean(
      Binomial<M>{N, rate.yes, rate.no}, 1.0, M(order) + 1,
      [&](double k) { return moment(feldman2021::closed_form_or_eps0(x[eps0], R(k), x[beta]), R(R(k) / x[n])); },
      [&](double k, const M&) { return ceiling(M(M(k) / N)); }, [&](double, double b) { return ceiling(M(M(b) / N)); });
}

// Randomised response at log(1 + r (e^{eps0} - 1)) bounds what an eps0-DP mechanism at rate r can have.
template <Real R>
auto response_ceiling(const Values<R>& x, const R& order) {
  using M = Moment<R>;
  return [=](const M& r) { return renyi::response_moment(M(log1p(r * expm1(M(x[eps0])))), M(order)); };
}

// The shuffle's delta is spent only when the client takes part: E[K/n] beta = gamma beta in each round.
struct SpendsBeta {
  static constexpr std::string_view lacks = "T gamma beta < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    return x[gamma] * x[beta];
  }
};
template <Real R>
Round<R> outside_the_event(const Values<R>& x, const R& order, const Moment<R>& m1) {
  return {renyi::divergence<R>(Moment<R>(m1 / Moment<R>(1 - x[gamma] * x[beta])), order)};
}

struct Paper {
  static constexpr Orders orders = Orders::real;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    // The pair that leaks with probability r beta and else shows all of eps0 is not better than (eps_k, delta_k).
    const M most = expm1(M((order - 1) * (x[eps0] - log1p(-x[beta]))));
    const M m1 = mean_over_shuffles(
        x, order,
        [&](const R& es, const R& r) {
          const R least = renyi::least_divergence(order, subsampled(es, r), R(r * x[beta]));
          return expm1(M((order - 1) * least));
        },
        [&](const M&) { return most; });
    return {renyi::divergence<R>(m1, order)};
  }
};

struct ModeA : SpendsBeta {
  static constexpr Orders orders = Orders::real;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto moment = [&](const R& es, const R& r) {
      return M(1 - r * x[beta]) * renyi::response_moment(M(subsampled(es, r)), M(order));
    };
    return outside_the_event(x, order, mean_over_shuffles(x, order, moment, response_ceiling(x, order)));
  }
};

// The canonical pair of C_r of an (eps_s, beta)-DP shuffle: masses x at +log rho and x rho at -log rho.
struct ModeB : SpendsBeta {
  static constexpr Orders orders = Orders::real;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto moment = [&](const R& es, const R& r) {
      const M loss = M(subsampled(es, r)), mass = M(x.complement(beta)) / (1 + exp(M(es)));
      return mass * expm1(M(order) * loss) * -expm1((1 - M(order)) * loss);
    };
    return outside_the_event(x, order, mean_over_shuffles(x, order, moment, response_ceiling(x, order)));
  }
};

struct ModeWang : SpendsBeta {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto moment = [&](const R& es, const R& r) {
      const M e = M(es), growth = M(r) * exp(e) * max(M(1), M(expm1(e)));
      return M(1 - r * x[beta]) * wang2019::subsampled_moment(
                                      M(order), renyi::response_moment(e, M(2)), M(expm1(e)), wang2019::powers_of(M(r)),
                                      [&](int j) { return 1 + renyi::response_moment(e, M(j)); },
                                      std::optional<M>(growth));
    };
    // Each term is at most 2 C(lambda,j) e^{j eps0} r^j.
    const auto ceiling = [&](const M& r) { return 2 * exp(M(order) * log1p(r * exp(M(x[eps0])))); };
    return outside_the_event(x, order, mean_over_shuffles(x, order, moment, ceiling));
  }
};

// After T rounds at a whole delta, beta found too: any part of delta may go to the shuffles.
template <class Family, Real R>
Answer<R> with_best_beta(const Values<R>& x) {
  const auto parted = []<Real S>(const Values<S>& y, const S& part) {
    Values<S> out = y;
    out.set(beta, S(part * y[delta] / (y[T] * y[gamma])));
    return out;
  };
  const Values<double> nearby = in_double(x);
  double best = 0, least = HUGE_VAL;
  for (const double part : {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5}) {
    const Values<double> at = parted(nearby, part);
    if (!certainly(at[beta] < 1)) continue;
    if (const Answer<double> a = after_rounds<Family>(at); a.refused.empty() && a.value < least)
      best = part, least = a.value;
  }
  if (best == 0) return {.value = R(0), .refused = "a beta < 1 with T gamma beta < delta"};
  const Values<R> at = parted(x, short_decimal<R>(best));
  Answer<R> answer = after_rounds<Family>(at);
  answer.at.push_back({beta, at[beta]});
  return answer;
}

// The forms with beta given, and after T rounds with beta found.
template <class Family>
void add_valid(std::vector<Bound>& list, const Bound& form) {
  add_forms<Family>(list, form);
  Bound found = list.back();
  found.title = kept(std::string(found.title) + ", the whole delta given");
  std::erase(found.needs, beta);
  found.takes = {lambda};
  found.evaluate = each_number([](const auto& x) { return with_best_beta<Family>(x); });
  list.push_back(std::move(found));
}

const char* const shuffle_source = "Section 4.1 of self check-in 2022 made valid, with Feldman, McMillan and Talwar 2021, Theorem 3.1, for each number of "
    "check-ins";

void add_generic(std::vector<Bound>& list) {
  Bound form{
      .id = "checkin2022-generic",
      .title = "Generic conversion of a subsampled shuffle, as printed",
      .protocol = "shuffled-checkin",
      .source = "Self check-in 2022, Section 4.1, end",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\mathrm E\big[e^{(\lambda-1)\gamma^*(\lambda,\varepsilon_K,\delta_K)}-1\big]\Big),\ (\varepsilon_k,\delta_k)=\big(\log(1+\tfrac kn(e^{\varepsilon_s(k)}-1)),\tfrac kn\beta\big))",
      .standing = Standing::unsound,
      .note = "its second step reads Lemma 3 in the wrong direction and takes the least divergence for the largest",
      .proof = "conversion",
      .needs = {eps0, n, gamma, beta},
      .rises = {eps0},
  };
  add_forms<Paper>(list, form);
  form.standing = Standing::published;
  form.note =
      "valid given the closed form of the shuffle, which is quoted; gamma beta more of delta is spent in each round";
  form.id = "epsilary-generic-a";
  form.proof = "approximate, response, mixture; the shuffle's epsilon from feldman2021-closed";
  form.title = "Generic conversion of a subsampled shuffle, valid: randomised response for each number of check-ins";
  form.source = shuffle_source;
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\frac{\mathrm E[(1-\delta_K)m_{RR}(\varepsilon_K)]}{1-\gamma\beta}\Big);\quad\delta'=\delta+T\gamma\beta)";
  add_valid<ModeA>(list, form);
  form.id = "epsilary-generic-b";
  form.proof = "subsampling, approximate, mixture; the shuffle's epsilon from feldman2021-closed";
  form.title = "Generic conversion of a subsampled shuffle, valid: the subsampled trade-off function";
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\frac{\mathrm E[x_K(\rho_K^\lambda-1)(1-\rho_K^{1-\lambda})]}{1-\gamma\beta}\Big),\ x=\tfrac{1-\beta}{1+e^{\varepsilon_s}},\ \rho=1+\tfrac Kn(e^{\varepsilon_s}-1);\quad\delta'=\delta+T\gamma\beta)";
  add_valid<ModeB>(list, form);
  form.id = "epsilary-generic-b-wang";
  form.standing = Standing::unsound;
  form.proof = "subsampling";
  form.title = "Generic conversion of a subsampled shuffle by Wang et al.";
  form.note =
      "needs one decomposition for three laws where the quoted theorem gives one for each pair; epsilary-generic-b is "
      "proved and smaller";
  form.formula = R"(\text{Wang et al. 2019 on randomised response at }\varepsilon_s(k)\text{, averaged over }K)";
  form.assumes = {exactly("lambda is an integer >= 2",
                          [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); })};
  add_valid<ModeWang>(list, form);
}

}  // namespace

std::span<const Bound> checkin2022_generic() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_generic(out);
    return out;
  }();
  return list;
}

}  // namespace bounds
