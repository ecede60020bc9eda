#include <fmt/format.h>

#include <algorithm>

#include "bounds/core/registry.hpp"
#include "experiments/claims/claims.hpp"
#include "experiments/sweep/toml_reader.hpp"

namespace epsilary::experiments {
namespace {

// { training = "...", bound = "...", eps = "5" }: the last row of that accountant with an epsilon of at most 5.
Quoted measured(const Reader& in, std::string_view name) {
  in.only({"training", "bound", "column", "eps", "T", "sigma"});
  Quoted q{.name = std::string(name), .bound = in.text("bound", false), .column = in.text("column", false)};
  q.training = in.text("training");
  if (q.bound.empty()) q.bound = "training";
  if (q.column.empty()) q.column = "accuracy";
  q.eps = in.number("eps");
  for (const char* key : {"T", "sigma"})
    if (in.has(key)) q.where.emplace_back(key, in.text(key));
  return q;
}

Quoted quoted(const Reader& in, std::string_view name) {
  if (in.has("training")) return measured(in, name);
  Quoted q{.name = std::string(name), .bound = in.text("bound"), .column = in.text("column", false)};
  in.refuse_unknown_bound(q.bound, "bound");
  in.add_axes(q.axes, {"bound", "column", "for", "target", "equals", "from", "to"});
  q.target = in.text("target", false);
  q.equals = in.text("equals", false);
  const std::string unknown = in.text("for", false);
  if (unknown.empty() != (q.target.empty() && q.equals.empty()))
    in.refuse(nullptr, fmt::format("'{}' needs 'for' and one of 'target' and 'equals' together", name));
  if (unknown.empty()) {
    try {
      if (!bounds::form_for(bounds::named(q.bound), first_point(q.axes)))
        in.refuse(nullptr, fmt::format("{} lacks parameters; see: epsilary show {}", q.bound, q.bound));
    } catch (const BadValue& bad) {
      in.refuse(nullptr, bad.what());
    }
    return q;
  }
  q.unknown = bounds::param_named(unknown);
  if (!q.unknown) in.refuse(in.raw().get("for"), fmt::format("unknown parameter '{}'", unknown));
  if (!q.equals.empty()) {
    if (!bounds::param_named(q.equals)) in.refuse_unknown_bound(q.equals, "equals");
    for (const char* end : {"from", "to"})
      if (in.number(end).empty()) in.refuse(nullptr, fmt::format("'{}' has 'equals' and needs '{}'", name, end));
    q.from = solvers::Decimal(in.number("from"));
    q.to = solvers::Decimal(in.number("to"));
  }
  return q;
}

Claim claim(const Reader& in) {
  in.only({"id", "source", "text", "verdict", "because", "values", "shows", "expects"});
  Claim out{
      in.text("id"), in.text("source"), in.text("text"), in.text("verdict"), in.text("because", false), {}, {}, {}};
  if (!std::ranges::count(verdicts(), out.verdict))
    in.refuse(in.raw().get("verdict"), fmt::format("'verdict' must be one of {}", fmt::join(verdicts(), ", ")));
  if (in.has("values"))
    for (const auto& [name, node] : in.table("values"))
      out.values.push_back(quoted(in.sub("values").sub(name), name.str()));
  if (in.has("shows")) out.shows = in.texts("shows");
  if (in.has("expects")) out.expects = in.texts("expects");
  for (const std::string& line : out.shows)
    if (line.rfind(" = ") == std::string::npos)
      in.refuse(in.raw().get("shows"), "'shows' has lines 'name = expression'");
  if (out.expects.empty() != (out.verdict == "not testable here"))
    in.refuse(nullptr, "a claim has 'expects', unless it is not testable here");
  return out;
}

}  // namespace

std::vector<Claim> parse_claims(std::string_view text, std::string_view file) {
  const toml::table root = parse_toml(text, file);
  const Reader in(root, file);
  in.only({"claim"});
  std::vector<Claim> out;
  for (const Reader& one : in.tables("claim")) out.push_back(claim(one));
  return out;
}

}  // namespace epsilary::experiments
