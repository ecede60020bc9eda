// A formula answers the question of its form: what else is given does not reach it.
#include <doctest/doctest.h>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/evaluate.hpp"
#include "bounds/core/units.hpp"
#include "tests/bounds/at.hpp"
#include "tests/bounds/borders.hpp"
#include "tests/bounds/examples.hpp"

using namespace epsilary::bounds;

TEST_CASE("whatever else is given, a closed form has the same value or is outside") {
  int compared = 0;
  for (const Bound* b : all()) {
    if (b->evaluate.bracket) continue;
    const Point point = borders::small_point(*b);
    DoubleWalk walk;
    const DoubleEvaluation alone = walk.evaluate(*b, point);
    if (!alone.has_number()) continue;
    for (const ParamInfo& p : params()) {
      if (point.has(p.param) || uses(*b, p.param)) continue;
      Point more = point;
      examples::give(more, p.param);
      const DoubleEvaluation beside = walk.evaluate(*b, more);
      CAPTURE(b->id);
      CAPTURE(p.key);
      if (!beside.has_number()) continue;
      CHECK(beside.answer().value == alone.answer().value);
      CHECK(beside.answer().cap == alone.answer().cap);
      ++compared;
    }
  }
  CHECK(compared > 2000);
}

TEST_CASE("a bracket does not answer for eps when delta is asked, nor take a ceiling of an eps0 that is not its own") {
  const auto same = [](const std::string& id, const std::string& where, const std::string& more) {
    CAPTURE(id);
    const Evaluation alone = evaluate(at::form(id, where), reference::parse_point(where));
    const Evaluation beside = evaluate(at::form(id, where), reference::parse_point(where + more));
    REQUIRE(alone.has_number());
    if (!beside.has_number()) return;
    CHECK(beside.answer().value.upper() == alone.answer().value.upper());
    CHECK(beside.answer().value.lower() == alone.answer().value.lower());
  };
  for (const char* id : {"epsilary-shuffle-best", "epsilary-shuffle-pivot"})
    same(id, "eps0=1 n=10000 delta=1e-6", " eps=0.04");
  same("epsilary-checkin-supremum", "eps0=1 m=100 p0=0.5 delta=1e-6", " eps=0.04");
  same("epsilary-sliding-supremum", "eps0=1 m=100 delta=1e-6", " eps=0.04");
  same("epsilary-distributed-checkin-pld", "n=50 gamma=0.5 multiplier=1 T=2 delta=1e-3", " eps0=0.4132");
}
