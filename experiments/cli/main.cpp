// The program: parses, runs one command, turns errors into two lines and an exit code.
#include <csignal>
#include <exception>

#include "experiments/cli/parse.hpp"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `epsilary ... | head` ends quietly
  using namespace epsilary::cli;
  try {
    std::vector<Command> commands{list_command(),      show_command(),     eval_command(), solve_command(),
                                  compare_command(),   sweep_command(),    plot_command(), check_command(),
                                  tightness_command(), reproduce_command()};
    commands.push_back(completion_command(commands));
    return parse_and_run(commands, {argv + 1, argv + argc});
  } catch (const epsilary::Error& e) {
    return refuse(e);
  } catch (const std::exception& e) {
    return refuse(could_not, e.what(), "the command ended there; what was whole before it is as it was");
  }
}
