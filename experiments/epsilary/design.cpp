// design: what each analysis of a protocol admits for a target.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "bounds/core/hypotheses.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/core/units.hpp"
#include "experiments/epsilary/protocols.hpp"
#include "experiments/tightness/solve.hpp"

namespace epsilary {
namespace {

using namespace bounds;

// What a statement admits: the value of the unknown closest to breaking the target; or why it was not asked.
struct Admitted {
  const experiments::Protocol* protocol;
  const Bound* bound;
  std::shared_ptr<const Bound> asked;  // the same, monotone in the unknown also where only the protocol is
  std::string unasked;
  Inversion inversion;
};

std::string_view says(const Admitted& a) { return a.unasked.empty() ? name(a.inversion.status) : "not asked"; }

bool is_found(const Admitted& a) {
  return a.unasked.empty() && (a.inversion.status == Inverted::found || a.inversion.status == Inverted::everywhere);
}

// Why there is no value, or what ends it.
std::string remark(const Admitted& a, Point point, Param unknown) {
  if (!a.unasked.empty()) return a.unasked;
  const auto there = [&](const Decimal& x) {
    point.set(unknown, x);
    return broken_hypothesis(*a.bound, point);
  };
  const std::string tried = fmt::format("{} = {}", key(unknown), a.inversion.value.text());
  switch (a.inversion.status) {
    case Inverted::found: return a.inversion.beyond ? there(*a.inversion.beyond) : "";
    case Inverted::everywhere: return fmt::format("at every {} it admits", key(unknown));
    case Inverted::nowhere:
      if (const std::string broken = there(a.inversion.value); !broken.empty()) return broken;
      return fmt::format("not even at {}: change another parameter or the target", tried);
    case Inverted::undecided: break;
  }
  return fmt::format("could not be decided at {}: use another number of --digits", tried);
}

// What allows most first: the largest value of a parameter the bound rises in, the smallest of one it falls in.
void most_admitting_first(std::vector<Admitted>& list, Param unknown) {
  const auto rank = [&](const Admitted& a) {
    const double x = from_rational<double>(a.inversion.value.exact());
    // A lower bound that is reached early forbids most.
    const bool downwards = experiments::rises_in(*a.asked, unknown) == (a.bound->side == Side::upper);
    return std::tuple(a.bound->side, !a.unasked.empty(), !is_found(a), !is_guarantee(*a.bound), downwards ? -x : x);
  };
  std::ranges::stable_sort(list, [&](const Admitted& a, const Admitted& b) { return rank(a) < rank(b); });
}

// The first of a side that one may rely on.
const Admitted* first_of(const std::vector<Admitted>& list, const experiments::Protocol* protocol, Side side) {
  for (const Admitted& a : list)
    if ((!protocol || a.protocol == protocol) && a.bound->side == side && is_found(a) && is_guarantee(*a.bound))
      return &a;
  return nullptr;
}

// What is proved of each protocol, what is not true of it, and which one admits most.
std::vector<std::string> summary(const std::vector<Admitted>& list,
                                 const std::vector<const experiments::Protocol*>& protocols_asked, Param unknown,
                                 const std::string& target) {
  std::vector<std::string> sentences;
  for (const experiments::Protocol* protocol : protocols_asked) {
    const Admitted *above = first_of(list, protocol, Side::upper), *below = first_of(list, protocol, Side::lower);
    std::string words = fmt::format("{}: no {} is proved to bring epsilon to {}", protocol->name, key(unknown), target);
    const auto sign = [&](const Admitted& a, const char* up, const char* down) {
      const bool extends = std::ranges::count(protocol->falls, unknown) > 0;  // by post-processing, to all beyond
      if (experiments::turns_in(*a.asked, unknown) && !extends) return "=";
      return experiments::rises_in(*a.asked, unknown) ? up : down;
    };
    if (above)
      words = fmt::format("{}: epsilon <= {} is proved for {} {} {} ({})", protocol->name, target, key(unknown),
                          sign(*above, "<=", ">="), above->inversion.value.text(), above->bound->id);
    if (below && below->inversion.status == Inverted::found)
      words += fmt::format("; it is not true for {} {} {} ({})", key(unknown), sign(*below, ">", "<"),
                           below->inversion.value.text(), below->bound->id);
    sentences.push_back(words);
  }
  const Admitted* best = first_of(list, nullptr, Side::upper);
  if (!best || protocols_asked.size() < 2) return sentences;
  std::vector<std::string> names;
  for (const experiments::Protocol* protocol : protocols_asked)
    if (const Admitted* a = first_of(list, protocol, Side::upper);
        a && a->inversion.value.exact() == best->inversion.value.exact())
      names.emplace_back(protocol->name);
  sentences.push_back(fmt::format("{} of these: {} (with {} = {})",
                                  unknown == Param::eps0 ? "the least local noise" : "the most is admitted",
                                  joined(names), key(unknown), best->inversion.value.text()));
  return sentences;
}

std::shared_ptr<const Bound> with_monotony(const experiments::Protocol& protocol, const Bound& b, Param unknown) {
  Bound out = b;
  if (!experiments::is_monotone_in(b, unknown)) {
    if (std::ranges::count(protocol.rises, unknown)) out.rises.push_back(unknown);
    if (std::ranges::count(protocol.falls, unknown)) out.falls.push_back(unknown);
  }
  return std::make_shared<const Bound>(std::move(out));
}

// Every statement of the protocols that the point allows; those that cannot be solved for the unknown say why.
std::vector<Admitted> statements_asked(const std::vector<const experiments::Protocol*>& asked, const Asked& question,
                                       const Point& point, Param unknown) {
  Point with_unknown = point;
  with_unknown.set(unknown, Decimal(info(unknown).example));
  std::vector<Admitted> list;
  for (const experiments::Protocol* protocol : asked)
    for (const Bound* b : experiments::statements(*protocol, with_unknown)) {
      if (const std::string broken = broken_domain(*b, point); !broken.empty()) throw assumes(*b, broken);
      Admitted a{protocol, b, with_monotony(*protocol, *b, unknown), other_question(*b, question), {}};
      if (a.unasked.empty() && !uses(*b, unknown)) a.unasked = fmt::format("does not depend on {}", key(unknown));
      if (a.unasked.empty() && !experiments::is_monotone_in(*a.asked, unknown))
        a.unasked = fmt::format("not proved to be monotone in {0}: compare epsilary eval {1} at several --{0}",
                                key(unknown), b->id);
      if (a.unasked.empty() && std::ranges::count(protocol->slow, b->id))
        a.unasked =
            fmt::format("takes seconds at each {0}: compare epsilary eval {1} at several --{0}", key(unknown), b->id);
      list.push_back(std::move(a));
    }
  if (std::ranges::none_of(list, [](const Admitted& a) { return a.unasked.empty(); }))
    throw Error(Problem::usage,
                fmt::format("no bound of these protocols can be solved for {} with what is given", key(unknown)),
                list.empty() ? "for example: epsilary tightness shuffle --for eps0 --target 0.1 --n 10000 --delta 1e-6"
                             : fmt::format("{}: {}", list.front().bound->id, list.front().unasked));
  return list;
}

void solve_all(std::vector<Admitted>& list, const Point& point, Param unknown, const Decimal& target,
               const Options& options) {
  std::vector<experiments::Question> questions;
  for (const Admitted& a : list)
    if (a.unasked.empty()) questions.push_back({a.asked.get()});
  stoppable(options.stop, [&] {
    experiments::solve(questions, point, unknown, target, accuracy_of(options), options.threads, options.stop);
  });
  auto answered = questions.begin();
  for (Admitted& a : list)
    if (a.unasked.empty()) a.inversion = std::move((answered++)->answer);
}

}  // namespace

Design design(const std::vector<std::string>& names, const std::string& unknown_key, const Value& target,
              const Parameters& given, const Options& options) {
  const Param unknown = param_given(unknown_key);
  if (!is_number(unknown))
    throw Error(Problem::usage, fmt::format("{} is not a number and cannot be solved for", unknown_key),
                "see: epsilary list params");
  const Decimal wanted = target_given(target);
  const auto axes = axes_of(given);
  if (experiments::grid_size(axes) > 1)
    throw Error(Problem::usage, "a design question is asked at one point", "give one value to every parameter");
  const Point point = experiments::first_point(axes);
  if (point.has(unknown))
    throw Error(Problem::usage, fmt::format("{} is given and is also to be solved for", key(unknown)),
                fmt::format("leave out --{0}, or solve for another parameter", key(unknown)), unknown_key);
  const std::vector<const experiments::Protocol*> asked = protocols_given(names);
  std::vector<Admitted> list = statements_asked(asked, asked_of(options), point, unknown);
  Design out;
  out.unknown = unknown_key;
  out.target = wanted.text();
  if (is_counted(options, list.size(), out)) return out;
  solve_all(list, point, unknown, wanted, options);
  most_admitting_first(list, unknown);
  for (const Admitted& a : list) {
    const std::string note = remark(a, point, unknown);
    const bool down = experiments::rises_in(*a.asked, unknown) == (a.bound->side == Side::upper);
    out.admissions.push_back({std::string(a.protocol->name), &statement_of(*a.bound), std::string(says(a)),
                              is_found(a)
                                  ? Number(a.inversion.value.text(), down ? Number::Rounded::down : Number::Rounded::up)
                                  : Number::none(note),
                              note});
  }
  out.any = std::ranges::any_of(list, is_found);
  out.summary = summary(list, asked, unknown, out.target);
  return out;
}

std::string write(const Design& answer, Format format) {
  ProtocolReport report{.summary = answer.summary};
  for (const Admission& a : answer.admissions) {
    Pairs line{{"protocol", a.protocol},
               {"bound", a.statement->id},
               {"side", a.statement->side},
               {"standing", a.statement->standing},
               {"status", a.status},
               {answer.unknown, a.value ? a.value.text() : ""},
               {"notes", a.note}};
    for (const auto& pair : question_of(*a.statement)) line.push_back(pair);
    report.rows.push_back(std::move(line));
    report.statements.push_back(a.statement);
  }
  return write(report, format, answer.digits);
}

}  // namespace epsilary
