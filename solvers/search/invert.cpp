#include "solvers/search/invert.hpp"

#include <cmath>

namespace epsilary::solvers {
namespace {

constexpr int farthest_decade = 4000;

struct Undecided {
  Decimal at;
};

class Search {
 public:
  Search(const Condition& holds, const Range& range, Rounding safe, int digits)
      : holds_(holds), range_(range), safe_(safe), digits_(digits) {}

  int evaluations() const { return evaluations_; }

  bool test(const Decimal& x) {
    ++evaluations_;
    const std::optional<bool> answer = holds_(x);
    if (!answer) throw Undecided{x};
    return *answer;
  }

  // The last usable decimal toward one end of the range.
  Decimal end(Rounding toward) const {
    if (toward == Rounding::down) {
      if (range_.low_included || range_.integer) return Decimal::round(range_.low, 30, Rounding::up);
      return Decimal("1e-" + std::to_string(farthest_decade));
    }
    if (!range_.high) return Decimal("1e" + std::to_string(farthest_decade));
    if (range_.high_included) return Decimal::round(*range_.high, 30, Rounding::down);
    return Decimal::round(*range_.high - power_of_ten(-digits_), digits_ + 30, Rounding::down);
  }

  Decimal power(std::int64_t j, const Decimal& low, const Decimal& high) const {
    if (j < -farthest_decade || power_of_ten(j) <= low.exact()) return low;
    if (j > farthest_decade || power_of_ten(j) >= high.exact()) return high;
    return Decimal("1e" + std::to_string(j));
  }

  Rational on_grid(const Rational& x, const Rational& step) const {
    Rational k = x / step;
    fmpz_fdiv_q(fmpq_numref(k.raw()), fmpq_numref(k.raw()), fmpq_denref(k.raw()));
    fmpz_one(fmpq_denref(k.raw()));
    return k * step;
  }
  Decimal as_decimal(const Rational& x) const {  // with enough places to hold a grid point
    return Decimal::round(x, range_.integer ? farthest_decade + 1 : digits_ + 2, Rounding::down);
  }
  Rational step_in(std::int64_t decade) const {
    const std::int64_t last = decade - digits_ + 1;
    return range_.integer && (last < 0 || !range_.coarse) ? Rational(1) : power_of_ten(last);
  }

  // Neighbours on the grid of multiples of `step` that give different answers.
  Inversion bisect(Rational low, Rational high, const Rational& step) {
    const bool at_low = safe_ == Rounding::down;
    while (low + step < high) {
      const Rational x = on_grid((low + high) / 2, step);
      (test(as_decimal(x)) == at_low ? low : high) = x;
    }
    const Decimal lower = as_decimal(low), upper = as_decimal(high);
    if (safe_ == Rounding::up) return {Inverted::found, upper, lower, evaluations_};
    return {Inverted::found, lower, upper, evaluations_};
  }

  // From the guess outward in strides that grow, so that a good guess costs a few tests wherever the ends of its decade
  // are; nothing when the answer does not change within it.
  std::optional<Inversion> near(double guess, const Decimal& low, const Decimal& high) {
    const std::int64_t decade = static_cast<std::int64_t>(std::floor(std::log10(guess)));
    const Rational step = step_in(decade), bottom = power(decade, low, high).exact(),
                   top = power(decade + 1, low, high).exact();
    Rational x = on_grid(Decimal::nearest(guess, 17).exact(), step);
    if (!(x > bottom) || !(x < top)) return {};
    const bool here = test(as_decimal(x));
    const bool upward = here != (safe_ == Rounding::up);
    for (Rational stride = on_grid(x * power_of_ten(-11), step) + step;; stride = stride * Rational(8)) {
      Rational next = upward ? x + stride : x - stride;
      const bool last = upward ? !(next < top) : !(next > bottom);
      if (last) next = upward ? top : bottom;
      if (test(as_decimal(next)) != here) return upward ? bisect(x, next, step) : bisect(next, x, step);
      if (last) return {};
      x = next;
    }
  }

  // Gallop over powers of ten until the answer changes, halve that gap to one decade, then bisect in it.
  Inversion run(double guess) {
    const Decimal low = end(Rounding::down), high = end(Rounding::up);
    std::int64_t j = 0;
    if (std::isfinite(guess) && guess > 0) {
      if (auto found = near(guess, low, high)) return *found;
      j = static_cast<std::int64_t>(std::floor(std::log10(guess)));
    }
    const bool here = test(power(j, low, high));
    const std::int64_t direction = here == (safe_ == Rounding::up) ? -1 : 1;
    const Decimal& last = direction < 0 ? low : high;
    std::int64_t other = j;
    for (std::int64_t step = 1;; step *= 2) {
      j = other;
      other += direction * step;
      const Decimal x = power(other, low, high);
      if (test(x) != here) break;
      if (x == last) return {here ? Inverted::everywhere : Inverted::nowhere, x, {}, evaluations_};
    }
    std::int64_t a = std::min(j, other), b = std::max(j, other);
    const bool at_b = safe_ == Rounding::up;
    while (b - a > 1) {
      const std::int64_t mid = a + (b - a) / 2;
      (test(power(mid, low, high)) == at_b ? b : a) = mid;
    }
    return bisect(power(a, low, high).exact(), power(b, low, high).exact(), step_in(a));
  }

 private:
  const Condition& holds_;
  const Range& range_;
  Rounding safe_;
  int digits_;
  int evaluations_ = 0;
};

}  // namespace

std::string_view name(Inverted status) {
  switch (status) {
    case Inverted::found: return "found";
    case Inverted::everywhere: return "everywhere";
    case Inverted::nowhere: return "unreachable";
    case Inverted::undecided: break;
  }
  return "unresolved";
}

Inversion invert(const Condition& holds, const Range& range, Rounding safe, int digits, std::optional<double> guess) {
  Search search(holds, range, safe, digits);
  try {
    return search.run(guess.value_or(0));
  } catch (const Undecided& stuck) {
    return {Inverted::undecided, stuck.at, {}, search.evaluations()};
  }
}

}  // namespace epsilary::solvers
