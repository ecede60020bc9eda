// audit: a lower bound on epsilon by running a protocol and counting.
#include "experiments/cli/watch.hpp"

namespace epsilary::cli {
namespace {

struct Request {
  std::string protocol, runs, confidence;
  int seed = 1;
};

int run(const Flags& flags, const Request& r) {
  epsilary::Repetition repetition{.seed = static_cast<std::uint64_t>(r.seed)};
  if (!r.runs.empty()) repetition.runs = r.runs;
  if (!r.confidence.empty()) repetition.confidence = r.confidence;
  stop_on_signals();
  epsilary::Audit answer;
  {
    const Watching watching;
    answer = epsilary::audit(r.protocol, parameters(flags), repetition, flags.options, watching.watch());
  }
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace

Command audit_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  std::vector<std::string> names;
  for (const epsilary::Protocol& p : epsilary::protocols()) names.push_back(p.name);
  return {.name = "audit",
          .description = "run a protocol on the worst known data and measure its epsilon",
          .footer = R"(The protocol is run on two neighbouring data sets, and an adversary who knows both looks at the likelihood ratio of what
it shows. Counting how often that points to the right one proves a lower bound on epsilon, with the confidence asked for
(Clopper and Pearson), whatever the protocol is: it must lie below every proved upper bound. The threshold is chosen on
a tenth of the runs, which do not count. Parameters left out have usual values; delta must be some thousand times 1/runs
for counting to say much.

Examples:
  epsilary audit shuffle --runs 20000
  epsilary audit cldp-sgd --randomizer rinf --eps0 2 --clients 50 --per_round 10 --T 2 --runs 5000 -f json)",
          .flags = flags,
          .arguments = {{"protocol",
                         "one of: " + joined(names),
                         &request->protocol,
                         {},
                         Completes::protocols,
                         true},
                        {"--runs", "how often it is run on either data set (default 1e6)", &request->runs},
                        {"--seed", "of all chance (default 1)", &request->seed, {}, {}, false, {}, {0, 2147483647}},
                        {"--confidence", "with which epsilon is at least what is measured (default 0.99)",
                         &request->confidence}},
          .asks = true,
          .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
