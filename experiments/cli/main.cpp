// The program: parses, runs one command, turns errors into two lines and an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>

#include "experiments/cli/parse.hpp"

namespace {

// A stream that is closed stays closed: no file takes its number, to be written into as if it were the stream.
void guard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  guard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // nobody hears what is told, and the work goes on; see print for results
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of the file, told as one
  using namespace epsilary::cli;
  try {
    std::vector<Command> commands{list_command(),      show_command(),     eval_command(),     solve_command(),
                                  compare_command(),   sweep_command(),    plot_command(),     check_command(),
                                  tightness_command(), compose_command(),  simulate_command(), audit_command(),
                                  train_command(),     reproduce_command()};
    commands.push_back(completion_command(commands));
    return parse_and_run(commands, {argv + 1, argv + argc});
  } catch (const epsilary::Error& e) {
    return refuse(e);
  } catch (const std::bad_alloc&) {
    return refuse(could_not, "there is not enough memory", "use fewer values or threads: -j 1");
  } catch (const std::exception& e) {
    return refuse(could_not, e.what(), "the command ended there; what was whole before it is as it was");
  }
}
