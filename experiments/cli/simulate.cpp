// simulate: a protocol that runs, held against the statements about it.
#include "experiments/cli/repetition.hpp"

namespace epsilary::cli {

Command simulate_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<RepeatedRun>();
  return {
      .name = "simulate",
      .description = "run a protocol and hold what is counted against the statements about it",
      .footer =
          R"(Every algorithm of the papers runs as it is written: dummy updates, loads, check-ins, bits, the variance of messages
and the excess risk of learning are counted and compared. Parameters left out have usual values. `agrees` is "no" only
where the interval, which holds for every law, lies on the wrong side of the statement.

Examples:
  epsilary simulate checkin-sliding --n 100 --m 20
  epsilary simulate checkin-fixed --n 500 --m 50 --p0 0.5 --runs 500
  epsilary simulate cldp-sgd --runs 200 -f md)",
      .flags = flags,
      .arguments = arguments_of(*request, epsilary::simulated_protocols(), "how often it is run (default 1e4)",
                                "with which all intervals hold (default 0.99)"),
      .asks = true,
      .run = [flags, request] { return run_protocol(*flags, *request, epsilary::simulate); }};
}

}  // namespace epsilary::cli
