// What must hold for every statement in the registry, whoever wrote it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "bounds/core/hypotheses.hpp"
#include "tests/bounds/borders.hpp"
#include "tests/bounds/examples.hpp"
#include "tests/reference/reference.hpp"

using namespace epsilary::bounds;

namespace {

using examples::has_number;

constexpr int points_each = 12;

// Closed forms at points around a small run, within a share of counted work each, and the run itself whatever it costs.
// Brackets have no further digits to be asked for, and no other number type: border_test.cpp holds them.
template <class Check>
void for_random_points(unsigned seed, Check check) {
  std::mt19937_64 random(seed);
  for (const Bound* b : all()) {
    if (b->width > 0) continue;
    int found = 0;
    const double start = borders::seconds_of_work();
    for (int i = 0; i < points_each && (found == 0 || borders::seconds_of_work() - start < 0.01); ++i) {
      const bool example = found == 0 && i + 1 == points_each;  // where no small run will do
      const Point point = example ? borders::example_point(*b) : borders::random_point(*b, random, i == 0 ? 0 : 1);
      if (!broken_hypothesis(*b, point).empty()) continue;
      if (!has_number(evaluate(*b, point))) continue;  // no way to split delta, or beyond what can be proved
      ++found;
      const std::string text = borders::text_of(*b, point);
      CAPTURE(text);
      check(*b, point);
    }
    CHECK_MESSAGE(found > 0, b->id);
  }
}

}  // namespace

TEST_CASE("a printed bound is never on the wrong side of the exact value") {
  for_random_points(11, [](const Bound& b, const Point& point) {
    const Evaluation shown = evaluate(b, point, {.digits = 6});
    const Evaluation exact = evaluate(b, point, {.digits = 200, .most_bits = 1 << 12});
    REQUIRE(has_number(shown));
    if (!has_number(exact)) return;
    const Ball::Precision bits(800);
    // The optimum of a search may lie elsewhere at another precision; the bound at its own optimum is compared.
    if (!shown.answer().at.empty()) return;
    if (!shown.answer().value.is_zero() && !certainly(abs(log(abs(shown.answer().value))) < 200000))
      return;  // too small to be read back
    const Rational up = Decimal(decimal(shown.answer().value, 6, Rounding::up)).exact();
    const Rational down = Decimal(decimal(shown.answer().value, 6, Rounding::down)).exact();
    CHECK_FALSE(certainly(Ball(up) < exact.answer().value));
    CHECK_FALSE(certainly(Ball(down) > exact.answer().value));
    CHECK(certainly(Ball(up) - Ball(down) <= abs(exact.answer().value) * Ball(power_of_ten(-4))));
  });
}

TEST_CASE("the ball contains what mp50 and double compute, up to their own rounding") {
  for_random_points(12, [](const Bound& b, const Point& point) {
    const Evaluation exact = evaluate(b, point, {.digits = 60, .most_bits = 1 << 12});
    if (!has_number(exact)) return;
    const auto in_mp = b.evaluate.in_mp50(Values<mp50>(point));
    const auto in_double = b.evaluate.in_double(Values<double>(point));
    // Parameters that a search chose may differ in their last digits, and the value with them.
    const auto chose_the_same = [&](const auto& at) {
      if (at.size() != exact.answer().at.size()) return false;
      for (std::size_t i = 0; i < at.size(); ++i)
        if (to_double(at[i].value) != to_double(exact.answer().at[i].value)) return false;
      return true;
    };
    const mp50 truth = to_mp50(exact.answer().value);
    if (chose_the_same(in_mp.at)) CHECK(abs(in_mp.value - truth) <= abs(truth) * mp50("1e-40"));
    const double rounded = to_double(truth);
    if (!std::isfinite(in_double.value))  // a step on the way leaves the range of doubles: the row says so
      CHECK(evaluate(b, point, {.number = NumberType::in_double}).status == Status::unresolved);
    else if (chose_the_same(in_double.at) && std::isnormal(rounded))
      CHECK(std::abs(in_double.value - rounded) <= 1e-10 * std::abs(rounded));
  });
}

TEST_CASE("a bound rises and falls in the parameters it says it does") {
  const auto value = [](const Bound& b, const Point& at) {
    return evaluate(b, at, {.digits = 25, .most_bits = 1 << 12});
  };
  int searched = 0, few = 0;
  for_random_points(13, [&](const Bound& b, const Point& given) {
    const auto compare = [&](const Point& point, Param p, const Rational& to) {
      Point moved = point;
      moved.set(p, Decimal::round(to, 20, Rounding::down));
      if (!broken_hypothesis(b, point).empty() || !broken_hypothesis(b, moved).empty()) return false;
      const Evaluation here = value(b, point), there = value(b, moved);
      if (!has_number(here) || !has_number(there)) return false;
      const std::string text = borders::text_of(b, point);
      CAPTURE(text);
      CAPTURE(key(p));
      const Ball before = capped(here.answer()), after = capped(there.answer());
      // A search is made in double: each of the two is at its own optimum, up to what a double tells.
      const bool is_searched = !here.answer().at.empty();
      const Ball slack = is_searched ? max(abs(before), abs(after)) * Ball(power_of_ten(-9)) : Ball(0);
      const bool rises = std::ranges::count(b.rises, p) > 0;
      CHECK(possibly(rises ? before <= after + slack : before + slack >= after));
      searched += is_searched;
      return true;
    };
    for (const auto* list : {&b.rises, &b.falls})
      for (const Param p : *list) {
        if (!given.has(p)) continue;  // one the statement takes and does not need
        const Rational x = given[p].exact();
        const bool counts = info(p).domain.range().integer;
        compare(given, p, counts ? x * Rational(2) : x * Rational(101) / Rational(100));
        if (!counts) continue;
        for (const int least : {1, 2, 4}) {
          Point small = given;
          small.set(p, Decimal(least));
          few += compare(small, p, Rational(least + 1));
        }
      }
  });
  CHECK(searched > 300);
  CHECK(few > 300);
}

TEST_CASE("every statement says what it is, where it is from and what it needs") {
  for (const Bound* b : all()) {
    CAPTURE(std::string(b->id));
    for (const std::string_view field : {b->id, b->title, b->protocol, b->source, b->formula})
      CHECK_FALSE(field.empty());
    CHECK(b->id.find('-') != std::string_view::npos);
    CHECK_FALSE(b->needs.empty());
    if (b->standing == Standing::repaired || b->standing == Standing::unsound) CHECK_FALSE(b->note.empty());
    for (const auto* list : {&b->rises, &b->falls})
      for (const Param p : *list) CHECK((std::ranges::count(b->needs, p) || std::ranges::count(b->takes, p)));
  }
}

TEST_CASE("every statement has a reference value, or a test that names it") {
  namespace fs = std::filesystem;
  std::set<std::string> named;
  for (const reference::Entry& e : reference::all()) named.insert(e.bound);
  // Brackets have their values in files of their own, or hold against sums over every outcome and against each other.
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(EPSILARY_SOURCE) / "tests")) {
    const bool is_test =
        entry.path().extension() == ".cpp" && entry.path().string().find("tests/bounds/") != std::string::npos;
    const bool is_bracket = entry.path().parent_path().filename() == "brackets" && entry.path().extension() == ".csv";
    if (!is_test && !is_bracket) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    for (std::size_t at = 0; (at = text.find_first_of(letters, at)) != std::string::npos;) {
      const std::size_t end = std::min(text.size(), text.find_first_not_of(letters, at));
      named.insert(text.substr(at, end - at));
      at = end;
    }
  }
  for (const Bound* b : all()) CHECK_MESSAGE(named.count(std::string(b->id)) == 1, b->id);
}

TEST_CASE("forms of one statement need different parameters") {
  for (std::size_t i = 0; i < all().size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (all()[i]->id == all()[j]->id) CHECK_MESSAGE(all()[i]->needs != all()[j]->needs, all()[i]->id);
}

TEST_CASE("a randomizer that says nothing loses nothing, by any statement about it alone; other statements want one") {
  int without = 0;
  for (const Bound* b : all()) {
    if (!std::ranges::count(b->needs, Param::eps0)) continue;
    Point point = examples::point_of(*b);
    point.set(Param::eps0, Decimal(0));
    INFO(b->id);
    const Evaluation e = evaluate(*b, point);
    if (e.status == Status::outside) {
      CHECK(e.reason == "eps0 must be above 0 here (got 0)");
      const bool is_loss =
          b->quantity == Quantity::epsilon || b->quantity == Quantity::delta || b->quantity == Quantity::rdp;
      CHECK((!is_loss || b->side == Side::estimate || std::ranges::count(b->needs, Param::delta0) ||
             std::ranges::count(b->needs, Param::randomizer)));
    } else {
      CHECK((e.certified && e.answer().value.is_zero()));
      ++without;
    }
  }
  CHECK(without > 100);
}

TEST_CASE("no rounds, no loss, by any statement about rounds; other statements want one") {
  for (const Bound* b : all()) {
    if (!std::ranges::count(b->needs, Param::T)) continue;
    Point point = examples::point_of(*b);
    point.set(Param::T, Decimal(0));
    INFO(b->id);
    const Evaluation e = evaluate(*b, point);
    if (b->quantity == Quantity::epsilon || b->quantity == Quantity::delta)
      CHECK((e.certified && e.answer().value.is_zero()));
    else
      CHECK(e.reason == "T must be at least 1 here (got 0)");
  }
}
