#include "bounds/theory/shuffle/clones.hpp"

#include <cmath>
#include <concepts>

#include "solvers/sums/trinomial.hpp"

namespace epsilary::bounds::clones {

template <class Labels, Real R>
ProfileAt<R> SlotsOf<Labels, R>::operator()(const R& eps) const {
  using N = Carried<R>;
  if (certainly(w >= R(1)) && certainly(eps >= eps0)) return {Moment<R>(0), Moment<R>(0)};
  if constexpr (!std::same_as<R, double>)
    if (std::isnan(count_of(m))) return {unknown<R>(), unknown<R>()};
  if constexpr (std::same_as<R, double>)
    if (eps0 > 17) return in_more_digits(eps);
  const std::int64_t slots = nearest_integer(to_double(m));
  const GuardBits<R> guard(slots);
  const N e0(eps0), gap = tanh(e0 / 2), e(eps), p(w);
  const LabelChance<N> label = Labels::chance(e0, N(leak));
  const N f = p / (label.s * slots);
  const LabelLine<N> above{-(1 - p) * expm1(e), -f * expm1(e) / 2, f * gap * (1 + exp(e))};
  const LabelLine<N> null{1 - p, f / 2, -f * gap};
  const auto [delta, mass] = label_excess<R>({slots, label.s, label.rest}, above, null, guard);
  return {delta, mass};
}

template <Real R>
R clones_epsilon(const R& eps0, const R& n, const R& delta, const R& leak) {
  return family_epsilon<LabelledSlots>(delta, n, eps0, R(1), leak);
}

template struct SlotsOf<AmongClones, double>;
template struct SlotsOf<AmongClones, mp50>;
template struct SlotsOf<AmongClones, Ball>;
template struct SlotsOf<UnderBlanket, double>;
template struct SlotsOf<UnderBlanket, mp50>;
template struct SlotsOf<UnderBlanket, Ball>;

template double clones_epsilon(const double&, const double&, const double&, const double&);
template mp50 clones_epsilon(const mp50&, const mp50&, const mp50&, const mp50&);
template Ball clones_epsilon(const Ball&, const Ball&, const Ball&, const Ball&);

}  // namespace epsilary::bounds::clones
