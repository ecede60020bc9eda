#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

const char* const chernoff_formula =
    R"(\sqrt t:\ m\,e^{B+1-\mu-(B+1)\log((B+1)/\mu)}+2e^{-rt}\left(\mathbb{E}e^{r\min(Y,B)^2}\right)^m=\delta,\ Y\sim\mathrm{Poisson}(\mu),\ \mu=n/m)";

Bound averaged_with_loads() {
  return {
      .id = "epsilary-averaged-loads",
      .title = "Random check-ins with averaged updates, Theorem 4.1 with the sharper bound of the loads",
      .protocol = "checkin-averaged",
      .source = "epsilary; Balle et al. 2020, Theorem A.5 with the loads of epsilary-loads-chernoff",
      .formula = R"(\text{Theorem A.5 at the norm exceeded with probability }\delta_2;\quad\delta'=\delta+\delta_2)",
      .note = "still above epsilary-averaged, which needs no bound of the loads",
      .proof = "bins, loads",
      .needs = {eps0, n, m, delta, delta2},
      .rises = {eps0},
      .falls = {delta},
      .evaluate = checkin::averaged_chernoff_loads().parts_given,
  };
}

Bound averaged_of_whole() {
  Bound b = parts_found(averaged_with_loads(), {eps0, n, m, delta}, checkin::averaged_chernoff_loads().whole_given);
  b.falls = {};
  return b;
}

Hypothesis few_per_bin() {
  return exactly("n <= 10^6 m, as the sum over one bin has about 100 sqrt(n/m) terms; balle2020-lemA.6 has none",
                 [](const Values<Rational>& x) { return x[n] <= 1000000 * x[m]; });
}
Bound with_few_per_bin(Bound b) {
  b.assumes = {few_per_bin()};
  return b;
}

}  // namespace

std::span<const Bound> epsilary_loads() {
  static const Bound list[] = {
      {
          .id = "epsilary-loads-exact",
          .title = "Euclidean norm of the loads, its exact quantile",
          .protocol = "checkin-averaged",
          .source = "epsilary; all ways to fill the bins counted, in place of Lemma A.6 of Balle et al. 2020",
          .formula = R"(\min\{v:\Pr(\|L\|_2>v)\le\delta\})",
          .quantity = Quantity::count,
          .proof = "loads",
          .adjacency = Adjacency::none,
          .needs = {n, m, delta},
          .rises = {n},
          .falls = {delta},
          .assumes = {exactly("n <= 40 and m <= 40; for more use epsilary-loads-chernoff",
                              [](const Values<Rational>& x) { return x[n] <= 40 && x[m] <= 40; })},
          .evaluate = checkin::load_quantile(),
      },
      {
          .id = "epsilary-loads-chernoff",
          .title = "Euclidean norm of the loads, by Chernoff's bound on the squares",
          .protocol = "checkin-averaged",
          .source = "epsilary; Poisson loads cut at B, in place of Lemma A.6 of Balle et al. 2020",
          .formula = chernoff_formula,
          .quantity = Quantity::count,
          .proof = "loads",
          .adjacency = Adjacency::none,
          .needs = {n, m, delta},  // rises and falls in none: where the largest bin allowed for changes, it jumps
          .assumes = {few_per_bin()},
          .evaluate = checkin::load_chernoff(),
      },
      with_few_per_bin(averaged_with_loads()),
      with_few_per_bin(averaged_of_whole()),
  };
  return list;
}

}  // namespace epsilary::bounds
