// An adversary who is told which steps used the record, and groups of records.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/limit_formulas.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

Bound told_steps_estimate(const std::string& id, const std::string& title, const std::string& formula) {
  return {
      .id = id,
      .title = title,
      .protocol = "dp-sgd",
      .source = "van Dijk and Nguyen 2022, section 4.7",
      .formula = formula,
      .quantity = Quantity::mu,
      .side = Side::estimate,
      .standing = Standing::approximate,
      .note = "not a bound: the number of steps hit leaves [hbar, h] with a constant probability, not e^-epochs",
      .view = View::told_steps,
      .needs = {epochs, sigma},
      .takes = {group},
      .rises = {epochs, group},
      .falls = {sigma},
      .remark = fixed_size_remark,
  };
}

// What is known exactly of a group when the adversary is told the batches.
std::vector<Bound> told_groups() {
  Bound batch_clipping{
      .id = "vandijk2022-a1-group",
      .title = "delta of a group under DP-SGD with batches clipped as a whole, the steps that used it told",
      .protocol = "dp-sgd-batch",
      .source = "van Dijk and Nguyen 2022, section 4.7, the mixture itself",
      .formula =
          R"(\sum_c\binom{T}{c}p^c(1-p)^{T-c}\delta_{\sqrt c/\sigma}(\varepsilon),\ p=1-\tbinom{n-g}{b}/\tbinom nb)",
      .quantity = Quantity::delta,
      .standing = Standing::repaired,
      .note =
          "fixed-size batches drawn afresh at each step; the text puts g E for E into h and h-bar, no bounds either",
      .proof = "told",
      .view = View::told_steps,
      .needs = {n, batch, sigma, group, eps},
      .takes = {T, epochs},
      .rises = {T, epochs, group},
      .falls = {sigma, eps},
      .assumes = dpsgd_hypotheses(),
      .remark = fixed_size_remark,
      .evaluate = told_group(),
  };
  batch_clipping.assumes.push_back(exactly("batch + group <= n and group <= 1000", [](const auto& x) {
    return x[batch] + x[group] <= x[n] && x[group] <= 1000;
  }));
  return {
      batch_clipping,
      {
          .id = "vandijk2022-group-two",
          .title = "delta of two records under DP-SGD, each epoch a partition, records clipped one by one",
          .protocol = "dp-sgd-shuffled-two",
          .source = "van Dijk and Nguyen 2022, section 4.7, with the law of collisions",
          .formula = R"(\sum_c\binom Ecr^c(1-r)^{E-c}\delta_{\sqrt{2E+2c}/\sigma}(\varepsilon),\ r=\tfrac{b-1}{n-1})",
          .quantity = Quantity::delta,
          .standing = Standing::repaired,
          .note = "sqrt(2 E)/sigma is printed, which is c = 0; the partitions are told",
          .proof = "told",
          .view = View::told_steps,
          .needs = {n, batch, sigma, epochs, eps},
          .rises = {batch, epochs},
          .falls = {n, sigma, eps},
          .assumes = {exactly("batch <= n and n >= 2", [](const auto& x) { return x[batch] <= x[n] && x[n] >= 2; }),
                      exactly("epochs is an integer", [](const auto& x) { return is_integer(x[epochs]); })},
          .remark = partition_remark,
          .evaluate = told_two_records(),
      },
  };
}

std::vector<Bound> adversary_one() {
  Bound h = told_steps_estimate("vandijk2022-a1-h", "Adversary who knows the steps hit, printed h",
                                R"(\sqrt{(1+1/\sqrt{2gE})\,gE}/\sigma)");
  h.evaluate = each_number([](const auto& x) { return told_steps_mu(x[epochs], x[sigma], group_size(x), +1); });
  Bound hbar = told_steps_estimate("vandijk2022-a1-hbar", "Adversary who knows the steps hit, printed h-bar",
                                   R"(\sqrt{(1-1/\sqrt{2gE})\,gE}/\sigma)");
  hbar.assumes = {exactly("2 group epochs >= 1", [](const auto& x) {
    return x.has(group) ? 2 * x[epochs] * x[group] >= 1 : 2 * x[epochs] >= 1;
  })};
  hbar.evaluate = each_number([](const auto& x) { return told_steps_mu(x[epochs], x[sigma], group_size(x), -1); });
  return {
      {
          .id = "vandijk2022-a1",
          .title = "delta of DP-SGD when the adversary knows which steps used the record",
          .protocol = "dp-sgd",
          .source = "van Dijk and Nguyen 2022, section 4.7, the mixture itself",
          .formula =
              R"(\sum_c\binom{T}{c}\left(\tfrac bn\right)^c\left(1-\tfrac bn\right)^{T-c}\delta_{\sqrt c/\sigma}(\varepsilon))",
          .quantity = Quantity::delta,
          .standing = Standing::repaired,
          .note = "fixed-size batches drawn afresh at each step, replace-one; the printed h and h-bar are not bounds",
          .proof = "told",
          .view = View::told_steps,
          .needs = {n, batch, sigma, eps},
          .takes = {T, epochs},
          .rises = {T, epochs},
          .falls = {sigma, eps},
          .assumes = dpsgd_hypotheses(),
          .remark = fixed_size_remark,
          .evaluate = told_record(),
      },
      h,
      hbar,
      {
          .id = "vandijk2022-group-batch",
          .title = "mu of DP-SGD for a group, each epoch a partition into batches clipped as a whole",
          .protocol = "dp-sgd-shuffled-batch",
          .source = "van Dijk and Nguyen 2022, section 4.7",
          .formula = R"(\sqrt{gE}/\sigma)",
          .quantity = Quantity::mu,
          .standing = Standing::repaired,
          .note = "with individual clipping this is the value without collisions only: see the individual form",
          .proof = "told",
          .needs = {epochs, sigma, group},
          .rises = {epochs, group},
          .falls = {sigma},
          .remark = partition_remark,
          .evaluate = each_number([](const auto& x) { return sqrt(x[group] * x[epochs]) / x[sigma]; }),
      },
      {
          .id = "vandijk2022-group-individual",
          .title = "mu of DP-SGD for a group, each epoch a partition into batches, records clipped one by one",
          .protocol = "dp-sgd-shuffled",
          .source = "van Dijk and Nguyen 2022, section 4.7, with all of the group in one batch",
          .formula = R"(g\sqrt{E}/\sigma)",
          .quantity = Quantity::mu,
          .standing = Standing::repaired,
          .note = "sqrt(g E)/sigma is printed, which k_b > 1 records of the group in one batch exceed",
          .proof = "told",
          .needs = {epochs, sigma, group},
          .rises = {epochs, group},
          .falls = {sigma},
          .remark = partition_remark,
          .evaluate = each_number([](const auto& x) { return x[group] * sqrt(x[epochs]) / x[sigma]; }),
      },
      {
          .id = "vandijk2022-adaptive",
          .title = "mu of DP-SGD whose last epoch has noise sigma_hat",
          .protocol = "dp-sgd-shuffled-batch",
          .source = "van Dijk and Nguyen 2022, section 5.2",
          .formula = R"(\sqrt{g}\sqrt{(E-1)/\sigma^2+1/\hat\sigma^2})",
          .quantity = Quantity::mu,
          .standing = Standing::repaired,
          .note = "sqrt(g) holds for batch clipping, or when no two records of the group share a batch",
          .proof = "told",
          .needs = {epochs, sigma, sigma_hat},
          .takes = {group},
          .rises = {epochs, group},
          .falls = {sigma, sigma_hat},
          .assumes = {exactly("epochs >= 1", [](const auto& x) { return x[epochs] >= 1; })},
          .remark = partition_remark,
          .evaluate =
              each_number([](const auto& x) { return adaptive_mu(x[epochs], x[sigma], x[sigma_hat], group_size(x)); }),
      },
      {
          .id = "vandijk2022-sigma",
          .title = "Noise claimed to allow eps (n/batch)^2/2 steps",
          .protocol = "dp-sgd",
          .source = "van Dijk and Nguyen 2022, section 4.5",
          .formula = R"(\sqrt{2(\varepsilon+\log(1/\delta))/\varepsilon})",
          .quantity = Quantity::sigma,
          .side = Side::estimate,
          .standing = Standing::approximate,
          .note = "loose by 2.3 (epsilon 8) to 7.6 (epsilon 0.01) in the number of steps by the central limit theorem, "
                  "and without limit as epsilon falls",
          .needs = {eps, delta},
          .falls = {eps, delta},
          .assumes = {assume::positive<eps>()},
          .remark = fixed_size_remark,
          .evaluate = each_number([](const auto& x) { return claimed_sigma(x[eps], x[delta]); }),
      },
  };
}

}  // namespace

std::span<const Bound> vandijk2022_told_steps() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = adversary_one();
    for (Bound& b : told_groups()) out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
