#include <span>

#include "bounds/forms/least_divergence.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/renyi_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add_mechanisms(std::vector<Bound>& list) {
  add_forms(
      list,
      {
          .id = "mironov2017-response",
          .title = "Renyi divergence of randomised response, the worst of all eps0-DP mechanisms",
          .protocol = "renyi",
          .source = "Mironov 2017, Proposition 5; worst case by Kairouz, Oh and Viswanath 2015",
          .formula =
              R"(\frac{1}{\lambda-1}\log\left(1+\frac{(e^{\lambda\varepsilon_0}-1)(1-e^{(1-\lambda)\varepsilon_0})}{1+e^{\varepsilon_0}}\right))",
          .proof = "response",
          .needs = {eps0},
          .rises = {eps0},
      },
      renyi::pure_mechanism());
  add_forms(list,
            {
                .id = "mironov2017-gaussian",
                .title = "Renyi divergence of the Gaussian mechanism",
                .protocol = "renyi",
                .source = "Mironov 2017, Proposition 7",
                .formula = R"(\lambda\mu^2/2)",
                .proof = "response",
                .needs = {mu},
                .rises = {mu},
            },
            renyi::gaussian_mechanism());
}

void add_proposition3(std::vector<Bound>& list) {
  list.push_back({
      .id = "mironov2017-prop3",
      .title = "From Renyi to approximate differential privacy, first form",
      .protocol = "renyi",
      .source = "Mironov 2017, Proposition 3",
      .formula = R"(\varepsilon(\lambda)+\frac{\log(1/\delta)}{\lambda-1})",
      .proof = "conversion",
      .needs = {rdp, lambda, delta},
      .rises = {rdp},
      .falls = {delta},
      .evaluate = renyi::first_epsilon_of_order(),
  });
}

void add_optimal(std::vector<Bound>& list) {
  list.push_back({
      .id = "asoodeh2021-optimal",
      .title = "From Renyi to approximate differential privacy, optimal at one order",
      .protocol = "renyi",
      .source = "Asoodeh, Liao, Calmon, Kosut and Sankar 2021; Self check-in 2022, Lemma 3 read in its true direction",
      .formula =
          R"(\min\left\{\varepsilon\ge0:\ \varepsilon+\tfrac{1}{\lambda-1}\log\min_r\left[r^\lambda(r-\delta)^{1-\lambda}+(1-r)^\lambda(e^\varepsilon-r+\delta)^{1-\lambda}\right]\ge\varepsilon(\lambda)\right\})",
      .note = "necessary for an ordered pair; a mechanism bounds both orders, so it may do better still",
      .proof = "conversion",
      .needs = {rdp, lambda, delta},
      .rises = {rdp},
      .falls = {delta},
      .evaluate = renyi::optimal_epsilon_of_order(),
  });
  list.push_back(least_divergence_form());
  list.back().id = "asoodeh2021-divergence";
}

}  // namespace

std::span<const Bound> literature_renyi_conversions() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_mechanisms(out);
    add_proposition3(out);
    add_optimal(out);
    for (Bound& b : out) b.adjacency = Adjacency::either;
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
