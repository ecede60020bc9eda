#include "bounds/forms/composition.hpp"

#include <span>

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace composed;

}  // namespace

std::span<const Bound> literature_composition() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    out.push_back({
        .id = "dwork2010-basic",
        .title = "Basic composition",
        .protocol = "composition",
        .source = "Dwork, McSherry, Nissim and Smith 2006; Dwork and Roth 2014, Theorem 3.16",
        .formula = R"(T\varepsilon_0;\quad \delta'=T\delta_0)",
        .proof = "composition",
        .needs = {eps0, T},
        .takes = {delta0, delta},
        .rises = {eps0, T},
        .assumes = {exactly(
            "T delta0 <= delta",
            [](const auto& x) { return !x.has(delta0) || !x.has(delta) || x[T] * x[delta0] <= x[delta]; })},
        .evaluate = basic(),
    });
    out.push_back({
        .id = "dwork2010-basic",
        .title = "Basic composition of a sequence",
        .protocol = "composition",
        .source = "Dwork, McSherry, Nissim and Smith 2006; Dwork and Roth 2014, Theorem 3.16",
        .formula = R"(\sum_i\varepsilon_i)",
        .proof = "composition",
        .needs = {steps},
        .evaluate = basic_of_sequence(),
    });
    add_equal(
        out, Rule::strong,
        {
            .id = "dwork2010-strong",
            .title = "Strong composition",
            .protocol = "composition",
            .source = "Dwork, Rothblum and Vadhan 2010; Dwork and Roth 2014, Theorem 3.20",
            .formula =
                R"(\sqrt{2T\log(1/\delta)}\,\varepsilon_0+T\varepsilon_0(e^{\varepsilon_0}-1);\quad \delta'=T\delta_0+\delta)",
            .standing = Standing::published,
            .proof = "composition",
        });
    add_both(
        out, Rule::advanced,
        {
            .id = "kairouz2015-adv",
            .title = "Composition, second branch",
            .protocol = "composition",
            .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.5",
            .formula = R"(\sum_i\varepsilon_i\tanh\frac{\varepsilon_i}{2}+\sqrt{2\log(1/\delta)\sum_i\varepsilon_i^2})",
            .proof = "composition",
        });
    add_both(
        out, Rule::advanced_e,
        {
            .id = "kairouz2015-adv-e",
            .title = "Composition, third branch",
            .protocol = "composition",
            .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.5",
            .formula =
                R"(\sum_i\varepsilon_i\tanh\frac{\varepsilon_i}{2}+\sqrt{2\sum_i\varepsilon_i^2\,\log\left(e+\frac{\sqrt{\sum_i\varepsilon_i^2}}{\delta}\right)})",
            .proof = "composition",
        });
    add_equal(
        out, Rule::optimal,
        {
            .id = "kairouz2015-optimal",
            .title = "Optimal composition of equal mechanisms",
            .protocol = "composition",
            .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
            .formula =
                R"(\delta=\sum_{l}\binom{T}{l}\frac{(e^{(T-l)\varepsilon_0}-e^{\varepsilon+l\varepsilon_0})_+}{(1+e^{\varepsilon_0})^T}\ \text{solved for }\varepsilon)",
            .note = "exact for pure mechanisms: no analysis can be below it",
            .proof = "composition",
        });
    out.push_back({
        .id = "kairouz2015-optimal-delta",
        .title = "Optimal composition of equal mechanisms, delta at a total epsilon",
        .protocol = "composition",
        .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
        .formula =
            R"(1-(1-\delta_0)^T\left(1-\sum_{l}\binom{T}{l}\frac{(e^{(T-l)\varepsilon_0}-e^{\varepsilon+l\varepsilon_0})_+}{(1+e^{\varepsilon_0})^T}\right))",
        .quantity = Quantity::delta,
        .proof = "composition",
        .needs = {eps0, T, eps},
        .takes = {delta0},
        .rises = {eps0, T},
        .falls = {eps},
        .evaluate = optimal_delta(),
    });
    for (Bound& b : out) b.adjacency = Adjacency::either;
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
