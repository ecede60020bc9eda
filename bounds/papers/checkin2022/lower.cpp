#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/lower_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add(std::vector<Bound>& list, const RoundForms& rounds, Bound form) {
  form.protocol = "shuffled-checkin";
  form.side = Side::lower;
  form.needs = {eps0, n, gamma};
  form.rises = {eps0};
  form.assumes = {
      exactly("lambda = 2 or lambda >= 3 (checkin2022-thm3-exact holds at any order)",
              [](const Values<Rational>& x) { return !x.has(lambda) || !(x[lambda] < 3) || is_integer(x[lambda]); })};
  add_forms(list, std::move(form), rounds);
  list[list.size() - 2].takes.push_back(delta0);  // a pure randomizer is (eps0, delta0)-DP too
  make_estimate(list.back());
  list.back().rises = {T};  // the terms left out matter more at large orders: there it may fall to nothing
  list.back().falls.clear();
}

void add_exact(std::vector<Bound>& list) {
  list.push_back({
      .id = "checkin2022-thm3-exact",
      .title = "Shuffled check-in of randomised response on equal data, exactly",
      .protocol = "shuffled-checkin",
      .source = "epsilary; the pair of the proof of Self check-in 2022, Theorem 3, summed exactly in both directions",
      .formula =
          R"(\frac{1}{\lambda-1}\log\sum_k\mathrm{Bin}_{n,\gamma}(k)\sum_m\mathrm{Bin}_{k,p}(m)(1+z)^\lambda,\ z=\tfrac{2k}n\sinh\varepsilon_0\left(\tfrac mk-p\right),\ p=\tfrac1{e^{\varepsilon_0}+1})",
      .quantity = Quantity::rdp,
      .side = Side::lower,
      .proof = "lower, truncation",
      .needs = {eps0, n, gamma, lambda},
      .takes = {delta0},
      .rises = {eps0, lambda},
      .assumes = {assume::countable_clients()},
      .evaluate = equal_data::divergence(),
  });
}

}  // namespace

std::span<const Bound> checkin2022_lower() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, equal_data::second_order_split(),
        {
            .id = "checkin2022-thm3",
            .title = "Lower bound on the divergence of shuffled check-in",
            .source = "Self check-in 2022, Theorem 3, equation (8)",
            .formula =
                R"(\frac{1}{\lambda-1}\log\left(1+(1-e^{-\Delta^2n\gamma/(2+\Delta)})\binom\lambda2\frac{\gamma(e^{\varepsilon_0}-1)^2}{(1+\Delta)ne^{\varepsilon_0}}\right))",
            .note = "of the worst eps0-LDP randomizer, not of each",
            .proof = "lower",
            .takes = {Param::Delta},
        });
    add(out, equal_data::second_order_rounds(),
        {
            .id = "checkin2022-thm3-sharp",
            .title = "Lower bound on the divergence of shuffled check-in, without Delta",
            .source = "epsilary; Self check-in 2022, Theorem 3 with E[(K/n)^2/K] = gamma/n in place of "
                      "Chernoff's bound",
            .formula =
                R"(\frac{1}{\lambda-1}\log\left(1+\binom\lambda2\frac{\gamma(e^{\varepsilon_0}-1)^2}{ne^{\varepsilon_0}}\right))",
            .note = "of the worst eps0-LDP randomizer, not of each",
            .proof = "lower",
        });
    add_exact(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
