#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/shuffle/gaussian_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add(std::vector<Bound>& list, const RoundForms& rounds, Bound form) {
  form.side = Side::lower;
  form.note =
      "of one pair of data sets, all other clients holding one value and the client that or another as far away as "
      "there is, in one direction; whether other data are worse is not known";
  form.falls = {sigma};
  form.assumes = {assume::integer_order()};
  add_forms(list, std::move(form), rounds);
  list.back().side = Side::estimate;
  list.back().standing = Standing::approximate;
  list.back().note =
      "the least epsilon that accounting by this divergence and Lemma 2 could report, not a lower bound on epsilon, "
      "because Lemma 2 is one-sided";
}

}  // namespace

std::span<const Bound> epsilary_shuffled_gaussian() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, shuffled_gaussian::all_report(),
        {
            .id = "epsilary-shuffled-gaussian",
            .title = "Shuffled reports with Gaussian noise",
            .protocol = "shuffle",
            .source = "epsilary; the pair of Liew and Takahashi 2022, by powers of series around 1",
            .formula =
                R"(\frac{1}{\lambda-1}\log\Big(e^{-\lambda/2\sigma^2}n^{-\lambda}\lambda!\,[t^\lambda]\big(\sum_i\tfrac{t^i}{i!}e^{i^2/2\sigma^2}\big)^n\Big))",
            .proof = "gaussian",
            .needs = {sigma, n},
        });
    add(out, shuffled_gaussian::check_in(),
        {
            .id = "epsilary-shuffled-gaussian-checkin",
            .title = "Shuffled check-in with Gaussian noise",
            .protocol = "shuffled-checkin",
            .source = "epsilary; Self check-in 2022, Theorem 1, with the shuffled Gaussian pair given K",
            .formula =
                R"(\frac{1}{\lambda-1}\log\Big(1+\mathrm E\Big[\sum_{j\ge2}\tbinom\lambda j(\tfrac Kn)^j\,\mathrm E(\bar L_K-1)^j\Big]\Big))",
            .proof = "gaussian, mixture, truncation",
            .needs = {sigma, n, gamma},
        });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
