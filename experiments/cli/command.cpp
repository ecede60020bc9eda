#include "experiments/cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bounds/core/registry.hpp"
#include "experiments/similar.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;
using experiments::Format;

constexpr std::size_t largest_grid = 10'000'000;

std::string did_you_mean(const std::vector<std::string>& close) {
  return close.empty() ? "" : "; did you mean " + quoted_list(close, " or ") + "?";
}

}  // namespace

void add_common_options(CLI::App& command, Options& o) {
  command.add_option("--digits", o.digits, "significant digits to prove and print (default 6)")
      ->check(CLI::Range(1, 10'000));
  command.add_option("--precision", o.precision, "double, mp50 or ball (certified, the default)")
      ->check(CLI::IsMember({"double", "mp50", "ball"}));
  command.add_option("-f,--format", o.format, "text, csv, json or md")
      ->check(CLI::IsMember({"text", "csv", "json", "md"}));
  command.add_option("-o,--output", o.output, "write to this file instead of standard output");
  command.add_option("-j,--threads", o.threads, "threads to use (default: every core)")->check(CLI::Range(1, 1024));
  command.add_flag("-n,--dry-run", o.dry_run, "say how many evaluations there would be, and stop");
  command.add_flag("--no-color", o.no_color, "plain text on a terminal too");
  command.allow_extras();
}

void add_parameter_options(CLI::App& command, Options& o) {
  for (const ParamInfo& p : params())
    command.add_option("--" + std::string(p.key), o.params[p.param], fmt::format("{} ({})", p.meaning, rule(p)))
        ->group("Parameters: a value 1e-6, a list 1e3,1e4, a range from:to:count[:log] or a tie 1/n")
        ->type_name("")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_question_options(CLI::App& command, Options& o) {
  const std::string group = "The question";
  command
      .add_option("--adjacency", o.adjacency,
                  "neighbours by replacing or removing one record: replace or remove (left out: what the named bounds "
                  "agree on, else replace, and remove for dp-sgd-poisson)")
      ->check(CLI::IsMember({"replace", "remove"}))
      ->group(group);
  command
      .add_option("--view", o.view,
                  "what the adversary sees: usual, count-hidden (the number of check-ins) or told-steps (which steps "
                  "used the record)")
      ->check(CLI::IsMember({"usual", "count-hidden", "told-steps"}))
      ->group(group);
}

bounds::Asked asked(const Options& o) {
  Asked out;
  if (!o.adjacency.empty()) out.adjacency = o.adjacency == "replace" ? Adjacency::replace : Adjacency::remove;
  for (const View v : {View::usual, View::count_hidden, View::told_steps})
    if (o.view == name(v)) out.view = v;
  return out;
}

void refuse_extras(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining();
  if (extras.empty()) return;
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  const std::string typed = extras.front().substr(0, extras.front().find('='));
  const std::string kind = typed.starts_with("-") ? "unknown option or parameter" : "unexpected argument";
  throw Refusal(usage, fmt::format("{} '{}'{}", kind, typed, did_you_mean(experiments::similar(typed, flags))),
                fmt::format("see: epsilary {} --help, or epsilary list params", command.get_name()));
}

std::vector<experiments::Axis> axes(const Options& o) {
  std::vector<experiments::Axis> list;
  for (const auto& [param, texts] : o.params) {
    if (texts.empty()) continue;
    if (texts.size() > 1)
      throw Refusal(usage, fmt::format("--{} is given {} times: {}", key(param), texts.size(), quoted_list(texts)),
                    fmt::format("for several values write a list: --{} {}", key(param), fmt::join(texts, ",")));
    try {
      list.push_back(experiments::parse_axis(param, texts.front()));
    } catch (const experiments::BadValue& bad) {
      throw Refusal(usage, fmt::format("--{}: {}", key(param), bad.what()),
                    fmt::format("{}; for example --{} {}", requirement(info(param)), key(param), info(param).example));
    }
  }
  try {
    experiments::first_point(list);
  } catch (const experiments::BadValue& bad) {
    throw Refusal(usage, bad.what(),
                  "tie a parameter only to parameters that are given as numbers: --delta 1/n --n 1e6");
  }
  return list;
}

Accuracy accuracy(const Options& o) {
  return {.digits = o.digits,
          .number = o.precision == "double" ? Number::in_double
                    : o.precision == "mp50" ? Number::in_mp50
                                            : Number::in_ball};
}

Format format(const Options& o, Format otherwise) {
  if (!o.format.empty()) return experiments::format_named(o.format).value();
  std::string extension = std::filesystem::path(o.output).extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  return experiments::format_named(extension).value_or(otherwise);
}

bool color(const Options& o) {
  const char* forbidden = std::getenv("NO_COLOR");
  return !o.no_color && o.output.empty() && !(forbidden && *forbidden) && isatty(STDOUT_FILENO);
}

void print(const Options& o, const std::vector<std::string>& pieces) {
  if (!o.output.empty()) {
    experiments::write_file(o.output, pieces);
    return;
  }
  bool written = true;
  for (const std::string& bytes : pieces)
    written = written && std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  if (!written || std::fflush(stdout) != 0) throw std::runtime_error("cannot write to standard output");
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
      word += c;
      continue;
    }
    end_word();
    out += c;
  }
  end_word();
  if (out.size() > longest) out = out.substr(0, longest) + " …\n";
  std::fwrite(out.data(), 1, out.size(), stderr);
  std::fflush(stderr);
}
void note(const std::string& text) { tell("note:  " + text + "\n"); }
int refuse(int code, const std::string& what, const std::string& next) {
  tell(fmt::format("error: {}\n       {}\n", what, next));
  return code;
}

std::vector<const Bound*> forms_named(const std::string& id) {
  std::vector<const Bound*> forms = named(id);
  if (forms.empty()) {
    std::vector<std::string> ids;
    for (const Bound* b : all()) ids.emplace_back(b->id);
    throw Refusal(usage, fmt::format("unknown bound '{}'{}", id, did_you_mean(experiments::similar(id, ids))),
                  "see: epsilary list");
  }
  return forms;
}

const Bound& form_given(const std::string& id, const Point& point) {
  const std::vector<const Bound*> forms = forms_named(id);
  const Bound* form = form_for(forms, point);
  if (!form) {
    std::vector<std::string> lacking, example;
    for (const Bound* b : forms) lacking.push_back(keys(missing(*b, point)));
    for (const Param p : missing(*forms.front(), point))
      example.push_back(fmt::format("--{} {}", key(p), info(p).example));
    throw Refusal(usage, fmt::format("{} needs {}", id, quoted_list(lacking, ", or ")),
                  fmt::format("add for example {}; see: epsilary show {}", fmt::join(example, " "), id));
  }
  if (const std::vector<Param> left = unused(*form, point); !left.empty())
    note(fmt::format("{} does not use {}", id, keys(left)));
  return *form;
}

void refuse_too_many(std::size_t evaluations) {
  if (evaluations > largest_grid)
    throw Refusal(usage, fmt::format("{} evaluations are more than {}", evaluations, largest_grid),
                  "use fewer values in the lists and ranges");
}

bool is_dry_run(const Options& o, std::size_t evaluations) {
  refuse_too_many(evaluations);
  if (o.dry_run) print(o, fmt::format("{} evaluations\n", evaluations));
  return o.dry_run;
}

std::string quoted_list(const std::vector<std::string>& names, std::string_view between) {
  return fmt::format("{}", fmt::join(names, between));
}

std::string keys(const std::vector<Param>& list) {
  std::vector<std::string_view> names;
  for (const Param p : list) names.push_back(key(p));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace epsilary::cli
