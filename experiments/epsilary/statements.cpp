// What is in the house: statements, parameters, protocols, figures and claims.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "bounds/core/hypotheses.hpp"
#include "bounds/core/proofs.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/core/units.hpp"
#include "experiments/claims/claims.hpp"
#include "experiments/epsilary/inside.hpp"
#include "experiments/learning/results.hpp"
#include "experiments/sweep/catalogue.hpp"
#include "experiments/sweep/randomizer_file.hpp"
#include "experiments/tightness/tightness.hpp"
#include "solvers/numbers/text.hpp"

namespace epsilary {
namespace {

using namespace bounds;

std::string_view worth(Standing s) {
  switch (s) {
    case Standing::proved: return "true as stated, with its proof";
    case Standing::repaired: return "true after the change in the note";
    case Standing::published: return "quoted from the literature, not derived again";
    case Standing::unsound: return "not a guarantee as printed";
    case Standing::rate: return "a rate, with its constants dropped";
    case Standing::approximate: return "a limit or a heuristic";
  }
  return "";
}

std::vector<std::string> key_list(const std::vector<Param>& params) {
  std::vector<std::string> out;
  for (const Param p : params) out.emplace_back(key(p));
  return out;
}

Statement statement(const Bound& b) {
  Statement out{.id = std::string(b.id),
                .title = std::string(b.title),
                .paper = experiments::paper_of(b.id),
                .source = std::string(b.source),
                .formula = std::string(b.formula),
                .protocol = std::string(b.protocol),
                .quantity = std::string(name(b.quantity)),
                .side = std::string(name(b.side)),
                .standing = std::string(name(b.standing)),
                .worth = std::string(worth(b.standing)),
                .note = std::string(b.note),
                .proof = proof_of(b),
                .adjacency = std::string(name(b.adjacency)),
                .view = std::string(name(b.view)),
                .neighbours = neighbours(b),
                .unit = experiments::unit(b),
                .needs = key_list(b.needs),
                .takes = key_list(b.takes),
                .rises = key_list(b.rises),
                .falls = key_list(b.falls),
                .turns = key_list(b.turns),
                .reliable = is_guarantee(b),
                .bracket = b.evaluate.bracket != nullptr};
  for (const Hypothesis& h : b.assumes) out.assumes.emplace_back(h.words);
  return out;
}

// In the order of bounds::all().
const std::unordered_map<const Bound*, std::size_t>& places() {
  static const std::unordered_map<const Bound*, std::size_t> list = [] {
    std::unordered_map<const Bound*, std::size_t> out;
    for (std::size_t i = 0; i < all().size(); ++i) out.emplace(all()[i], i);
    return out;
  }();
  return list;
}

bool contains(std::string text, std::string word) {
  for (std::string* s : {&text, &word})
    std::ranges::transform(*s, s->begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find(word) != std::string::npos;
}

bool passes(const Filter& f, const Statement& s) {
  if ((!f.protocol.empty() && f.protocol != s.protocol) || (!f.paper.empty() && f.paper != s.paper) ||
      (!f.quantity.empty() && f.quantity != s.quantity))
    return false;
  return f.word.empty() ||
         std::ranges::any_of(std::initializer_list<const std::string*>{&s.id, &s.title, &s.source, &s.protocol, &s.note,
                                                                       &s.standing, &s.side, &s.quantity},
                             [&](const std::string* text) { return contains(*text, f.word); });
}

void refuse_unknown_filter(const std::string& kind, const std::string& typed, std::string Statement::*field) {
  if (typed.empty()) return;
  std::vector<std::string> known;
  for (const Statement& s : statements())
    if (!std::ranges::count(known, s.*field)) known.push_back(s.*field);
  refuse_unknown(kind, {typed}, known, fmt::format("the words are {}", joined(known)));
}

}  // namespace

const Statement& statement_of(const Bound& b) { return statements().at(places().at(&b)); }

const std::vector<Statement>& statements() {
  static const std::vector<Statement> list = [] {
    std::vector<Statement> out;
    for (const Bound* b : all()) out.push_back(statement(*b));
    return out;
  }();
  return list;
}

std::vector<Statement> statements(const Filter& filter) {
  refuse_unknown_filter("protocol", filter.protocol, &Statement::protocol);
  refuse_unknown_filter("paper", filter.paper, &Statement::paper);
  refuse_unknown_filter("quantity", filter.quantity, &Statement::quantity);
  std::vector<Statement> out;
  for (const Statement& s : statements())
    if (passes(filter, s)) out.push_back(s);
  return out;
}

std::vector<Statement> describe(std::string_view id) {
  std::vector<Statement> out;
  for (const Bound* b : forms_named(id)) out.push_back(statement_of(*b));
  return out;
}

// Statements for few users get fewer of them.
std::string example(const Statement& s) {
  const auto form =
      std::ranges::find_if(all(), [&](const Bound* b) { return b->id == s.id && key_list(b->needs) == s.needs; });
  const Bound& b = form == all().end() ? *forms_named(s.id).front() : **form;
  if (!b.example.empty()) return fmt::format("epsilary eval {} {}", b.id, b.example);
  Point point;
  for (const Param p : b.needs)
    if (p == Param::steps)
      point.set_steps(experiments::parse_sequence(info(p).example));
    else if (p == Param::randomizer)
      point.set_randomizer(experiments::read_randomizer(info(p).example));
    else
      point.set(p, Decimal(info(p).example));
  for (const char* few : {"100", "20"}) {
    if (broken_hypothesis(b, point).empty()) break;
    for (const Param p : {Param::n, Param::m})
      if (point.has(p)) point.set(p, Decimal(few));
  }
  std::vector<Param> keys = b.needs;
  // Some take T or epochs, and need one of them.
  if (!broken_hypothesis(b, point).empty() && uses(b, Param::T) && !point.has(Param::T)) {
    point.set(Param::T, Decimal(info(Param::T).example));
    keys.push_back(Param::T);
  }
  const bool runs = broken_hypothesis(b, point).empty();
  std::string call = "epsilary eval " + std::string(b.id);
  for (const Param p : keys)
    call += fmt::format(" --{} {}", key(p), runs ? point.text(p) : std::string(info(p).example));
  return call;
}

// The sections of the statement, each from its heading to the next.
std::string proof_text(const Statement& s) {
  const auto form = std::ranges::find_if(all(), [&](const Bound* b) { return b->id == s.id; });
  if (form == all().end()) return {};
  std::string out;
  for (std::string_view name : solvers::split((*form)->proof, ',')) {
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    if (name.empty()) continue;
    const std::string heading = fmt::format("\n## {}\n", name);
    const std::string_view text = experiments::proofs();
    const std::size_t begin = text.find(heading);
    if (begin == std::string_view::npos) continue;
    const std::size_t end = std::min(text.find("\n## ", begin + 1), text.find("\n# ", begin + 1));
    out += std::string(out.empty() ? "" : "\n") + std::string(text.substr(begin + 1, end - begin - 1)) + "\n";
  }
  return out;
}

std::vector<std::string> values(const std::string& key, const std::string& text) {
  const auto axis = axes_of({{key, text}}, false, false).front();
  if (!axis.tie.empty() || !is_number(axis.param)) return {text};
  std::vector<std::string> out;
  for (const Decimal& x : axis.values) out.push_back(x.text());
  return out;
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> list = [] {
    std::vector<Parameter> out;
    for (const ParamInfo& p : bounds::params())
      out.push_back({std::string(p.key), std::string(p.meaning), std::string(p.unit), rule(p), std::string(p.example)});
    return out;
  }();
  return list;
}

const std::vector<Protocol>& protocols() {
  static const std::vector<Protocol> list = [] {
    std::vector<Protocol> out;
    for (const experiments::Protocol& p : experiments::protocols()) {
      out.push_back({std::string(p.name), std::string(p.words), std::string(p.example), {}});
      for (const experiments::Slack& s : p.chain)
        out.back().chain.push_back({std::string(s.looser), std::string(s.tighter), std::string(s.replaced)});
    }
    return out;
  }();
  return list;
}

std::vector<Figure> figures() {
  std::vector<Figure> out;
  for (const experiments::Spec& spec : experiments::catalogue())
    out.push_back({spec.id, spec.source, spec.caption,
                   spec.results.empty() ? evaluations_of(spec) : learning::stored_table(spec.results).rows.size()});
  return out;
}

std::vector<Claim> claims() {
  std::vector<Claim> out;
  for (const experiments::Claim& c : experiments::claims())
    out.push_back({c.id, c.source, c.text, c.verdict, c.because});
  return out;
}

}  // namespace epsilary
