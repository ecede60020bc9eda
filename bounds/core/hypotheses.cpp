#include "bounds/core/hypotheses.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "bounds/core/protocols.hpp"
#include "bounds/core/question.hpp"
#include "bounds/core/units.hpp"

namespace epsilary::bounds {
namespace {

// Reports of an eps0-LDP randomizer with eps0 = 0 do not depend on the data, and no statement about them and nothing
// else has anything to add. A rate is no statement about a number.
bool says_nothing(const Bound& bound, const Point& point) {
  using enum Param;
  if (!is_zero(point, eps0) || bound.side == Side::estimate) return false;
  if (std::ranges::find(bound.needs, eps0) == bound.needs.end()) return false;
  return std::ranges::none_of(std::array{delta0, sigma, multiplier, mu, steps, randomizer}, [&](Param p) {
    return uses(bound, p) && is_given(bound, p, point) && !is_zero(point, p);
  });
}

// Decides margin >= 0 by raising the precision; equality is undecidable this way and counts as failing.
bool margin_holds(const Hypothesis& h, const Point& read) {
  for (std::int64_t bits = 128; bits <= 4096; bits *= 2) {
    const Ball::Precision scope(bits);
    const Ball margin = h.margin(Values<Ball>(read));
    if (certainly(margin >= 0)) return true;
    if (certainly(margin < 0)) return false;
  }
  return false;
}

// " (got n = 60000, batch = 70000; the limit is 60000.0)": with the limit where the hypothesis knows it.
std::string got(const Hypothesis& h, const Point& read) {
  std::string given = named_in(h.words, read);
  if (h.limit) {
    const Ball::Precision scope(128);
    const std::string limit = decimal(h.limit(Values<Ball>(read)), 6, Rounding::down);
    given += (given.empty() ? "the limit is " : "; the limit is ") + limit;
  }
  return given.empty() ? "" : " (" + given + ")";
}

}  // namespace

bool is_zero(const Point& point, Param p) { return is_number(p) && point.has(p) && point[p].exact() == 0; }

bool loses_nothing(const Bound& bound, const Point& point) {
  const auto none = [&](Param p) { return is_zero(point, p) && uses(bound, p); };
  if (bound.quantity == Quantity::rdp) return says_nothing(bound, point);
  if (const auto facts = facts_of(bound.protocol); facts && facts->slot_is_T && is_zero(point, Param::T)) return false;
  return (bound.quantity == Quantity::epsilon || bound.quantity == Quantity::delta) &&
         (none(Param::T) || none(Param::gamma) || says_nothing(bound, point));
}

std::string named_in(std::string_view words, const Point& point) {
  std::string given;
  for (const ParamInfo& p : params()) {
    const auto named = [&](std::size_t at) {
      const auto is_part = [&](std::size_t i) {
        return i < words.size() && (std::isalnum(static_cast<unsigned char>(words[i])) || words[i] == '_');
      };
      return !is_part(at - 1) && !is_part(at + p.key.size());
    };
    std::size_t at = words.find(p.key);
    while (at != std::string_view::npos && !named(at)) at = words.find(p.key, at + 1);
    if (at == std::string_view::npos || p.param == Param::steps || !point.has(p.param)) continue;
    given += (given.empty() ? "got " : ", ") + std::string(p.key) + " = " + point.text(p.param);
  }
  return given;
}

std::string missing_parameter(const Bound& bound, const Point& point) {
  for (const Param p : bound.needs)
    if (!point.has(p)) return "it needs " + std::string(key(p)) + ", which is not given";
  return {};
}

std::string broken_assumption(const Bound& bound, const Point& read, const Values<Rational>& exact) {
  for (const Hypothesis& h : bound.assumes)
    if (!(h.exact ? h.exact(exact) : margin_holds(h, read))) return "it needs " + std::string(h.words) + got(h, read);
  return {};
}

std::string broken_domain(const Bound& bound, const Point& point) {
  const auto refusal = [&](Param p, const Decimal& x) -> std::string {
    if (p == Param::T && x.exact() == 0 && !loses_nothing(bound, point)) return "T must be at least 1 here (got 0)";
    if (p == Param::eps0 && x.exact() == 0 && !loses_nothing(bound, point)) return "eps0 must be above 0 here (got 0)";
    if (info(p).domain.holds(x.exact())) return {};
    return requirement(info(p)) + " (got " + x.text() + ")";
  };
  for (const auto& [param, value] : point.given())
    if (matters(bound, param))
      if (std::string words = refusal(param, *value); !words.empty()) return words;
  if (uses(bound, Param::steps))
    for (const Decimal& x : point.steps())
      if (std::string words = refusal(Param::steps, x); !words.empty()) return words;
  return {};
}

std::string broken_hypothesis(const Bound& bound, const Point& given) {
  if (std::string words = missing_parameter(bound, in_own_units(bound, given)); !words.empty()) return words;
  if (std::string words = broken_domain(bound, given); !words.empty()) return words;
  if (std::string words = spoiled_hypothesis(bound, given); !words.empty()) return words;
  if (bound.assumes.empty() || loses_nothing(bound, given)) return {};
  // What the formula sees must do, and nothing else that is given may speak against it.
  const Point read = as_read_by(bound, given), whole = in_own_units(bound, given);
  if (std::string words = broken_assumption(bound, read, Values<Rational>(read)); !words.empty()) return words;
  return broken_assumption(bound, whole, Values<Rational>(whole));
}

}  // namespace epsilary::bounds
