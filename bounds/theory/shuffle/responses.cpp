#include "bounds/theory/shuffle/responses.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "solvers/sums/expectation.hpp"
#include "solvers/sums/trinomial.hpp"

namespace epsilary::bounds::responses {

template <Real R>
ProfileAt<R> Binary<R>::operator()(const R& eps) const {
  using M = Moment<R>;
  if (certainly(w <= 0)) return {M(0), M(0)};
  const double slots = std::same_as<R, double> ? to_double(m) : count_of(m);
  if (std::isnan(slots)) return {unknown<M>(), unknown<M>()};
  const GuardBits<R> guard(nearest_integer(slots));
  const R one = 1 / (1 + exp(eps0)), zero = 1 / (1 + exp(-eps0)), slope = w * expm1(eps0) * (1 + exp(-eps0));
  const R p = reverse ? zero : one, q = reverse ? one : zero;
  // Going up the ratio passes e^eps at `edge` ones; going down it is below e^{-eps} while there are less than `edge`.
  using N = Carried<R>;
  const N edge = N(m) * (N(one) + N(reverse ? R(expm1(-eps)) : R(expm1(eps))) / N(slope));
  if constexpr (std::same_as<R, Ball>) {
    const Ball x = reverse ? Ball(m - edge) : edge;
    const auto quick = enclosed_excess(nearest_integer(slots), p, q, x);
    if (quick && 2 * quick->above.accurate_bits() >= guard.asked) {
      const Ball excess = slope / m * quick->above;
      if (reverse) return {exp(eps) * excess, exp(-eps) * quick->mass - excess};
      return {excess, quick->mass};
    }
  }
  const double whole = std::floor(to_double(edge));
  // k counts the ones going up, the zeros going down: beyond the edge by k - from + past.
  const double from = reverse ? slots - whole : whole + 1;
  const M past = to_moment<R>(reverse ? N(edge - N(whole)) : N(N(whole) + 1 - edge));
  const auto beyond = [&](double k) { return max(M(0), M(M(k) - M(from) + past)); };
  const auto counts = [&](double k) { return M(certainly(beyond(k) > M(0)) ? 1 : 0); };
  double first = from - 1;  // where rounding may leave something
  if constexpr (std::same_as<R, Ball>) first = std::floor(reverse ? slots - edge.upper() : edge.lower()) - 1;
  first = std::max(0.0, first);
  const Binomial<M> law{M(m), M(p), M(q)};
  const M excess =
      M(slope) / M(m) *
      binomial_mean(
          law, first, M(1), beyond, [](double k, const M&) { return M(k); }, [](double, double b) { return M(b); });
  const M mass = binomial_mean(
      law, first, M(0), counts, [](double, const M&) { return M(1); }, [](double, double) { return M(1); });
  if (reverse) return {M(exp(eps)) * excess, M(exp(-eps)) * mass - excess};
  return {excess, mass};
}

template <Real R>
ProfileAt<R> Ternary<R>::operator()(const R& eps) const {
  using N = Carried<R>;
  if constexpr (!std::same_as<R, double>)
    if (std::isnan(count_of(m))) return {unknown<R>(), unknown<R>()};
  const std::int64_t slots = nearest_integer(to_double(m));
  const GuardBits<R> guard(slots);
  const N e0(eps0), e(eps), p(w), s = 1 / (exp(e0) + 2), f = p / slots;
  const N none = 1 - p + p * exp(-e0), each = f * ((exp(e0) + 1) / 2 - exp(-e0)), gap = f * expm1(e0);
  const LabelLine<N> above{-expm1(e) * none, -expm1(e) * each, gap * (1 + exp(e))};
  const auto [delta, mass] = label_excess<R>({slots, s, N(exp(e0) * s)}, above, LabelLine<N>{none, each, -gap}, guard);
  return {delta, mass};
}

template <Real R>
ProfileAt<R> Mixed<R>::operator()(const R& eps) const {
  using M = Moment<R>;
  const M q(R(1 / (1 + exp(eps0)))), p(R(1 / (1 + exp(-eps0)))), ratio(R(exp(eps)));
  const auto h = static_cast<std::size_t>(to_double(ones)), others = static_cast<std::size_t>(to_double(n)) - 1;
  // A coin after another: no subtraction, so every mass keeps its digits.
  std::vector<M> x{M(1)};
  for (std::size_t i = 0; i < others; ++i) {
    const M one = i < h ? p : q, zero = i < h ? q : p;
    x.push_back(one * x.back());
    for (std::size_t k = x.size() - 2; k > 0; --k) x[k] = zero * x[k] + one * x[k - 1];
    x[0] = zero * x[0];
  }
  M delta(0), null(0);
  for (std::size_t k = 0; k <= others + 1; ++k) {
    const M below = k > 0 ? x[k - 1] : M(0), at = k <= others ? x[k] : M(0);
    const M heavy = reverse ? M(q * below + p * at) : M(p * below + q * at);
    const M light = reverse ? M(p * below + q * at) : M(q * below + p * at);
    const M gain = max(M(0), M(heavy - ratio * light));
    if (certainly(gain > M(0))) null += light;
    delta += gain;
  }
  return {delta, null};
}

template struct Binary<double>;
template struct Binary<mp50>;
template struct Binary<Ball>;
template struct Ternary<double>;
template struct Ternary<mp50>;
template struct Ternary<Ball>;
template struct Mixed<double>;
template struct Mixed<mp50>;
template struct Mixed<Ball>;

}  // namespace epsilary::bounds::responses
