// Results as JSON values; numbers are strings, because a reader's double would drop their digits.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/provenance.hpp"
#include "experiments/table.hpp"

namespace epsilary::experiments {

nlohmann::ordered_json to_json(const Provenance& p);
nlohmann::ordered_json to_json(const Pairs& pairs);
nlohmann::ordered_json to_json(const Record& r);

}  // namespace epsilary::experiments
