// The program: parses, runs one command, turns errors into two lines and an exit code.
#include <fmt/format.h>

#include <csignal>
#include <iostream>

#include "experiments/cli/command.hpp"
#include "experiments/similar.hpp"

namespace {

const char* const footer = R"(Examples:
  epsilary eval --eps0 1 --n 1e4 --delta 1e-6
  epsilary solve balle2020-thm5.1 --for n --target 0.1 --eps0 1 --delta 1e-6

Exit codes: 0 done, 1 could not (files, gnuplot), 2 usage, 3 outside the hypotheses, 4 a check failed, 5 unresolved,
130 interrupted.)";

// CLI11 says "The following argument was not expected: evil"; a person says what they may have meant.
void refuse_unknown_command(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const auto close = epsilary::experiments::similar(extras.front(), names);
  throw epsilary::cli::Refusal(epsilary::cli::usage,
                     fmt::format("unknown command '{}'{}", extras.front(),
                                 close.empty() ? "" : "; did you mean " + close.front() + "?"),
                     "see: epsilary --help");
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `epsilary ... | head` ends quietly
  CLI::App app("Privacy-amplification bounds with proven digits.", "epsilary");
  app.footer(footer);
  app.set_version_flag("--version", "epsilary " EPSILARY_VERSION);
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.get_formatter()->column_width(28);
  int code = epsilary::cli::done;
  epsilary::cli::add_list(app, code);
  epsilary::cli::add_show(app, code);
  epsilary::cli::add_eval(app, code);
  epsilary::cli::add_solve(app, code);
  epsilary::cli::add_compare(app, code);
  epsilary::cli::add_sweep(app, code);
  epsilary::cli::add_plot(app, code);
  epsilary::cli::add_check(app, code);
  epsilary::cli::add_tightness(app, code);
  epsilary::cli::add_reproduce(app, code);
  epsilary::cli::add_completion(app, code);
  // `epsilary help eval` is `epsilary eval --help`.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  std::reverse(words.begin(), words.end());  // the order CLI11 wants
  try {
    app.parse(words);
    refuse_unknown_command(app);
    if (app.get_subcommands().empty()) epsilary::cli::print({}, app.help());
    return code;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help and --version
      app.exit(e);
      if (std::cout.flush()) return epsilary::cli::done;
      return epsilary::cli::refuse(epsilary::cli::could_not, "cannot write to standard output", "see whether the disk is full");
    }
    return epsilary::cli::refuse(epsilary::cli::usage, e.what(), "see: epsilary --help, or epsilary COMMAND --help");
  } catch (const epsilary::cli::Refusal& e) {
    return epsilary::cli::refuse(e.code, e.what(), e.next);
  } catch (const std::exception& e) {
    return epsilary::cli::refuse(epsilary::cli::could_not, e.what(), "the command ended there; what was whole before it is as it was");
  }
}
