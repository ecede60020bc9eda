#include "experiments/epsilary/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace epsilary {
namespace {

using experiments::Setting;

const Usual& usual_named(const std::vector<Usual>& usual, const std::string& protocol) {
  std::vector<std::string> known;
  for (const Usual& u : usual) known.push_back(u.protocol);
  refuse_unknown("protocol", {protocol}, known, "the protocols are " + joined(known));
  return *std::ranges::find(usual, protocol, &Usual::protocol);
}

// What no run can have, as a rule in words; empty when there is nothing wrong.
std::string broken_rule(const std::string& protocol, const Setting& at) {
  const auto above = [&](const char* a, const char* b) { return at.has(a) && at.has(b) && at[a] > at[b]; };
  for (const char* key :
       {"n", "m", "clients", "records", "per_round", "samples", "batch", "T", "dim", "quorum", "epochs"})
    if (at.has(key) && at[key] > 1e6) return fmt::format("{} <= 1000000, as every one of them is run", key);
  if (at.has("clients") && at.has("records") && at["clients"] * at["records"] > 1e7)
    return "clients records <= 10^7, as every one of them is run";
  if (at.has("T") && at["T"] < 1) return "T >= 1";
  if (above("batch", "n")) return "batch <= n";
  if (above("per_round", "clients")) return "per_round <= clients";
  if (at.has("samples") && at["samples"] > (at.has("records") ? at["records"] : 1)) return "samples <= records";
  if (protocol == "checkin-sliding" && at.has("n") && at["n"] < 2 * at["m"] - 1) return "n >= 2 m - 1";
  if (protocol == "checkin-epoch" && std::fmod(at["n"], at["m"]) != 0) return "m divides n";
  if (protocol == "checkin-fixed" && at["p0"] == 0) return "p0 > 0, or nobody ever comes";
  return {};
}

}  // namespace

Parameters usual_of(const std::vector<Usual>& usual, const std::string& protocol) {
  return usual_named(usual, protocol).usual;
}

Parameters without(const Parameters& all, const std::vector<std::string>& keys) {
  Parameters out;
  for (const auto& pair : all)
    if (!std::ranges::count(keys, pair.first)) out.push_back(pair);
  return out;
}

RunPoint run_point(const std::vector<Usual>& usual, const std::string& protocol, const Parameters& given) {
  const Usual& own = usual_named(usual, protocol);
  std::vector<std::string> takes;
  for (const auto& [key, value] : own.usual) takes.push_back(key);
  takes.insert(takes.end(), own.also.begin(), own.also.end());
  for (const auto& [key, value] : given) {
    param_given(key);  // refuses what is none
    if (!std::ranges::count(takes, key))
      throw Error(Problem::usage, fmt::format("{} is not a parameter of a run of {}", key, protocol),
                  "it takes " + joined(takes), key);
  }
  Parameters all = given;
  for (const auto& pair : own.usual)
    if (std::ranges::none_of(given, [&](const auto& g) { return g.first == pair.first; })) all.push_back(pair);
  const auto axes = axes_of(all);
  if (experiments::grid_size(axes) != 1)
    throw Error(Problem::usage, fmt::format("{} points are given where one is run", experiments::grid_size(axes)),
                "give one value to every parameter");
  const bounds::Point point = experiments::first_point(axes);
  std::map<std::string, double> numbers;
  Pairs where;
  for (const std::string& key : takes) {
    const bounds::Param param = param_given(key);
    if (!point.has(param)) continue;
    where.emplace_back(key, point.text(param));
    if (param != bounds::Param::randomizer) numbers[key] = solvers::from_rational<double>(point[param].exact());
  }
  RunPoint out{std::move(all), std::move(where), Setting(std::move(numbers)), point};
  if (const std::string rule = broken_rule(protocol, out.at); !rule.empty())
    throw Error(
        Problem::outside,
        fmt::format("{} cannot be run here: it needs {} (got {})", protocol, rule, experiments::join(out.where)),
        "change what is given, or leave it out");
  return out;
}

Repeated repeated(const Repetition& repetition, std::uint64_t usual, std::uint64_t least) {
  const auto number = [](const char* name, const Value& value, const char* example) {
    try {
      return solvers::Decimal(value.text()).exact();
    } catch (const solvers::BadNumber& bad) {
      throw Error(Problem::usage, fmt::format("{}: {}", name, bad.what()),
                  fmt::format("for example --{} {}", name, example), name);
    }
  };
  const bool is_usual = repetition.runs.text().empty();
  const solvers::Rational runs = is_usual ? solvers::Rational(usual) : number("runs", repetition.runs, "1e6");
  if (!is_integer(runs) || runs < solvers::Rational(least) || runs > solvers::Rational(1'000'000'000'000))
    throw Error(Problem::usage,
                fmt::format("runs must be an integer from {} to 10^12 (got {})", least, repetition.runs.text()),
                fmt::format("for example --runs {}", usual), "runs");
  const solvers::Rational confidence = number("confidence", repetition.confidence, "0.99");
  if (2 * confidence < 1 || confidence >= 1)
    throw Error(Problem::usage,
                fmt::format("confidence must satisfy 1/2 <= confidence < 1 (got {})", repetition.confidence.text()),
                "for example --confidence 0.99", "confidence");
  return {static_cast<std::uint64_t>(solvers::from_rational<double>(runs)), solvers::from_rational<double>(confidence),
          repetition.confidence.text()};
}

std::string shown(double x) { return fmt::format("{:.6g}", x); }
std::string shown(double x, solvers::Rounding side) { return decimal(solvers::Ball(x), 6, side); }

}  // namespace epsilary
