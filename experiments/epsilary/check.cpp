// check: the papers' claims, computed, with a verdict on each.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/claims.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_json.hpp"

namespace epsilary {
namespace {

std::vector<const experiments::Claim*> chosen(const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const experiments::Claim& claim : experiments::claims()) known.push_back(claim.id);
  refuse_unknown("claim", ids, known, "see: epsilary list claims");
  std::vector<const experiments::Claim*> out;
  for (const experiments::Claim& claim : experiments::claims())
    if (ids.empty() || std::ranges::count(ids, claim.id)) out.push_back(&claim);
  return out;
}

std::string numbers(const Finding& finding) {
  std::vector<std::string> parts;
  for (const auto& [name, number] : finding.numbers) parts.push_back(name + ": " + number);
  return joined(parts, "; ");
}

// What a reader sees when our own expectation fails: the verdict is withdrawn.
std::string verdict(const Finding& finding) {
  return finding.broken.empty() ? finding.claim.verdict : "broken: " + joined(finding.broken, "; ");
}

}  // namespace

Findings check(const std::vector<std::string>& ids, const Options& options, const Watch& watch,
               const std::string& journal) {
  const auto wanted = chosen(ids);
  Findings out;
  if (is_counted(options, wanted.size(), out)) return out;
  for (const experiments::Finding& f : experiments::examine(wanted, options.threads, watch.stop, journal))
    out.findings.push_back({{f.claim->id, f.claim->source, f.claim->text, f.claim->verdict, f.claim->because},
                            f.numbers,
                            f.broken,
                            f.marks});
  const auto broken = std::ranges::count_if(out.findings, [](const Finding& f) { return !f.broken.empty(); });
  if (broken > 0)
    out.problem = Error(Problem::check_failed,
                        fmt::format("{} of {} claims are not what the ledger says", broken, out.findings.size()),
                        "the lines marked broken say which comparison was not proved");
  return out;
}

std::string write(const Findings& answer, Format format) {
  if (format == Format::json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Finding& f : answer.findings)
      rows.push_back({{"claim", f.claim.id},
                      {"source", f.claim.source},
                      {"text", f.claim.text},
                      {"verdict", f.claim.verdict},
                      {"numbers", experiments::to_json(f.numbers)},
                      {"because", f.claim.because},
                      {"marks", f.marks},
                      {"broken", f.broken}});
    return experiments::printed(experiments::envelope(answer.digits, rows));
  }
  if (format == Format::text) {
    std::string out;
    for (const Finding& f : answer.findings) {
      out += fmt::format("{}{}\n  says      {}\n  in        {}\n  verdict   {}\n", out.empty() ? "" : "\n", f.claim.id,
                         f.claim.text, f.claim.source, verdict(f));
      if (!f.numbers.empty()) out += fmt::format("  computed  {}\n", numbers(f));
      if (!f.claim.because.empty()) out += fmt::format("  because   {}\n", f.claim.because);
      if (!f.marks.empty()) out += fmt::format("  marks     {}\n", joined(f.marks, "; "));
    }
    return out;
  }
  Table table{{"claim", "source", "text", "verdict", "computed", "because"}, {}};
  for (const Finding& f : answer.findings)
    table.rows.push_back({f.claim.id, f.claim.source, f.claim.text, verdict(f), numbers(f), f.claim.because});
  return write(table, format, answer.digits);
}

}  // namespace epsilary
