// A randomizer that is known, in rounds in which some of the clients report: shuffled check-in and samples of fixed
// size, as in CLDP-SGD.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/cldp/setting.hpp"
#include "bounds/theory/shuffle/own_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using Kind = Randomizer::Kind;

std::vector<Hypothesis> of_a_randomizer() {
  return {
      exactly("1e-6 <= eps0 <= 12", [](const Values<Rational>& x) { return 1000000 * x[eps0] >= 1 && x[eps0] <= 12; }),
      exactly("a randomizer by its matrix or its name",
              [](const Values<Rational>& x) { return x.randomizer().kind != Kind::variation; }),
      assume::own_delta0(),
      assume::matrix_within_reach(),
      assume::at_most<T, 9>(),
      exactly("delta/T >= 1e-100",
              [](const Values<Rational>& x) { return !x.has(T) || x[delta] * power_of_ten(100) >= x[T]; })};
}

void add(std::vector<Bound>& list, const Bound& form) {
  list.push_back(over_rounds(form));
  Bound once = form;
  once.title = "The same of one round, delta at eps";
  once.quantity = Quantity::delta;
  once.needs.push_back(eps);
  once.falls.push_back(eps);
  list.push_back(std::move(once));
}

}  // namespace

std::span<const Bound> epsilary_own_rounds() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound upper{
        .id = "epsilary-shuffled-checkin-randomizer",
        .title = "epsilon of shuffled check-in of a randomizer that is known",
        .protocol = "shuffled-checkin",
        .source =
            "epsilary; the blanket of the randomizer itself (Balle et al. 2019) in the slots of those who check in",
        .formula =
            R"(\tfrac1n\,\mathbb{E}\Bigl(\sum_{i\le n}W_i\Bigr)_+,\ W=1-e^{\varepsilon}\text{ with probability }1-\gamma,\ X\text{ of epsilary-shuffle-randomizer otherwise})",
        .note =
            "the largest over all pairs of inputs, both ways, whatever the others hold; of laplace and gauss by their "
            "three numbers",
        .proof = "sampled, own",
        .needs = {randomizer, eps0, n, gamma},
        .takes = {delta0},
        .assumes = of_a_randomizer(),
        .width = 2e-3,
        .evaluate = own::in_checkins(),
    };
    upper.assumes.push_back(assume::at_most<n, 9>());
    Bound lower = upper;
    lower.id = "epsilary-lower-shuffled-checkin-randomizer";
    lower.title = "What shuffled check-in of a randomizer that is known costs at least";
    lower.side = Side::lower;
    lower.source = "epsilary; all others hold one record, exactly";
    lower.formula =
        R"(\tfrac1n\,\mathbb{E}\Bigl(\sum_{i\le n}W_i\Bigr)_+,\ W=1-e^{\varepsilon}\text{ with probability }1-\gamma,\ \tfrac{A_{x_1}-e^{\varepsilon}A_{x_0}}{A_{x'}}(Y),\ Y\sim A_{x'},\text{ otherwise})";
    lower.note =
        "of pairs of inputs, both ways, and the record that all others hold, by the normal law those that leak most";
    lower.evaluate = own::in_checkins_below();
    add(out, upper);
    add(out, lower);
    const auto as_samples = [](Bound b, const std::string& id, const std::string& title) {
      b.id = id;
      b.title = title;
      b.protocol = "cldp-sgd";
      b.needs = {randomizer, eps0, clients, per_round};
      b.assumes = of_a_randomizer();
      b.assumes.push_back(cldp::drawn_from_the_clients());
      b.assumes.push_back(assume::at_most<per_round, 9>());
      return b;
    };
    Bound some = as_samples(upper, "epsilary-cldp-sgd-randomizer",
                            "epsilon of rounds in which some of the clients report, of a randomizer that is known");
    some.formula =
        R"(\tfrac1m\,\mathbb{E}\Bigl((m-k)(1-e^{\varepsilon})+\sum_{i\le k}X_i\Bigr)_+,\ X\text{ of epsilary-shuffle-randomizer})";
    some.evaluate = own::in_samples();
    add(out, some);
    Bound least = as_samples(lower, "epsilary-lower-cldp-sgd-randomizer",
                             "What rounds in which some of the clients report cost at least, of a known randomizer");
    least.formula =
        R"(\tfrac1m\,\mathbb{E}\Bigl((m-k)(1-e^{\varepsilon})+\sum_{i\le k}\tfrac{A_{x_1}-e^{\varepsilon}A_{x_0}}{A_{x'}}(Y_i)\Bigr)_+,\ Y_i\sim A_{x'})";
    least.assumes.push_back(
        exactly("one record a client", [](const Values<Rational>& x) { return !x.has(records) || x[records] == 1; }));
    least.evaluate = own::in_samples_below();
    add(out, least);
    for (Bound& b : out) {
      const bool cldp = b.protocol == "cldp-sgd";
      b.example = "--randomizer krr:16 --eps0 1 " +
                  std::string(cldp ? "--clients 60000 --per_round 10000" : "--n 100000 --gamma 0.001") +
                  (b.quantity == Quantity::delta ? cldp ? " --eps 0.005" : " --eps 0.0005"
                   : cldp                        ? " --T 100 --delta 1e-5"
                                                 : " --T 1000 --delta 1e-6");
    }
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
