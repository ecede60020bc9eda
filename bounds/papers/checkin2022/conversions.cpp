#include <span>

#include "bounds/forms/least_divergence.hpp"
#include "bounds/theory/renyi_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> checkin2022_conversions() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    list.push_back({
        .id = "checkin2022-lem1",
        .title = "Divergence of mechanisms with a divergence of their own each",
        .protocol = "renyi",
        .source = "Self check-in 2022, Lemma 1; Mironov 2017",
        .formula = R"(\sum_i\varepsilon_i(\lambda))",
        .quantity = Quantity::rdp,
        .note = "the steps are the divergences, all of one order",
        .proof = "concentrated",
        .needs = {steps},
        .evaluate = renyi::sum_of_steps(),
    });
    list.push_back({
        .id = "checkin2022-lem2",
        .title = "From Renyi to approximate differential privacy",
        .protocol = "renyi",
        .source = "Self check-in 2022, Lemma 2; Canonne, Kamath and Steinke 2020",
        .formula = R"(\varepsilon(\lambda)+\frac{\log(1/\delta)+(\lambda-1)\log(1-1/\lambda)-\log\lambda}{\lambda-1})",
        .note = "printed for 1 < delta < 0, which is 0 < delta < 1; a negative value means 0",
        .proof = "conversion",
        .needs = {rdp, lambda, delta},
        .rises = {rdp},
        .falls = {delta},
        .evaluate = renyi::epsilon_of_order(),
    });
    list.push_back({
        .id = "checkin2022-lem2",
        .title = "From Renyi to approximate differential privacy: delta",
        .protocol = "renyi",
        .source = "Self check-in 2022, Lemma 2; Canonne, Kamath and Steinke 2020",
        .formula =
            R"(\frac{e^{(\lambda-1)(\varepsilon(\lambda)-\varepsilon)}}{\lambda-1}\left(1-\frac1\lambda\right)^\lambda)",
        .quantity = Quantity::delta,
        .proof = "conversion",
        .needs = {rdp, lambda, eps},
        .rises = {rdp},
        .falls = {eps},
        .evaluate = renyi::delta_of_order(),
    });
    Bound least = least_divergence_form();
    least.id = "checkin2022-lem3";
    least.title = "From approximate to Renyi differential privacy, as printed";
    least.source = "Self check-in 2022, Lemma 3";
    least.side = Side::upper;
    least.standing = Standing::unsound;
    least.note =
        "the direction is wrong, it is a lower bound (asoodeh2021-divergence): publishing the datum with probability "
        "delta is (0, delta)-DP and has infinite divergence; at delta = 0 it gives 0, randomised response has "
        "0.7353 at eps = 1, lambda = 2; evaluated with the eps + log(.)/(lambda - 1) around the minimum that (4) lacks "
        "in the text at hand";
    list.push_back(least);
    for (Bound& b : list) b.adjacency = Adjacency::either;
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
