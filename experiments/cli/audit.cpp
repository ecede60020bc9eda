// audit: a lower bound on epsilon by running a protocol and counting.
#include "experiments/cli/repetition.hpp"

namespace epsilary::cli {

Command audit_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<RepeatedRun>();
  std::vector<std::string> names;
  for (const epsilary::Protocol& p : epsilary::protocols()) names.push_back(p.name);
  return {
      .name = "audit",
      .description = "run a protocol on the worst known data and measure its epsilon",
      .footer =
          R"(The protocol is run on two neighbouring data sets, and an adversary who knows both looks at the likelihood ratio of what
it shows. Counting how often that points to the right one proves a lower bound on epsilon, with the confidence asked for
(Clopper and Pearson), whatever the protocol is: it must lie below every proved upper bound. The threshold is chosen on
a tenth of the runs, which do not count. Parameters left out have usual values; delta must be some thousand times 1/runs
for counting to say much.

Examples:
  epsilary audit shuffle --runs 20000
  epsilary audit cldp-sgd --randomizer rinf --eps0 2 --clients 50 --per_round 10 --T 2 --runs 5000 -f json)",
      .flags = flags,
      .arguments = arguments_of(*request, names, "how often it is run on either data set (default 1e6)",
                                "with which epsilon is at least what is measured (default 0.99)"),
      .asks = true,
      .run = [flags, request] { return run_protocol(*flags, *request, epsilary::audit); }};
}

}  // namespace epsilary::cli
