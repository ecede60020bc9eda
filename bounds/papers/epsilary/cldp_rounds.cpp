// CLDP-SGD by its own privacy losses: in each of T rounds per_round of the clients are chosen, each draws one of its
// records and sends one message of an eps0-LDP randomizer; the messages are shuffled. An upper bound from the clones'
// pair under subsampling, and a lower one from randomised response on equal data.
#include <span>

#include "bounds/forms/composed_rounds.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;

std::vector<Hypothesis> cldp_within_reach() {
  std::vector<Hypothesis> list{exactly("eps0 <= 14", [](const Values<Rational>& x) { return x[eps0] <= 14; }),
                               cldp::drawn_from_the_clients()};
  for (const Hypothesis& h : within_reach()) list.push_back(h);
  list.push_back(exactly("clients times records <= 10^12",
                         [](const Values<Rational>& x) { return cldp::population(x) <= 1000000000000; }));
  return list;
}

}  // namespace

std::span<const Bound> epsilary_cldp_rounds() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const Bound common{
        .protocol = "cldp-sgd",
        .needs = {eps0, clients, per_round},
        .takes = {records},
        .rises = {eps0},
        .falls = {clients, records},
        .assumes = cldp_within_reach(),
    };
    Bound upper = common;
    upper.id = "epsilary-cldp-sgd-pld";
    upper.proof = "chosen, clones, subsampling, population";
    upper.source =
        "epsilary; the clones' pair (Feldman, McMillan and Talwar 2021) of the messages of a round under subsampling "
        "(Dong, Roth and Su 2022), composed";
    upper.formula = R"(C_q(f_k)^{\otimes T},\ q=\frac{k}{mr})";
    upper.note = one_randomizer;
    upper.evaluate = composed_samples(Hiding::clones);
    add_both(out, upper, "epsilon of CLDP-SGD by composing its privacy losses",
             "delta of CLDP-SGD by composing its privacy losses");
    upper.id = "epsilary-cldp-sgd-blanket-pld";
    upper.proof = "chosen, convex, subsampling, population";
    upper.source =
        "epsilary; the blanket's pair of epsilary-shuffle-blanket of the messages of a round under subsampling, "
        "composed";
    upper.evaluate = composed_samples(Hiding::blanket);
    add_both(out, upper, "epsilon of CLDP-SGD by composing the losses of the blanket's pair",
             "delta of CLDP-SGD by composing the losses of the blanket's pair");
    Bound lower = common;
    lower.id = "epsilary-lower-cldp-sgd";
    lower.proof = "chosen, lower";
    lower.source = "epsilary; randomised response, every other record 0, composed exactly";
    lower.formula =
        R"(\max\{T(P,Q),T(Q,P)\}^{\otimes T},\ \tfrac PQ=1+\tfrac{2\sinh\varepsilon_0}{mr}(j-kp),\ j\sim\mathrm{Bin}_{k,p},\ p=\tfrac1{e^{\varepsilon_0}+1})";
    lower.side = Side::lower;
    lower.note = "of one eps0-LDP randomizer and one pair of data sets: what no bound for all of them can beat";
    lower.takes.push_back(delta0);
    lower.rises.push_back(per_round);
    lower.assumes.push_back(assume::delta0_within_delta());
    lower.evaluate = composed_binary_samples();
    add_both(out, lower, "Least epsilon of CLDP-SGD that any analysis can show",
             "Least delta of CLDP-SGD that any analysis can show");
    const std::size_t own = out.size();
    Bound pooled = common;
    pooled.protocol = "cldp-sgd-pooled";
    pooled.needs = {eps0, clients, records, per_round, samples};
    pooled.takes.clear();
    pooled.assumes.push_back(cldp::samples_of_the_records());
    pooled.id = "epsilary-cldp-sgd-pooled-pld";
    pooled.proof = "pooled, convex, subsampling, population";
    pooled.source =
        "epsilary; the sampling of Girgis et al. 2021, Remark 1: the blanket's pair of the messages of a round under "
        "subsampling, composed";
    pooled.formula = R"(C_q(f_{ks})^{\otimes T},\ q=\frac{ks}{mr})";
    pooled.note =
        "every client sends samples messages and the shuffler keeps per_round times samples of them; all "
        "clients of a round must apply the same randomizer";
    pooled.evaluate = composed_samples(Hiding::blanket);
    add_both(out, pooled, "epsilon of CLDP-SGD with several messages of a client, by composing losses",
             "delta of CLDP-SGD with several messages of a client, by composing losses");
    pooled.id = "epsilary-lower-cldp-sgd-pooled";
    pooled.proof = "pooled, chosen, lower";
    pooled.source = lower.source;
    pooled.formula = lower.formula;
    pooled.side = Side::lower;
    pooled.note = lower.note;
    pooled.takes = {delta0};
    pooled.assumes.push_back(assume::delta0_within_delta());
    pooled.evaluate = composed_binary_samples();
    add_both(out, pooled, "Least epsilon of CLDP-SGD with several messages of a client that any analysis can show",
             "Least delta of CLDP-SGD with several messages of a client that any analysis can show");
    for (std::size_t i = own; i < out.size(); ++i)
      out[i].example = std::string("--eps0 1 --clients 10000 --records 10 --per_round 1000 --samples 2 --T 100 ") +
                       (out[i].quantity == Quantity::epsilon ? "--delta 1e-6" : "--eps 0.01");
    for (Bound& b : std::span(out).first(own))
      b.example = b.quantity == Quantity::epsilon ? "--eps0 1 --clients 60000 --per_round 10000 --T 100 --delta 1e-5"
                                                  : "--eps0 1 --clients 60000 --per_round 10000 --T 100 --eps 0.05";
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
