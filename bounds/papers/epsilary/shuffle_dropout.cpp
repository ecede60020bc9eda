// Shuffles that do not go as planned: others who fail to report, and several messages of every client.
#include <span>

#include "bounds/theory/checkin/slots.hpp"
#include "bounds/theory/shuffle/worst_rounds.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using clones::BlanketSlots;

// Who is absent hides nobody: a label is seen with probability (1 - dropout) 2/(e^{eps0}+1).
template <Real R>
R among_those_present(const Values<R>& x) {
  if (x.has(delta)) return family_epsilon<BlanketSlots>(x[delta], x[n], x[eps0], R(1), x[dropout]);
  if (x.at_least(eps, eps0)) return R(0);
  return checkin::profile_delta(BlanketSlots<R>{x[n], x[eps0], R(1), x[dropout]}, x[eps]);
}

Answer<Ball> messages(const Values<Ball>& x, const Request& request) {
  using namespace supremum;
  return with_cap(epsilon_of_rounds(shuffled_by_all(x[eps0], to_double(x[n])), to_double(x[samples]), x[delta], request),
                  Ball(x[samples] * x[eps0]));
}

}  // namespace

std::span<const Bound> epsilary_shuffle_dropout() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    checkin::add_epsilon_and_delta(
        out,
        {
            .id = "epsilary-shuffle-dropout",
            .title = "Amplification by shuffling among others who may fail to report",
            .protocol = "shuffle",
            .source = "epsilary; the blanket's pair of as many as report, mixed over their number",
            .formula =
                R"(\tfrac1{n\pi}\mathbb{E}\Bigl(\sum_{i\le n}D_iX_i\Bigr)_+,\ D\sim\mathrm{Bern}(\pi),\ \pi=1-\text{dropout},\ X\text{ as in epsilary-shuffle-blanket})",
            .note = "each of the n - 1 others fails to report with probability dropout, independently of all data and of "
                    "each other; the number of reports may be seen; the client itself may fail too",
            .proof = "convex, absent",
            .needs = {eps0, n, dropout},
            .rises = {eps0, dropout},
            .falls = {n},
            .assumes = {exactly("n <= 10^12", [](const auto& x) { return x[n] <= 1000000000000; })},
            .example = "--eps0 1 --n 10000 --dropout 0.2 --delta 1e-6",
        },
        []<Real R>(const Values<R>& x) { return with_cap(among_those_present(x), x.has(delta) ? x[eps0] : R(1)); });
    out.push_back({
        .id = "epsilary-shuffle-messages",
        .title = "Several messages of every client, each randomized by itself and all shuffled",
        .protocol = "shuffle",
        .source = "epsilary; as many rounds of a shuffle, forgotten which message is of which",
        .formula =
            R"(f^{\otimes s},\ \delta_f(\varepsilon)=\min\{\text{epsilary-shuffle-pivot},\ \text{epsilary-shuffle-blanket}\})",
        .note = "samples messages of every client about its record, each eps0-LDP with randomness of its own, the j-th of all "
                "clients by one randomizer, which may depend on earlier ones; one shuffler for each or one for all. "
                "Messages that depend on each other are one report of their joint eps0",
        .proof = "pivot, recursion, blocks, convex, own, absent",
        .needs = {eps0, n, samples, delta},
        .rises = {eps0, samples},
        .falls = {n, delta},
        .assumes = {exactly("samples <= 10^9", [](const auto& x) { return x[samples] <= 1000000000; }),
                    exactly("0.01 <= eps0 <= 8", [](const auto& x) { return 100 * x[eps0] >= 1 && x[eps0] <= 8; }),
                    exactly("delta/samples >= 1e-100",
                            [](const auto& x) { return x[delta] * power_of_ten(100) >= x[samples]; }),
                    exactly("n <= 10^9", [](const auto& x) { return x[n] <= 1000000000; })},
        .example = "--eps0 1 --n 10000 --samples 3 --delta 1e-6",
        .width = 2e-3,
        .evaluate = bracketed<messages>(),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
