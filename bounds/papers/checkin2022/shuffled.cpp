#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/forms/words.hpp"
#include "bounds/theory/checkin/shuffled_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add(std::vector<Bound>& list, const RoundForms& rounds, const Words& words, std::vector<Hypothesis> assumes,
         std::vector<Param> takes = {}) {
  const Bound form{.protocol = "shuffled-checkin",
                   .needs = {eps0, n, gamma},
                   .takes = std::move(takes),
                   .rises = {eps0},
                   .assumes = std::move(assumes)};
  add_forms(list, in_words(form, words), rounds);
}

const char* const exact_formula =
    R"(\frac{1}{\lambda-1}\log\left(1+\sum_{k=1}^n\binom nk\gamma^k(1-\gamma)^{n-k}m_k(k/n)\right),\ m_k\text{ of girgis2021b-shuffle})";
const char* const split_formula =
    R"(\frac{1}{\lambda-1}\log\Big(1+4\tbinom\lambda2\mu_2\tfrac{(e^{\varepsilon_0}-1)^2}{e^{\varepsilon_0}}\big(c+\tfrac1l\big)+\sum_{j=3}^\lambda\tbinom\lambda j\mu_jj\Gamma(\tfrac j2)\big(\tfrac{2(e^{2\varepsilon_0}-1)^2}{e^{2\varepsilon_0}}\big)^{j/2}\big(c+l^{-j/2}\big)+\sum_{j=2}^\lambda\tbinom\lambda j\mu_j(2\sinh\varepsilon_0)^j\big(c+e^{-t/(8e^{\varepsilon_0})}\big)\Big),\ c=e^{-\Delta^2n\gamma/2})";

// As the text at hand has them.
const char* const printed_exact_formula =
    R"(\frac{1}{\lambda-1}\log\sum_{k=0}^n\tbinom nk\gamma^k(1-\gamma)^{n-k}\mathrm E_{q_k}\left(\tfrac{p_k}{q_k}\right)^\lambda,\ p_k=(1-\gamma)p_k(\cdot|E^c)+\gamma p_k(\cdot|E))";
const char* const printed_split_formula =
    R"(\frac{1}{\lambda-1}\log\Big(1+4\tbinom\lambda2\gamma^2(e^{\varepsilon_0}-1)^2\big(e^{-\varepsilon_0-\Delta^2n\gamma/2}+e^{-\varepsilon_0/\tilde l}\big)+\sum_{j=3}^\lambda\tbinom\lambda j\gamma^jj\Gamma(\tfrac j2)\big(\tfrac{2(e^{2\varepsilon_0}-1)^2}{e^{2\varepsilon_0}}\big)^{j/2}\big(e^{-\Delta^2n\gamma/2}+\tilde l^{-j/2}\big)+\Upsilon_1e^{-\Delta^2n\gamma/2}+\Upsilon_{(1-\Delta)n\gamma+1}\Big),\ \tilde l=\lfloor\tfrac{(1-\Delta)n\gamma}{2\varepsilon_0}\rfloor+1,\ \Upsilon_k=\big((1+\gamma\tfrac{e^{2\varepsilon_0}-1}{e^{\varepsilon_0}})^\lambda-1-\lambda\gamma\tfrac{e^{2\varepsilon_0}-1}{e^{\varepsilon_0}}\big)e^{-(k-1)/(8\varepsilon_0)})";

void add_theorem2(std::vector<Bound>& list) {
  add(list, shuffled::split(),
      {"checkin2022-thm2", "Shuffled check-in, closed form with the moments of the number of check-ins",
       "Self check-in 2022, Theorem 2", split_formula, Standing::published,
       "repaired: gamma^j becomes mu_j = E[(K/n)^j] and (1-Delta) n gamma its floor t, l = floor(t/(2e^eps0)) + 1; "
       "rests on Girgis et al. 2021, Theorem 1, which is quoted",
       "mixture, association, truncation; the moment given K from girgis2021b-shuffle"},
      {assume::integer_order("lambda is an integer >= 2 (checkin2022-thm2-real interpolates between integers)")},
      {Param::Delta});
  add(list, shuffled::split_any_order(),
      {"checkin2022-thm2-real", "Shuffled check-in, closed form, any order",
       "Self check-in 2022, Theorem 2, interpolated between integer orders",
       R"((\lambda-1)\varepsilon(\lambda)\text{ linear between the integers around }\lambda)", Standing::published,
       "(lambda - 1) eps(lambda) of a divergence is convex, so the chord is an upper bound",
       "order, mixture, association, truncation; the moment given K from girgis2021b-shuffle"},
      {});
  add(list, shuffled::split_at_rate_gamma(),
      {"checkin2022-thm2-printed", "Shuffled check-in, closed form as printed",
       "Self check-in 2022, Theorem 2, equation (7)", printed_split_formula, Standing::unsound,
       "gamma^j is printed, but given K = k a client is in with probability k/n: at n = 20, gamma = 1/20, eps0 = 2, "
       "lambda = 128, Delta = 1 it is 0.79 of the exact divergence of randomised response; evaluated with e^eps0 for "
       "eps0 in 2 eps0, 8 eps0 and with e^-eps0/l for e^(-eps0/l), which the text at hand must mean",
       "mixture"},
      {assume::integer_order("lambda is an integer >= 2 (checkin2022-thm2-real is valid between integers)")},
      {Param::Delta});
  add(list, shuffled::over_check_ins(),
      {"checkin2022-thm2-exact", "Shuffled check-in, exact sum over the number of check-ins",
       "Self check-in 2022, Theorem 1 with Girgis et al. 2021, Theorem 1", exact_formula, Standing::published,
       "the rate of Theorem 1 is k/n, not gamma; rests on Girgis et al. 2021, which is quoted",
       "mixture, truncation; the moment given K from girgis2021b-shuffle"},
      {assume::integer_order("lambda is an integer >= 2 (checkin2022-thm2-exact-real interpolates between integers)"),
       assume::countable_clients()});
  add(list, shuffled::over_check_ins_any_order(),
      {"checkin2022-thm2-exact-real", "Shuffled check-in, exact sum, any order",
       "Self check-in 2022, Theorem 1 with Girgis et al. 2021, interpolated between integer orders",
       R"((\lambda-1)\varepsilon(\lambda)\text{ linear between the integers around }\lambda)", Standing::published,
       "(lambda - 1) eps(lambda) of a divergence is convex, so the chord is an upper bound",
       "order, mixture, truncation; the moment given K from girgis2021b-shuffle"},
      {assume::countable_clients()});
  add(list, shuffled::at_rate_gamma(),
      {"checkin2022-thm2-exact-printed", "Shuffled check-in, sum over check-ins at rate gamma",
       "Self check-in 2022, Theorem 1 as its proof has it", printed_exact_formula, Standing::unsound,
       "given K = k the rate is k/n, not gamma: n = 2, gamma = 1/2, randomised response at eps0 = 3, "
       "lambda = 2 has 1.7109, the mixture at rate gamma 1.3438",
       "mixture"},
      {assume::integer_order("lambda is an integer >= 2 (checkin2022-thm2-exact-real is valid between integers)"),
       assume::countable_clients()});
  std::erase(list.back().falls, delta);  // its sum need not rise in the order
}

}  // namespace

std::span<const Bound> checkin2022_shuffled() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_theorem2(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
