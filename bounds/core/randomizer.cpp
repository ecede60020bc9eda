#include "bounds/core/randomizer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "solvers/numbers/decimal.hpp"
#include "solvers/numbers/rational_parts.hpp"
#include "solvers/numbers/text.hpp"
#include "solvers/numbers/work.hpp"

namespace epsilary::bounds {
namespace {

using solvers::Decimal;
using solvers::quoted;
using solvers::Rational;
using solvers::split;
using Kind = Randomizer::Kind;

constexpr std::size_t most_entries = 4'000'000;
constexpr std::int64_t most_values = 1'000'000'000;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Exact numbers grow with their denominators; what one costs is counted, a little above linearly in its words.
Rational counted(Rational x) {
  solvers::spend(10 + std::pow(static_cast<double>(solvers::words_of(x)), 1.5));
  return x;
}

struct Name {
  std::string_view name, numbers;
  Kind kind;
  std::string_view rule;  // of the numbers
  bool (*holds)(const std::vector<Rational>&);
};

bool counts(const Rational& x, std::int64_t least) { return is_integer(x) && x >= least && x <= most_values; }

const std::array<Name, 10> names{{
    {"krr", "K", Kind::krr, "K an integer, 2 <= K <= 10^9", [](const auto& x) { return counts(x[0], 2); }},
    {"subset", "K,D", Kind::subset, "integers K >= 2 and 1 <= D < K, K <= 100000",
     [](const auto& x) { return counts(x[0], 2) && counts(x[1], 1) && x[1] < x[0] && x[0] <= 100000; }},
    {"hadamard", "K", Kind::hadamard, "K a power of two, 4 <= K <= 10^9",
     [](const auto& x) {
       if (!counts(x[0], 4)) return false;
       return Rational(std::int64_t{1} << ceil_log2(x[0])) == x[0];
     }},
    {"rappor", "K", Kind::rappor, "K an integer, 2 <= K <= 10^9", [](const auto& x) { return counts(x[0], 2); }},
    {"oue", "K", Kind::oue, "K an integer, 2 <= K <= 10^9", [](const auto& x) { return counts(x[0], 2); }},
    {"hash", "G", Kind::hash, "G an integer, 2 <= G <= 10^9", [](const auto& x) { return counts(x[0], 2); }},
    {"rinf", "", Kind::rinf, "", [](const auto&) { return true; }},
    {"laplace", "", Kind::laplace, "", [](const auto&) { return true; }},
    {"gauss", "SIGMA,T", Kind::gauss, "SIGMA >= 1/100 and 0 <= T <= 20 SIGMA",
     [](const auto& x) { return x[0] * Rational(100) >= 1 && x[1] >= 0 && x[1] <= x[0] * Rational(20); }},
    {"variation", "P,Q,B", Kind::variation, "P > 1, 0 < B <= (P-1)/(P+1), and Q >= 1 + B",
     [](const auto& x) { return x[0] > 1 && x[2] > 0 && x[2] * (x[0] + 1) <= x[0] - 1 && x[1] >= x[2] + 1; }},
}};

std::string called(const Name& n) {
  return std::string(n.name) + (n.numbers.empty() ? "" : ":") + std::string(n.numbers);
}

std::optional<Randomizer> named(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto found = std::ranges::find(names, name, &Name::name);
  if (found == names.end()) return {};
  Randomizer out{.kind = found->kind};
  if (colon != std::string_view::npos)
    for (const std::string_view part : split(text.substr(colon + 1), ','))
      out.numbers.push_back(parse_probability(part));
  const auto wanted = found->numbers.empty() ? 0 : std::ranges::count(found->numbers, ',') + 1;
  if (static_cast<std::ptrdiff_t>(out.numbers.size()) != wanted || !found->holds(out.numbers))
    throw BadRandomizer(quoted(text) + " is not " + called(*found) +
                        (found->rule.empty() ? "" : ", " + std::string(found->rule)));
  out.text = text;
  return out;
}

// Rounded down, of whatever size.
std::string shown(const Rational& x) {
  if (x > 0 && x < solvers::power_of_ten(-1000)) return "less than 1e-1000";
  const Rational most = solvers::power_of_ten(1000);
  return Decimal::round(x < most ? x : most, 17, solvers::Rounding::down).text();
}

// Any order will do.
struct ByParts {
  bool operator()(const std::vector<Rational>& a, const std::vector<Rational>& b) const {
    return std::ranges::lexicographical_compare(a, b, solvers::parts_before);
  }
};

// Outputs that all inputs give in one proportion tell the same and are one output; those that nobody gives are none.
std::vector<std::vector<Rational>> different_outputs(const std::vector<std::vector<Rational>>& rows) {
  std::map<std::vector<Rational>, std::vector<Rational>, ByParts> merged;  // by proportion to the first that is not 0
  for (std::size_t j = 0; j < rows.front().size(); ++j) {
    const auto first = std::ranges::find_if(rows, [&](const auto& row) { return !(row[j] == 0); });
    if (first == rows.end()) continue;
    std::vector<Rational> shape;
    for (const auto& row : rows) shape.push_back(counted(row[j] / (*first)[j]));
    auto& all = merged[std::move(shape)];
    if (all.empty()) all.assign(rows.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) all[i] = counted(all[i] + rows[i][j]);
  }
  std::vector<std::vector<Rational>> out(rows.size());
  for (const auto& [shape, entries] : merged)
    for (std::size_t i = 0; i < rows.size(); ++i) out[i].push_back(entries[i]);
  return out;
}

}  // namespace

Rational parse_probability(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) throw BadRandomizer("an entry is missing");
  solvers::spend(50);
  const auto parts = split(text, '/');
  if (parts.size() > 2) throw BadRandomizer(quoted(text) + " is not a fraction");
  try {
    const Rational above = Decimal(trimmed(parts[0])).exact();
    if (parts.size() == 1) return counted(above);
    const Rational below = Decimal(trimmed(parts[1])).exact();
    if (below == 0) throw BadRandomizer(quoted(text) + " divides by zero");
    return counted(above / below);
  } catch (const solvers::BadNumber& bad) {
    throw BadRandomizer(bad.what());
  }
}

Randomizer matrix_randomizer(std::vector<std::vector<Rational>> rows, std::string text) {
  if (rows.size() < 2) throw BadRandomizer("a matrix has a row for every input, at least two");
  const std::size_t columns = rows.front().size();
  if (columns < 2) throw BadRandomizer("a matrix has a column for every output, at least two");
  if (rows.size() * columns > most_entries)
    throw BadRandomizer(
        std::to_string(rows.size()) + " rows of " + std::to_string(columns) +
        " entries are more than 4000000 entries; put outputs together that all inputs give in the same proportion");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string place = "row " + std::to_string(i + 1);
    if (rows[i].size() != columns)
      throw BadRandomizer(place + " has " + std::to_string(rows[i].size()) + " entries, the first has " +
                          std::to_string(columns));
    Rational sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      if (rows[i][j] < 0) throw BadRandomizer(place + ", entry " + std::to_string(j + 1) + " is negative");
      sum = counted(sum + rows[i][j]);
    }
    if (!(sum == 1))
      throw BadRandomizer(place + " adds up to " + shown(sum) + (sum < 1 ? "" : " or more") +
                          ", not to 1; write exact decimals or fractions such as 1/3");
  }
  return {.kind = Kind::matrix, .rows = different_outputs(rows), .text = std::move(text)};
}

Randomizer parse_randomizer(std::string_view text) {
  text = trimmed(text);
  if (auto found = named(text)) return *found;
  if (text.find(';') == std::string_view::npos)
    throw BadRandomizer(quoted(text) + " is not a randomizer, and no such file can be read");
  std::vector<std::vector<Rational>> rows;
  for (const std::string_view line : split(text, ';')) {
    rows.emplace_back();
    for (const std::string_view part : split(line, ',')) rows.back().push_back(parse_probability(part));
  }
  return matrix_randomizer(std::move(rows), std::string(text));
}

OwnPrivacy privacy_of(const Randomizer& r) {
  OwnPrivacy out{1, 0};
  const std::size_t columns = r.rows.empty() ? 0 : r.rows.front().size();
  for (std::size_t j = 0; j < columns; ++j) {
    std::optional<Rational> least, most;
    for (const auto& row : r.rows) {
      if (counted(row[j]) == 0) continue;
      if (!least || row[j] < *least) least = row[j];
      if (!most || row[j] > *most) most = row[j];
    }
    if (least && *most / *least > out.ratio) out.ratio = *most / *least;
  }
  for (const auto& other : r.rows) {
    std::vector<std::size_t> none;
    for (std::size_t j = 0; j < columns; ++j)
      if (other[j] == 0) none.push_back(j);
    if (none.empty()) continue;
    for (const auto& row : r.rows) {
      Rational alone = 0;
      for (const std::size_t j : none) alone = counted(alone + row[j]);
      if (alone > out.delta0) out.delta0 = alone;
    }
  }
  return out;
}

}  // namespace epsilary::bounds
