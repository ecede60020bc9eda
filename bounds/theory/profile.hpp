// Profiles delta(eps) and the epsilon at which they come down to a delta.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "solvers/numbers/scaled.hpp"
#include "solvers/search/crossing.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds {

using namespace solvers;

// A profile at eps: delta, and the mass under Q of the set that attains it, which is -e^{-eps} times its slope. The
// mass only leads the searches and needs no proof.
template <Real R>
struct ProfileAt {
  Moment<R> delta, null;
};

// sqrt(-2 log delta) is nearly linear in eps, so Newton's method on it converges at once; next to `most`, where delta
// is zero, halving helps out. The result of this search in double needs no proof.
template <class Profile>
double search_epsilon(Profile profile, double log_delta, double most, double start = 0) {
  const double wanted = std::sqrt(-2 * log_delta);
  double low = 0, high = most, e = std::min(start, most), before = 0;
  for (int i = 0; i < 200; ++i) {
    const ProfileAt<double> at = profile(e);
    const double log_at = to_double(log(at.delta));
    const bool above = log_at > log_delta;
    if (e == 0 && !above) return 0;
    (above ? low : high) = e;
    const double depth = std::sqrt(-2 * std::min(log_at, 0.0));
    const double rate = std::exp(e) * to_double(at.null / at.delta) / depth;
    double next = e + (wanted - depth) / rate;
    if (std::abs(next - e) <= 1e-13 * e) return next;
    const bool halved = !(next > low && next < high);
    if (halved) next = low + (high - low) / 2;
    const double step = std::abs(next - e);
    // While the digits double with every step, the next one can be foretold.
    const bool settled = high - low <= 4e-16 * next || step * (step / before) * (step / before) < 1e-17 * next;
    before = halved ? 0 : step;
    e = next;
    if (settled) break;
  }
  return e;
}

// An interval around the root near e at whose ends the two signs are proved. What rounding leaves of a step of Newton's
// method tells how wide it must be.
template <class Profile>
Ball prove_epsilon(Profile profile, Ball e, const Ball& delta) {
  Ball left(0);  // proved to lie left of the root
  for (int i = 0, tries = 0; i < 60 && tries < 20; ++i) {
    const ProfileAt<Ball> at = profile(e);
    if (certainly(at.delta > delta)) left = max(left, e);
    const Ball step = log1p((at.delta - delta) / (exp(e) * at.null)), move = centre(step);
    if (!step.finite()) {  // the root is next to the place where delta becomes zero, closer than these digits tell
      const Ball high = (e * (1 + ldexp(Ball(1), 8 - Ball::precision()))).upper_end();
      if (certainly(left > 0 && profile(high).delta <= delta)) return Ball::hull(left, high);
      e = centre(e * (1 - ldexp(Ball(1), -30)));
      continue;
    }
    const Ball noise = ((step - move) + ldexp(abs(e), 4 - Ball::precision())).upper_end();
    if (certainly(abs(move) > 4 * noise) && tries == 0) {
      e = centre(e + move);
      continue;
    }
    const Ball reach = (abs(move) + ldexp(noise, 1 + tries)).upper_end();
    // Exact, as what cancels next to the end of a profile would multiply their radii.
    const Ball low = max(Ball(0), (e - reach).lower_end()), high = (e + reach).upper_end();
    if ((low.is_zero() || certainly(profile(low).delta > delta)) && certainly(profile(high).delta <= delta))
      return Ball::hull(low, high);
    ++tries;
  }
  return unknown<Ball>();
}

inline bool as_double(bool x) { return x; }
template <Real R>
double as_double(const R& x) {
  return to_double(x);
}

// The epsilon where the profile, given for every kind of number, comes down to delta. In balls both ends are proved.
template <Real R, class Profile>
R profile_epsilon(Profile profile, const R& delta, double most, double start = 0) {
  const auto quick = [&](double e) { return profile(e); };
  const double guess = search_epsilon(quick, to_double(R(log(delta))), most, start);
  if constexpr (std::same_as<R, double>) {
    return guess == 0 && !(profile(0.0).delta <= Moment<double>(delta)) ? unknown<double>() : guess;
  } else {
    if (guess == 0 && certainly(profile(R(0)).delta <= delta)) return R(0);
    // delta is convex in e^eps and falls, so Newton's method in e^eps from the left stays there.
    R e = R(guess) * (1 - ldexp(R(1), -42));
    if constexpr (std::same_as<R, Ball>) return prove_epsilon(profile, e, delta);
    for (int i = 0; i < 60; ++i) {
      const ProfileAt<R> at = profile(e);
      const R step = log1p((at.delta - delta) / (exp(e) * at.null));
      e = e + step;
      if (certainly(abs(step) <= ldexp(abs(e), -carried_bits<R>() / 2))) break;
    }
    return e;
  }
}

// The same for a family of profiles Family<R> with a member for each parameter. Of very many slots m, sqrt(m) delta is
// nearly a function of sqrt(m) eps: fewer tell where the search begins.
template <template <class> class Family, Real R, class... More>
R family_epsilon(const R& delta, const R& m, const R& eps0, const R& w, const More&... more) {
  constexpr double few = 1e8;
  const double slots = to_double(m), wider = to_double(delta) * std::sqrt(slots / few);
  double start = 0;
  if (slots > 10 * few && wider > 1e-290 && wider < 0.5)
    start =
        family_epsilon<Family>(wider, few, to_double(eps0), to_double(w), as_double(more)...) * std::sqrt(few / slots);
  // Searches in double wander beyond what the statements allow; there the order of magnitude will do.
  if constexpr (std::same_as<R, double>)
    if (slots > 1.001e12) return start;
  if constexpr (!std::same_as<R, double>)
    if (std::isnan(count_of(m))) return unknown<R>();
  const Family<R> exact{m, eps0, w, more...};
  const auto profile = [&]<Real N>(const N& e) {
    if constexpr (std::same_as<N, R>)
      return exact(e);
    else
      return Family<N>{to_double(m), to_double(eps0), to_double(w), as_double(more)...}(e);
  };
  return profile_epsilon<R>(profile, delta, exact.most(), start);
}

}  // namespace epsilary::bounds
