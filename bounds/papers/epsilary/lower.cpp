#include <span>

#include "bounds/forms/epsilon_and_delta.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/shuffle/response_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using responses::Protocol;

void add_lower(std::vector<Bound>& list, Bound form, const EpsilonAndDelta& formulas) {
  form.side = Side::lower;
  form.takes.push_back(delta0);
  form.assumes.push_back(assume::delta0_within_delta());
  add_epsilon_and_delta(list, form, formulas);
}

const char* const binary_formula =
    R"(\max\{\mathbb{E}(\Lambda-e^\varepsilon)_+,\mathbb{E}(1-e^\varepsilon\Lambda)_+\},\ \Lambda=1-w+\tfrac wm(Ke^{\varepsilon_0}+(m-K)e^{-\varepsilon_0}),\ K\sim\mathrm{Bin}(m,\tfrac1{e^{\varepsilon_0}+1}))";
const char* const ternary_formula =
    R"(\mathbb{E}[(1-w)(1-e^\varepsilon)+\tfrac wm(a(e^{\varepsilon_0}-e^\varepsilon)+b(1-e^{\varepsilon+\varepsilon_0})+(m-a-b)e^{-\varepsilon_0}(1-e^\varepsilon))]_+,\ (a,b)\sim\mathrm{Mult}(m;\tfrac1{e^{\varepsilon_0}+2},\tfrac1{e^{\varepsilon_0}+2}))";

const char* const mixed_formula =
    R"(\max_{h<n}\max\{H_{e^\varepsilon}(P\|Q),H_{e^\varepsilon}(Q\|P)\},\ P,Q=\mathrm{Bin}(h,1-q)+\mathrm{Bin}(n-1-h,q)+\{\mathrm{Bern}(1-q),\mathrm{Bern}(q)\},\ q=\tfrac1{e^{\varepsilon_0}+1})";

Bound shuffle() {
  return {
      .protocol = "shuffle",
      .needs = {eps0, n},
      .rises = {eps0},
      .falls = {n},
      .assumes = {assume::at_most<n, 12>()},
  };
}
Bound fixed_window() {
  return {
      .protocol = "checkin-fixed",
      .note =
          "with n: the others hold 0 and check in alike; without n the client is alone, which is what a bound "
          "that holds for every n has to cover",
      .needs = {eps0, m, p0},
      .takes = {n},
      .rises = {eps0, p0},
      .assumes = {assume::at_most<m, 12>()},
  };
}
Bound sliding_window() {
  return {
      .protocol = "checkin-sliding",
      .note =
          "with n: all check in and the others hold 0; a client in the middle of n >= 2 m - 1 meets m - 1 competitors "
          "in "
          "each slot; without n the client is alone, which is what a bound that holds for every n has to cover",
      .needs = {eps0, m},
      .takes = {n},
      .rises = {eps0},
      .assumes = {assume::at_most<m, 12>(),
                  exactly("n >= 2 m - 1", [](const Values<Rational>& x) { return !x.has(n) || x[n] >= 2 * x[m] - 1; })},
  };
}
Bound averaged() {
  Bound b = shuffle();
  b.protocol = "checkin-averaged";
  b.note =
      "for every number of bins, as the supremum over local randomizers: a message that carries independent noise "
      "in many coordinates shows how many were averaged; with loads that are public it is attained";
  return b;
}

Bound named_as(Bound b, const std::string& id, const std::string& title, const std::string& source,
               const std::string& formula) {
  b.id = id;
  b.title = title;
  b.source = source;
  b.formula = formula;
  b.proof = id == "epsilary-lower-rr-mixed" ? "ones" : "witness";
  return b;
}

// Where hardly any other report is a label, the sum visits every slot to tell so.
Hypothesis somebody_answers() {
  return provably("eps0 <= 10 + log(slots), or 10^4 slots at most; beyond, binary response says as much",
                  [](const Values<Ball>& x) { return responses::somebody_answers_margin(x); });
}

const char* const binary_source = "epsilary; binary randomised response, every other record 0";
const char* const ternary_source = "epsilary; ternary randomised response, record 1 or 2, every other record 0";

}  // namespace

std::span<const Bound> epsilary_lower() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const auto binary = [&](Protocol in, const Bound& b, const std::string& id, const std::string& title) {
      add_lower(out, named_as(b, id, title, binary_source, binary_formula), responses::binary_response(in));
    };
    const auto ternary = [&](Protocol in, const Bound& b, const std::string& id, const std::string& title) {
      Bound form = named_as(b, id, title, ternary_source, ternary_formula);
      form.assumes.push_back(somebody_answers());
      add_lower(out, form, responses::ternary_response(in));
    };
    binary(Protocol::shuffle, shuffle(), "epsilary-lower-rr", "What shuffling cannot beat, by binary response");
    ternary(Protocol::shuffle, shuffle(), "epsilary-lower-rr3", "What shuffling cannot beat, by ternary response");
    Bound few = shuffle();
    few.note = "the worst number of ones among the others is sought; it is 0 nearly always";
    few.assumes = {
        exactly("n <= 200; for more use epsilary-lower-rr", [](const Values<Rational>& x) { return x[n] <= 200; })};
    add_lower(
        out,
        named_as(few, "epsilary-lower-rr-mixed", "What shuffling cannot beat, by binary response among ones and zeros",
                 "epsilary; binary randomised response, some of the other records 1", mixed_formula),
        responses::mixed_response());
    binary(Protocol::fixed_window, fixed_window(), "epsilary-lower-rr-fixed",
           "What check-ins with a fixed window cannot beat, by binary response");
    ternary(Protocol::fixed_window, fixed_window(), "epsilary-lower-rr3-fixed",
            "What check-ins with a fixed window cannot beat, by ternary response");
    binary(Protocol::sliding_window, sliding_window(), "epsilary-lower-rr-sliding",
           "What check-ins with a sliding window cannot beat, by binary response");
    ternary(Protocol::sliding_window, sliding_window(), "epsilary-lower-rr3-sliding",
            "What check-ins with a sliding window cannot beat, by ternary response");
    binary(Protocol::shuffle, averaged(), "epsilary-lower-rr-averaged",
           "What averaged check-ins cannot beat, by binary response");
    ternary(Protocol::shuffle, averaged(), "epsilary-lower-rr3-averaged",
            "What averaged check-ins cannot beat, by ternary response");
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
