// Counts, orders and dimensions across the places where a narrower whole number would wrap: 46341 squared, 2^16 and
// 2^31 and 2^32 themselves. Every formula is smooth there, so it may not jump.
#include "bounds/core/hypotheses.hpp"
#include "tests/bounds/at.hpp"
#include "tests/bounds/borders.hpp"

using namespace epsilary::bounds;

namespace {

// The value, where little work proves it.
std::optional<Ball> value_at(const Bound& b, const Point& point) {
  const Evaluation e = borders::at_digits(b, point, 6, 0.0005);
  if (!has_value(e.status) || !e.has_number()) return {};
  return e.answer().value;
}

// Within a quarter, or in the logarithm within a thousandth: some are exponential in the count.
bool is_near(const Ball& x, const Ball& y) {
  if (x.overlaps(y)) return true;
  const Ball log_x = log(abs(x));
  return certainly(abs(log(x / y)) <= max(Ball(0.25), abs(log_x) / 1000));
}

}  // namespace

TEST_CASE("no formula jumps where a count, an order or a dimension outgrows 16, 31 or 32 bits") {
  int compared = 0;
  for (const Bound* b : all()) {
    if (b->width > 0) continue;  // a bracket by so little work is too wide to jump
    const Point example = borders::small_point(*b);
    std::vector<Param> counts = b->needs;
    counts.insert(counts.end(), b->takes.begin(), b->takes.end());
    for (const Param p : counts) {
      if (!is_number(p) || !(info(p).domain.range().integer || p == Param::lambda)) continue;
      for (const auto& [below, above] : {std::pair{"46340", "46342"},
                                         {"65534", "65538"},
                                         {"2147483646", "2147483650"},
                                         {"4294967294", "4294967298"}}) {
        Point low = example, high = example;
        low.set(p, Decimal(below));
        high.set(p, Decimal(above));
        if (!broken_hypothesis(*b, low).empty() || !broken_hypothesis(*b, high).empty()) continue;
        const auto x = value_at(*b, low), y = value_at(*b, high);
        if (!x || !y) continue;
        ++compared;
        CAPTURE(borders::text_of(*b, low));
        CHECK_MESSAGE(is_near(*x, *y), x->midpoint() << " at " << below << ", " << y->midpoint() << " at " << above);
      }
    }
  }
  MESSAGE(compared << " pairs compared");
  CHECK(compared > 500);
}

TEST_CASE("removal at orders whose square leaves 32 bits") {
  // One of one: the divergence of N(1, 1) against N(0, 1) is lambda/2.
  CHECK(at::number("epsilary-removal-gaussian", "per_round=1 gamma=1 multiplier=1 lambda=46342") ==
        doctest::Approx(23171.0));
  CHECK(at::number("epsilary-removal-gaussian", "per_round=1 gamma=1 multiplier=1 lambda=65537") ==
        doctest::Approx(32768.5));
}
