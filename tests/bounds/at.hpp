// A bound at a point written as in the reference tables, for tests.
#pragma once

#include <doctest/doctest.h>

#include "bounds/evaluate.hpp"
#include "bounds/registry.hpp"
#include "tests/reference/reference.hpp"

namespace at {

inline const bounds::Bound& form(const std::string& id, const std::string& params) {
  const bounds::Bound* b = bounds::form_for(bounds::named(id), reference::parse_point(params));
  REQUIRE_MESSAGE(b != nullptr, id << " has no form for " << params);
  return *b;
}

inline bounds::Evaluation evaluated(const std::string& id, const std::string& params, int digits = 12) {
  return bounds::evaluate(form(id, params), reference::parse_point(params), {.digits = digits});
}

// The proved enclosure.
inline bounds::Ball proved(const std::string& id, const std::string& params, int digits = 20) {
  const bounds::Evaluation e = evaluated(id, params, digits);
  REQUIRE_MESSAGE(e.certified, id << " at " << params << ": " << e.reason);
  return e.answer().value;
}

inline double number(const std::string& id, const std::string& params) { return proved(id, params).midpoint(); }

// In double; of a bracket the safe end of a rough one.
inline double in_double(const std::string& id, const std::string& params) {
  if (const bounds::Bound& b = form(id, params); b.evaluate.bracket) {
    const bounds::Ball rough = bounds::bracket_at(b, reference::parse_point(params), bounds::rough_request(b)).value;
    return b.side == bounds::Side::lower ? rough.lower() : rough.upper();
  }
  return form(id, params).evaluate.in_double(bounds::Values<double>(reference::parse_point(params))).value;
}

// The rule by which the statement refuses the point, without what was given; empty when it does not.
inline std::string refusal(const std::string& id, const std::string& params) {
  const bounds::Evaluation e = evaluated(id, params);
  if (e.status != bounds::Status::outside) return "";
  const std::string lead = "it needs ";
  if (!e.reason.starts_with(lead)) return e.reason;
  return e.reason.substr(lead.size(), e.reason.find(" (got --") - lead.size());
}

}  // namespace at
