// check: the papers' claims, computed, with a verdict on each.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/similar.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using experiments::Claim;
using experiments::Finding;

struct Request {
  Options options;
  std::vector<std::string> ids;
};

std::vector<const Claim*> chosen(const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const Claim& claim : experiments::claims()) known.push_back(claim.id);
  for (const std::string& id : ids)
    if (!std::ranges::count(known, id)) {
      const auto close = experiments::similar(id, known);
      throw Refusal(
          usage, fmt::format("unknown claim '{}'{}", id, close.empty() ? "" : "; did you mean " + close.front() + "?"),
          "see: epsilary list claims");
    }
  std::vector<const Claim*> out;
  for (const Claim& claim : experiments::claims())
    if (ids.empty() || std::ranges::count(ids, claim.id)) out.push_back(&claim);
  return out;
}

std::string joined(const Finding& finding) {
  std::vector<std::string> parts;
  for (const auto& [name, number] : finding.numbers) parts.push_back(name + ": " + number);
  return fmt::format("{}", fmt::join(parts, "; "));
}

// What a reader sees when our own expectation fails: the verdict is withdrawn.
std::string verdict(const Finding& finding) {
  return finding.broken.empty() ? finding.claim->verdict : fmt::format("broken: {}", fmt::join(finding.broken, "; "));
}

std::string write(const Options& options, const std::vector<Finding>& findings) {
  const auto provenance = experiments::provenance(options.digits);
  if (format(options) == experiments::Format::json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Finding& f : findings)
      rows.push_back({{"claim", f.claim->id},
                      {"source", f.claim->source},
                      {"text", f.claim->text},
                      {"verdict", f.claim->verdict},
                      {"numbers", experiments::to_json(f.numbers)},
                      {"because", f.claim->because},
                      {"marks", f.marks},
                      {"broken", f.broken}});
    return nlohmann::ordered_json{{"provenance", to_json(provenance)}, {"rows", rows}}.dump(1) + "\n";
  }
  if (format(options) == experiments::Format::text) {
    std::string out;
    for (const Finding& f : findings) {
      out += fmt::format("{}{}\n  says      {}\n  in        {}\n  verdict   {}\n", out.empty() ? "" : "\n", f.claim->id,
                         f.claim->text, f.claim->source, verdict(f));
      if (!f.numbers.empty()) out += fmt::format("  computed  {}\n", joined(f));
      if (!f.claim->because.empty()) out += fmt::format("  because   {}\n", f.claim->because);
      if (!f.marks.empty()) out += fmt::format("  marks     {}\n", fmt::join(f.marks, "; "));
    }
    return out;
  }
  experiments::Table table{{"claim", "source", "text", "verdict", "computed", "because"}, {}};
  for (const Finding& f : findings)
    table.rows.push_back({f.claim->id, f.claim->source, f.claim->text, verdict(f), joined(f), f.claim->because});
  return write_table(table, format(options), provenance);
}

int run(const Request& request) {
  const std::vector<const Claim*> wanted = chosen(request.ids);
  if (is_dry_run(request.options, wanted.size())) return done;
  const std::vector<Finding> findings = experiments::examine(wanted, request.options.threads);
  print(request.options, write(request.options, findings));
  const auto broken = std::ranges::count_if(findings, [](const Finding& f) { return !f.broken.empty(); });
  if (broken == 0) return done;
  throw Refusal(check_failed, fmt::format("{} of {} claims are not what the ledger says", broken, findings.size()),
                "the lines marked broken say which comparison was not proved");
}

}  // namespace

void add_check(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("check", "compute what the papers claim and say what holds");
  auto request = std::make_shared<Request>();
  command.add_option("claim", request->ids, "ids of claims; none: all of them");
  add_common_options(command, request->options);
  command.footer("Examples:\n  epsilary check balle2020-fig2-crossings\n  epsilary check girgis2021-saving -f md");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
