// list: what is in the house.
#include <algorithm>

#include "bounds/core/registry.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/claims.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/section6_ledger.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;
using experiments::Table;

Table bound_table() {
  Table table{{"id", "gives", "side", "standing", "needs", "title"}, {}};
  for (const Bound* b : all())
    table.rows.push_back({std::string(b->id), std::string(name(b->quantity)), std::string(name(b->side)),
                          std::string(name(b->standing)), keys(b->needs), std::string(b->title)});
  return table;
}

Table param_table() {
  Table table{{"key", "domain", "meaning", "unit"}, {}};
  for (const ParamInfo& p : params())
    table.rows.push_back({std::string(p.key), rule(p), std::string(p.meaning), std::string(p.unit)});
  return table;
}

Table figure_table() {
  Table table{{"id", "source", "rows"}, {}};
  for (const experiments::Spec& spec : experiments::catalogue())
    table.rows.push_back({spec.id, spec.source, std::to_string(rows_of(spec).size())});
  table.rows.push_back({std::string(experiments::section6_id), std::string(experiments::section6_source), "560"});
  return table;
}

Table claim_table() {
  Table table{{"id", "verdict", "source", "text"}, {}};
  for (const experiments::Claim& claim : experiments::claims())
    table.rows.push_back({claim.id, claim.verdict, claim.source, claim.text});
  return table;
}

int run(const Options& options, const std::string& what) {
  const Table table = what == "params"    ? param_table()
                      : what == "figures" ? figure_table()
                      : what == "claims"  ? claim_table()
                                          : bound_table();
  const auto provenance = experiments::provenance(options.digits);
  if (format(options) != experiments::Format::json) {
    print(options, write_table(table, format(options), provenance));
    return done;
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = row[i];
    rows.push_back(object);
  }
  print(options, nlohmann::ordered_json{{"provenance", to_json(provenance)}, {"rows", rows}}.dump(1) + "\n");
  return done;
}

}  // namespace

void add_list(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("list", "list bounds, figures, params or claims");
  auto options = std::make_shared<Options>();
  auto what = std::make_shared<std::string>("bounds");
  command.add_option("what", *what, "bounds (default), figures, params or claims")
      ->check(CLI::IsMember({"bounds", "figures", "params", "claims"}));
  add_common_options(command, *options);
  command.footer("Examples:\n  epsilary list\n  epsilary list params -f md");
  command.callback([&command, &code, options, what] {
    refuse_extras(command);
    code = run(*options, *what);
  });
}

}  // namespace epsilary::cli
