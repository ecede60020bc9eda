// tightness: every analysis of a protocol between what it proves and what cannot be beaten; with a target, what each of
// them admits.
#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

struct Request {
  std::vector<std::string> protocols;
  std::string unknown, target;
};

int admit(const Flags& flags, const Request& r) {
  if (r.target.empty())
    throw epsilary::Error(epsilary::Problem::usage, "--for needs a --target", "for example --for eps0 --target 0.1");
  const auto answer = epsilary::design(r.protocols, r.unknown, r.target, parameters(flags), flags.options);
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return answer.any ? done : outside;
}

int run(const Flags& flags, const Request& r) {
  if (r.unknown.empty() && !r.target.empty())
    throw epsilary::Error(epsilary::Problem::usage, "--target needs --for", "for example --for eps0 --target 0.1");
  if (r.protocols.empty()) {
    print(flags, write(table(epsilary::protocols()), format(flags), flags.options.digits));
    return done;
  }
  if (!r.unknown.empty()) return admit(flags, r);
  const auto answer = epsilary::tightness(r.protocols, parameters(flags), flags.options);
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace

Command tightness_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  std::vector<std::string> names;
  for (const epsilary::Protocol& p : epsilary::protocols()) names.push_back(p.name);
  return {.name = "tightness",
          .description = "every analysis of a protocol, from the loosest to what cannot be beaten",
          .footer = R"(Examples:
  epsilary tightness
  epsilary tightness shuffle --eps0 1 --n 1e4 --delta 1e-6
  epsilary tightness checkin-averaged --for eps0 --target 0.1 --n 1e4 --delta 1e-6)",
          .flags = flags,
          .arguments = {{"protocol",
                         "one or more of: " + joined(names) + "; none: what they are",
                         &request->protocols,
                         {},
                         Completes::protocols},
                        {"--for",
                         "the parameter each analysis is asked for, with --target",
                         &request->unknown,
                         {},
                         Completes::parameters},
                        {"--target", "the epsilon to be met", &request->target}},
          .asks = true,
          .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
