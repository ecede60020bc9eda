// train: the papers' algorithms on images, and their privacy by the statements of the house.
#include "experiments/learning/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "experiments/epsilary/inside.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/tables/write.hpp"

namespace epsilary {
namespace {

using learning::TrainingSpec;

TrainingSpec parsed(const std::string& text, const std::string& file) {
  try {
    return learning::parse_training_spec(text, file);
  } catch (const experiments::BadSpec& bad) {
    throw Error(Problem::usage, bad.what(), "correct the spec; see: epsilary train --help");
  }
}

TrainingSpec training_named(const Training& training) {
  if (!training.toml.empty()) return parsed(training.toml, "spec");
  std::error_code unknown;
  const std::string& name = training.spec;
  if (name.ends_with(".toml") || name.find('/') != std::string::npos || std::filesystem::exists(name, unknown))
    return parsed(spec_text(name, "train"), name);
  std::vector<std::string> ids;
  for (const TrainingSpec& spec : learning::training_specs()) {
    if (spec.id == name) return spec;
    ids.push_back(spec.id);
  }
  throw Error(Problem::usage,
              fmt::format("'{}' is neither a spec file (.toml) nor a training{}", name, did_you_mean(name, ids)),
              "see: epsilary train");
}

// One accountant's answers, by sigma and rounds.
using Accounts = std::map<std::pair<std::string, std::uint32_t>, Result>;

// The parameters that some form for epsilon takes.
Parameters understood(const learning::Accountant& accountant, const TrainingSpec& spec, const std::string& sigma,
                      std::uint32_t T) {
  auto given = learning::account_of(spec, sigma, T);
  given.insert(given.end(), accountant.parameters.begin(), accountant.parameters.end());
  const auto has = [&](const std::string& key) {
    return std::ranges::any_of(given, [&](const auto& pair) { return pair.first == key; });
  };
  Parameters out;
  for (const Statement& form : describe(accountant.bound)) {
    if (form.quantity != "epsilon" || !std::ranges::all_of(form.needs, has)) continue;
    for (const auto& [key, value] : given)
      if (std::ranges::count(form.needs, key) || std::ranges::count(form.takes, key)) out.emplace_back(key, value);
    return out;
  }
  return out;
}

Accounts accounts_of(const learning::Accountant& accountant, const TrainingSpec& spec, const Options& options) {
  std::vector<std::pair<std::string, std::uint32_t>> keys;
  std::vector<Parameters> points;
  for (const std::string& sigma : spec.sigmas)
    for (const std::uint32_t T : learning::marks_of(spec)) {
      keys.emplace_back(sigma, T);
      points.push_back(understood(accountant, spec, sigma, T));
    }
  const std::vector<Result> results = evaluate_points(accountant.bound, points, options);
  Accounts out;
  for (std::size_t i = 0; i < keys.size(); ++i) out.emplace(keys[i], results[i]);
  return out;
}

std::string percent(double share) { return fmt::format("{:.2f}", share); }

// What all seeds gave after T rounds.
struct Summary {
  double mean = 0, deviation = 0, loss = 0;
  std::vector<std::string> each;
};

Summary summary(const std::vector<learning::Curve>& curves, const std::string& sigma, std::uint32_t T) {
  Summary out;
  std::vector<double> all;
  for (const learning::Curve& curve : curves)
    for (const learning::Mark& mark : curve.marks)
      if (curve.sigma == sigma && mark.round == T) {
        all.push_back(100 * mark.score.accuracy);
        out.loss += mark.score.loss;
      }
  const auto count = static_cast<double>(all.size());
  out.mean = std::accumulate(all.begin(), all.end(), 0.0) / count;
  out.loss /= count;
  for (const double x : all) {
    out.each.push_back(percent(x));
    out.deviation += (x - out.mean) * (x - out.mean);
  }
  out.deviation = all.size() > 1 ? std::sqrt(out.deviation / (count - 1)) : 0;
  return out;
}

Table to_table(const TrainingSpec& spec, const std::vector<learning::Curve>& curves,
               const std::vector<std::pair<std::string, Accounts>>& accounts) {
  Table table{{"bound", "side", "standing", "status", "sigma", "T", "value", "accuracy", "deviation", "low", "high",
               "seeds", "loss", "each"},
              {}};
  for (const std::string& sigma : spec.sigmas)
    for (const std::uint32_t T : learning::marks_of(spec)) {
      const Summary s = summary(curves, sigma, T);
      const std::string deviation = s.each.size() > 1 ? percent(s.deviation) : "";
      const auto row = [&](const std::string& bound, const std::string& side, const std::string& standing,
                           const std::string& status, const std::string& value, bool whole) {
        table.rows.push_back({bound, side, standing, status, sigma, std::to_string(T), value, percent(s.mean),
                              deviation, percent(s.mean - s.deviation), percent(s.mean + s.deviation),
                              std::to_string(s.each.size()), whole ? fmt::format("{:.5f}", s.loss) : "",
                              whole ? joined(s.each, " ") : ""});
      };
      row("training", "", "", "ok", "", true);
      for (const auto& [bound, answers] : accounts) {
        const Result& r = answers.at({sigma, T});
        row(bound, r.statement->side, r.statement->standing, r.status, r ? r.value.text() : "", false);
      }
    }
  return table;
}

}  // namespace

Trained train(const Training& training, const Options& options, const TrainingWatch& watch) {
  TrainingSpec spec = training_named(training);
  if (training.seeds < 0 || training.seeds > 1000)
    throw Error(Problem::usage, fmt::format("seeds must be from 1 to 1000 (got {})", training.seeds), "for example 10");
  if (training.seeds > 0) spec.seeds = static_cast<std::uint32_t>(training.seeds);
  Trained out;
  out.spec = spec.id;
  if (is_counted(options, std::size_t{spec.rounds} * spec.sigmas.size() * spec.seeds, out)) return out;
  if (training.data.empty())
    throw Error(Problem::usage, "the folder with the images is not given",
                "add --data DIR; experiments/learning/fetch-mnist DIR gets them");
  const learning::Data data = learning::read_data(training.data);
  std::optional<learning::Checkpoints> checkpoints;
  if (!training.journal.empty()) checkpoints.emplace(training.journal);
  Options asked = options;
  if (!asked.stop) asked.stop = watch.stop;
  std::vector<std::pair<std::string, Accounts>> accounts;
  for (const learning::Accountant& accountant : spec.accountants)
    accounts.emplace_back(accountant.bound, accounts_of(accountant, spec, asked));

  std::size_t done = 0, total = std::size_t{spec.rounds} * spec.sigmas.size() * spec.seeds;
  const auto tell = [&](const learning::Curve& curve, std::size_t so_far, std::size_t all) {
    done = so_far;
    if (!watch.progress) return;
    TrainingState state{.sigma = curve.sigma, .seed = curve.seed, .done = so_far, .total = all};
    if (!curve.marks.empty()) {
      state.accuracy = 100 * curve.marks.back().score.accuracy;
      if (!accounts.empty())
        if (const Result& r = accounts.front().second.at({curve.sigma, curve.marks.back().round}))
          state.epsilon = r.value.text();
    }
    watch.progress(state);
  };
  try {
    const auto curves =
        learning::train(spec, data, {options.threads, checkpoints ? &*checkpoints : nullptr, watch.stop, tell});
    out.origin = fmt::format("{}, seeds 1 to {}, {} and {} images {}", spec.id, spec.seeds, data.train.size(),
                             data.test.size(), data.digest);
    out.table = to_table(spec, curves, accounts);
  } catch (const learning::Stopped&) {
    throw Error(Problem::interrupted, fmt::format("interrupted after {} of {} rounds", grouped(done), grouped(total)),
                checkpoints
                    ? fmt::format("{} has what was learnt at the last look; the same command goes on from there",
                                  training.journal)
                    : "nothing was kept; with -o FILE or --journal FILE it can go on later");
  }
  return out;
}

std::vector<TrainingAbout> trainings() {
  std::vector<TrainingAbout> out;
  for (const TrainingSpec& s : learning::training_specs())
    out.push_back({s.id, s.source, s.caption, s.seeds, s.rounds});
  return out;
}

Table table(const std::vector<TrainingAbout>& list) {
  Table out{{"training", "source", "seeds", "rounds", "caption"}, {}};
  for (const TrainingAbout& t : list)
    out.rows.push_back({t.id, t.source, std::to_string(t.seeds), std::to_string(t.rounds), t.caption});
  return out;
}

std::string write(const Trained& answer, Format format) {
  return write(answer.table, format, answer.digits, answer.origin);
}

}  // namespace epsilary
