// compose: mechanisms of one's own, run many times, and segments of DP-SGD.
#include "solvers/losses/compose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/theory/dpsgd/composed.hpp"
#include "experiments/epsilary/inside.hpp"
#include "experiments/tables/table.hpp"
#include "solvers/losses/discrete.hpp"

namespace epsilary {
namespace {

using namespace bounds;

Rational exact(const std::string& name, const Value& value, const std::string& rule, bool (*holds)(const Rational&)) {
  try {
    const Rational x = solvers::Decimal(value.text()).exact();
    if (holds(x)) return x;
  } catch (const solvers::BadNumber& bad) {
    throw Error(Problem::usage, fmt::format("{}: {}", name, bad.what()), rule, name);
  }
  throw Error(Problem::usage, fmt::format("{} is {}", name, value.text()), fmt::format("it must be {}", rule), name);
}

std::vector<Ball> law(const std::string& name, const std::vector<Value>& given, bool weights) {
  Rational sum;
  std::vector<Rational> masses;
  for (const Value& v : given) {
    masses.push_back(exact(name, v, "a probability, at least 0", [](const Rational& x) { return x >= 0; }));
    sum = sum + masses.back();
  }
  if (!(sum > 0) || (!weights && !(sum == 1)))
    throw Error(Problem::usage,
                fmt::format("{} adds up to {}, not to 1", name, Decimal::round(sum, 17, Rounding::down).text()),
                "write exact decimals or fractions such as 1/3, or say that they are weights", name);
  std::vector<Ball> out;
  for (const Rational& x : masses) out.emplace_back(x / sum);
  return out;
}

constexpr double most_of_plan = 8;  // tools share the work by their own plans, some of which are far off
constexpr std::uint64_t most_times = std::uint64_t{1} << 53;  // a double counts so far

bool is_gaussian(const Mechanism& m) { return m.p.empty() && m.q.empty(); }

solvers::OutcomePair pair_of(const Mechanism& m) {
  if (m.p.size() != m.q.size())
    throw Error(Problem::usage, fmt::format("p has {} outcomes and q has {}", m.p.size(), m.q.size()),
                "give the probabilities of the same outcomes under both laws; 0 is one");
  return {law("p", m.p, m.weights), law("q", m.q, m.weights), m.times};
}

struct Kind {
  Rational noise, rate;  // noise over the clipping norm
  double times;
};
// What the statements about DP-SGD hold for: beyond it brackets are of no use, or take all memory.
Kind kind_of(const Mechanism& m) {
  const auto noise = m.fixed_size
                         ? exact("multiplier", m.multiplier, "noise over the clipping norm, from 0.1 to 20000",
                                 [](const Rational& x) { return x * Rational(10) >= 1 && x <= 20000; })
                         : exact("multiplier", m.multiplier, "noise over the clipping norm, from 0.05 to 10000",
                                 [](const Rational& x) { return x * Rational(20) >= 1 && x <= 10000; });
  return {noise,
          exact("rate", m.rate, "a probability, from 1e-8 to 1",
                [](const Rational& x) { return x * Rational(100000000) >= 1 && x <= 1; }),
          static_cast<double>(m.times)};
}
constexpr double most_steps = 1e9;

// Steps that take every record are one release with the noise of all of them, which has to be as large as that of one.
void refuse_too_little_noise(const std::vector<Kind>& kinds, bool fixed_size) {
  double steps = 0;
  Rational squares = 0;
  for (const Kind& k : kinds) {
    steps += k.times;
    const Rational sigma = fixed_size ? k.noise / Rational(2) : k.noise;
    if (k.rate == 1) squares = squares + Rational(static_cast<std::int64_t>(k.times)) / (sigma * sigma);
  }
  if (!(steps <= most_steps))
    throw Error(Problem::usage, fmt::format("the segments have {:g} steps", steps), "compose at most 10^9 of them");
  const bool alone = std::ranges::all_of(kinds, [](const Kind& k) { return k.rate == 1; });
  if (!alone && squares > 400)
    throw Error(Problem::usage, "the segments of rate 1 have together less noise than 0.05 of the largest change",
                "compose the others without them: what these tell is far more than the rest");
}

// Equal kinds together. A record that is replaced changes a sum by twice the clipping norm.
Ball composed_steps(const std::vector<Mechanism>& mechanisms, const solvers::Target& target, const Request& request) {
  std::vector<Kind> kinds;
  for (const Mechanism& m : mechanisms) {
    const Kind next = kind_of(m);
    const auto same =
        std::ranges::find_if(kinds, [&](const Kind& k) { return k.noise == next.noise && k.rate == next.rate; });
    if (same == kinds.end())
      kinds.push_back(next);
    else
      same->times += next.times;
  }
  const bool fixed_size = mechanisms.front().fixed_size;
  refuse_too_little_noise(kinds, fixed_size);
  std::vector<dpsgd::SampledSteps> steps;
  for (const Kind& k : kinds) steps.push_back({Ball(fixed_size ? k.noise / 2 : k.noise), Ball(k.rate), k.times});
  return dpsgd::composed_kinds(steps, fixed_size ? dpsgd::Sampling::fixed_size : dpsgd::Sampling::poisson, target,
                               request);
}

// Which laws were composed, in words.
std::string neighbours_of(const std::vector<Mechanism>& mechanisms) {
  if (mechanisms.empty() || !is_gaussian(mechanisms.front())) return {};
  return mechanisms.front().fixed_size ? "replacing one record, batches of fixed size drawn afresh"
                                       : "adding or removing one record, Poisson sampling";
}

Ball larger_of(std::vector<solvers::OutcomePair> pairs, bool only_one, const solvers::Target& target,
               const Request& request) {
  const Ball one_way = solvers::compose(pairs, target, request);
  if (only_one) return one_way;
  for (solvers::OutcomePair& pair : pairs) std::swap(pair.p, pair.q);
  return max(one_way, solvers::compose(pairs, target, request));
}

solvers::Target target_of(const Parameters& at) {
  if (at.size() == 1 && at.front().first == "eps")
    return {.eps = Ball(exact("eps", at.front().second, "at least 0", [](const Rational& x) { return x >= 0; }))};
  if (at.size() == 1 && at.front().first == "delta")
    return {.delta = Ball(exact("delta", at.front().second, "above 0 and below 1",
                                [](const Rational& x) { return x > 0 && x < 1; }))};
  throw Error(Problem::usage, "a composition is asked for its delta at eps, or for its eps at delta",
              "give eps or delta, and nothing else");
}

}  // namespace

Composed compose(const std::vector<Mechanism>& given, const Parameters& at, const Options& options) {
  const Accuracy accuracy = accuracy_of(options);
  const Ball::Precision bits(256);
  const solvers::Target target = target_of(at);
  std::vector<Mechanism> mechanisms;
  std::ranges::copy_if(given, std::back_inserter(mechanisms), [](const Mechanism& m) { return m.times > 0; });
  for (const Mechanism& m : mechanisms)
    if (m.times > most_times)
      throw Error(Problem::usage, fmt::format("times is {}, and runs are counted up to 2^53", m.times),
                  "ask for fewer runs", "times");
  const auto gaussians = std::ranges::count_if(mechanisms, is_gaussian);
  if (gaussians > 0 && gaussians < std::ranges::ssize(mechanisms))
    throw Error(Problem::usage, "Gaussian mechanisms and laws of one's own are not composed with each other",
                "compose either kind alone");
  if (gaussians > 0 && std::ranges::any_of(mechanisms, [&](const Mechanism& m) {
        return m.fixed_size != mechanisms.front().fixed_size;
      }))
    throw Error(Problem::usage, "Poisson batches and batches of fixed size speak of different neighbours",
                "compose either kind alone");
  Composed out;
  out.quantity = target.eps ? "delta" : "epsilon";
  out.neighbours = neighbours_of(mechanisms);
  for (const auto& [name, value] : at) out.params.emplace_back(name, value.text());
  if (is_counted(options, 1, out)) return out;
  const Request request{.width = options.digits <= Accuracy{}.digits ? 1e-3 : std::pow(10.0, 1 - options.digits),
                        .work = 1.7e8 * accuracy.patience};
  const auto composed = [&] {
    if (mechanisms.empty()) return Ball(0);
    if (gaussians > 0) return composed_steps(mechanisms, target, request);
    std::vector<solvers::OutcomePair> pairs;
    for (const Mechanism& m : mechanisms) pairs.push_back(pair_of(m));
    const bool only_one = std::ranges::any_of(mechanisms, &Mechanism::one_way);
    return larger_of(std::move(pairs), only_one, target, request);
  };
  const Ball value = stoppable(options.stop, [&] {
    return solvers::within_work(most_of_plan * request.work, composed, [] { return unknown<Ball>(); });
  });
  if (!value.finite()) {
    // What one law shows and the other never does counts in full at every eps.
    const bool shows = std::ranges::any_of(mechanisms, [](const Mechanism& m) {
      for (std::size_t k = 0; k < m.p.size(); ++k)
        if ((Decimal(m.p[k].text()).exact() == 0) != (Decimal(m.q[k].text()).exact() == 0)) return true;
      return false;
    });
    out.status = name(shows ? Status::outside : Status::unresolved);
    const std::string why = shows ? "no eps is proved to be enough: outcomes that one of the laws never shows are "
                                    "about as likely as delta"
                                  : "no bracket was found with the work allowed";
    out.lower = out.upper = Number::none(why);
    out.problem =
        Error(shows ? Problem::outside : Problem::unresolved, why,
              shows ? "ask for delta at eps, or for a larger delta" : "--patience 10 allows ten times the work");
    return out;
  }
  out.status = name(solvers::is_narrow(value, request.width) ? Status::ok : Status::wide);
  out.lower = {decimal(max(value.lower_end(), Ball(0)), options.digits, Rounding::down), Number::Rounded::down};
  out.upper = {decimal(value, options.digits, Rounding::up), Number::Rounded::up};
  return out;
}

std::string write(const Composed& answer, Format format) {
  if (format != Format::text) {
    Pairs row{{"quantity", answer.quantity}, {"status", answer.status}};
    row.insert(row.end(), answer.params.begin(), answer.params.end());
    for (const auto& pair : Pairs{{"lower", answer.lower ? answer.lower.text() : ""},
                                  {"upper", answer.upper ? answer.upper.text() : ""},
                                  {"neighbours", answer.neighbours}})
      row.push_back(pair);
    return write(experiments::table_of({row}), format, answer.digits);
  }
  if (!answer.upper) return {};
  return fmt::format("{} is between {} and {} at {} {}\nneighbours: {}\n", answer.quantity, answer.lower.text(),
                     answer.upper.text(), answer.params.front().first, answer.params.front().second, answer.neighbours);
}

}  // namespace epsilary
