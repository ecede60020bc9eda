#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/forms/words.hpp"
#include "bounds/theory/checkin/distributed_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add(std::vector<Bound>& list, const RoundForms& rounds, const Words& words, const std::vector<Hypothesis>& assumed,
         std::vector<Param> takes = {}, std::vector<Param> more_needs = {}) {
  Bound form = in_words({.protocol = "distributed-checkin",
                         .needs = {n, gamma, multiplier},
                         .takes = std::move(takes),
                         .falls = {multiplier}},
                        words);
  if (rounds.orders == Orders::integer)
    form.assumes = {
        assume::integer_order("lambda is an integer >= 2 (checkin2022-thm4-real interpolates between integers)")};
  form.needs.insert(form.needs.end(), more_needs.begin(), more_needs.end());
  form.assumes.insert(form.assumes.end(), assumed.begin(), assumed.end());
  add_forms(list, std::move(form), rounds);
}

// Where nobody does, epsilon is 0 all the same; a divergence given that somebody does is not defined.
Hypothesis somebody_checks_in(std::string_view words) {
  return exactly(words, [](const Values<Rational>& x) { return x[gamma] > 0; });
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
    add(out, distributed::over_check_ins(),
        {"checkin2022-thm4", "Distributed check-in with Gaussian noise", "Self check-in 2022, Theorem 4, equation (10)",
         sum_formula, Standing::repaired,
         "printed with rate gamma for k/n and without the term of k = 0; K may be public",
         "distributed, wang, mixture, truncation"},
        {assume::countable_clients()});
    add(out, distributed::over_check_ins_any_order(),
        {"checkin2022-thm4-real", "Distributed check-in with Gaussian noise, any order",
         "Self check-in 2022, Theorem 4, equation (10), interpolated between integer orders",
         R"((\lambda-1)\varepsilon(\lambda)\text{ linear between the integers around }\lambda)", Standing::repaired,
         "(lambda - 1) eps(lambda) of a divergence is convex, so the chord is an upper bound",
         "order, distributed, wang, mixture, truncation"},
        {assume::countable_clients()});
    add(out, distributed::at_rate_gamma(),
        {"checkin2022-thm4-printed", "Distributed check-in with Gaussian noise, as printed",
         "Self check-in 2022, Theorem 4, equation (10)", printed_sum_formula, Standing::unsound,
         "the rate given K = k is k/n, not gamma: at n = 1, gamma = 0.1, multiplier = 1, lambda = 4 the "
         "divergence is 7.23; the sum from k = 1 drops P(K = 0), so that it may even be negative",
         "mixture"},
        {assume::countable_clients(), somebody_checks_in("gamma > 0; at gamma = 0 the printed sum is empty")});
    std::erase(out.back().rises, T);  // what may be negative may fall in T
    add(out, distributed::split(),
        {"checkin2022-thm4-eq11", "Distributed check-in, closed form", "Self check-in 2022, Theorem 4, equation (11)",
         eq11_formula, Standing::repaired,
         "gamma^j becomes E[(K/n)^j], (1-Delta) n gamma its floor, and no further e^{-Delta^2 n gamma/2} is added",
         "distributed, association"},
        {assume::countable_clients()}, {Param::Delta});
    add(out, distributed::split_at_rate_gamma(),
        {"checkin2022-thm4-eq11-printed", "Distributed check-in, closed form as printed",
         "Self check-in 2022, Theorem 4, equation (11)", printed_eq11_formula, Standing::unsound,
         "rests on the rate gamma, which is k/n given K = k: at n = 1, gamma = 0.1, multiplier = 1, "
         "lambda = 4 the divergence is 7.23 and this at best 5.39",
         "mixture"},
        {}, {Param::Delta});
    add(out, distributed::given_quorum(),
        {"checkin2022-thm4-quorum", "Distributed check-in in rounds with a quorum",
         "epsilary; Self check-in 2022, Theorem 4, given K >= quorum",
         R"(\frac{1}{\lambda-1}\log\left(1+\mathrm E[m_K(\tfrac Kn)\mid K\ge k_0]\right);\quad\delta'=\delta+T\,\mathrm P(K<k_0))",
         Standing::proved, "a round with fewer check-ins is aborted, or charged to delta",
         "distributed, wang, mixture, truncation"},
        {assume::countable_clients(), assume::within<quorum, n>(),
         somebody_checks_in("gamma > 0; at gamma = 0 P(K >= quorum) = 0")},
        {}, {quorum});
    add(out, distributed::unknown_dropout(),
        {"checkin2022-thm4-dropout", "Distributed check-in where an unknown share drops out",
         "epsilary; Self check-in 2022, Theorem 4, for every rate from gamma (1 - dropout) to gamma",
         R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j\ge2}\tbinom\lambda j\mathrm E_{\gamma}[(\tfrac Kn)^j]\,\mathrm E_{\gamma(1-p')}[b_j(K)]\Big))",
         Standing::proved,
         "the paper takes the rate before dropout as the safe one; for a noisy sum it is not, because fewer clients "
         "add less noise",
         "association, distributed, truncation"},
        {assume::countable_clients()}, {}, {dropout});
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
