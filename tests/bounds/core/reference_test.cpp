// Every reference value, by every number type.
#include "tests/reference/reference.hpp"

#include <doctest/doctest.h>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "experiments/tightness/solve.hpp"

using namespace epsilary::bounds;

namespace {

template <Real R>
std::optional<R> field_of(const Answer<R>& a, const std::string& field) {
  if (field == "value") return a.value;
  if (field == "delta_total") return R(exp(a.log_delta_total.value()));
  for (const auto& b : a.beside)
    if (b.name == field) return b.value;
  return {};
}

// The reference as an interval: a unit of its last digit either way, because it is rounded.
Ball rounded(const reference::Entry& e) {
  const Ball x(Decimal(e.value).exact());
  const Ball unit = abs(x) * Ball(power_of_ten(1 - e.digits));
  return Ball::hull(x - unit, x + unit);
}

bool is_solve(const reference::Entry& e) { return e.field.starts_with("solve:"); }

const Bound& form(const reference::Entry& e) {
  const Bound* b = form_for(named(e.bound), e.point);
  REQUIRE_MESSAGE(b != nullptr, e.name());
  return *b;
}

}  // namespace

TEST_CASE("every reference value is proved to all its digits") {
  for (const reference::Entry& e : reference::all()) {
    if (is_solve(e)) continue;
    INFO(e.name());
    const Evaluation r = evaluate(form(e), e.point, {.digits = e.digits + 2});
    REQUIRE_MESSAGE((r.status == Status::ok || r.status == Status::vacuous), r.reason);
    REQUIRE(r.certified);
    const Ball::Precision bits(400);
    const Ball value = field_of(r.answer(), e.field).value(), wanted = rounded(e);
    CHECK(value.overlaps(wanted));
    CHECK((value.is_zero() || value.accurate_bits() >= bits_for(e.digits)));
  }
}

TEST_CASE("double agrees with the reference to 1e-13 wherever a double can hold the number") {
  for (const reference::Entry& e : reference::all()) {
    if (is_solve(e) || form(e).evaluate.bracket) continue;
    INFO(e.name());
    const double wanted = std::strtod(e.value.c_str(), nullptr);
    if (wanted != 0 && !std::isnormal(wanted)) continue;
    const double got = field_of(form(e).evaluate.in_double(Values<double>(e.point)), e.field).value();
    CHECK(std::abs(got - wanted) <= std::max(1e-13, std::pow(10.0, 1 - e.digits)) * std::abs(wanted));
  }
}

TEST_CASE("mp50 agrees with the reference to all its digits") {
  for (const reference::Entry& e : reference::all()) {
    if (is_solve(e) || form(e).evaluate.bracket) continue;
    INFO(e.name());
    const mp50 wanted(e.value.c_str());
    const mp50 got = field_of(form(e).evaluate.in_mp50(Values<mp50>(e.point)), e.field).value();
    CHECK(abs(got - wanted) <= abs(wanted) * pow(mp50(10), 1 - e.digits));
  }
}

TEST_CASE("solving gives the reference inverse to all its digits") {
  for (const reference::Entry& e : reference::all()) {
    if (!is_solve(e)) continue;
    INFO(e.name());
    const Param unknown = param_named(e.field.substr(6)).value();
    Point with_unknown = e.point;
    with_unknown.set(unknown, Decimal(1));
    const Bound* bound = form_for(named(e.bound), with_unknown);
    REQUIRE(bound != nullptr);
    const Inversion found = epsilary::experiments::solve(*bound, e.point, unknown, e.target, e.digits);
    REQUIRE(found.status == Inverted::found);
    const Rational wanted = Decimal(e.value).exact(), got = found.value.exact();
    const Rational distance = got < wanted ? wanted - got : got - wanted;
    CHECK(distance <= wanted * power_of_ten(1 - e.digits));
  }
}
