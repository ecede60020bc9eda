// A bound at a point written as in the reference tables, for tests.
#pragma once

#include <doctest/doctest.h>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "tests/reference/reference.hpp"

namespace at {

inline const epsilary::bounds::Bound& form(const std::string& id, const std::string& params) {
  const epsilary::bounds::Bound* b =
      epsilary::bounds::form_for(epsilary::bounds::named(id), reference::parse_point(params));
  REQUIRE_MESSAGE(b != nullptr, id << " has no form for " << params);
  return *b;
}

inline epsilary::bounds::Evaluation evaluated(const std::string& id, const std::string& params, int digits = 12) {
  return epsilary::bounds::evaluate(form(id, params), reference::parse_point(params), {.digits = digits});
}

// The proved enclosure.
inline epsilary::bounds::Ball proved(const std::string& id, const std::string& params, int digits = 20) {
  const epsilary::bounds::Evaluation e = evaluated(id, params, digits);
  REQUIRE_MESSAGE(e.certified, id << " at " << params << ": " << e.reason);
  return e.answer().value;
}

inline double number(const std::string& id, const std::string& params) { return proved(id, params).midpoint(); }

// In double; of a bracket the safe end of a rough one.
inline double in_double(const std::string& id, const std::string& params) {
  if (const epsilary::bounds::Bound& b = form(id, params); b.evaluate.bracket) {
    const epsilary::bounds::Ball rough =
        epsilary::bounds::bracket_at(b, reference::parse_point(params), epsilary::bounds::rough_request(b)).value;
    return b.side == epsilary::bounds::Side::lower ? rough.lower() : rough.upper();
  }
  return form(id, params).evaluate.in_double(epsilary::bounds::Values<double>(reference::parse_point(params))).value;
}

// The rule by which the statement refuses the point, without what was given; empty when it does not.
inline std::string refusal(const std::string& id, const std::string& params) {
  const epsilary::bounds::Evaluation e = evaluated(id, params);
  if (e.status != epsilary::bounds::Status::outside) return "";
  const std::string lead = "it needs ";
  if (!e.reason.starts_with(lead)) return e.reason;
  return e.reason.substr(lead.size(), e.reason.find(" (got ") - lead.size());
}

}  // namespace at
