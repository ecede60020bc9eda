#include "bounds/theory/renyi_subsampling.hpp"

#include <span>

#include "bounds/theory/accounting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

// A mechanism of eps0-DP, whose divergences are at most those of randomised response.
struct PureBase {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const M e = M(x[eps0]);
    const M m1 =
        renyi::subsampled_moment(M(order), renyi::response_moment(e, M(2)), M(expm1(e)), renyi::powers_of(M(x[q])),
                                 [&](int j) { return 1 + renyi::response_moment(e, M(j)); });
    return {renyi::divergence<R>(m1, order)};
  }
};

struct GaussianBase {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const M m1 = renyi::subsampled_gaussian_moment(M(order), M(x[mu] * x[mu]), renyi::powers_of(M(x[q])));
    return {renyi::divergence<R>(m1, order)};
  }
};

}  // namespace

std::span<const Bound> literature_renyi_subsampling() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound form{
        .id = "wang2019-subsampling",
        .title = "Subsampling without replacement under Renyi privacy, Gaussian mechanism",
        .protocol = "subsampling",
        .source = "Wang, Balle and Kasiviswanathan 2019, the bound of subsampled mechanisms",
        .formula =
            R"(\frac{1}{\lambda-1}\log\Big(1+q^2\tbinom\lambda2\min\{4(e^{\varepsilon(2)}-1),e^{\varepsilon(2)}\min\{2,(e^{\varepsilon(\infty)}-1)^2\}\}+\sum_{j=3}^\lambda q^j\tbinom\lambda je^{(j-1)\varepsilon(j)}\min\{2,(e^{\varepsilon(\infty)}-1)^j\}\Big))",
        .proof = "wang",
        .needs = {mu, q},
        .rises = {mu, q},
        .assumes = {exactly("lambda is an integer >= 2",
                            [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); })},
    };
    add_forms<GaussianBase>(out, form);
    form.title = "Subsampling without replacement under Renyi privacy, any eps0-DP mechanism";
    form.needs = {eps0, q};
    form.rises = {eps0, q};
    add_forms<PureBase>(out, form);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
