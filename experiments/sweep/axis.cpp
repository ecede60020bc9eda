#include "experiments/sweep/axis.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "bounds/theory/shuffle/own_randomizer.hpp"
#include "solvers/numbers/text.hpp"
#include "solvers/numbers/work.hpp"

namespace epsilary::experiments {
namespace {

using bounds::Param;
using bounds::Point;
using solvers::Ball;
using solvers::Decimal;
using solvers::quoted;
using solvers::Rational;
using solvers::Rounding;
using solvers::split;

constexpr int range_digits = 17;  // what a value inside a range, or a tied one, is rounded to

const char* const tie_to_numbers = "tie a parameter only to parameters that are given as numbers: --delta 1/n --n 1e6";
const char* const range_form = "write a range as from:to:count, 0.05:4:80, or in the logarithm 1e2:1e6:5:log";

BadValue too_many(std::string_view text, std::size_t most) {
  return BadValue(quoted(text) + " asks for more than " + std::to_string(most) + " values", "ask for fewer values");
}

Decimal number(std::string_view text) {
  try {
    return Decimal(text);
  } catch (const solvers::BadNumber& bad) {
    throw BadValue(bad.what());
  }
}

std::size_t whole(std::string_view text, std::string_view of, std::size_t most) {
  std::size_t n = 0;
  const auto end = text.data() + text.size();
  if (const auto parsed = std::from_chars(text.data(), end, n); parsed.ec != std::errc{} || parsed.ptr != end)
    throw BadValue(quoted(text) + " is not a count in " + quoted(of), range_form);
  if (n > most) throw too_many(of, most);
  return n;
}

// low * (high/low)^(i/last) for 0 < i < last, to range_digits digits.
void add_between_in_log(const Rational& low, const Rational& high, std::int64_t last, std::vector<Decimal>& values) {
  const Ball::Precision bits(256);
  const Ball a = log(Ball(low)), b = log(Ball(high));
  for (std::int64_t i = 1; i < last; ++i)
    values.emplace_back(solvers::decimal(exp(a + (b - a) * Ball(i) / Ball(last)), range_digits, Rounding::down));
}

// The same with equal steps. Between 1 and 1e99999 every value has a hundred thousand digits before it is rounded.
void add_between(std::string_view text, const Decimal& low, const Decimal& high, std::int64_t last,
                 std::vector<Decimal>& values) {
  constexpr std::int64_t most_work = 200'000'000;  // digits in all, some seconds
  const auto length = [](const Decimal& x) {
    const std::size_t e = x.text().find('e');
    const std::int64_t exponent = e == std::string::npos ? 0 : std::atol(x.text().c_str() + e + 1);
    return static_cast<std::int64_t>(x.text().size()) + std::abs(exponent);
  };
  if (std::max(length(low), length(high)) > most_work / (last + 1))
    throw BadValue(quoted(text) + " has too many values for ends of so many digits", "use fewer, or :log");
  for (std::int64_t i = 1; i < last; ++i)
    values.push_back(Decimal::round(low.exact() + (high.exact() - low.exact()) * Rational(i) / Rational(last),
                                    range_digits, Rounding::down));
}

std::vector<Decimal> range(std::string_view text, std::size_t most) {
  const auto parts = split(text, ':');
  const bool in_log = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !in_log) throw BadValue(quoted(text) + " is not a range from:to:count", range_form);
  const Decimal low = number(parts[0]), high = number(parts[1]);
  const std::size_t count = whole(parts[2], text, most);
  if (count == 0) throw BadValue(quoted(text) + " is a range of no values; the count must be at least 1", range_form);
  if (count == 1 && !(low == high)) throw BadValue(quoted(text) + " has one value but two ends", range_form);
  if (in_log && !(low.exact() > 0 && high.exact() > 0))
    throw BadValue(quoted(text) + " has an end that is not positive, so it has no logarithm",
                   "leave out :log, or begin above 0");
  std::vector<Decimal> values{low};
  const std::int64_t last = static_cast<std::int64_t>(count) - 1;
  try {
    if (in_log)
      add_between_in_log(low.exact(), high.exact(), last, values);
    else
      add_between(text, low, high, last, values);
  } catch (const solvers::BadNumber& bad) {
    throw BadValue(quoted(text) + " has a value between its ends that is not read: " + bad.what());
  }
  if (count > 1) values.push_back(high);
  return values;
}

bool counts(Param p) { return bounds::info(p).domain.range().integer; }

Decimal nearest_whole(const Rational& x) {
  return Decimal::round(floor(x + Rational(1) / Rational(2)), 40, Rounding::down);
}

constexpr std::size_t most_factors = 16;

// Empty when the text is not a tie: it is one number, a fraction, a list or a range. A product of numbers is made here
// too, and a fraction of what counts something, which stays whole.
std::vector<Factor> parse_tie(Param param, std::string_view text) {
  const bool fraction = std::ranges::count(text, '/') == 1 && text.find('*') == std::string_view::npos;
  std::vector<Factor> factors;
  bool divides = false, named = false;
  while (true) {
    const std::size_t end = text.find_first_of("*/");
    const std::string_view part = text.substr(0, end);
    Factor factor{bounds::param_named(part), {}, divides};
    if (factor.param == Param::steps)
      throw BadValue("a tie to steps, which is a sequence, is not a number", tie_to_numbers);
    if (factor.param == Param::randomizer) throw BadValue("a tie to randomizer is not a number", tie_to_numbers);
    named = named || factor.param;
    if (!factor.param) {
      try {
        factor.number = Decimal(part);
      } catch (const solvers::BadNumber&) {
        return {};
      }
    }
    factors.push_back(std::move(factor));
    if (factors.size() > most_factors)
      throw BadValue("a tie of more than " + std::to_string(most_factors) + " factors is not read");
    if (end == std::string_view::npos) break;
    divides = text[end] == '/';
    text.remove_prefix(end + 1);
  }
  return named || (factors.size() > 1 && !(fraction && !counts(param))) ? factors : std::vector<Factor>{};
}

// A number may have an exponent of 100000; two of them are multiplied, but not a hundred.
constexpr ulong most_bits = 670'000;

Decimal tied_value(const Axis& axis, const Point& point) {
  Rational x = 1;
  for (const Factor& f : axis.tie) {
    if (f.param && !point.has(*f.param))
      throw BadValue(std::string(bounds::key(axis.param)) + " is tied to " + std::string(bounds::key(*f.param)) +
                         ", which is not given as a number",
                     tie_to_numbers);
    const Rational& y = f.param ? point[*f.param].exact() : f.number.exact();
    if (f.divides && y == 0)
      throw BadValue(std::string(bounds::key(axis.param)) + " is tied to a division by 0", tie_to_numbers);
    x = f.divides ? x / y : x * y;
    if (std::max(fmpz_bits(fmpq_numref(x.raw())), fmpz_bits(fmpq_denref(x.raw()))) > most_bits)
      throw BadValue(std::string(bounds::key(axis.param)) + " is tied to a number of more than 200000 digits",
                     tie_to_numbers);
  }
  try {
    if (counts(axis.param)) return nearest_whole(x);
    return Decimal::round(x, range_digits, Rounding::down);
  } catch (const solvers::BadNumber& bad) {
    throw BadValue(std::string(bounds::key(axis.param)) + " is tied to what is no number here: " + bad.what(),
                   tie_to_numbers);
  }
}

void set_tied(const std::vector<Axis>& axes, std::vector<Point>& points) {
  for (Point& p : points) {
    const Point given = p;  // without the tied ones, which may not lean on each other
    for (const Axis& axis : axes)
      if (!axis.tie.empty()) p.set(axis.param, tied_value(axis, given));
  }
}

}  // namespace

void set_own_privacy(Point& p) {
  if (!p.randomizer() || !p.randomizer()->has_own_eps0()) return;
  for (const Param own : {Param::eps0, Param::delta0})
    if (p.has(own))
      throw epsilary::Error(
          epsilary::Problem::usage,
          std::string(bounds::key(own)) + " is given, and the randomizer " + p.text(Param::randomizer) +
              " brings its own",
          "leave out --" + std::string(bounds::key(own)) + ", or name a randomizer that takes eps0: krr:16",
          std::string(bounds::key(own)));
  const bounds::own::LocalPrivacy found = [&] {
    try {
      const solvers::WorkLimit limit(randomizer_work);
      return bounds::own::privacy(*p.randomizer());
    } catch (const solvers::OutOfWork&) {
      throw epsilary::Error(epsilary::Problem::usage,
                            "randomizer " + quoted(p.text(Param::randomizer)) + std::string(too_long_to_add_up),
                            "name a randomizer: krr:16, subset:16,4", "randomizer");
    }
  }();
  if (found.delta0 >= 1)
    throw epsilary::Error(epsilary::Problem::usage,
                          "randomizer " + p.text(Param::randomizer) +
                              " has two inputs that have no output in common: whoever sees one knows which it was, and "
                              "no epsilon is enough",
                          "give outputs to both of them, or leave one out",
                          std::string(bounds::key(Param::randomizer)));
  // A randomizer that tells nothing has eps0 = 0, which no statement takes.
  const Ball eps0 = max(found.eps0, Ball(1e-30));
  p.set(Param::eps0, Decimal(solvers::decimal(eps0, range_digits, Rounding::up)));
  if (found.delta0 > 0) p.set(Param::delta0, Decimal::round(found.delta0, range_digits, Rounding::up));
}

std::vector<Decimal> parse_values(std::string_view text, std::size_t most) {
  if (text.empty()) throw BadValue("'' is empty; write a value, a list 1e3,1e4 or a range 0.05:4:80");
  if (text.find(':') != std::string_view::npos) return range(text, most);
  std::vector<Decimal> values;
  for (const std::string_view part : split(text, ',')) {
    if (part.empty()) throw BadValue(quoted(text) + " has an empty place in its list");
    values.push_back(number(part));
  }
  return values;
}

std::vector<Decimal> parse_sequence(std::string_view text, std::size_t most) {
  std::vector<Decimal> values;
  for (const std::string_view part : split(text, '+')) {
    const auto factors = split(part, 'x');
    if (factors.size() > 2 || factors[0].empty())
      throw BadValue(quoted(text) + " is not a sequence such as 0.1+0.05x20");
    const std::size_t times = factors.size() == 2 ? whole(factors[1], text, most) : 1;
    if (times == 0 || values.size() + times > most)
      throw BadValue(quoted(text) + " repeats a step 0 times or has more than " + std::to_string(most));
    values.insert(values.end(), times, number(factors[0]));
  }
  return values;
}

Axis parse_axis(Param param, std::string_view text) {
  if (param == Param::steps) return {param, parse_sequence(text)};
  if (param == Param::randomizer) return {param, {}, {}, read_randomizer(text)};
  if (std::vector<Factor> tie = parse_tie(param, text); !tie.empty()) return {param, {}, std::move(tie)};
  Axis axis{param, parse_values(text)};
  if (counts(param) && axis.values.size() > 2 && text.find(':') != std::string_view::npos) {
    for (std::size_t i = 1; i + 1 < axis.values.size(); ++i) axis.values[i] = nearest_whole(axis.values[i].exact());
    axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
  }
  return axis;
}

std::size_t product(std::size_t a, std::size_t b) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

std::size_t count_values(Param param, std::string_view text) {
  if (param == Param::steps) return 1;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return static_cast<std::size_t>(std::ranges::count(text, ',')) + 1;
  const std::string_view count = text.substr(std::min(text.find(':', colon + 1), text.size() - 1) + 1);
  std::size_t n = 1;
  const auto parsed = std::from_chars(count.data(), count.data() + count.size(), n);
  if (n > most_values || parsed.ec == std::errc::result_out_of_range) throw too_many(text, most_values);
  return n;
}

std::size_t grid_size(const std::vector<Axis>& axes) {
  std::size_t size = 1;
  for (const Axis& axis : axes) size = product(size, axis.size());
  return size;
}

Point first_point(const std::vector<Axis>& axes) {
  std::vector<Axis> first = axes;
  for (Axis& axis : first)
    if (is_number(axis.param) && !axis.values.empty()) axis.values.resize(1);
  return lay_grid(first).front();
}

std::vector<Point> lay_grid(const std::vector<Axis>& axes) {
  std::vector<Point> points{Point{}};
  for (const Axis& axis : axes) {
    if (!axis.tie.empty()) continue;
    if (axis.param == Param::randomizer) {
      for (Point& p : points) p.set_randomizer(axis.randomizer);
      continue;
    }
    if (axis.param == Param::steps) {
      for (Point& p : points) p.set_steps(axis.values);
      continue;
    }
    std::vector<Point> finer;
    finer.reserve(points.size() * axis.values.size());
    std::vector<Point::Shared> shared;
    for (const Decimal& x : axis.values) shared.push_back(std::make_shared<const Decimal>(x));
    for (const Point& p : points)
      for (const Point::Shared& x : shared) finer.emplace_back(p).set(axis.param, x);
    points = std::move(finer);
  }
  if (!points.empty() && points.front().randomizer()) {
    Point own = points.front();  // all points have one randomizer
    set_own_privacy(own);
    for (Point& p : points)
      for (const auto& [param, value] : own.given())
        if (!p.has(param)) p.set(param, value);
  }
  if (std::ranges::any_of(axes, [](const Axis& a) { return !a.tie.empty(); })) set_tied(axes, points);
  return points;
}

}  // namespace epsilary::experiments
