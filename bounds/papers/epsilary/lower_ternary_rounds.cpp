// What no analysis of rounds of shuffled reports can beat: ternary response, every other record 0.
#include <span>

#include "bounds/forms/composed_rounds.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;

constexpr const char* note =
    "of one eps0-LDP randomizer and one pair of data sets: what no bound for all of them can beat; above binary "
    "response "
    "from eps0 around 1 on";

}  // namespace

std::span<const Bound> epsilary_lower_ternary_rounds() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound form{
        .id = "epsilary-lower-shuffled-checkin-ternary",
        .protocol = "shuffled-checkin",
        .source = "epsilary; ternary response, the record 1 or 2 and all others 0, composed exactly",
        .formula =
            R"(\Bigl(\tfrac PQ\Bigr)^{\otimes T},\ \tfrac{P}{B}=1+\tfrac1n\bigl((e^{\varepsilon_0}-e^{-\varepsilon_0})a+(1-e^{-\varepsilon_0})(b-k)\bigr),\ \tfrac QB\text{ with }a\leftrightarrow b,\ (a,b)\sim\mathrm{Mult}_k\bigl(\tfrac1{e^{\varepsilon_0}+2},\tfrac1{e^{\varepsilon_0}+2}\bigr),\ k\sim\mathrm{Bin}_{n,\gamma})",
        .side = Side::lower,
        .note = note,
        .proof = "ternary, population",
        .needs = {eps0, n, gamma},
        .takes = {delta0},
        .rises = {eps0, gamma},
        .falls = {n},
        .assumes = checkin_within_reach(),
        .evaluate = composed_ternary_checkins(),
    };
    form.assumes.push_back(assume::delta0_within_delta());
    form.assumes.push_back(
        exactly("n gamma <= 20000", [](const Values<Rational>& x) { return x[n] * x[gamma] <= 20000; }));
    add_both(out, form, "Epsilon of shuffled check-in that ternary response attains",
             "Delta of shuffled check-in that ternary response attains");
    form.id = "epsilary-lower-cldp-sgd-ternary";
    form.protocol = "cldp-sgd";
    form.formula =
        R"(\Bigl(\tfrac PQ\Bigr)^{\otimes T},\ \tfrac{P}{B}=1+\tfrac1{mr}\bigl((e^{\varepsilon_0}-e^{-\varepsilon_0})a+(1-e^{-\varepsilon_0})(b-k)\bigr),\ \tfrac QB\text{ with }a\leftrightarrow b,\ (a,b)\sim\mathrm{Mult}_k\bigl(\tfrac1{e^{\varepsilon_0}+2},\tfrac1{e^{\varepsilon_0}+2}\bigr))";
    form.proof = "chosen, ternary";
    form.needs = {eps0, clients, per_round};
    form.takes = {records, delta0};
    form.rises = {eps0, per_round};
    form.falls = {clients, records};
    form.assumes = within_reach();
    form.assumes.push_back(cldp::drawn_from_the_clients());
    form.assumes.push_back(assume::delta0_within_delta());
    form.assumes.push_back(exactly("eps0 <= 14", [](const Values<Rational>& x) { return x[eps0] <= 14; }));
    form.assumes.push_back(assume::at_most<per_round, 6>());
    form.evaluate = composed_ternary_samples();
    add_both(out, form, "Epsilon of CLDP-SGD that ternary response attains",
             "Delta of CLDP-SGD that ternary response attains");
    for (Bound& b : out)
      if (b.protocol == "cldp-sgd")
        b.example = b.quantity == Quantity::epsilon ? "--eps0 1 --clients 60000 --per_round 10000 --T 100 --delta 1e-5"
                                                    : "--eps0 1 --clients 60000 --per_round 10000 --T 100 --eps 0.05";
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
