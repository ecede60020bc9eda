// tightness with --for and --target: what each analysis of a protocol admits.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bounds/core/registry.hpp"
#include "bounds/core/units.hpp"
#include "experiments/cli/tightness.hpp"
#include "experiments/order.hpp"
#include "experiments/solve.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;
using experiments::Protocol;

// What a statement admits: the value of the unknown closest to breaking the target; or why it was not asked.
struct Admitted {
  const Protocol* protocol;
  std::shared_ptr<const Bound> bound;
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
    case Inverted::found:
      return a.inversion.beyond ? there(*a.inversion.beyond) : "";
    case Inverted::everywhere:
      return fmt::format("at every {} it admits", key(unknown));
    case Inverted::nowhere:
      if (const std::string broken = there(a.inversion.value); !broken.empty()) return broken;
      return fmt::format("not even at {}: change another parameter or the target", tried);
    case Inverted::undecided:
      break;
  }
  return fmt::format("could not be decided at {}: use another number of --digits", tried);
}

// What allows most first: the largest value of a parameter the bound rises in, the smallest of one it falls in.
void most_admitting_first(std::vector<Admitted>& list, Param unknown) {
  const auto rank = [&](const Admitted& a) {
    const double x = from_rational<double>(a.inversion.value.exact());
    // A lower bound that is reached early forbids most.
    const bool downwards = experiments::rises_in(*a.bound, unknown) == (a.bound->side == Side::upper);
    return std::tuple(a.bound->side, !a.unasked.empty(), !is_found(a), !is_guarantee(*a.bound), downwards ? -x : x);
  };
  std::ranges::stable_sort(list, [&](const Admitted& a, const Admitted& b) { return rank(a) < rank(b); });
}

// The first of a side that one may rely on.
const Admitted* first_of(const std::vector<Admitted>& list, const Protocol* protocol, Side side) {
  for (const Admitted& a : list)
    if ((!protocol || a.protocol == protocol) && a.bound->side == side && is_found(a) && is_guarantee(*a.bound))
      return &a;
  return nullptr;
}

// What is proved of each protocol, what is not true of it, and which one admits most.
void summarise(TightnessReport& report, const std::vector<Admitted>& list, const std::vector<const Protocol*>& asked,
               Param unknown, const std::string& target) {
  for (const Protocol* protocol : asked) {
    const Admitted *above = first_of(list, protocol, Side::upper), *below = first_of(list, protocol, Side::lower);
    std::string words = fmt::format("{}: no {} is proved to bring epsilon to {}", protocol->name, key(unknown), target);
    const auto sign = [&](const Admitted& a, const char* up, const char* down) {
      const bool extends = std::ranges::count(protocol->falls, unknown) > 0;  // by post-processing, to all beyond
      if (experiments::turns_in(*a.bound, unknown) && !extends) return "=";
      return experiments::rises_in(*a.bound, unknown) ? up : down;
    };
    if (above)
      words = fmt::format("{}: epsilon <= {} is proved for {} {} {} ({})", protocol->name, target, key(unknown),
                          sign(*above, "<=", ">="), above->inversion.value.text(), above->bound->id);
    if (below && below->inversion.status == Inverted::found)
      words += fmt::format("; it is not true for {} {} {} ({})", key(unknown), sign(*below, ">", "<"),
                           below->inversion.value.text(), below->bound->id);
    report.sentences.push_back(words);
  }
  const Admitted* best = first_of(list, nullptr, Side::upper);
  if (!best || asked.size() < 2) return;
  std::vector<std::string> names;
  for (const Protocol* protocol : asked)
    if (const Admitted* a = first_of(list, protocol, Side::upper);
        a && a->inversion.value.exact() == best->inversion.value.exact())
      names.emplace_back(protocol->name);
  report.sentences.push_back(fmt::format("{} of these: {} (with {} = {})",
                                         unknown == Param::eps0 ? "the least local noise" : "the most is admitted",
                                         quoted_list(names), key(unknown), best->inversion.value.text()));
}

// The statement, monotone in the unknown also where only the protocol is.
std::shared_ptr<const Bound> asked_of(const Protocol& protocol, const Bound& b, Param unknown) {
  Bound asked = b;
  if (!experiments::is_monotone_in(b, unknown)) {
    if (std::ranges::count(protocol.rises, unknown)) asked.rises.push_back(unknown);
    if (std::ranges::count(protocol.falls, unknown)) asked.falls.push_back(unknown);
  }
  return std::make_shared<const Bound>(std::move(asked));
}

// Every statement of the protocols that the point allows; those that cannot be solved for the unknown say why.
std::vector<Admitted> statements_asked(const std::vector<const Protocol*>& asked, const Asked& question,
                                       const Point& point, Param unknown) {
  Point with_unknown = point;
  with_unknown.set(unknown, Decimal(info(unknown).example));
  std::vector<Admitted> list;
  for (const Protocol* protocol : asked)
    for (const Bound* b : experiments::statements(*protocol, with_unknown)) {
      if (const std::string broken = broken_domain(*b, point); !broken.empty())
        throw Refusal(outside, broken, fmt::format("{} assumes it; see: epsilary show {}", b->id, b->id));
      Admitted a{protocol, asked_of(*protocol, *b, unknown), {}, {}};
      a.unasked = other_question(*b, question);
      if (!a.unasked.empty()) {
        list.push_back(std::move(a));
        continue;
      }
      if (!uses(*b, unknown))
        a.unasked = fmt::format("does not depend on {}", key(unknown));
      else if (!experiments::is_monotone_in(*a.bound, unknown))
        a.unasked = fmt::format("not proved to be monotone in {0}: compare epsilary eval {1} at several --{0}",
                                key(unknown), b->id);
      list.push_back(std::move(a));
    }
  if (std::ranges::none_of(list, [](const Admitted& a) { return a.unasked.empty(); }))
    throw Refusal(
        usage, fmt::format("no bound of these protocols can be solved for {} with what is given", key(unknown)),
        list.empty() ? "for example: epsilary tightness shuffle --for eps0 --target 0.1 --n 10000 --delta 1e-6"
                     : fmt::format("{}: {}", list.front().bound->id, list.front().unasked));
  return list;
}

void solve_all(std::vector<Admitted>& list, const Point& point, Param unknown, const Decimal& target,
               const Options& options) {
  std::vector<experiments::Question> questions;
  for (const Admitted& a : list)
    if (a.unasked.empty()) questions.push_back({a.bound.get()});
  experiments::solve(questions, point, unknown, target, options.digits, options.threads);
  auto answered = questions.begin();
  for (Admitted& a : list)
    if (a.unasked.empty()) a.inversion = std::move((answered++)->answer);
}

}  // namespace

int design(const TightnessRequest& request) {
  const auto unknown = param_named(request.unknown);
  if (!unknown || *unknown == Param::steps)
    throw Refusal(usage, fmt::format("unknown parameter '{}'", request.unknown), "see: epsilary list params");
  if (request.target.empty()) throw Refusal(usage, "--for needs a --target", "for example --for eps0 --target 0.1");
  const auto given = axes(request.options);
  if (experiments::grid_size(given) > 1)
    throw Refusal(usage, "a design question is asked at one point", "give one value to every parameter");
  Point point = experiments::first_point(given);
  if (point.has(*unknown))
    throw Refusal(usage, fmt::format("--{} is given and is also to be solved for", key(*unknown)),
                  fmt::format("leave out --{0}, or solve for another parameter", key(*unknown)));
  Decimal target("1");
  try {
    target = Decimal(request.target);
  } catch (const BadNumber& bad) {
    throw Refusal(usage, fmt::format("--target: {}", bad.what()), "for example --target 0.1");
  }
  std::vector<const Protocol*> asked;
  for (const std::string& name_ : request.protocols) asked.push_back(&protocol_given(name_));
  std::vector<Admitted> list = statements_asked(asked, cli::asked(request.options), point, *unknown);
  if (is_dry_run(request.options, list.size())) return done;
  solve_all(list, point, *unknown, target, request.options);
  most_admitting_first(list, *unknown);
  TightnessReport report;
  for (const Admitted& a : list)
    report.rows.push_back({{"protocol", std::string(a.protocol->name)},
                           {"bound", std::string(a.bound->id)},
                           {"side", std::string(name(a.bound->side))},
                           {"standing", std::string(name(a.bound->standing))},
                           {"status", std::string(says(a))},
                           {std::string(key(*unknown)), is_found(a) ? a.inversion.value.text() : ""},
                           {"notes", remark(a, point, *unknown)}});
  for (std::size_t i = 0; i < list.size(); ++i) {
    const experiments::Pairs about = question_of(*list[i].bound);
    report.rows[i].insert(report.rows[i].end(), about.begin(), about.end());
    report.bounds.push_back(list[i].bound.get());
  }
  summarise(report, list, asked, *unknown, target.text());
  print(request.options, write(request.options, report));
  return std::ranges::any_of(list, is_found) ? done : outside;
}

}  // namespace epsilary::cli
