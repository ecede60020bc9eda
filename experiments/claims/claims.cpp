#include "experiments/claims/claims.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "bounds/core/registry.hpp"
#include "experiments/learning/results.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/sweep/sweep.hpp"
#include "experiments/tightness/solve.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

constexpr int digits = 12;  // what the numbers of a claim are proved to

// A bracket is given to its own width: more digits would cost minutes, and its ends are proved all the same.
Accuracy accuracy(const Bound& bound) { return bound.width > 0 ? Accuracy{} : Accuracy{.digits = digits}; }

// More than are proved, so that writing the ends down costs nothing.
constexpr int digits_kept(int proved) { return proved + 12; }

const Bound& form_of(const std::string& id, const Point& point) {
  const Bound* form = form_for(named(id), point);
  if (!form) throw BadExpression(id + " needs parameters that are not given");
  return *form;
}

Ball value_at(const std::string& id, Point point, Param unknown, const Decimal& x) {
  point.set(unknown, x);
  const Bound& form = form_of(id, point);
  const Evaluation e = evaluate(form, point, accuracy(form));
  return e.has_number() ? e.answer().value : Ball::indeterminate();
}

// Where the bound equals another bound, or one of its parameters: the sign of the difference is proved at both ends.
Ball crossing(const Quoted& q, const Point& point) {
  const auto other = param_named(q.equals);
  const auto difference = [&](const Decimal& x) {
    Point at = point;
    at.set(*q.unknown, x);
    const Ball right = other ? Ball(at[*other].exact()) : value_at(q.equals, point, *q.unknown, x);
    return value_at(q.bound, point, *q.unknown, x) - right;
  };
  const bool integer = info(*q.unknown).domain.range().integer;
  Decimal low = q.from, high = q.to;
  const Ball at_low = difference(low), at_high = difference(high);
  const bool rising = certainly(at_low < 0);
  if (!certainly(rising ? at_high > 0 : at_low > 0 && at_high < 0))
    throw BadExpression("no crossing of " + q.bound + " and " + q.equals + " is proved between " + low.text() +
                        " and " + high.text());
  for (;;) {
    const Rational width = high.exact() - low.exact();
    if (integer ? width <= 1 : width * power_of_ten(digits - 2) <= high.exact()) break;
    Rational middle = low.exact() + width / Rational(2);
    const Decimal x = Decimal::round(integer ? floor(middle) : middle, 2 * digits, Rounding::down);
    const Ball d = difference(x);
    const bool below = certainly(d < 0);
    if (!below && !certainly(d > 0)) break;  // too near to tell
    (below == rising ? low : high) = x;
  }
  return Ball::hull(Ball(low.exact()), Ball(high.exact()));
}

// What was found before is not looked for again: a record known by its statement, point and question.
Ball found_once(Record question, Journal* journal, const std::function<Ball()>& find) {
  if (journal && journal->find(question)) return number_of(question, {});
  const Ball found = find();
  if (!found.finite()) return found;
  question.status = "ok";
  question.certified = true;
  question.lower = decimal(found, digits_kept(2 * digits), Rounding::down);
  question.value = question.upper = decimal(found, digits_kept(2 * digits), Rounding::up);
  if (journal) journal->keep(question);
  return found;
}

Balls resolve(const Quoted& q, const Names& names, Journal* journal) {
  Balls out;
  const Balls targets = q.target.empty() ? Balls{} : compute(q.target, names);
  for (const Point& point : lay_grid(q.axes)) {
    Point with_unknown = point;
    with_unknown.set(*q.unknown, Decimal(info(*q.unknown).example));
    const Bound& form = form_of(q.bound, with_unknown);
    Record question;
    name_cell(form, point, question);
    question.params.emplace_back("for", key(*q.unknown));
    if (!q.equals.empty()) {
      for (const auto& pair : Pairs{{"equals", q.equals}, {"from", q.from.text()}, {"to", q.to.text()}})
        question.params.push_back(pair);
      out.push_back(found_once(std::move(question), journal, [&] { return crossing(q, point); }));
      continue;
    }
    const Decimal target(decimal(targets.at(targets.size() == 1 ? 0 : out.size()), digits, Rounding::up));
    question.params.emplace_back("target", target.text());
    out.push_back(found_once(std::move(question), journal, [&] {
      const solvers::Inversion found = solve(form, point, *q.unknown, target, digits);
      if (found.status != solvers::Inverted::found) throw BadExpression(q.bound + " does not reach " + q.target);
      return Ball(found.value.exact());
    }));
  }
  return out;
}

// A number to five digits, or the ends of a bracket whose digits are not all known.
std::string told(const Ball& x) {
  constexpr int shown = 5;
  if (!x.finite()) return "none";
  const double low = x.lower(), high = x.upper();
  if (low == high && low == std::floor(low) && std::abs(low) < 1e15)
    return std::to_string(static_cast<std::int64_t>(low));
  const std::string nearest = Decimal::nearest(low, shown).text();
  if (nearest == Decimal::nearest(high, shown).text()) return nearest;
  return "[" + decimal(x, shown, Rounding::down) + ", " + decimal(x, shown, Rounding::up) + "]";
}

// One number, a short list, or the ends of a long one.
std::string told(const Balls& list) {
  std::string text;
  if (list.size() <= 4) {
    for (const Ball& x : list) text += (text.empty() ? "" : ", ") + told(x);
    return text;
  }
  const auto by_centre = [](const Ball& a, const Ball& b) { return a.midpoint() < b.midpoint(); };
  return told(*std::ranges::min_element(list, by_centre)) + " to " + told(*std::ranges::max_element(list, by_centre));
}

Finding examine_one(const Claim& claim, const Names& given, Journal* journal) {
  const Ball::Precision bits(bits_for(digits) + 40);
  Finding finding{&claim, {}, {}};
  Names names = given;
  try {
    for (const Quoted& q : claim.values)
      if (q.unknown) names[q.name] = resolve(q, given, journal);
    for (const std::string& line : claim.shows) {
      const std::size_t sign = line.rfind(" = ");
      finding.numbers.emplace_back(line.substr(0, sign), told(compute(line.substr(sign + 3), names)));
    }
    for (const std::string& line : claim.expects)
      if (const solvers::Truth truth = decide(line, names); !certainly(truth))
        finding.broken.push_back(line + (possibly(truth) ? " could not be proved" : " is false"));
  } catch (const BadExpression& bad) {
    finding.broken.emplace_back(bad.what());
  }
  return finding;
}

}  // namespace

const std::vector<std::string>& verdicts() {
  static const std::vector<std::string> words{"holds", "holds with conditions", "not reproduced", "false",
                                              "not testable here"};
  return words;
}

namespace {

// The values of a claim are compared with each other: which of them are about other neighbours or another view than
// their protocol's usual ones, or about another delta than was asked.
std::vector<std::string> marks(const std::vector<std::pair<std::string, const Record*>>& values) {
  std::vector<std::string> out;
  for (const auto& [value, record] : values) {
    std::string words = other_question(*record->bound, {});
    if (words.empty() && !record->within) words = "it holds at its delta_total, not at the delta asked";
    if (words.empty()) continue;
    words = value + ": " + words;
    if (!std::ranges::count(out, words)) out.push_back(words);
  }
  return out;
}

// The rows of all claims together, so that the slow ones share the cores. Brackets are asked for fewer digits, so there
// are two sweeps; the records stand in the order of the rows.
std::vector<Record> computed(const std::vector<Row>& rows, int threads, const std::atomic<bool>* stop,
                             Journal* brackets, Journal* formulas) {
  std::vector<Record> out(rows.size());
  for (const bool bracket : {false, true}) {
    std::vector<Row> some;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if ((rows[i].bound->width > 0) == bracket) {
        some.push_back(rows[i]);
        places.push_back(i);
      }
    if (some.empty()) continue;
    const Accuracy wanted = accuracy(*some.front().bound);
    std::vector<Record> records = sweep(std::move(some), wanted,
                                        {.threads = threads,
                                         .journal = bracket ? brackets : formulas,
                                         .stop = stop,
                                         .ends = digits_kept(wanted.digits)});
    for (std::size_t k = 0; k < places.size(); ++k) out[places[k]] = std::move(records[k]);
  }
  return out;
}

}  // namespace

std::vector<Finding> examine(const std::vector<const Claim*>& list, int threads, const std::atomic<bool>* stop,
                             const std::filesystem::path& file) {
  // Records with both ends of every number are not those of a sweep, and have a program of their own.
  std::optional<Journal> brackets, formulas;
  if (!file.empty()) {
    brackets.emplace(file, Accuracy{}, fingerprint() + "-ends");
    formulas.emplace(file, Accuracy{.digits = digits}, fingerprint() + "-ends");
  }
  Journal* const kept = formulas ? &*formulas : nullptr;
  std::vector<Row> rows;
  for (const Claim* claim : list)
    for (const Quoted& q : claim->values)
      if (!q.unknown && q.training.empty())
        for (const Point& p : lay_grid(q.axes)) rows.push_back({form_for(named(q.bound), p), p, {}});
  const std::vector<Record> records = computed(rows, threads, stop, brackets ? &*brackets : nullptr, kept);
  std::vector<Finding> findings;
  std::size_t next = 0;
  for (const Claim* claim : list) {
    if (stop && *stop) throw Stopped();
    Names names;
    std::vector<std::pair<std::string, const Record*>> quoted;
    for (const Quoted& q : claim->values)
      if (!q.training.empty())
        names[q.name].push_back(
            Ball(Decimal(learning::stored_number({q.training, q.bound, q.column, q.eps, q.where})).exact()));
      else if (!q.unknown)
        for (std::size_t left = grid_size(q.axes); left > 0; --left) {
          quoted.emplace_back(q.name, &records[next]);
          const Ball::Precision bits(bits_for(digits) + 80);
          names[q.name].push_back(number_of(records[next++], q.column));
        }
    findings.push_back(examine_one(*claim, names, kept));
    findings.back().marks = marks(quoted);
  }
  if (kept) kept->flush();
  return findings;
}

}  // namespace epsilary::experiments
