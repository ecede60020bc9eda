// Central limits of many steps: estimates, which promise nothing.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/dpsgd/limit_formulas.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

std::vector<Bound> limit_forms(Bound common, const LimitForms& formulas, const std::string& of) {
  common.side = Side::estimate;
  common.standing = Standing::approximate;
  common.note = "a limit for many steps, not a bound: it may lie on either side of the truth";
  common.takes = {T, epochs};
  common.rises = {T, epochs};  // not in batch: the steps of whole epochs are fewer
  common.falls = {sigma};
  common.assumes = dpsgd_hypotheses();
  common.title = of;
  Bound as_mu = common, as_epsilon = common, as_delta = common;
  as_mu.quantity = Quantity::mu;
  as_mu.needs = {n, batch, sigma};
  as_mu.evaluate = formulas.mu;
  as_epsilon.needs = {n, batch, sigma, delta};
  as_epsilon.falls.push_back(delta);
  as_epsilon.evaluate = formulas.epsilon;
  as_delta.quantity = Quantity::delta;
  as_delta.needs = {n, batch, sigma, eps};
  as_delta.falls.push_back(eps);
  as_delta.evaluate = formulas.delta;
  return {as_mu, as_epsilon, as_delta};
}

std::vector<Bound> limits() {
  std::vector<Bound> out = limit_forms(
      {
          .id = "vandijk2022-clt",
          .protocol = "dp-sgd",
          .source = "van Dijk and Nguyen 2022, section 4.5; Dong, Roth and Su 2022, Corollary 5.4",
          .formula =
              R"(\mu=\frac{b}{n}\sqrt{2T\left(e^{1/\sigma^2}\Phi\left(\tfrac{3}{2\sigma}\right)+3\Phi\left(-\tfrac{1}{2\sigma}\right)-2\right)})",
          .remark = fixed_size_remark,
      },
      fixed_size_limit(), "DP-SGD by the central limit theorem");
  for (Bound& b : limit_forms(
           {
               .id = "vandijk2022-poisson-clt",
  .protocol = "dp-sgd-poisson",
  .source = "Bu, Dong, Long and Su 2020, Corollary 4",
  .formula = R"(\mu=\frac{b}{n}\sqrt{T(e^{1/\sigma^2}-1)})",
  .adjacency = Adjacency::remove,
  .remark = poisson_remark,
           },
           poisson_limit(), "DP-SGD with Poisson sampling by the central limit theorem"))
    out.push_back(std::move(b));
  return out;
}

}  // namespace

std::span<const Bound> vandijk2022_limits() {
  static const std::vector<Bound> list = limits();
  return list;
}

}  // namespace epsilary::bounds
