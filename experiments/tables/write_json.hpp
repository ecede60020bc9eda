// Results as JSON values; numbers are strings, because a reader's double would drop their digits.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/tables/provenance.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

nlohmann::ordered_json to_json(const Provenance& p);
nlohmann::ordered_json to_json(const Pairs& pairs);
nlohmann::ordered_json to_json(const epsilary::Result& r);
nlohmann::ordered_json to_json(const std::vector<epsilary::Result>& results);

// {"provenance": ..., "rows": rows}
nlohmann::ordered_json envelope(int digits, nlohmann::ordered_json rows, const std::string& spec = {});

// As it is printed. A name of a file may hold bytes that are no UTF-8, which JSON is: U+FFFD stands for them.
std::string printed(const nlohmann::ordered_json& json);

}  // namespace epsilary::experiments
