// The privacy losses of the steps themselves composed.
#include "bounds/theory/shuffle/step_losses.hpp"

#include <span>

#include "bounds/theory/checkin/hypotheses.hpp"
#include "bounds/theory/shuffle/step_protocols.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using steps::StepResponse;

template <class Protocol, StepResponse response>
Answer<Ball> composed(const Values<Ball>& x, const Request& request) {
  const Ball cap = Protocol::cap(x);
  const Ball found = solvers::within_work(
      request.work, [&] { return steps::composed_epsilon(response, Protocol::sequence(x), x[delta], cap, request); },
      unknown<Ball>);
  return with_cap(found, cap);
}

const char* const lazy_source = "epsilary; each step is a randomised response that is mostly silent; losses composed";
const char* const full_source = "epsilary; each step is a randomised response of its eps_i; losses composed";
const char* const lazy_formula =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_0}+1},\text{ else }0\})";
const char* const full_formula =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_i}+1}\})";
const char* const bracket_note = "a bracket of the exact composition: its upper end is the bound";

// The hypothesis names the divergence, which has no such end.
template <class Protocol>
Hypothesis few(std::string_view words) {
  if constexpr (std::same_as<Protocol, steps::ShuffleSteps>)
    return exactly(words, [](const auto& x) { return x[n] <= 1000000000000; });
  else
    return exactly(words, [](const auto& x) { return x[m] <= 1000000000000; });
}

struct Named {
  std::string id, title;
  std::string_view reach;  // a literal
};

template <class Protocol, StepResponse response>
void add(std::vector<Bound>& list, Bound b, const Named& as) {
  b.width = steps::losses_width;
  b.id = as.id;
  b.title = as.title;
  b.source = response == StepResponse::lazy ? lazy_source : full_source;
  b.formula = response == StepResponse::lazy ? lazy_formula : full_formula;
  b.assumes.push_back(few<Protocol>(as.reach));
  b.evaluate = bracketed<composed<Protocol, response>>();
  list.push_back(std::move(b));
}
template <class Protocol>
void add(std::vector<Bound>& list, const Bound& b, const Named& lazy, const Named& full) {
  add<Protocol, StepResponse::lazy>(list, b, lazy);
  add<Protocol, StepResponse::full>(list, b, full);
}

}  // namespace

std::span<const Bound> epsilary_step_losses() {
  static const std::vector<Bound> list = [] {
    // With eps0 or p0 every eps_i rises, and so does (1 + q (e^eps0 - 1) - e^t)/(e^eps0 + 1), the profile of a silent
    // step. That fewer slots cost more is not proved of these compositions, so they do not say it.
    const Bound shuffle{.protocol = "shuffle",
                        .note = bracket_note,
                        .proof = "swap, silent",
                        .needs = {eps0, n, delta},
                        .rises = {eps0},
                        .falls = {delta}};
    Bound averaged = shuffle;
    averaged.protocol = "checkin-averaged";
    averaged.proof = "averaged, swap, silent";
    averaged.note =
        "a bracket of the exact composition: its upper end is the bound; as a shuffle of n messages: every user must "
        "check in and n must be fixed";
    const Bound fixed{.protocol = "checkin-fixed",
                      .note = bracket_note,
                      .proof = "posterior, silent",
                      .needs = {eps0, m, p0, delta},
                      .rises = {eps0, p0},
                      .falls = {delta}},
        sliding{.protocol = "checkin-sliding",
                .note = bracket_note,
                .proof = "posterior, silent",
                .needs = {eps0, m, delta},
                .takes = {n},
                .rises = {eps0},
                .falls = {delta},
                .assumes = {assume::window_within_users()}};
    std::vector<Bound> out;
    add<steps::ShuffleSteps>(
        out, shuffle,
        {"epsilary-shuffle-lazy-pld", "Amplification by shuffling, the losses of mostly silent steps composed",
         "n <= 10^12; for more use epsilary-shuffle-lazy"},
        {"epsilary-shuffle-response-pld", "Amplification by shuffling, the losses of full responses composed",
         "n <= 10^12; for more use epsilary-shuffle-response"});
    add<steps::FixedWindow>(
        out, fixed,
        {"epsilary-checkin-lazy-pld",
         "Random check-ins with a fixed window, the losses of mostly silent steps composed",
         "m <= 10^12; for more use epsilary-checkin-lazy"},
        {"epsilary-checkin-response-pld", "Random check-ins with a fixed window, the losses of full responses composed",
         "m <= 10^12; for more use epsilary-checkin-response"});
    add<steps::SlidingWindow>(out, sliding,
                              {"epsilary-sliding-lazy-pld",
                               "Random check-ins with a sliding window, the losses of mostly silent steps composed",
                               "m <= 10^12; for more use epsilary-sliding-lazy"},
                              {"epsilary-sliding-response-pld",
                               "Random check-ins with a sliding window, the losses of full responses composed",
                               "m <= 10^12; for more use epsilary-sliding-response"});
    add<steps::ShuffleSteps>(out, averaged,
                             {"epsilary-averaged-lazy-pld",
                              "Random check-ins with averaged updates, the losses of mostly silent steps composed",
                              "n <= 10^12; for more use epsilary-averaged-lazy"},
                             {"epsilary-averaged-response-pld",
                              "Random check-ins with averaged updates, the losses of full responses composed",
                              "n <= 10^12; for more use epsilary-averaged-response"});
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
