#include "experiments/write_json.hpp"

#include "experiments/write.hpp"

namespace epsilary::experiments {

nlohmann::ordered_json to_json(const Provenance& p) {
  nlohmann::ordered_json libraries;
  for (const auto& [library, version] : p.libraries) libraries[library] = version;
  return {{"epsilary", p.version}, {"digits", p.digits}, {"libraries", libraries}};
}

nlohmann::ordered_json to_json(const Pairs& pairs) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

nlohmann::ordered_json to_json(const Record& r) {
  const bounds::Bound& b = *r.bound;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
  };
  nlohmann::ordered_json row{{"bound", b.id},
                             {"protocol", b.protocol},
                             {"quantity", name(b.quantity)},
                             {"side", name(b.side)},
                             {"standing", name(b.standing)},
                             {"adjacency", name(b.adjacency)},
                             {"view", name(b.view)},
                             {"status", r.status},
                             {"value", text_or_null(r.value)},
                             {"lower", text_or_null(r.lower)},
                             {"upper", text_or_null(r.upper)},
                             {"certified", r.certified},
                             {"answers", r.answers},
                             {"guarantee", r.guarantee},
                             {"params", to_json(r.params)},
                             {"at", to_json(r.at)},
                             {"note", whole_note(r)}};
  if (const std::string words = unit(b); !words.empty()) row["unit"] = words;
  for (const auto& [key, value] : r.beside) row[key] = value;
  return row;
}

std::string write_records_json(const std::vector<Record>& records, const Provenance& provenance) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Record& r : records) rows.push_back(to_json(r));
  return nlohmann::ordered_json{{"provenance", to_json(provenance)}, {"rows", rows}}.dump(1) + "\n";
}

}  // namespace epsilary::experiments
