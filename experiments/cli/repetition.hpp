// What `simulate` and `audit` ask alike: which protocol is run, how often, from which seed, with which confidence.
#pragma once

#include "experiments/cli/watch.hpp"

namespace epsilary::cli {

struct RepeatedRun {
  std::string protocol, runs, confidence;
  int seed = 1;
};

// The words of --runs and --confidence tell their usual values.
inline std::vector<Argument> arguments_of(RepeatedRun& r, const std::vector<std::string>& protocols,
                                          const std::string& runs, const std::string& confidence) {
  return {{"protocol", "one of: " + joined(protocols), &r.protocol, {}, Completes::protocols, true},
          {"--runs", runs, &r.runs},
          {"--seed", "of all chance (default 1)", &r.seed, {}, {}, false, {}, {0, 2147483647}},
          {"--confidence", confidence, &r.confidence}};
}

// `work` is epsilary::simulate or epsilary::audit.
template <class Work>
int run_protocol(const Flags& flags, const RepeatedRun& r, Work work) {
  epsilary::Repetition repetition{.seed = static_cast<std::uint64_t>(r.seed)};
  if (!r.runs.empty()) repetition.runs = r.runs;
  if (!r.confidence.empty()) repetition.confidence = r.confidence;
  stop_on_signals();
  const auto answer = [&] {
    const Watching watching;
    return work(r.protocol, parameters(flags), repetition, flags.options, watching.watch());
  }();
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace epsilary::cli
