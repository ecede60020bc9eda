// At and next to the borders of what parameters may be, in every form of every statement: a coarse and a fine
// evaluation overlap, or the point is refused with a reason. So do evaluations at random precisions.
//
// No form is left out. Each has a share of counted work, within which it meets its points in a random order that is the
// same every time; at least one border of each parameter it meets whatever that costs. With EPSILARY_ALL_BORDERS=1
// in the environment it meets all of them.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>

#include "bounds/core/hypotheses.hpp"
#include "tests/bounds/borders.hpp"

using namespace epsilary::bounds;

namespace {

bool all_borders() { return std::getenv("EPSILARY_ALL_BORDERS") != nullptr; }
// "17" or "17-40": of the forms only these, for whoever follows up a failure.
bool is_chosen(std::size_t form) {
  const char* only = std::getenv("EPSILARY_FORMS");
  if (!only) return true;
  char* end = nullptr;
  const auto first = std::strtoul(only, &end, 10);
  const auto last = *end == '-' ? std::strtoul(end + 1, nullptr, 10) : first;
  return form >= first && form <= last;
}

bool has_number(const Evaluation& e) { return has_value(e.status); }

// A bracket's cost is chosen by its request, that of other forms by their digits.
bool is_bracket(const Bound& b) { return b.width > 0; }

// What two evaluations of one formula disagree about; nothing, where they chose different parameters on the way.
std::string disagreement(const Answer<Ball>& a, const Answer<Ball>& b) {
  if (a.at.size() != b.at.size()) return {};
  for (std::size_t i = 0; i < a.at.size(); ++i)
    if (a.at[i].param != b.at[i].param || !a.at[i].value.overlaps(b.at[i].value)) return {};
  const auto differ = [](const auto& x, const auto& y) { return x && y && !x->overlaps(*y); };
  if (!a.value.overlaps(b.value)) return "value";
  if (differ(a.cap, b.cap)) return "cap";
  if (differ(a.log_delta_total, b.log_delta_total)) return "delta_total";
  if (a.log_delta_total.has_value() != b.log_delta_total.has_value()) return "whether there is a delta_total";
  for (const auto& x : a.beside)
    for (const auto& y : b.beside)
      if (x.name == y.name && !x.value.overlaps(y.value)) return std::string(x.name);
  return {};
}

std::string words(const Ball& x) {
  const Ball::Precision bits(400);
  return "[" + decimal(x, 25, Rounding::down) + ", " + decimal(x, 25, Rounding::up) + "]";
}

struct Tally {
  int numbers = 0, refused = 0, unresolved = 0;
  void count(const Evaluation& e) { ++(has_number(e) ? numbers : e.status == Status::outside ? refused : unresolved); }
};

void check_same(const Answer<Ball>& coarse, const Answer<Ball>& fine) {
  const std::string what = disagreement(coarse, fine);
  CHECK_MESSAGE(what.empty(), what << ": " << words(coarse.value) << " and " << words(fine.value));
}

// Both evaluations at one point; a reason is given wherever there is no number.
void check_digits(const Bound& b, const Point& point, Tally& tally) {
  const Evaluation coarse = borders::at_digits(b, point, 6);
  tally.count(coarse);
  if (!has_number(coarse)) {
    CHECK_FALSE(coarse.reason.empty());
    CHECK_FALSE(coarse.has_number());
    if (coarse.status == Status::outside) return;
  }
  const Evaluation fine = borders::at_digits(b, point, 60);
  if (has_number(coarse) && has_number(fine)) check_same(coarse.answer(), fine.answer());
}

using Check = std::function<void(const Bound&, const Point&)>;

// `first` holds one point of each parameter, `more` the others; `work_each` is a form's share, about in seconds.
struct Points {
  std::vector<Point> first, more;
};

void for_forms(const std::function<Points(const Bound&)>& points_of, double work_each, const Check& check) {
  std::mt19937_64 random(7);
  for (std::size_t form = 0; form < all().size(); ++form) {
    if (!is_chosen(form)) continue;
    const Bound& b = *all()[form];
    Points points = points_of(b);
    std::shuffle(points.more.begin(), points.more.end(), random);
    const double start = borders::seconds_of_work();
    const auto visit = [&](const Point& point) {
      const std::string text = "form " + std::to_string(form) + ": " + borders::text_of(b, point);
      CAPTURE(text);
      const double before = borders::seconds_of_work();
      const std::clock_t clock = std::clock();
      if (std::getenv("EPSILARY_TELL")) std::cerr << text << std::endl;
      try {
        check(b, point);
      } catch (const std::exception& fault) {
        FAIL_CHECK("it throws: " << fault.what());
      }
      if (std::getenv("EPSILARY_TELL")) {
        const double seconds = static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
        std::cerr << "   " << seconds << " s, by work " << borders::seconds_of_work() - before << " s" << std::endl;
      }
    };
    for (const Point& point : points.first) visit(point);
    for (const Point& point : points.more) {
      if (!all_borders() && borders::seconds_of_work() - start > work_each) break;
      visit(point);
    }
  }
}

std::vector<Param> parameters(const Bound& b) {
  std::vector<Param> out = b.needs;
  out.insert(out.end(), b.takes.begin(), b.takes.end());
  std::erase_if(out, [](Param p) { return !is_number(p); });
  return out;
}

// Parameters of one kind at the ends of their domain, the others at the example.
Points ends(const Bound& b, const std::function<bool(const Range&)>& kind) {
  Points out;
  for (const Param p : parameters(b)) {
    if (!kind(info(p).domain.range())) continue;
    bool first = true;
    for (const Decimal& value : borders::border_values(p)) {
      Point point = borders::small_point(b);
      point.set(p, value);
      (first && broken_hypothesis(b, point).empty() ? out.first : out.more).push_back(point);
      if (broken_hypothesis(b, point).empty()) first = false;
    }
  }
  return out;
}

// A parameter at and next to the value of another one, or next to a whole number.
Points beside(const Bound& b) {
  Points out;
  const Point example = borders::small_point(b);
  for (const Param p : parameters(b)) {
    std::vector<Rational> places{1, 2, 3};
    for (const Param other : b.needs)
      if (other != p && is_number(other)) places.push_back(example[other].exact());
    for (const Rational& place : places)
      for (const Decimal& value : borders::values_beside(p, place)) {
        Point point = example;
        point.set(p, value);
        out.more.push_back(point);
      }
  }
  return out;
}

Points at_random(const Bound& b) {
  static std::mt19937_64 random(8);
  Points out{{borders::small_point(b)}, {}};
  for (int i = 0; i < 12; ++i) out.more.push_back(borders::random_point(b, random, 1));
  for (int i = 0; i < 6; ++i) out.more.push_back(borders::random_point(b, random, 2));
  return out;
}

constexpr auto is_bounded = [](const Range& r) { return r.high.has_value(); };
constexpr auto is_count = [](const Range& r) { return r.integer; };
constexpr auto is_real = [](const Range& r) { return !r.high && !r.integer; };
constexpr auto is_any = [](const Range&) { return true; };

void check_ends(const std::function<bool(const Range&)>& kind, int least) {
  Tally tally;
  for_forms([&](const Bound& b) { return is_bracket(b) ? Points{} : ends(b, kind); }, 0.005,
            [&](const Bound& b, const Point& point) { check_digits(b, point, tally); });
  MESSAGE(tally.numbers << " numbers, " << tally.refused << " refused, " << tally.unresolved << " unresolved");
  if (!std::getenv("EPSILARY_FORMS")) CHECK(tally.numbers > least);
}

}  // namespace

TEST_CASE("borders: probabilities and shares of every closed form") { check_ends(is_bounded, 500); }
TEST_CASE("borders: whole numbers of every closed form") { check_ends(is_count, 500); }
TEST_CASE("borders: sizes of every closed form") { check_ends(is_real, 500); }

TEST_CASE("borders: next to one another and to whole numbers, every closed form") {
  Tally tally;
  for_forms([&](const Bound& b) { return is_bracket(b) ? Points{} : beside(b); }, 0.005,
            [&](const Bound& b, const Point& point) { check_digits(b, point, tally); });
  MESSAGE(tally.numbers << " numbers, " << tally.refused << " refused, " << tally.unresolved << " unresolved");
}

TEST_CASE("borders: every closed form at random points and random precisions") {
  std::mt19937_64 random(9);
  std::uniform_int_distribution<long> bits(53, 400);
  int numbers = 0;
  for_forms([&](const Bound& b) { return is_bracket(b) ? Points{} : at_random(b); }, 0.005,
            [&](const Bound& b, const Point& point) {
              if (!broken_hypothesis(b, point).empty()) return;
              const Evaluation fine = borders::at_digits(b, point, 60);
              if (!has_number(fine)) return;
              ++numbers;
              for (int i = 0; i < 2; ++i) {
                const long at = bits(random);
                CAPTURE(at);
                const Answer<Ball> coarse = borders::at_bits(b, point, at);
                if (coarse.refused.empty()) check_same(coarse, fine.answer());
              }
            });
  MESSAGE(numbers << " numbers");
}

// Two requests at a point, the second for four times the work of the first. With so little work most borders are known
// by their ceiling alone: it is whether they are true that counts.
TEST_CASE("borders: every bracket by two small requests") {
  const double patience = all_borders() ? 0.1 : 0.02;
  int numbers = 0, compared = 0;
  for_forms(
      [&](const Bound& b) {
        if (!is_bracket(b)) return Points{};
        Points points = ends(b, is_any);
        points.more.insert(points.more.end(), points.first.begin(), points.first.end());
        return Points{{borders::small_point(b)}, points.more};
      },
      0.01,
      [&](const Bound& b, const Point& point) {
        if (!broken_hypothesis(b, point).empty()) return;
        const Answer<Ball> wide = borders::rough(b, point, 2 * patience);
        if (!wide.refused.empty()) return;
        ++numbers;
        const Evaluation usual = borders::at_digits(b, point, 6, patience);
        if (!has_number(usual)) CHECK_FALSE(usual.reason.empty());
        if (!has_number(usual) || !wide.value.finite()) return;
        ++compared;
        check_same(wide, usual.answer());
      });
  MESSAGE(numbers << " numbers, " << compared << " compared");
  if (!std::getenv("EPSILARY_FORMS")) CHECK(compared > 30);
}

TEST_CASE("borders: a hypothesis that only digits decide is decided in the fiftieth") {
  int met = 0;
  for (const Bound* b : all())
    for (const Hypothesis& h : b->assumes)
      for (const Param p : b->needs) {
        const Range range = info(p).domain.range();
        if (!h.margin || range.integer) continue;
        const Point example = borders::example_point(*b);
        const auto with = [&](const Rational& x) {
          Point point = example;
          point.set(p, Decimal::round(x, 55, Rounding::down));
          return point;
        };
        const auto holds = [&](const Rational& x) {
          const Ball::Precision bits(1000);
          return certainly(h.margin(Values<Ball>(with(x))) >= 0);
        };
        // From where it holds to where it does not, by powers of ten and then by halving.
        Rational in = example[p].exact(), out = in;
        if (!holds(in)) continue;
        for (int k = 1; k <= 40 && holds(out); ++k)
          for (const long tens : {-k, k})
            if (const Rational x = example[p].exact() * power_of_ten(tens); holds(out) && info(p).domain.holds(x))
              out = x;
        if (holds(out)) continue;
        for (int i = 0; i < 180; ++i) {
          const Rational middle = Decimal::round((in + out) / Rational(2), 55, Rounding::down).exact();
          (holds(middle) ? in : out) = middle;
        }
        INFO(b->id << ": " << h.words << " at " << key(p) << " = " << with(in)[p].text());
        CHECK(broken_hypothesis(*b, with(in)).find(h.words) == std::string::npos);
        CHECK(broken_hypothesis(*b, with(out)).find(h.words) != std::string::npos);
        ++met;
      }
  CHECK(met > 10);
}
