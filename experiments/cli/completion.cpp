// completion: scripts for the shells, made from the same tables as the help.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

// What each kind of argument may be.
std::map<Completes, std::vector<std::string>> known_names() {
  std::map<Completes, std::vector<std::string>> out;
  const auto add = [&](Completes kind, const std::string& name) {
    if (!std::ranges::count(out[kind], name)) out[kind].push_back(name);
  };
  for (const epsilary::Statement& s : epsilary::statements()) {
    add(Completes::bounds, s.id);
    add(Completes::quantities, s.quantity);
    add(Completes::papers, s.paper);
    add(Completes::all_protocols, s.protocol);
  }
  for (const epsilary::Protocol& p : epsilary::protocols()) add(Completes::protocols, p.name);
  for (const epsilary::Figure& f : epsilary::figures()) add(Completes::figures, f.id);
  for (const epsilary::Claim& c : epsilary::claims()) add(Completes::claims, c.id);
  for (const epsilary::Parameter& p : epsilary::parameters()) add(Completes::parameters, p.key);
  for (const epsilary::TrainingAbout& t : epsilary::trainings()) add(Completes::trainings, t.id);
  return out;
}

struct Script {
  std::vector<const Command*> commands;
  std::map<Completes, std::vector<std::string>> names = known_names();

  std::string words(const Argument& a) const {
    if (!a.choices.empty()) return joined(a.choices, " ");
    const auto it = names.find(a.completes);
    return it == names.end() ? "" : joined(it->second, " ");
  }
};

std::vector<Argument> all_arguments(const Command& command) {
  std::vector<Argument> out = command.arguments;
  if (command.flags)
    for (Argument& a : shared_arguments(command)) out.push_back(std::move(a));
  return out;
}

bool is_option(const Argument& a) { return a.name.starts_with("-"); }
std::string long_name(const Argument& a) { return a.name.substr(a.name.rfind("--")); }
bool is_flag(const Argument& a) { return std::holds_alternative<bool*>(a.into); }

std::string bash(const Script& script) {
  std::string names, cases;
  for (const Command* command : script.commands) {
    names += command->name + " ";
    std::string flags = "--help", values, positional;
    for (const Argument& a : all_arguments(*command)) {
      if (!is_option(a)) {
        positional = script.words(a);
        continue;
      }
      flags += " " + long_name(a);
      std::string patterns = a.name;
      std::ranges::replace(patterns, ',', '|');
      if (const std::string words = script.words(a); !words.empty())
        values += fmt::format("        {}) words=\"{}\" ;;\n", patterns, words);
      else if (!is_flag(a))
        values += fmt::format("        {}) words=\"\" ;;\n", patterns);
    }
    if (command->asks)
      for (const epsilary::Parameter& p : epsilary::parameters()) flags += " --" + p.key;
    cases += fmt::format("    {}) words=\"{}\"\n      case \"$current\" in -*) words=\"{}\" ;; esac\n{} ;;\n",
                         command->name, positional, flags,
                         values.empty() ? "     " : "      case \"$previous\" in\n" + values + "      esac");
  }
  return fmt::format(R"(_epsilary() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words="{}--help --version"
  if [ "$COMP_CWORD" -gt 1 ]; then
    words=""
    case "${{COMP_WORDS[1]}}" in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _epsilary epsilary
)",
                     names, cases);
}

std::string zsh(const Script& script) { return "autoload -U +X bashcompinit && bashcompinit\n" + bash(script); }

std::string quoted(std::string text) {
  for (std::size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return "'" + text + "'";
}

std::string fish(const Script& script) {
  std::string out = "complete -c epsilary -f\n";
  for (const Command* command : script.commands) {
    out += fmt::format("complete -c epsilary -n __fish_use_subcommand -a {} -d {}\n", command->name,
                       quoted(command->description));
    const std::string seen = fmt::format("complete -c epsilary -n '__fish_seen_subcommand_from {}'", command->name);
    for (const Argument& a : all_arguments(*command)) {
      const std::string words = script.words(a);
      if (!is_option(a)) {
        if (!words.empty()) out += fmt::format("{} -a '{}'\n", seen, words);
        continue;
      }
      out += fmt::format("{} -l {}", seen, long_name(a).substr(2));
      if (a.name[1] != '-') out += fmt::format(" -s {}", a.name[1]);
      if (a.completes == Completes::files)
        out += " -r -F";
      else if (!is_flag(a))
        out += words.empty() ? " -x" : fmt::format(" -x -a '{}'", words);
      out += fmt::format(" -d {}\n", quoted(a.help));
    }
    if (command->asks)
      for (const epsilary::Parameter& p : epsilary::parameters())
        out += fmt::format("{} -l {} -x -d {}\n", seen, p.key, quoted(p.meaning));
  }
  return out;
}

}  // namespace

Command completion_command(const std::vector<Command>& others) {
  auto shell = std::make_shared<std::string>();
  auto listed = std::make_shared<std::vector<Command>>(others);
  Command own{.name = "completion",
              .description = "print a completion script for bash, zsh or fish",
              .footer =
                  "Examples:\n  epsilary completion bash > ~/.local/share/bash-completion/completions/epsilary\n  "
                  "epsilary completion fish",
              .arguments = {{"shell", "bash, zsh or fish", shell.get(), {"bash", "zsh", "fish"}, {}, true}}};
  listed->push_back(own);
  own.run = [shell, listed] {
    Script script;
    for (const Command& command : *listed) script.commands.push_back(&command);
    print({}, *shell == "bash" ? bash(script) : *shell == "zsh" ? zsh(script) : fish(script));
    return done;
  };
  return own;
}

}  // namespace epsilary::cli
