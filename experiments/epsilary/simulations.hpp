// What is counted when a protocol runs, and the statements it is held against.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/epsilary/repetition.hpp"

namespace epsilary {

// One number of a run: 0 or 1, whose mean is a probability, or a number between two ends.
struct Checked {
  std::string what;
  std::string statement;  // an id, or a formula
  std::string side;
  double stated_low, stated_high;  // they enclose what is stated
  bool probability = true;
  double low = 0, high = 1;  // between which the number lies
};

struct Experiment {
  std::vector<Checked> checks = {};
  std::vector<std::string> notes = {};  // statements that say nothing here
  // Runs once; gets a place for the number of every check.
  std::function<void(experiments::Random&, std::span<double>)> run = {};
};

// Puts the checks of one experiment together.
class Checks {
 public:
  Checks(const RunPoint& run, const Options& options) : at(run.at), run_(run), options_(options) {}
  const experiments::Setting& at;
  Experiment experiment;

  // A formula that needs no theorem.
  void chance(std::string what, std::string formula, double stated);
  void mean(std::string what, std::string formula, double stated, double low, double high);
  // A statement at the point, with other values where they have another name there; false when it says nothing here.
  bool mean_by(std::string what, const std::string& id, double low, double high, const Parameters& other = {});
  // The probability that a statement's number is exceeded, which is at most delta; the number.
  std::optional<double> exceeded_by(std::string what, const std::string& id);
  std::optional<Result> stated(const std::string& id, const Parameters& other);
  std::size_t size() const { return experiment.checks.size(); }

 private:
  const RunPoint& run_;
  const Options& options_;
};

// By protocol: those in which clients check in to slots (simulations_slots.cpp), and those of rounds
// (simulations_rounds.cpp).
Experiment shuffle_on(Checks& checks);
Experiment fixed_window_on(Checks& checks);
Experiment averaged_on(Checks& checks);
Experiment sliding_window_on(Checks& checks);
Experiment epoch_on(Checks& checks);
Experiment shuffled_checkin_on(Checks& checks);
Experiment distributed_checkin_on(Checks& checks);
Experiment cldp_sgd_on(Checks& checks);
Experiment pooled_on(Checks& checks);
Experiment dp_sgd_on(Checks& checks);

const std::vector<Usual>& usually_simulated();
Experiment experiment_on(const std::string& protocol, const RunPoint& at, const Options& options);

}  // namespace epsilary
