#include "bounds/theory/checkin/distributed.hpp"

#include <span>

#include "bounds/theory/accounting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

template <Real R>
DistributedMoment<Moment<R>> base_of(const Values<R>& x, const R& order) {
  return {Moment<R>(order), Moment<R>(x[multiplier])};
}

struct Thm4 {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    return {renyi::divergence<R>(checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order), base_of(x, order)), order)};
  }
};

// The rate gamma for k/n, and the sum from k = 1 of whole moments, which drops P(K = 0) = (1 - gamma)^n.
struct Thm4Printed {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto base = base_of(x, order);
    const Chance<M> rate = chance_of<M>(x, gamma);
    const M mean = checkin_mean(M(x[n]), rate, M(0), [&](double k, const M&) { return base(k, rate.yes); });
    const M none = x.at_least(gamma, Rational(1)) ? M(0) : M(exp(M(x[n]) * log_complement(rate)));
    return {renyi::divergence<R>(M(mean - none), order)};
  }
};

struct Thm4Quorum {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  static constexpr std::string_view lacks = "T P(K < quorum) < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    using M = Moment<R>;
    const M below = below_quorum(M(x[n]), chance_of<M>(x, gamma), count_of(x[quorum]));
    return plain<R>(below);
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    return {renyi::divergence<R>(
        quorum_mean(M(x[n]), chance_of<M>(x, gamma), M(order), count_of(x[quorum]), base_of(x, order)), order)};
  }
};

// gamma between gamma (1 - dropout) and gamma: E[(K/n)^j b_j(K)] <= E_high[(K/n)^j] E_low[b_j(K)], as the binomial law
// rises with its rate.
struct Thm4Dropout {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Chance<M> high = chance_of<M>(x, gamma), drops = chance_of<M>(x, dropout);
    const M low = high.yes * drops.no, not_low = high.no + high.yes * drops.yes, N = M(x[n]);
    std::vector<M> share(2);
    for (int j = 2; possibly(M(j) <= M(order)); ++j)
      share.push_back(checkin_mean(N, high, M(j), [&](double, const M& r) { return pow(r, M(j)); }));
    const auto base = base_of(x, order);
    const auto given = [&](double k) {
      return base.at_rates(M(std::max(k, 1.0)), [&](int j) { return share[static_cast<std::size_t>(j)]; });
    };
    const M mean = binomial_mean(
        Binomial<M>{N, low, not_low}, 0.0, M(0), given, [](double, const M& v) { return v; },
        [&](double a, double) { return given(a); });
    return {renyi::divergence<R>(mean, order)};
  }
};

// Delta as given or chosen, and floor((1 - Delta) n gamma), exactly.
template <Real R>
std::pair<R, R> cut(const Values<R>& x, double order) {
  if constexpr (std::same_as<R, double>) {
    const double expected = x[n] * x[gamma];
    if (x.has(Param::Delta)) return {x[Param::Delta], std::floor((1 - x[Param::Delta]) * expected * (1 + 1e-15))};
    if (!(expected >= 1)) return {1, 0};
    const double t = best_cutoff({order, x[multiplier]}, expected, x[gamma]);
    return {(1 - t / expected) * (1 - 1e-11), t};
  } else {
    const Rational exact =
        x.has(Param::Delta) ? x.exact(Param::Delta) : Decimal::nearest(cut(in_double(x), order).first, 12).exact();
    return {from_rational<R>(exact), from_rational<R>(floor((Rational(1) - exact) * x.exact(n) * x.exact(gamma)))};
  }
}

struct Thm4Eq11 {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto base = base_of(x, order);
    const auto [D, t] = cut(x, to_double(order));
    const M few = chernoff_below(M(D), M(x[n] * x[gamma]));
    const M many = M(t) + 1;
    const M m1 = checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order),
                              [&](double, const M& r) { return few * base(1, r) + base.given(many, r); });
    return {renyi::divergence<R>(m1, order), D};
  }
};

// At (1 - Delta) n gamma + 1 clients as printed, whole or not.
struct Thm4Eq11Printed {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto base = base_of(x, order);
    const R D = cut(x, to_double(order)).first, expected = x[n] * x[gamma];
    const M rate = M(x[gamma]), few = chernoff_below(M(D), M(expected)), many = M((1 - D) * expected + 1);
    return {renyi::divergence<R>(M(few * (1 + base(1, rate)) + base.at_rates(many, renyi::powers_of(rate))), order), D};
  }
};

Hypothesis countable_clients() {
  return exactly("n <= 10^15, as check-ins are counted one by one",
                 [](const auto& x) { return x[n] <= 1000000000000000; });
}

struct Words {
  std::string id, title, source, formula;
  Standing standing;
  std::string note, proof;
};

template <class Family>
void add(std::vector<Bound>& list, const Words& w, std::vector<Param> more_needs = {}, std::vector<Param> takes = {},
         const std::vector<Hypothesis>& more_assumed = {}) {
  Bound form{
      .id = w.id,
      .title = w.title,
      .protocol = "distributed-checkin",
      .source = w.source,
      .formula = w.formula,
      .standing = w.standing,
      .note = w.note,
      .proof = w.proof,
      .needs = {n, gamma, multiplier},
      .takes = std::move(takes),
      .falls = {multiplier},
  };
  if (Family::orders == Orders::integer)
    form.assumes = {exactly("lambda is an integer >= 2 (checkin2022-thm4-real interpolates between integers)",
                            [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); })};
  if constexpr (!std::same_as<Family, Thm4Eq11Printed>) form.assumes.push_back(countable_clients());
  form.needs.insert(form.needs.end(), more_needs.begin(), more_needs.end());
  form.assumes.insert(form.assumes.end(), more_assumed.begin(), more_assumed.end());
  add_forms<Family>(list, std::move(form));
}

// Where nobody does, epsilon is 0 all the same; a divergence given that somebody does is not defined.
Hypothesis somebody_checks_in(std::string_view words) {
  return exactly(words, [](const auto& x) { return x[gamma] > 0; });
}

const char* const sum_formula =
    R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{k=1}^n\tbinom nk\gamma^k(1-\gamma)^{n-k}m_k(\tfrac kn)\Big),\ m_k(r)=r^2\tbinom\lambda2\min\{4(e^{4/k\sigma^2}-1),2e^{4/k\sigma^2}\}+\sum_{j=3}^\lambda2r^j\tbinom\lambda je^{2j(j-1)/k\sigma^2})";
const char* const printed_sum_formula =
    R"(\frac{1}{\lambda-1}\log\sum_{k=1}^n\tbinom nk\gamma^k(1-\gamma)^{n-k}e^{(\lambda-1)\varepsilon^{SG}_{\gamma,k}},\ \varepsilon^{SG}_{\gamma,m}=\frac{1}{\lambda-1}\log\Big(1+\gamma^2\tbinom\lambda2\min\{4(e^{4/m\sigma^2}-1),2e^{4/m\sigma^2}\}+\sum_{j=3}^\lambda2\gamma^j\tbinom\lambda je^{2j(j-1)/m\sigma^2}\Big))";
const char* const printed_eq11_formula =
    R"(\frac{1}{\lambda-1}\log\left(e^{(\lambda-1)\varepsilon^{SG}_{\gamma,1}-\Delta^2n\gamma/2}+e^{(\lambda-1)\varepsilon^{SG}_{\gamma,(1-\Delta)n\gamma+1}}\right),\ \varepsilon^{SG}\text{ of checkin2022-thm4-printed})";
const char* const eq11_formula =
    R"(\frac{1}{\lambda-1}\log\left(1+\mathrm E\left[e^{-\Delta^2n\gamma/2}m_1(\tfrac Kn)+m_{t+1}(\tfrac Kn)\right]\right),\ t=\lfloor(1-\Delta)n\gamma\rfloor)";

}  // namespace

std::span<const Bound> checkin2022_distributed() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add<Thm4>(out, {"checkin2022-thm4", "Distributed check-in with Gaussian noise",
                    "Self check-in 2022, Theorem 4, equation (10)", sum_formula, Standing::repaired,
                    "printed with rate gamma for k/n and without the term of k = 0; K may be public",
                    "distributed, wang, mixture, truncation"});
    add<Interpolated<Thm4>>(
        out, {"checkin2022-thm4-real", "Distributed check-in with Gaussian noise, any order",
              "Self check-in 2022, Theorem 4, equation (10), interpolated between integer orders",
              R"((\lambda-1)\varepsilon(\lambda)\text{ linear between the integers around }\lambda)",
              Standing::repaired, "(lambda - 1) eps(lambda) of a divergence is convex, so the chord is an upper bound",
              "order, distributed, wang, mixture, truncation"});
    add<Thm4Printed>(out,
                     {"checkin2022-thm4-printed", "Distributed check-in with Gaussian noise, as printed",
                      "Self check-in 2022, Theorem 4, equation (10)", printed_sum_formula, Standing::unsound,
                      "the rate given K = k is k/n, not gamma: at n = 1, gamma = 0.1, multiplier = 1, lambda = 4 the "
                      "divergence is 7.23; the sum from k = 1 drops P(K = 0), so that it may even be negative",
                      "mixture"},
                     {}, {}, {somebody_checks_in("gamma > 0; at gamma = 0 the printed sum is empty")});
    std::erase(out.back().rises, T);  // what may be negative may fall in T
    add<Thm4Eq11>(
        out,
        {"checkin2022-thm4-eq11", "Distributed check-in, closed form", "Self check-in 2022, Theorem 4, equation (11)",
         eq11_formula, Standing::repaired,
         "gamma^j becomes E[(K/n)^j], (1-Delta) n gamma its floor, and no further e^{-Delta^2 n gamma/2} is added",
         "distributed, association"},
        {}, {Param::Delta});
    add<Thm4Eq11Printed>(out,
                         {"checkin2022-thm4-eq11-printed", "Distributed check-in, closed form as printed",
                          "Self check-in 2022, Theorem 4, equation (11)", printed_eq11_formula, Standing::unsound,
                          "rests on the rate gamma, which is k/n given K = k: at n = 1, gamma = 0.1, multiplier = 1, "
                          "lambda = 4 the divergence is 7.23 and this at best 5.39",
                          "mixture"},
                         {}, {Param::Delta});
    add<Thm4Quorum>(
        out,
        {"checkin2022-thm4-quorum", "Distributed check-in in rounds with a quorum",
         "epsilary; Self check-in 2022, Theorem 4, given K >= quorum",
         R"(\frac{1}{\lambda-1}\log\left(1+\mathrm E[m_K(\tfrac Kn)\mid K\ge k_0]\right);\quad\delta'=\delta+T\,\mathrm P(K<k_0))",
         Standing::proved, "a round with fewer check-ins is aborted, or charged to delta",
         "distributed, wang, mixture, truncation"},
        {quorum}, {},
        {exactly("quorum <= n", [](const auto& x) { return x[quorum] <= x[n]; }),
         somebody_checks_in("gamma > 0; at gamma = 0 P(K >= quorum) = 0")});
    add<Thm4Dropout>(
        out,
        {"checkin2022-thm4-dropout", "Distributed check-in where an unknown share drops out",
         "epsilary; Self check-in 2022, Theorem 4, for every rate from gamma (1 - dropout) to gamma",
         R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j\ge2}\tbinom\lambda j\mathrm E_{\gamma}[(\tfrac Kn)^j]\,\mathrm E_{\gamma(1-p')}[b_j(K)]\Big))",
         Standing::proved,
         "the paper takes the rate before dropout as the safe one; for a noisy sum it is not, because fewer clients "
         "add less noise",
         "association, distributed, truncation"},
        {dropout});
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
