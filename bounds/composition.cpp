#include "bounds/composition.hpp"

#include <span>

#include "bounds/bound.hpp"

namespace bounds {
namespace {

using enum Param;

// Either T equal mechanisms of eps0, or the sequence given as steps.
template <Real R>
StepSums<R> sums(const Values<R>& x) {
  return x.has(steps) ? step_sums(x.steps()) : equal_step_sums(x[eps0], x[T]);
}

// T mechanisms that are (eps0, delta0)-DP, composed at slack delta: 1 - (1 - delta)(1 - delta0)^T in all.
template <Real R>
Answer<R> composed(const Values<R>& x, const R& value) {
  Answer<R> answer = with_cap(value, sums(x).epsilons);
  if (x.has(delta0)) answer.log_delta_total = log(-expm1(log1p(-x[delta]) + x[T] * log1p(-x[delta0])));
  return answer;
}

// One form for equal mechanisms and one for a sequence.
std::vector<Bound> both_forms(Bound form) {
  Bound sequence = form;
  form.needs = {eps0, T, delta};
  form.takes = {delta0};
  form.rises = {eps0, T};
  form.falls = {delta};
  sequence.needs = {steps, delta};
  sequence.falls = {delta};
  return {form, sequence};
}

}  // namespace

std::span<const Bound> composition() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const auto add = [&](const std::vector<Bound>& forms) { out.insert(out.end(), forms.begin(), forms.end()); };
    out.push_back({
        .id = "dwork2010-basic",
        .title = "Basic composition",
        .protocol = "composition",
        .source = "Dwork, McSherry, Nissim and Smith 2006; Dwork and Roth 2014, Theorem 3.16",
        .formula = R"(T\varepsilon_0;\quad \delta'=T\delta_0)",
        .needs = {eps0, T},
        .takes = {delta0},
        .rises = {eps0, T},
        .evaluate = each_number([]<Real R>(const Values<R>& x) {
          Answer<R> answer{.value = x[eps0] * x[T]};
          if (x.has(delta0) && certainly(x[delta0] > 0)) answer.log_delta_total = log(x[delta0] * x[T]);
          return answer;
        }),
    });
    out.push_back({
        .id = "dwork2010-basic",
        .title = "Basic composition of a sequence",
        .protocol = "composition",
        .source = "Dwork, McSherry, Nissim and Smith 2006; Dwork and Roth 2014, Theorem 3.16",
        .formula = R"(\sum_i\varepsilon_i)",
        .needs = {steps},
        .evaluate = each_number([](const auto& x) { return sums(x).epsilons; }),
    });
    out.push_back({
        .id = "dwork2010-strong",
        .title = "Strong composition",
        .protocol = "composition",
        .source = "Dwork, Rothblum and Vadhan 2010; Dwork and Roth 2014, Theorem 3.20",
        .formula =
            R"(\sqrt{2T\log(1/\delta)}\,\varepsilon_0+T\varepsilon_0(e^{\varepsilon_0}-1);\quad \delta'=T\delta_0+\delta)",
        .standing = Standing::published,
        .needs = {eps0, T, delta},
        .takes = {delta0},
        .rises = {eps0, T},
        .falls = {delta},
        .evaluate = each_number([]<Real R>(const Values<R>& x) {
          Answer<R> answer = with_cap(strong_composition(x[eps0], x[T], x[delta]), R(x[eps0] * x[T]));
          if (x.has(delta0)) answer.log_delta_total = log(x[T] * x[delta0] + x[delta]);
          return answer;
        }),
    });
    add(both_forms({
        .id = "kairouz2015-adv",
        .title = "Composition, second branch",
        .protocol = "composition",
        .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.5",
        .formula = R"(\sum_i\varepsilon_i\tanh\frac{\varepsilon_i}{2}+\sqrt{2\log(1/\delta)\sum_i\varepsilon_i^2})",
        .evaluate = each_number([](const auto& x) { return composed(x, kov_advanced(sums(x), x[delta])); }),
    }));
    add(both_forms({
        .id = "kairouz2015-adv-e",
        .title = "Composition, third branch",
        .protocol = "composition",
        .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.5",
        .formula =
            R"(\sum_i\varepsilon_i\tanh\frac{\varepsilon_i}{2}+\sqrt{2\sum_i\varepsilon_i^2\,\log\left(e+\frac{\sqrt{\sum_i\varepsilon_i^2}}{\delta}\right)})",
        .evaluate = each_number([](const auto& x) { return composed(x, kov_advanced_e(sums(x), x[delta])); }),
    }));
    add(both_forms({
        .id = "epsilary-composition-sharp",
        .title = "Composition, sharper than both branches",
        .protocol = "composition",
        .source = "epsilary; Chernoff's bound on the privacy loss, integrated",
        .formula =
            R"(\sum_i\varepsilon_i\tanh\frac{\varepsilon_i}{2}+t,\quad \frac{t^2}{2S}+\log(1+t/S)=\log(1/\delta),\ S=\sum_i\varepsilon_i^2)",
        .evaluate = each_number([](const auto& x) { return composed(x, composition_sharp(sums(x), x[delta])); }),
    }));
    out.push_back({
        .id = "kairouz2015-optimal",
        .title = "Optimal composition of equal mechanisms",
        .protocol = "composition",
        .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
        .formula =
            R"(\delta=\sum_{l}\binom{T}{l}\frac{(e^{(T-l)\varepsilon_0}-e^{\varepsilon+l\varepsilon_0})_+}{(1+e^{\varepsilon_0})^T}\ \text{solved for }\varepsilon)",
        .note = "exact for pure mechanisms: no analysis can be below it",
        .needs = {eps0, T, delta},
        .takes = {delta0},
        .rises = {eps0, T},
        .falls = {delta},
        .evaluate =
            each_number([](const auto& x) { return composed(x, optimal_composition(x[eps0], x[T], x[delta])); }),
    });
    out.push_back({
        .id = "kairouz2015-optimal-delta",
        .title = "Optimal composition of equal mechanisms, delta at a total epsilon",
        .protocol = "composition",
        .source = "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
        .formula =
            R"(1-(1-\delta_0)^T\left(1-\sum_{l}\binom{T}{l}\frac{(e^{(T-l)\varepsilon_0}-e^{\varepsilon+l\varepsilon_0})_+}{(1+e^{\varepsilon_0})^T}\right))",
        .quantity = Quantity::delta,
        .needs = {eps0, T, eps},
        .takes = {delta0},
        .rises = {eps0, T},
        .falls = {eps},
        .evaluate = each_number([]<Real R>(const Values<R>& x) {
          const R pure = optimal_composition_delta(x[eps0], x[T], x[eps]);
          if (!x.has(delta0)) return pure;
          const R kept = x[T] * log1p(-x[delta0]);  // log of the probability that no mechanism fails
          return R(exp(kept) * pure - expm1(kept));
        }),
    });
    return out;
  }();
  return list;
}

}  // namespace bounds
