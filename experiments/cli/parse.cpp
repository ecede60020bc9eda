// The one file that knows CLI11.
#include "experiments/cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <iostream>

namespace epsilary::cli {
namespace {

const char* const footer = R"(Examples:
  epsilary eval --eps0 1 --n 1e4 --delta 1e-6
  epsilary solve balle2020-thm5.1 --for n --target 0.1 --eps0 1 --delta 1e-6

Exit codes: 0 done, 1 could not (files, gnuplot), 2 usage, 3 outside the hypotheses, 4 a check failed, 5 unresolved,
130 interrupted.)";

void add(CLI::App& app, const Argument& a) {
  CLI::Option* option = nullptr;
  if (const auto* flag = std::get_if<bool*>(&a.into)) option = app.add_flag(a.name, **flag, a.help);
  if (const auto* text = std::get_if<std::string*>(&a.into)) option = app.add_option(a.name, **text, a.help);
  if (const auto* number = std::get_if<int*>(&a.into))
    option = app.add_option(a.name, **number, a.help)->check(CLI::Range(a.range.first, a.range.second));
  if (const auto* list = std::get_if<std::vector<std::string>*>(&a.into)) {
    option = app.add_option(a.name, **list, a.help);
    if (a.name.starts_with("-")) option->delimiter(',');
    if (a.required) option->required()->expected(1, 1000);
  } else if (a.required) {
    option->required();
  }
  if (!a.choices.empty() && !a.open) option->check(CLI::IsMember(a.choices));
  if (!a.group.empty()) option->group(a.group);
}

CLI::App* add(CLI::App& app, const Command& command) {
  CLI::App& sub = *app.add_subcommand(command.name, command.description);
  for (const Argument& a : command.arguments) add(sub, a);
  if (command.flags) {
    for (const Argument& a : shared_arguments(command)) add(sub, a);
    sub.allow_extras();
  }
  if (command.asks) {
    for (const epsilary::Parameter& p : epsilary::parameters()) command.flags->typed.push_back({p.key, {}});
    for (std::size_t i = 0; i < epsilary::parameters().size(); ++i) {
      const epsilary::Parameter& p = epsilary::parameters()[i];
      sub.add_option("--" + p.key, command.flags->typed[i].second, fmt::format("{} ({})", p.meaning, p.domain))
          ->group("Parameters: a value 1e-6, a list 1e3,1e4, a range from:to:count[:log] or a tie 1/n")
          ->type_name("")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
  sub.footer(command.footer);
  return &sub;
}

// CLI11 says "The following argument was not expected: evil"; a person says what they may have meant.
void refuse_unknown_command(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  throw epsilary::Error(
      epsilary::Problem::usage,
      fmt::format("unknown command '{}'{}", extras.front(), epsilary::did_you_mean(extras.front(), names)),
      "see: epsilary --help");
}

void refuse_extras(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining();
  if (extras.empty()) return;
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  const std::string typed = extras.front().substr(0, extras.front().find('='));
  const std::string kind = typed.starts_with("-") ? "unknown option or parameter" : "unexpected argument";
  throw epsilary::Error(epsilary::Problem::usage,
                        fmt::format("{} '{}'{}", kind, typed, epsilary::did_you_mean(typed, flags, 3)),
                        fmt::format("see: epsilary {} --help, or epsilary list params", command.get_name()));
}

}  // namespace

int parse_and_run(std::vector<Command>& commands, std::vector<std::string> words) {
  CLI::App app("Privacy-amplification bounds with proven digits.", "epsilary");
  app.footer(footer);
  app.set_version_flag("--version", "epsilary " + epsilary::version());
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.get_formatter()->column_width(28);
  std::vector<std::pair<CLI::App*, const Command*>> subs;
  for (const Command& command : commands) subs.emplace_back(add(app, command), &command);
  // `epsilary help eval` is `epsilary eval --help`.
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  std::reverse(words.begin(), words.end());  // the order CLI11 wants
  try {
    app.parse(words);
    for (const auto& [sub, command] : subs)
      if (sub->parsed()) {
        refuse_extras(*sub);
        return command->run();
      }
    refuse_unknown_command(app);
    print({}, app.help());
    return done;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help and --version
      errno = 0;
      app.exit(e);
      if (!std::cout.flush()) refuse_output(errno);
      return done;
    }
    return refuse(usage, e.what(), "see: epsilary --help, or epsilary COMMAND --help");
  }
}

}  // namespace epsilary::cli
