// completion: scripts for the shells, made from the same tables as the help.
#include <fmt/format.h>

#include <algorithm>

#include "bounds/core/registry.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

std::string commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return quoted_list(names, " ");
}

std::string flags() {
  std::vector<std::string> names{"--digits",  "--precision", "--format",     "--output", "--threads",
                                 "--dry-run", "--no-color",  "--help",       "--for",    "--target",
                                 "--bounds",  "--journal",   "--no-journal", "--yes"};
  for (const bounds::ParamInfo& p : bounds::params()) names.push_back("--" + std::string(p.key));
  return quoted_list(names, " ");
}

std::string ids() {
  std::vector<std::string> names;
  for (const bounds::Bound* b : bounds::all())
    if (!std::ranges::count(names, b->id)) names.emplace_back(b->id);
  return quoted_list(names, " ");
}

std::string figures() {
  std::vector<std::string> names;
  for (const auto& spec : experiments::catalogue()) names.push_back(spec.id);
  return quoted_list(names, " ");
}

std::string bash(const CLI::App& app) {
  return fmt::format(R"(_epsilary() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}"
  local words="{0}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "${{COMP_WORDS[1]}}" in
      list) words="bounds figures params" ;;
      reproduce|sweep) words="{3}" ;;
      completion) words="bash zsh fish" ;;
      *) words="{2}" ;;
    esac
    case "$current" in -*) words="{1}" ;; esac
    case "${{COMP_WORDS[COMP_CWORD-1]}}" in --bounds) words="{2}" ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _epsilary epsilary
)",
                     commands(app), flags(), ids(), figures());
}

std::string zsh(const CLI::App& app) { return "autoload -U +X bashcompinit && bashcompinit\n" + bash(app); }

std::string fish(const CLI::App& app) {
  std::string out =
      fmt::format("complete -c epsilary -f\ncomplete -c epsilary -n __fish_use_subcommand -a '{}'\n", commands(app));
  out += "complete -c epsilary -n '__fish_seen_subcommand_from list' -a 'bounds figures params'\n";
  out += fmt::format("complete -c epsilary -n '__fish_seen_subcommand_from show eval solve compare' -a '{}'\n", ids());
  out += fmt::format("complete -c epsilary -n '__fish_seen_subcommand_from reproduce sweep' -a '{}'\n", figures());
  out += fmt::format("complete -c epsilary -n '__fish_seen_subcommand_from sweep' -l bounds -x -a '{}'\n", ids());
  for (const bounds::ParamInfo& p : bounds::params())
    out +=
        fmt::format("complete -c epsilary -n '__fish_seen_subcommand_from eval solve compare sweep' -l {} -x -d '{}'\n",
                    p.key, p.meaning);
  return out;
}

}  // namespace

void add_completion(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("completion", "print a completion script for bash, zsh or fish");
  auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer(
      "Examples:\n  epsilary completion bash > ~/.local/share/bash-completion/completions/epsilary\n  epsilary "
      "completion fish");
  command.callback([&app, &code, shell] {
    print({}, *shell == "bash" ? bash(app) : *shell == "zsh" ? zsh(app) : fish(app));
    code = done;
  });
}

}  // namespace epsilary::cli
