#include "experiments/claims.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/core/registry.hpp"
#include "experiments/run.hpp"
#include "experiments/solve.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

constexpr int digits = 12;  // what the numbers of a claim are proved to

// A bracket is given to its own width: more digits would cost minutes, and its ends are proved all the same.
Accuracy accuracy(const Bound& bound) { return bound.width > 0 ? Accuracy{} : Accuracy{.digits = digits}; }

// The value of a row, or the number of that name beside it; indeterminate when there is none.
Ball number(const Row& row, const std::string& column) {
  const Ball nothing = Ball::indeterminate();
  const Evaluation& e = row.evaluation;
  if (!e.has_number()) return nothing;
  if (column.empty()) return e.answer().value;
  if (column == "delta_total") return delta_total(e.answer()).value_or(nothing);
  if (column == "capped") return capped(e.answer());
  for (const auto& extra : e.answer().beside)
    if (extra.name == column) return extra.value;
  for (const auto& choice : e.answer().at)
    if (key(choice.param) == column) return choice.value;
  return nothing;
}

Ball value_at(const std::string& id, Point point, Param unknown, const Decimal& x) {
  point.set(unknown, x);
  Row row{form_for(named(id), point), point, {}};
  if (!row.bound) throw BadExpression(id + " needs parameters that are not given");
  row.evaluation = evaluate(*row.bound, row.point, accuracy(*row.bound));
  return number(row, {});
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

Balls resolve(const Quoted& q, const Names& names) {
  Balls out;
  const Balls targets = q.target.empty() ? Balls{} : compute(q.target, names);
  for (const Point& point : lay_grid(q.axes)) {
    if (!q.equals.empty()) {
      out.push_back(crossing(q, point));
      continue;
    }
    const Decimal target(decimal(targets.at(targets.size() == 1 ? 0 : out.size()), digits, Rounding::up));
    Point with_unknown = point;
    with_unknown.set(*q.unknown, Decimal(info(*q.unknown).example));
    const Bound* form = form_for(named(q.bound), with_unknown);
    const solvers::Inversion found = solve(*form, point, *q.unknown, target, digits);
    if (found.status != solvers::Inverted::found) throw BadExpression(q.bound + " does not reach " + q.target);
    out.emplace_back(found.value.exact());
  }
  return out;
}

// One number, a short list, or the ends of a long one.
std::string told(const Balls& list) {
  const auto one = [](const Ball& x) {
    if (!x.finite()) return std::string("none");
    const double centre = x.midpoint();
    const bool whole = centre == std::floor(centre) && std::abs(centre) < 1e15;
    return whole ? std::to_string(static_cast<long long>(centre)) : Decimal::nearest(centre, 5).text();
  };
  std::string text;
  if (list.size() <= 4) {
    for (const Ball& x : list) text += (text.empty() ? "" : ", ") + one(x);
    return text;
  }
  const auto by_centre = [](const Ball& a, const Ball& b) { return a.midpoint() < b.midpoint(); };
  return one(*std::ranges::min_element(list, by_centre)) + " to " + one(*std::ranges::max_element(list, by_centre));
}

Finding examine_one(const Claim& claim, const Names& given) {
  const Ball::Precision bits(bits_for(digits) + 40);
  Finding finding{&claim, {}, {}};
  Names names = given;
  try {
    for (const Quoted& q : claim.values)
      if (q.unknown) names[q.name] = resolve(q, given);
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

// The values of a claim are compared with each other: which of them are about other neighbours or another view than
// their protocol's usual ones, or about another delta than was asked.
std::vector<std::string> marks(const std::vector<std::pair<std::string, const Row*>>& rows) {
  std::vector<std::string> out;
  for (const auto& [value, row] : rows) {
    std::string words = other_question(*row->bound, {});
    if (words.empty() && !row->evaluation.within) words = "it holds at its delta_total, not at the delta asked";
    if (words.empty()) continue;
    words = value + ": " + words;
    if (!std::ranges::count(out, words)) out.push_back(words);
  }
  return out;
}

std::vector<Finding> examine(const std::vector<const Claim*>& list, int threads, const std::atomic<bool>* stop) {
  std::vector<Row> rows;  // of all claims together, so that the slow ones share the cores
  for (const Claim* claim : list)
    for (const Quoted& q : claim->values)
      if (!q.unknown)
        for (const Point& p : lay_grid(q.axes)) rows.push_back({form_for(named(q.bound), p), p, {}});
  run(rows, accuracy, threads, stop);
  std::vector<Finding> findings;
  std::size_t next = 0;
  for (const Claim* claim : list) {
    if (stop && *stop) throw Stopped();
    Names names;
    std::vector<std::pair<std::string, const Row*>> quoted;
    for (const Quoted& q : claim->values)
      if (!q.unknown)
        for (std::size_t left = grid_size(q.axes); left > 0; --left) {
          quoted.emplace_back(q.name, &rows[next]);
          names[q.name].push_back(number(rows[next++], q.column));
        }
    findings.push_back(examine_one(*claim, names));
    findings.back().marks = marks(quoted);
  }
  return findings;
}

}  // namespace epsilary::experiments
