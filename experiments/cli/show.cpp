// show: everything known about one statement.
#include <fmt/format.h>

#include "bounds/core/proofs.hpp"
#include "bounds/core/registry.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;

std::string_view worth(Standing s) {
  switch (s) {
    case Standing::proved:
      return "true as printed";
    case Standing::repaired:
      return "true after the change in the note";
    case Standing::published:
      return "quoted from the literature, not derived again";
    case Standing::unsound:
      return "not a guarantee as printed";
    case Standing::rate:
      return "a rate, with its constants dropped";
    case Standing::approximate:
      return "a limit or a heuristic";
  }
  return "";
}

// A call that runs: statements for few users get fewer of them.
std::string example(const Bound& b) {
  if (!b.example.empty()) return fmt::format("epsilary eval {} {}", b.id, b.example);
  Point point;
  for (const Param p : b.needs)
    if (p == Param::steps)
      point.set_steps(experiments::parse_sequence(info(p).example));
    else
      point.set(p, Decimal(info(p).example));
  for (const char* few : {"100", "20"}) {
    if (broken_hypothesis(b, point).empty()) break;
    for (const Param p : {Param::n, Param::m})
      if (point.has(p)) point.set(p, Decimal(few));
  }
  const bool runs = broken_hypothesis(b, point).empty();
  std::string call = "epsilary eval " + std::string(b.id);
  for (const Param p : b.needs)
    call += fmt::format(" --{} {}", key(p), runs ? point.text(p) : std::string(info(p).example));
  return call;
}

std::string solvable(const Bound& b) {
  std::vector<Param> list = b.rises;
  list.insert(list.end(), b.falls.begin(), b.falls.end());
  list.insert(list.end(), b.turns.begin(), b.turns.end());
  return keys(list);
}

std::string meaning(Param p) {
  const ParamInfo& i = info(p);
  return fmt::format("{:<10} {}{}{} ({})", i.key, i.meaning, i.unit.empty() ? "" : ", ", i.unit, rule(i));
}

std::string as_text(const Bound& b) {
  std::string out = fmt::format("{}: {}\n", b.id, b.title);
  const auto field = [&](std::string_view label, std::string_view text) {
    if (!text.empty()) out += fmt::format("  {:<10} {}\n", label, text);
  };
  field("source", b.source);
  field("gives", fmt::format("{} ({}), protocol {}{}", name(b.quantity), name(b.side), b.protocol,
                             b.adjacency == Adjacency::none ? "" : fmt::format(", adjacency {}", name(b.adjacency))));
  field("neighbours", neighbours(b));
  field("standing", fmt::format("{}: {}", name(b.standing), worth(b.standing)));
  field("note", b.note);
  field("proof", proof_of(b));
  field("formula", b.formula);
  std::string_view label = "needs";
  for (const Param p : b.needs) {
    field(label, meaning(p));
    label = " ";
  }
  label = "takes";
  for (const Param p : b.takes) {
    field(label, meaning(p));
    label = " ";
  }
  field("unit", experiments::unit(b));
  label = "assumes";
  for (const Hypothesis& h : b.assumes) {
    field(label, h.words);
    label = " ";
  }
  field("solve for", solvable(b));
  field("example", example(b));
  return out;
}

nlohmann::ordered_json as_json(const Bound& b) {
  const auto list = [](const std::vector<Param>& params) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Param p : params) out.push_back(key(p));
    return out;
  };
  nlohmann::ordered_json assumes = nlohmann::ordered_json::array();
  for (const Hypothesis& h : b.assumes) assumes.push_back(h.words);
  return {{"id", b.id},
          {"title", b.title},
          {"protocol", b.protocol},
          {"source", b.source},
          {"formula", b.formula},
          {"quantity", name(b.quantity)},
          {"side", name(b.side)},
          {"standing", name(b.standing)},
          {"note", b.note},
          {"proof", proof_of(b)},
          {"adjacency", name(b.adjacency)},
          {"view", name(b.view)},
          {"unit", experiments::unit(b)},
          {"needs", list(b.needs)},
          {"takes", list(b.takes)},
          {"rises", list(b.rises)},
          {"falls", list(b.falls)},
          {"turns", list(b.turns)},
          {"assumes", assumes},
          {"example", example(b)}};
}

int run(const Options& options, const std::string& id) {
  std::string text;
  nlohmann::ordered_json forms = nlohmann::ordered_json::array();
  for (const Bound* b : forms_named(id)) {
    text += (text.empty() ? "" : "\n") + as_text(*b);
    forms.push_back(as_json(*b));
  }
  print(options, format(options) == experiments::Format::json ? forms.dump(1) + "\n" : text);
  return done;
}

}  // namespace

void add_show(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("show", "statement, source, standing, hypotheses and parameters of a bound");
  auto options = std::make_shared<Options>();
  auto id = std::make_shared<std::string>();
  command.add_option("bound", *id, "id of a bound")->required();
  add_common_options(command, *options);
  command.footer("Examples:\n  epsilary show balle2020-thm5.1\n  epsilary show balle2020-thm4.1-approx -f json");
  command.callback([&command, &code, options, id] {
    refuse_extras(command);
    code = run(*options, *id);
  });
}

}  // namespace epsilary::cli
