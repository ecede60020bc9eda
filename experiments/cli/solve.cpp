// solve: the value of one parameter at which a bound meets a target.
#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

struct Request {
  std::string id, unknown, target;
};

int run(const Flags& flags, const Request& r) {
  const auto answer = epsilary::solve(r.id, r.unknown, r.target, parameters(flags), flags.options);
  if (is_dry_run(flags, answer)) return done;
  int code = done;
  for (const epsilary::Solution& s : answer.points)
    if (s.problem) code = refuse(*s.problem);
  const std::string text = write(answer, format(flags));
  if (!text.empty()) print(flags, text);
  return code;
}

}  // namespace

Command solve_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  return {.name = "solve",
          .description = "find the parameter value at which a bound meets a target",
          .footer = R"(Examples:
  epsilary solve balle2020-thm5.1 --for n --target 0.1 --eps0 1 --delta 1e-6
  epsilary solve balle2020-thm3.2 --for eps0 --target 1 --m 1e4 --p0 0.1 --delta 1e-6 --digits 30)",
          .flags = flags,
          .arguments = {{"bound", "id of a bound", &request->id, {}, Completes::bounds, true},
                        {"--for", "the parameter to solve for", &request->unknown, {}, Completes::parameters, true},
                        {"--target",
                         "what the bound must not exceed (a lower bound: must reach)",
                         &request->target,
                         {},
                         Completes::nothing,
                         true}},
          .asks = true,
          .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
