// simulate: a protocol that runs, held against the statements about it.
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
  epsilary::Simulation answer;
  {
    const Watching watching;
    answer = epsilary::simulate(r.protocol, parameters(flags), repetition, flags.options, watching.watch());
  }
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace

Command simulate_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  return {.name = "simulate",
          .description = "run a protocol and hold what is counted against the statements about it",
          .footer = R"(Every algorithm of the papers runs as it is written: dummy updates, loads, check-ins, bits, the variance of messages
and the excess risk of learning are counted and compared. Parameters left out have usual values. `agrees` is "no" only
where the interval, which holds for every law, lies on the wrong side of the statement.

Examples:
  epsilary simulate checkin-sliding --n 100 --m 20
  epsilary simulate checkin-fixed --n 500 --m 50 --p0 0.5 --runs 500
  epsilary simulate cldp-sgd --runs 200 -f md)",
          .flags = flags,
          .arguments = {{"protocol",
                         "one of: " + joined(epsilary::simulated_protocols()),
                         &request->protocol,
                         {},
                         Completes::protocols,
                         true},
                        {"--runs", "how often it is run (default 1e4)", &request->runs},
                        {"--seed", "of all chance (default 1)", &request->seed, {}, {}, false, {}, {0, 2147483647}},
                        {"--confidence", "with which all intervals hold (default 0.99)", &request->confidence}},
          .asks = true,
          .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
