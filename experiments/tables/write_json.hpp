// Results as JSON values; numbers are strings, because a reader's double would drop their digits.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/tables/provenance.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

nlohmann::ordered_json to_json(const Provenance& p);
nlohmann::ordered_json to_json(const Pairs& pairs);
nlohmann::ordered_json to_json(const epsilary::Result& r);
nlohmann::ordered_json to_json(const std::vector<epsilary::Result>& results);

// {"provenance": ..., "rows": rows}
nlohmann::ordered_json envelope(int digits, nlohmann::ordered_json rows, const std::string& spec = {});

}  // namespace epsilary::experiments
