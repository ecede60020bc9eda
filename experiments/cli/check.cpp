// check: the papers' claims, computed, with a verdict on each.
#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

int run(const Flags& flags, const std::vector<std::string>& ids) {
  const auto answer = epsilary::check(ids, flags.options);
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace

Command check_command() {
  auto flags = std::make_shared<Flags>();
  auto ids = std::make_shared<std::vector<std::string>>();
  return {
      .name = "check",
      .description = "compute what the papers claim and say what holds",
      .footer = "Examples:\n  epsilary check balle2020-fig2-ten-times-larger\n  epsilary check girgis2021-saving -f md",
      .flags = flags,
      .arguments = {{"claim", "ids of claims; none: all of them", ids.get(), {}, Completes::claims}},
      .run = [flags, ids] { return run(*flags, *ids); }};
}

}  // namespace epsilary::cli
