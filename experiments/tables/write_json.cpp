#include "experiments/tables/write_json.hpp"

#include "experiments/tables/write.hpp"

namespace epsilary::experiments {

nlohmann::ordered_json to_json(const Provenance& p) {
  nlohmann::ordered_json libraries;
  for (const auto& [library, version] : p.libraries) libraries[library] = version;
  nlohmann::ordered_json out{
      {"epsilary", p.version}, {"source", p.source}, {"digits", p.digits}, {"libraries", libraries}};
  if (!p.spec.empty()) out["spec"] = p.spec;
  return out;
}

nlohmann::ordered_json to_json(const Pairs& pairs) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

nlohmann::ordered_json to_json(const epsilary::Result& r) {
  const epsilary::Statement& s = *r.statement;
  const auto text_or_null = [](const epsilary::Number& x) {
    return x ? nlohmann::ordered_json(x.text()) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json row{{"bound", s.id},
                             {"protocol", s.protocol},
                             {"quantity", s.quantity},
                             {"side", s.side},
                             {"standing", s.standing},
                             {"adjacency", s.adjacency},
                             {"view", s.view},
                             {"status", r.status},
                             {"value", text_or_null(r.value)},
                             {"lower", text_or_null(r.lower)},
                             {"upper", text_or_null(r.upper)},
                             {"certified", r.certified},
                             {"answers", r.answers},
                             {"guarantee", r.guarantee},
                             {"params", to_json(r.params)},
                             {"at", to_json(r.at)},
                             {"note", r.reason}};
  if (!s.unit.empty()) row["unit"] = s.unit;
  for (const auto& [key, value] : r.extras) row[key] = value;
  return row;
}

nlohmann::ordered_json to_json(const std::vector<epsilary::Result>& results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const epsilary::Result& r : results) rows.push_back(to_json(r));
  return rows;
}

nlohmann::ordered_json envelope(int digits, nlohmann::ordered_json rows, const std::string& spec) {
  return {{"provenance", to_json(provenance(digits, spec))}, {"rows", std::move(rows)}};
}

std::string printed(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string write_results_json(const std::vector<epsilary::Result>& results, int digits, const std::string& spec) {
  return printed(envelope(digits, to_json(results), spec));
}

std::string write_report_json(int digits, const std::vector<Pairs>& rows, const std::vector<Pairs>& slack,
                              const std::vector<std::string>& summary) {
  const auto objects = [](const std::vector<Pairs>& list) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Pairs& row : list) out.push_back(to_json(row));
    return out;
  };
  nlohmann::ordered_json all = envelope(digits, objects(rows));
  all["slack"] = objects(slack);
  all["summary"] = summary;
  return printed(all);
}

}  // namespace epsilary::experiments
