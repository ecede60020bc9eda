// Every reference value, by every number type.
#include "tests/reference/reference.hpp"

#include <doctest/doctest.h>

#include "bounds/evaluate.hpp"
#include "bounds/registry.hpp"
#include "experiments/solve.hpp"

using namespace bounds;

namespace {

const char* const tables[] = {"random_checkins.csv"};

template <Real R>
std::optional<R> field_of(const Answer<R>& a, const std::string& field) {
  if (field == "value") return a.value;
  if (field == "delta_total") return R(exp(a.log_delta_total.value()));
  for (const auto& b : a.beside)
    if (b.name == field) return b.value;
  return {};
}

// The reference as an interval: it is rounded, so half a unit of its 45th digit either way.
Ball rounded(const std::string& text) {
  const Ball x(Decimal(text).exact());
  const Ball half = abs(x) * Ball(power_of_ten(-44)) / 2;
  return Ball::hull(x - half, x + half);
}

bool is_solve(const reference::Entry& e) { return e.field.starts_with("solve:"); }

const Bound& form(const reference::Entry& e) {
  const Bound* b = form_for(named(e.bound), e.point);
  REQUIRE_MESSAGE(b != nullptr, e.name());
  return *b;
}

}  // namespace

TEST_CASE("40 digits of every reference value are proved, and the enclosure contains it") {
  for (const char* table : tables)
    for (const reference::Entry& e : reference::read(table)) {
      if (is_solve(e)) continue;
      INFO(e.name());
      const Evaluation r = evaluate(form(e), e.point, {.digits = 42});
      REQUIRE_MESSAGE((r.status == Status::ok || r.status == Status::vacuous), r.reason);
      REQUIRE(r.certified);
      const Ball::Precision bits(400);
      const Ball value = field_of(r.answer, e.field).value(), wanted = rounded(e.value);
      CHECK(value.overlaps(wanted));
      CHECK((value.is_zero() || value.accurate_bits() >= bits_for(40)));
    }
}

TEST_CASE("double agrees with the reference to 1e-13 wherever a double can hold the number") {
  for (const char* table : tables)
    for (const reference::Entry& e : reference::read(table)) {
      if (is_solve(e)) continue;
      INFO(e.name());
      const double wanted = std::strtod(e.value.c_str(), nullptr);
      if (wanted != 0 && !std::isnormal(wanted)) continue;
      const double got = field_of(form(e).evaluate.in_double(Values<double>(e.point)), e.field).value();
      CHECK(std::abs(got - wanted) <= 1e-13 * std::abs(wanted));
    }
}

TEST_CASE("mp50 agrees with the reference to 40 digits") {
  for (const char* table : tables)
    for (const reference::Entry& e : reference::read(table)) {
      if (is_solve(e)) continue;
      INFO(e.name());
      const mp50 wanted(e.value);
      const mp50 got = field_of(form(e).evaluate.in_mp50(Values<mp50>(e.point)), e.field).value();
      CHECK(abs(got - wanted) <= abs(wanted) * mp50("1e-40"));
    }
}

TEST_CASE("solving gives the reference inverse to 40 digits, on the safe side") {
  for (const char* table : tables)
    for (const reference::Entry& e : reference::read(table)) {
      if (!is_solve(e)) continue;
      INFO(e.name());
      const Param unknown = param_named(e.field.substr(6)).value();
      Point with_unknown = e.point;
      with_unknown.set(unknown, Decimal(1));
      const Bound* bound = form_for(named(e.bound), with_unknown);
      REQUIRE(bound != nullptr);
      const Inversion found = experiments::solve(*bound, e.point, unknown, e.target, 40);
      REQUIRE(found.status == Inverted::found);
      const Rational wanted = Decimal(e.value).exact(), got = found.value.exact();
      const Rational distance = got < wanted ? wanted - got : got - wanted;
      CHECK(distance <= wanted * power_of_ten(-39));
    }
}
