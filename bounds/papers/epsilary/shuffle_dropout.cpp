// Shuffles that do not go as planned: others who fail to report, and several messages of every client.
#include <span>

#include "bounds/forms/epsilon_and_delta.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/slots_formulas.hpp"
#include "bounds/theory/shuffle/worst_rounds_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> epsilary_shuffle_dropout() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_epsilon_and_delta(
        out,
        {
            .id = "epsilary-shuffle-dropout",
            .title = "Amplification by shuffling among others who may fail to report",
            .protocol = "shuffle",
            .source = "epsilary; the blanket's pair of as many as report, mixed over their number",
            .formula =
                R"(\tfrac1{n\pi}\mathbb{E}\Bigl(\sum_{i\le n}D_iX_i\Bigr)_+,\ D\sim\mathrm{Bern}(\pi),\ \pi=1-\text{dropout},\ X\text{ as in epsilary-shuffle-blanket})",
            .note =
                "each of the n - 1 others fails to report with probability dropout, independently of all data and of "
                "each other; the number of reports may be seen; the client itself may fail too",
            .proof = "convex, absent",
            .needs = {eps0, n, dropout},
            .rises = {eps0, dropout},
            .falls = {n},
            .assumes = {assume::at_most<n, 12>()},
            .example = "--eps0 1 --n 10000 --dropout 0.2 --delta 1e-6",
        },
        checkin::among_those_present());
    out.push_back({
        .id = "epsilary-shuffle-messages",
        .title = "Several messages of every client, each randomized by itself and all shuffled",
        .protocol = "shuffle",
        .source = "epsilary; as many rounds of a shuffle, forgotten which message is of which",
        .formula =
            R"(f^{\otimes s},\ \delta_f(\varepsilon)=\min\{\text{epsilary-shuffle-pivot},\ \text{epsilary-shuffle-blanket}\})",
        .note = "samples messages of every client about its record, each eps0-LDP with randomness of its own, the j-th "
                "of all "
                "clients by one randomizer, which may depend on earlier ones; one shuffler for each or one for all. "
                "Messages that depend on each other are one report of their joint eps0",
        .proof = "pivot, recursion, blocks, convex, own, absent",
        .needs = {eps0, n, samples, delta},
        .rises = {eps0, samples},
        .falls = {n, delta},
        .assumes = {assume::at_most<samples, 9>(), assume::moderate_eps0(),
                    exactly("delta/samples >= 1e-100",
                            [](const Values<Rational>& x) { return x[delta] * power_of_ten(100) >= x[samples]; }),
                    assume::at_most<n, 9>()},
        .example = "--eps0 1 --n 10000 --samples 3 --delta 1e-6",
        .width = 2e-3,
        .evaluate = supremum::messages_of_shuffle(),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
