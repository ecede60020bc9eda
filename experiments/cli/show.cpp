// show: everything known about one statement.
#include "experiments/cli/command.hpp"

namespace epsilary::cli {

Command show_command() {
  auto flags = std::make_shared<Flags>();
  auto id = std::make_shared<std::string>();
  return {.name = "show",
          .description = "statement, source, standing, hypotheses and parameters of a bound",
          .footer = "Examples:\n  epsilary show balle2020-thm5.1\n  epsilary show balle2020-thm4.1-approx -f json",
          .flags = flags,
          .arguments = {{"bound", "id of a bound", id.get(), {}, Completes::bounds, true}},
          .run =
              [flags, id] {
                print(*flags, write(epsilary::describe(*id), format(*flags)));
                return done;
              },
          .computes = false};
}

}  // namespace epsilary::cli
