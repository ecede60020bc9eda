#include "experiments/epsilary/simulations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace epsilary {

void Checks::chance(std::string what, std::string formula, double stated_) {
  experiment.checks.push_back({std::move(what), std::move(formula), "exact", stated_, stated_});
}
void Checks::mean(std::string what, std::string formula, double stated_, double low, double high) {
  experiment.checks.push_back({std::move(what), std::move(formula), "exact", stated_, stated_, false, low, high});
}
bool Checks::mean_by(std::string what, const std::string& id, double low, double high, const Parameters& other) {
  const auto r = stated(id, other);
  if (!r) return false;
  experiment.checks.push_back(
      {std::move(what), id, r->statement->side, r->lower.as_double(), r->upper.as_double(), false, low, high});
  return true;
}
std::optional<double> Checks::exceeded_by(std::string what, const std::string& id) {
  const auto r = stated(id, {});
  if (!r) return {};
  experiment.checks.push_back({std::move(what), id, "upper", at["delta"], at["delta"]});
  return r->upper.as_double();
}
std::optional<Result> Checks::stated(const std::string& id, const Parameters& other) {
  Parameters point = other;
  for (const auto& pair : run_.parameters)
    if (std::ranges::none_of(other, [&](const auto& o) { return o.first == pair.first; })) point.push_back(pair);
  Result r = evaluate(id, point, options_);
  if (r) return r;
  experiment.notes.push_back(fmt::format("{} says nothing here: {}", id, r.reason));
  return {};
}

// Points at which the bounds of the excess risk say more than that it is at most L R.
const std::vector<Usual>& usually_simulated() {
  static const std::vector<Usual> list{
      {"shuffle", {{"eps0", 1}, {"n", 20}}},
      {"checkin-fixed",
       {{"n", 5000}, {"m", 1000}, {"p0", "0.8"}, {"dim", 4}, {"radius", 1}, {"lipschitz", 1}, {"noise", "0.1"}}},
      {"checkin-averaged",
       {{"n", 2000}, {"m", 1000}, {"delta", "0.05"}, {"dim", 4}, {"radius", 1}, {"lipschitz", 1}, {"noise", "0.1"}}},
      {"checkin-epoch", {{"n", 40}, {"m", 10}}},
      {"checkin-sliding", {{"n", 100}, {"m", 20}}},
      {"shuffled-checkin", {{"eps0", 1}, {"n", 100}, {"gamma", "0.1"}}, {"dropout"}},
      {"distributed-checkin", {{"n", 100}, {"gamma", "0.1"}, {"multiplier", 1}, {"quorum", 8}}, {"dropout"}},
      {"cldp-sgd",
       {{"eps0", 4},
        {"clients", 100},
        {"records", 2},
        {"per_round", 50},
        {"dim", 2},
        {"radius", 1},
        {"lipschitz", 1},
        {"T", 1000}}},
      {"cldp-sgd-pooled", {{"clients", 20}, {"records", 4}, {"per_round", 5}, {"samples", 2}}},
      {"dp-sgd", {{"n", 50}, {"batch", 10}, {"sigma", 2}, {"sigma_hat", 1}, {"epochs", 3}}}};
  return list;
}

Experiment experiment_on(const std::string& protocol, const RunPoint& at, const Options& options) {
  static const std::map<std::string_view, Experiment (*)(Checks&)> list{{"shuffle", shuffle_on},
                                                                        {"checkin-fixed", fixed_window_on},
                                                                        {"checkin-averaged", averaged_on},
                                                                        {"checkin-epoch", epoch_on},
                                                                        {"checkin-sliding", sliding_window_on},
                                                                        {"shuffled-checkin", shuffled_checkin_on},
                                                                        {"distributed-checkin", distributed_checkin_on},
                                                                        {"cldp-sgd", cldp_sgd_on},
                                                                        {"cldp-sgd-pooled", pooled_on},
                                                                        {"dp-sgd", dp_sgd_on}};
  Checks checks(at, options);
  return list.at(protocol)(checks);
}

}  // namespace epsilary
