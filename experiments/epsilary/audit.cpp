// audit: a protocol run on the worst known pair of data sets, and what counting proves of its epsilon.
#include "experiments/protocols/audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/epsilary/protocols.hpp"
#include "experiments/epsilary/repetition.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_json.hpp"

namespace epsilary {
namespace {

// Counting reaches a delta of some thousand runs, no less: these are points where epsilon is of size one and 10^6 runs
// take half a minute at most.
const std::vector<Usual>& usual() {
  static const std::vector<Usual> list{
      {"shuffle", {{"eps0", 3}, {"n", 100}, {"delta", "0.01"}}, {"randomizer"}},
      {"checkin-fixed", {{"eps0", 3}, {"m", 50}, {"p0", "0.5"}, {"delta", "0.01"}}, {"n", "randomizer"}},
      {"checkin-averaged", {{"eps0", 3}, {"n", 100}, {"m", 10}, {"delta", "0.01"}}, {"randomizer"}},
      {"checkin-epoch", {{"eps0", 3}, {"n", 20}, {"m", 5}, {"delta", "0.01"}}, {"randomizer"}},
      {"checkin-sliding", {{"eps0", 3}, {"m", 20}, {"delta", "0.01"}}, {"n", "randomizer"}},
      {"shuffled-checkin", {{"eps0", 3}, {"n", 50}, {"gamma", "0.2"}, {"T", 4}, {"delta", "0.01"}}, {"randomizer"}},
      {"distributed-checkin",
       {{"n", 50}, {"gamma", "0.2"}, {"multiplier", "0.5"}, {"T", 4}, {"delta", "0.01"}},
       {"quorum"}},
      {"cldp-sgd",
       {{"eps0", 2}, {"clients", 50}, {"per_round", 10}, {"T", 5}, {"delta", "0.01"}},
       {"records", "dim", "randomizer"}},
      {"cldp-sgd-pooled",
       {{"eps0", 2}, {"clients", 10}, {"records", 4}, {"per_round", 5}, {"samples", 2}, {"T", 5}, {"delta", "0.01"}},
       {"dim"}},
      {"dp-sgd", {{"n", 50}, {"batch", 10}, {"sigma", 1}, {"T", 5}, {"delta", "0.01"}}}};
  return list;
}

// The one that is named, or all that are known.
std::vector<experiments::Pair> pairs_asked(const std::string& protocol, const RunPoint& run) {
  std::vector<experiments::Pair> pairs = experiments::pairs_of(protocol, run.at), asked;
  const auto& named = run.point.randomizer();
  if (!named) return pairs;
  std::vector<std::string> known;
  for (experiments::Pair& pair : pairs) {
    known.push_back(pair.randomizer);
    if (pair.randomizer == named->text) asked.push_back(std::move(pair));
  }
  if (asked.empty())
    throw Error(Problem::usage,
                fmt::format("randomizer: no pair of data sets is known here to audit {} on {}", named->text, protocol),
                "choose " + joined(known, " or ") + ", or leave it out", "randomizer");
  return asked;
}

}  // namespace

Parameters audited_by_default(const std::string& protocol) { return usual_of(usual(), protocol); }

Audit audit(const std::string& protocol, const Parameters& given, const Repetition& repetition, const Options& options,
            const Watch& watch) {
  const RunPoint run = run_point(usual(), protocol, given);
  const auto [runs, confidence, confidence_text] = repeated(repetition, 1'000'000, 1000);
  const std::vector<experiments::Pair> pairs = pairs_asked(protocol, run);
  accuracy_of(options);  // refuses them first
  Audit out;
  out.protocol = protocol;
  out.where = run.where;
  out.confidence = confidence_text;
  out.digits = options.digits;
  out.evaluations = 2 * (runs + (pairs.size() - 1) * experiments::runs_that_choose(runs));
  if (options.dry_run) return out;

  experiments::Measured measured;
  {
    Watched watched(watch, out.evaluations);
    measured = experiments::measure(pairs, runs, run.at["delta"], confidence,
                                    {repetition.seed, options.threads, watched.stop(), &watched.done});
  }
  const experiments::Pair& pair = pairs[measured.pair];
  out.data = pair.words;
  out.randomizer = pair.randomizer;
  out.runs = measured.runs;
  out.chosen_on = measured.chosen_on;
  out.hits = measured.hits;
  out.misses = measured.misses;
  out.measured = {shown(measured.epsilon, solvers::Rounding::down), Number::Rounded::down};

  // What is proved; the dimension is a matter of the run alone.
  const Parameters proved_at = without(run.parameters, {"dim"});
  const Result attained = evaluate(pair.statement, without(proved_at, {"randomizer"}), options);
  out.attained = attained.value;
  out.attained_by = pair.statement;
  if (attained && attained.value.as_double() > 0)
    out.share = fmt::format("{:.3f}", measured.epsilon / attained.value.as_double());
  const Tightness known = tightness({protocol}, proved_at, options);
  for (const Sandwich& s : known.sandwiches) {
    out.lower = s.lower;
    out.lower_by = s.lower_by;
    out.upper = s.upper;
    out.upper_by = s.upper_by;
  }
  std::string above;
  for (const Analysis& a : known.analyses)
    if (a.result.guarantee && a.result.statement->side == "upper") {
      const bool below = measured.epsilon <= a.result.value.as_double();
      if (!below) above = a.result.statement->id;
      out.uppers.push_back({a.result.statement->id, a.result.value, below});
    }
  if (!above.empty())
    out.problem =
        Error(Problem::check_failed,
              fmt::format("what was measured, {}, is above {}, which is called proved", out.measured.text(), above),
              fmt::format("with probability {} one of the two is wrong; please report it", confidence_text));
  return out;
}

std::string write(const Audit& answer, Format format) {
  const auto text = [](const Number& x) { return x ? x.text() : std::string(); };
  Pairs row{{"protocol", answer.protocol}};
  row.insert(row.end(), answer.where.begin(), answer.where.end());
  const bool below = std::ranges::all_of(answer.uppers, &Audit::Compared::below);
  for (const auto& pair : Pairs{{"runs", std::to_string(answer.runs)},
                                {"measured", text(answer.measured)},
                                {"confidence", answer.confidence},
                                {"attained", text(answer.attained)},
                                {"share", answer.share},
                                {"lower", text(answer.lower)},
                                {"upper", text(answer.upper)},
                                {"below", below ? "yes" : "no"}})
    row.push_back(pair);
  const Pairs more{{"lower_by", answer.lower_by},
                   {"upper_by", answer.upper_by},
                   {"attained_by", answer.attained_by},
                   {"randomizer_run", answer.randomizer},
                   {"data", answer.data},
                   {"chosen_on", std::to_string(answer.chosen_on)},
                   {"hits", std::to_string(answer.hits)},
                   {"misses", std::to_string(answer.misses)}};
  std::vector<Pairs> uppers;
  for (const Audit::Compared& c : answer.uppers)
    uppers.push_back({{"bound", c.bound}, {"epsilon", text(c.value)}, {"below", c.below ? "yes" : "no"}});
  if (format == Format::csv || format == Format::json) row.insert(row.end(), more.begin(), more.end());
  if (format == Format::json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    rows.push_back(experiments::to_json(row));
    nlohmann::ordered_json all = experiments::envelope(answer.digits, std::move(rows));
    all["uppers"] = nlohmann::ordered_json::array();
    for (const Pairs& upper : uppers) all["uppers"].push_back(experiments::to_json(upper));
    return all.dump(1) + "\n";
  }
  std::string out = write(experiments::table_of({row}), format, answer.digits);
  if (format == Format::csv) return out;
  out += fmt::format(
      "\nrun on: {}\nepsilon is at least {} with confidence {}: of {} runs on either data set the event that points to "
      "one of\nthem happened {} times on that one and {} times on the other; it was chosen on {} other runs\n",
      answer.data, text(answer.measured), answer.confidence, grouped(answer.runs), grouped(answer.hits),
      grouped(answer.misses), grouped(answer.chosen_on));
  if (answer.attained)
    out += fmt::format("on these data sets it is {} ({}), of which {} was measured\n", text(answer.attained),
                       answer.attained_by, answer.share);
  if (!uppers.empty())
    out += "\nproved upper bounds, and whether what was measured lies below them:\n\n" +
           write(experiments::table_of(uppers), format, answer.digits);
  return out;
}

}  // namespace epsilary
