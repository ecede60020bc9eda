// simulate: a protocol run many times, and what is counted held against the statements about it.
#include <fmt/format.h>

#include <stdexcept>

#include "experiments/epsilary/simulations.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/protocols/intervals.hpp"
#include "experiments/tables/write.hpp"

namespace epsilary {
namespace {

using experiments::Interval, experiments::Random, experiments::Tally;

struct Seen {
  std::vector<Tally> tallies;
  std::vector<std::uint64_t> hits;
  void add(const Seen& more) {
    if (tallies.empty()) tallies.resize(more.tallies.size()), hits.resize(more.hits.size());
    for (std::size_t i = 0; i < more.tallies.size(); ++i) {
      tallies[i].add(more.tallies[i]);
      hits[i] += more.hits[i];
    }
  }
};

// The intervals hold for numbers between their ends, and for no others.
void refuse_beyond(const Checked& check, double x) {
  const double doubt = 1e-9 * (check.high - check.low);
  if (!(x >= check.low - doubt && x <= check.high + doubt))
    throw std::logic_error(fmt::format("{}: a run gave {}, outside of [{}, {}]", check.what, x, check.low, check.high));
}

Simulated judged(const Checked& check, const Tally& tally, std::uint64_t hits, double confidence) {
  const Interval interval = check.probability ? experiments::probability_between(hits, tally.count, confidence)
                                              : experiments::mean_between(tally, check.low, check.high, confidence);
  const bool too_high = interval.low > check.stated_high, too_low = interval.high < check.stated_low;
  const double stated = check.side == "lower" ? check.stated_low : check.stated_high;
  return {
      .what = check.what,
      .statement = check.statement,
      .side = check.side,
      .stated = shown(stated),
      .simulated = shown(tally.mean),
      .low = shown(interval.low),
      .high = shown(interval.high),
      .agrees = !(too_high && check.side != "lower") && !(too_low && (check.side == "exact" || check.side == "lower"))};
}

}  // namespace

Parameters simulated_by_default(const std::string& protocol) { return usual_of(usually_simulated(), protocol); }

const std::vector<std::string>& simulated_protocols() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Usual& u : usually_simulated()) out.push_back(u.protocol);
    return out;
  }();
  return names;
}

Simulation simulate(const std::string& protocol, const Parameters& given, const Repetition& repetition,
                    const Options& options, const Watch& watch) {
  const RunPoint at = run_point(usually_simulated(), protocol, given);
  const auto [runs, confidence, confidence_text] = repeated(repetition, 10'000, 10);
  const Experiment experiment = experiment_on(protocol, at, options);
  Simulation out;
  out.protocol = protocol;
  out.where = at.where;
  out.runs = out.evaluations = runs;
  out.confidence = confidence_text;
  out.digits = options.digits;
  out.notes = experiment.notes;
  if (options.dry_run) return out;

  const std::size_t checks = experiment.checks.size();
  Seen seen;
  {
    Watched watched(watch, runs);
    seen = experiments::repeat<Seen>(0, runs, {repetition.seed, options.threads, watched.stop(), &watched.done},
                                     [&](std::uint64_t, Random& random, Seen& block) {
                                       if (block.tallies.empty())
                                         block.tallies.resize(checks), block.hits.resize(checks);
                                       std::vector<double> numbers(checks);
                                       experiment.run(random, numbers);
                                       for (std::size_t i = 0; i < checks; ++i) {
                                         refuse_beyond(experiment.checks[i], numbers[i]);
                                         block.tallies[i].add(numbers[i]);
                                         block.hits[i] += numbers[i] == 1;
                                       }
                                     });
  }
  // All intervals hold together.
  const double each = 1 - (1 - confidence) / static_cast<double>(checks);
  std::string wrong;
  for (std::size_t i = 0; i < checks; ++i) {
    out.rows.push_back(judged(experiment.checks[i], seen.tallies[i], seen.hits[i], each));
    if (!out.rows.back().agrees) wrong = out.rows.back().statement + " (" + out.rows.back().what + ")";
  }
  if (!wrong.empty())
    out.problem = Error(Problem::check_failed, fmt::format("what was simulated does not agree with {}", wrong),
                        "see: epsilary show ID for its standing and its note");
  return out;
}

std::string write(const Simulation& answer, Format format) {
  std::vector<Pairs> rows;
  for (const Simulated& s : answer.rows) {
    Pairs row{{"what", s.what},     {"statement", s.statement}, {"side", s.side},
              {"stated", s.stated}, {"simulated", s.simulated}, {"interval", fmt::format("[{}, {}]", s.low, s.high)}};
    row.emplace_back("agrees", s.agrees ? "yes" : "no");
    if (format == Format::csv || format == Format::json)
      for (const Pairs& more : {Pairs{{"low", s.low}, {"high", s.high}, {"protocol", answer.protocol}}, answer.where,
                                Pairs{{"runs", std::to_string(answer.runs)}, {"confidence", answer.confidence}}})
        row.insert(row.end(), more.begin(), more.end());
    rows.push_back(std::move(row));
  }
  std::string out = write(experiments::table_of(rows), format, answer.digits);
  if (format == Format::text || format == Format::md)
    out += fmt::format("\n{}: {} runs at {}; all intervals hold together with confidence {}\n", answer.protocol,
                       grouped(answer.runs), experiments::join(answer.where), answer.confidence);
  return out;
}

}  // namespace epsilary
