#include "experiments/cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace epsilary::cli {

using epsilary::Format;

std::vector<Argument> shared_arguments(const Command& command) {
  Flags& f = *command.flags;
  std::vector<Argument> list;
  if (command.computes)
    list = {{"--digits",
             "significant digits to prove and print (default 6)",
             &f.options.digits,
             {},
             {},
             false,
             {},
             {1, 10'000}},
            {"--precision",
             "double, mp50 or ball (certified, the default)",
             &f.options.precision,
             {"double", "mp50", "ball"}},
            {"--patience",
             "how many times the usual work, some seconds at most, a number may cost (default 1); what is proved by "
             "then is "
             "shown",
             &f.options.patience,
             {},
             {},
             false,
             {},
             {1, 1'000'000}},
            {"-j,--threads", "threads to use (default: every core)", &f.options.threads, {}, {}, false, {}, {1, 1024}},
            {"-n,--dry-run", "say how many evaluations there would be, and stop", &f.options.dry_run}};
  list.push_back({"-f,--format", "text, csv, json or md", &f.format, {"text", "csv", "json", "md"}});
  list.push_back({"-o,--output", "write to this file instead of standard output", &f.output, {}, Completes::files});
  list.push_back({"--no-color", "plain text on a terminal too", &f.no_color});
  if (!command.asks) return list;
  const std::string question = "The question";
  list.push_back({"--adjacency",
                  "neighbours by replacing or removing one record: replace or remove (left out: what the named bounds "
                  "agree on, else replace, and remove for dp-sgd-poisson)",
                  &f.options.adjacency,
                  {"replace", "remove"},
                  {},
                  false,
                  question});
  list.push_back({"--view",
                  "what the adversary sees: usual, count-hidden (the number of check-ins) or told-steps (which steps "
                  "used the record)",
                  &f.options.view,
                  {"usual", "count-hidden", "told-steps"},
                  {},
                  false,
                  question});
  return list;
}

epsilary::Parameters parameters(const Flags& f) {
  epsilary::Parameters out;
  for (const auto& [key, texts] : f.typed)
    for (const std::string& text : texts) out.emplace_back(key, text);
  return out;
}

Format format(const Flags& f, Format otherwise) {
  if (!f.format.empty()) return epsilary::format_named(f.format).value();
  std::string extension = std::filesystem::path(f.output).extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  return epsilary::format_named(extension).value_or(otherwise);
}

bool color(const Flags& f) {
  const char* forbidden = std::getenv("NO_COLOR");
  return !f.no_color && f.output.empty() && !(forbidden && *forbidden) && isatty(STDOUT_FILENO);
}

void print(const Flags& f, const std::vector<std::string>& pieces) {
  if (!f.output.empty()) {
    epsilary::write_file(f.output, pieces);
    return;
  }
  bool written = true;
  errno = 0;
  for (const std::string& bytes : pieces)
    written = written && std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  if (!written || std::fflush(stdout) != 0) refuse_output(errno);
}

void refuse_output(int why) {
  if (why == EPIPE) {  // `epsilary ... | head` ends quietly, as programs do
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw epsilary::Error(epsilary::Problem::could_not,
                        fmt::format("cannot write to standard output: {}", std::strerror(why ? why : EIO)),
                        "make room, or send it elsewhere");
}

bool is_dry_run(const Flags& f, const epsilary::Answer& answer) {
  for (const std::string& text : answer.notes) note(text);
  if (f.options.dry_run) print(f, fmt::format("{} evaluations\n", answer.evaluations));
  return f.options.dry_run;
}

int verdict(const epsilary::Answer& answer) {
  if (answer.problem) throw epsilary::Error(*answer.problem);
  return done;
}

void tell(const std::string& text) {
  constexpr std::size_t longest_word = 200, longest = 4000;
  std::string out, word;
  const auto end_word = [&] {
    if (word.size() > longest_word) {
      std::size_t cut = longest_word;
      while (cut > 0 && (static_cast<unsigned char>(word[cut]) & 0xC0) == 0x80) --cut;  // no half letters
      word = fmt::format("{}… ({} characters)", word.substr(0, cut), word.size());
    }
    out += std::exchange(word, "");
  };
  for (const char c : text) {
    if (c != ' ' && c != '\n') {
      const auto byte = static_cast<unsigned char>(c);
      word += byte < 0x20 || byte == 0x7F ? '?' : c;  // a terminal would obey it
      continue;
    }
    end_word();
    out += c;
  }
  end_word();
  if (out.size() > longest) out = out.substr(0, longest) + " …\n";
  tell_as_it_is(out);
}
void tell_as_it_is(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}
void note(const std::string& text) { tell("note:  " + text + "\n"); }
int refuse(int code, const std::string& what, const std::string& next) {
  tell(fmt::format("error: {}\n       {}\n", what, next));
  return code;
}
int refuse(const epsilary::Error& e) {
  return refuse(static_cast<int>(e.problem), (e.parameter.empty() ? "" : "--") + std::string(e.what()), e.next);
}

std::string joined(const std::vector<std::string>& names, std::string_view between) {
  return fmt::format("{}", fmt::join(names, between));
}

}  // namespace epsilary::cli
