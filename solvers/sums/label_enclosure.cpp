#include "solvers/sums/label_enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/numbers/functions.hpp"
#include "solvers/numbers/scaled.hpp"

namespace epsilary::solvers {
namespace {

using Long = long double;
constexpr Long unit = std::numeric_limits<Long>::epsilon() / 2;  // what an operation rounds by, relatively
// A tail begins anew after about twice as many steps as it has terms, within these.
constexpr std::int64_t fewest_steps = 1 << 15, most_steps = 1 << 20;

// A ball as a long double with its distance from any point of the ball.
struct Near {
  Long value;
  double error;
};
Near near(const Ball& x) {
  const double high = x.midpoint();
  const Ball rest = x - Ball(high);
  const double low = rest.midpoint();
  const Long value = static_cast<Long>(high) + static_cast<Long>(low);
  const double error = abs(rest - Ball(low)).upper();
  return {value, error * 1.001 + static_cast<double>(unit * std::abs(value)) * 1.001};
}

Ball ball_of(Long x) {
  int exponent = 0;
  const Long m = std::frexp(x, &exponent);
  const double high = static_cast<double>(m), low = static_cast<double>(m - static_cast<Long>(high));
  return ldexp(Ball(high) + Ball(low), exponent);
}

// Where the sum begins, in double: it decides what is left out, which is bounded wherever that is.
double first_label(double m, double s, double rest, double U, double V) {
  const auto log_weight = [&](double c) { return log_binomial_weight(m, c, 2 * s, rest); };
  const auto log_term = [&](double c) {  // by the entropy of a* among c coins: concave in c
    const double share = (c / 2 + U + V * c) / c;
    const auto part = [](double x) { return x > 0 ? x * std::log(2 * x) : 0.0; };
    return share >= 1 ? log_weight(c) - c * std::log(2.0) : log_weight(c) - c * (part(share) + part(1 - share));
  };
  const double least = std::min(m, std::floor(U / (0.5 - V)) + 1);
  double low = least, high = m;
  while (high - low > 2) {
    const double left = std::floor(low + (high - low) / 3), right = std::ceil(high - (high - low) / 3);
    (log_term(left) < log_term(right) ? low : high) = log_term(left) < log_term(right) ? left : right;
  }
  const double top = std::max({log_term(low), log_term(high), log_term(std::floor((low + high) / 2))});
  double in = std::clamp(std::max(low, std::floor(2 * s * m)), least, m), out = m;
  const auto negligible = [&](double c) { return log_weight(c) + std::log(c) / 2 < top - 50; };
  if (!negligible(out)) return m;
  while (out - in > 1) {
    const double middle = std::floor((in + out) / 2);
    (negligible(middle) ? out : in) = middle;
  }
  return out;
}

// P(K >= k)/P(K = k) and E(K - k)_+/P(K = k) of a binomial K among c, for k not below its mean, with bounds of their
// errors. `odds` is p/q.
struct Tail {
  Long T = 1, G = 0, error_T = 0, error_G = 0;
  std::int64_t terms = 0;
};
std::optional<Tail> tail_above(Long c, Long k, Long odds, Long odds_error) {
  Tail out;
  Long term = 1;
  const Long each = 4 * unit + odds_error;  // relatively, of a ratio
  for (std::int64_t i = 0; k + static_cast<Long>(i) < c; ++i) {
    out.terms = i;
    const Long j = static_cast<Long>(i), ratio = odds * (c - k - j) / (k + j + 1);
    if (i % 32 == 0) {
      spend(32 * 8);
      if (!(ratio < 1 - 64 * each)) return {};
      const Long beyond = ratio / (1 - ratio) * (1 + 64 * unit) + 4 * each / (1 - ratio) / (1 - ratio);
      const Long rest = term * beyond * (j + 1 + beyond) * (1 + (j + 64) * each);
      if (rest < out.T * unit) {
        out.error_T += rest, out.error_G += rest;
        break;
      }
    }
    term *= ratio;
    out.T += term;
    out.G += (j + 1) * term;
    // The j-th term is off by its ratios, and each sum by a unit more.
    out.error_T += (j + 1) * each * term + out.T * unit;
    out.error_G += (j + 2) * each * (j + 1) * term + out.G * unit;
  }
  return out;
}

}  // namespace

std::optional<LabelExcess> enclosed_excess(const LabelSum& x) {
  constexpr Long safety = 1.001L;  // errors are summed in rounded numbers too
  if (!certainly(x.s > 0) || !certainly(x.rest > 0) || !certainly(x.d > 0) || x.slots < 1) return {};
  const Near U = near(-x.u / x.d), V = near(-x.v / x.d), odds = near(x.rest / (2 * x.s));  // of no label to any
  const Long m = static_cast<Long>(x.slots);
  // From c to c - 1 the threshold moves by less than one, and where it passes c it stays above.
  if (!(U.value >= 0) || !(V.value >= 0) || !(odds.value > 0) || !std::isfinite(static_cast<double>(U.value)) ||
      !(0.5L - V.value > 16 * (unit + V.error) * m + 2 * U.error))
    return {};
  const Long slope = 0.5L + V.value;
  const auto threshold = [&](Long c) { return slope * c + U.value; };
  const auto threshold_error = [&](Long c) { return (4 * unit * threshold(c) + c * V.error + U.error) * safety; };
  const double top = first_label(static_cast<double>(m), x.s.midpoint(), x.rest.midpoint(),
                                 static_cast<double>(U.value), static_cast<double>(V.value));
  Long c = top, k = std::floor(threshold(c)) + 1;
  if (!(k <= c) || !(2 * k > c)) return {};
  const double at_c = static_cast<double>(c), at_k = static_cast<double>(k);
  const Ball half = ldexp(Ball(1), -1);
  const Ball scale =
      binomial_weight(Ball(x.slots), at_c, 2 * x.s, x.rest) * binomial_weight(Ball(at_c), at_k, half, half);
  if (!scale.finite()) return {};

  // All in units of the weight of the first c, and of f there.
  const auto tail = tail_above(c, k, 1, 0);
  if (!tail) return {};
  Long weight = 1, f = 1, T = tail->T, G = tail->G, error_T = tail->error_T, error_G = tail->error_G;
  Long error_f = 0, error_weight = 0;  // relative
  Long sum = 0, error = 0, beside = 0;
  const auto room = [&](Long at) { return std::sqrt(at) / 4 + 1; };  // E(a - c/2)_+ is below
  const Long odds_error = odds.error / odds.value;
  // One, in units of f.
  const Long largest = std::exp(-log_binomial_weight(Long(at_c), Long(at_k), 0.5L, 0.5L)) * safety;
  if (c < m) {
    const Long ratio = (m - c) / (c * odds.value) * (1 + odds_error + 8 * unit);  // above that of the next weights
    // From c to c + i that room grows by i/(8 sqrt(c)) at most, summed with ratio^i by no more than its one.
    if (!((1 - ratio) * 8 * std::sqrt(c) > 1.001L)) return {};
    error += ratio / (1 - ratio) * room(c) * largest;
  }
  const std::int64_t anew_after = std::clamp(2 * tail->terms, fewest_steps, most_steps);
  std::int64_t steps = 0;
  for (;;) {
    // What T and G are off by grows with the cube of the steps: of many, they begin anew.
    if (steps > 0 && steps % anew_after == 0) {
      const auto anew = tail_above(c, k, 1, 0);
      if (!anew) return {};
      T = f * anew->T, G = f * anew->G;
      error_T = f * anew->error_T + T * 4 * unit, error_G = f * anew->error_G + G * 4 * unit;
      // All three are off by what f is, which the weight takes over: from here on f is what it is.
      error_weight += error_f, error_f = 0;
    }
    const Long before = f * k / (c - k + 1);  // P(a = k - 1)
    const Long past = k - threshold(c), part = G + past * T;
    const Long error_part =
        error_G + past * error_T + threshold_error(c) * (T + before) * (1 + error_f + 8 * unit) + 4 * unit * part;
    sum += weight * part;
    error += weight * (error_part + part * (error_weight + 4 * unit)) + 2 * unit * sum;
    beside += weight * ((x.beside_u + x.beside_v * c + x.beside_d * (k - c / 2)) * T + x.beside_d * G);

    const Long down = c * odds.value / (m - c + 1);
    if (++steps % 64 == 0) {
      spend(64 * 8);
      if (!std::isfinite(sum) || !std::isfinite(error)) return {};
      // The weights still to come fall at least like this; next to the mean, hardly at all.
      if (const Long ratio = down * (1 + odds_error + 8 * unit); 1 - ratio > 0x1p-40L) {
        const Long rest = weight * ratio / (1 - ratio) * room(c) * largest;
        if (rest < sum * 0x1p-52L) {
          error += rest;
          break;
        }
      }
    }
    if (c <= 1) break;
    const Long at = threshold(c - 1), next = at >= k - 1 ? k : k - 1;
    if (!(at >= next - 1 && at < next)) return {};
    const Long g = f * k / c, t = T - g;
    const Long error_g = g * (error_f + 4 * unit);
    const Long error_t = error_T + error_g + 2 * unit * std::abs(t);
    if (next == k) {
      f = f * (2 * (c - k)) / c;
      T = t, error_T = error_t;
      G -= t / 2;
    } else {
      f = 2 * g;
      T = t + 2 * g, error_T = error_t + 2 * error_g + 2 * unit * T;
      G += t / 2;
    }
    error_G += error_t / 2 + 2 * unit * std::abs(G);
    error_f += 5 * unit;
    weight *= down;
    error_weight += 6 * unit + odds_error;
    k = next;
    --c;
    if (k > c) {  // L is nowhere above zero from here on, up to rounding here
      error += weight * threshold_error(c) * 4 * g;
      break;
    }
  }
  error *= safety;
  if (!std::isfinite(sum) || !std::isfinite(error) || !(error < sum)) return {};
  const Ball unit_of_sum = scale * x.d;
  return LabelExcess{unit_of_sum * Ball::hull(ball_of(sum - error), ball_of(sum + error)), scale * ball_of(beside)};
}

std::optional<BinomialExcess> enclosed_excess(std::int64_t n, const Ball& p, const Ball& q, const Ball& x) {
  constexpr Long safety = 1.001L;
  if (!certainly(p > 0) || !certainly(q > 0) || n < 1) return {};
  const Near at = near(x), odds = near(p / q);
  const Long m = static_cast<Long>(n), k = std::floor(at.value) + 1;
  if (!(at.value >= 0) || !(at.error < 0.5) || !(k <= m)) return {};
  const auto tail = tail_above(m, k, odds.value, odds.error / odds.value);
  if (!tail) return {};
  const double at_k = static_cast<double>(k);
  const Ball point = binomial_weight(Ball(n), at_k, p, q);
  if (!point.finite()) return {};
  const Long before = k / ((m - k + 1) * odds.value);  // P(K = k - 1)
  const Long past = k - at.value, part = tail->G + past * tail->T;
  const Long error = (tail->error_G + past * tail->error_T + 4 * unit * part +
                      (static_cast<Long>(at.error) + 2 * unit * at.value) * (tail->T + before) * 1.01L) *
                     safety;
  if (!std::isfinite(part) || !(error < part)) return {};
  return BinomialExcess{point * Ball::hull(ball_of(part - error), ball_of(part + error)), point * ball_of(tail->T)};
}

}  // namespace epsilary::solvers
