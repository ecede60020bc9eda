// A bound at a point written as on the command line, for tests.
#pragma once

#include "bounds/evaluate.hpp"
#include "bounds/registry.hpp"
#include "tests/reference/reference.hpp"

namespace bounds::at {

inline const Bound& form(const std::string& id, const std::string& params) {
  const Bound* b = form_for(named(id), reference::parse_point(params));
  if (!b) throw std::runtime_error(id + " has no form for " + params);
  return *b;
}
inline Evaluation evaluated(const std::string& id, const std::string& params, int digits = 6) {
  return evaluate(form(id, params), reference::parse_point(params), {.digits = digits});
}
// The proved enclosure.
inline Ball proved(const std::string& id, const std::string& params, int digits = 12) {
  const Evaluation e = evaluated(id, params, digits);
  if (!e.certified) throw std::runtime_error(id + " at " + params + ": " + e.reason);
  return e.answer.value;
}
inline double in_double(const std::string& id, const std::string& params) {
  return form(id, params).evaluate.in_double(Values<double>(reference::parse_point(params))).value;
}

}  // namespace bounds::at
