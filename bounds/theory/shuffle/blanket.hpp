// Amplification by shuffling through the privacy blanket: Balle, Bell, Gascon and Nissim, "The Privacy
// Blanket of the Shuffle Model" (2019). n users send one message each of one common eps0-DP randomizer; it
// answers from a law omega that knows no record with probability gamma, and the M ~ Binomial(n, gamma)
// answers from it hide the others:
//   delta(eps) <= E (L_1 + ... + L_M)_+ / (gamma n),   L = (mu_x(W) - e^eps mu_x'(W)) / omega(W), W ~ omega.
// E L = 1 - e^eps; Hoeffding's inequality needs the range of L, Bennett's its maximum and second moment.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>

#include "bounds/core/point.hpp"
#include "bounds/theory/shuffle/blanket_inequalities.hpp"
#include "solvers/search/crossing.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds::blanket {

template <Real R>
struct Reports {
  R eps0, n;
  R k = R(2);  // values of a randomised response; no other randomizer reads it
};

// What the inequalities read of a randomizer, at one eps.
template <Real R>
struct Blanket {
  R mass, rest;   // gamma and 1 - gamma
  R range;        // of L
  R most;         // the largest value of L
  R mean_square;  // E L^2
};

// Any eps0-DP randomizer with the constants of the paper: every likelihood mu_x/omega lies in
// [gamma e^{-eps0}, gamma e^{eps0}], gamma is at least e^{-eps0} where it helps and at most 1 where it hurts.
struct Generic {
  template <Real R>
  Blanket<R> operator()(const R& eps, const Reports<R>& s) const {
    const R E = exp(eps), a = expm1(eps), x0 = expm1(s.eps0), E0 = 1 + x0;
    return {exp(-s.eps0), -expm1(-s.eps0), (E + 1) * expm1(2 * s.eps0) / E0, -E0 * expm1(eps - 2 * s.eps0),
            a * a + x0 * (E * E + 1) - 2 * E * expm1(-3 * s.eps0)};
  }
};

// The same with the tighter interval [gamma, gamma e^{eps0}]: gamma omega is the infimum of the mu_x, so no
// mu_x is below it.
struct GenericTight {
  template <Real R>
  Blanket<R> operator()(const R& eps, const Reports<R>& s) const {
    const R E = exp(eps), a = expm1(eps), x0 = expm1(s.eps0);
    return {exp(-s.eps0), -expm1(-s.eps0), (E + 1) * x0, E * expm1(s.eps0 - eps), a * a + x0 * (E * E + 1)};
  }
};

// Randomised response over k values: L is gamma (E0 - E), gamma (1 - E E0) or, k - 2 times, gamma (1 - E),
// each with probability 1/k. For k = 2 it is also R_infinity of Girgis et al. 2021 at opposite records.
struct RandomisedResponse {
  template <Real R>
  Blanket<R> operator()(const R& eps, const Reports<R>& s) const {
    const R E = exp(eps), a = expm1(eps), x0 = expm1(s.eps0), mass = s.k / (x0 + s.k);
    const R most = E * expm1(s.eps0 - eps), least = expm1(eps + s.eps0);
    return {mass, x0 / (x0 + s.k), mass * x0 * (E + 1), mass * most,
            mass * mass / s.k * (most * most + least * least + (s.k - 2) * a * a)};
  }
};

// Laplace noise of scale 1/eps0 on [0, 1]; records 0 and 1 are the worst pair for both moments. With
// h = eps0/2: E (mu_0/omega)^2 = (2 e^h + e^{-2h})/3 = 1 + u and E mu_0 mu_1/omega^2 = 1 - v, so that
// E L^2 = (E^2 + 1)(1 + u) - 2E(1 - v), written below without the difference.
struct Laplace {
  template <Real R>
  Blanket<R> operator()(const R& eps, const Reports<R>& s) const {
    const R E = exp(eps), a = expm1(eps), h = s.eps0 / 2, y = expm1(h), z = expm1(-h);
    const R u = z * z * (2 * y + 3) / 3, v = z * z;
    return {exp(-h), -z, (E + 1) * (y - z), exp(h) * -expm1(eps - s.eps0), a * a + (E * E + 1) * u + 2 * E * v};
  }
};

// Every bound is the logarithm of delta as a function object (eps, shuffle).

// Hoeffding: b^2/(4 a gamma n) (1 - gamma + gamma e^{-2 a^2/b^2})^n, a = e^eps - 1.
template <class Randomizer>
struct Hoeffding {
  template <Real R>
  R operator()(const R& eps, const Reports<R>& s) const {
    const Blanket<R> l = Randomizer{}(eps, s);
    const R a = expm1(eps), ratio = a / l.range;
    return 2 * log(l.range) - log(4 * a * l.mass * s.n) + s.n * log1p(l.mass * expm1(-2 * ratio * ratio));
  }
};

// (1 + u) log(1 + u) - u, by its alternating series where the difference would lose digits.
template <Real R>
R bennett_rate(const R& u) {
  if (!certainly(u < R(0.25))) return (1 + u) * log1p(u) - u;
  const R small = ldexp(R(1), -carried_bits<R>());
  R sum(0), power = u * u;
  for (int j = 2;; ++j) {
    const R term = power / (R(j) * (j - 1));
    if (!certainly(term > small * sum)) {
      if constexpr (std::same_as<R, Ball>) return Ball::hull(sum - term, sum + term);
      return sum;
    }
    sum += j % 2 == 0 ? term : -term;
    power = power * u;
  }
}

// Bennett: b/(log(1 + t) gamma n) ((1 - gamma + gamma e^{-x})^n - (1 - gamma)^n) with b the maximum, c the
// second moment, t = a b/c and x = (c/b^2) ((1 + t) log(1 + t) - t).
template <class Randomizer>
struct Bennett {
  template <Real R>
  R operator()(const R& eps, const Reports<R>& s) const {
    const Blanket<R> l = Randomizer{}(eps, s);
    const R t = expm1(eps) * l.most / l.mean_square;
    const R x = l.mean_square / (l.most * l.most) * bennett_rate(t);
    const R all = s.n * log1p(l.mass * expm1(-x));          // log of the first power
    const R lead = s.n * log1p(l.mass / l.rest * exp(-x));  // the first logarithm minus the second
    return log(l.most / (log1p(t) * l.mass * s.n)) + all + log1mexp(lead);
  }
};

// Theorem 5.3 as stated: B^2/(4 n a) e^{-C n min(a^2/B^2, gamma)}, B = (e^eps + 1)(e^{eps0} - e^{-eps0}),
// C = 1 - e^{-2}, gamma = e^{-eps0}.
struct Stated {
  template <Real R>
  R operator()(const R& eps, const Reports<R>& s) const {
    const Blanket<R> l = Generic{}(eps, s);
    const R a = expm1(eps), ratio = a / l.range, C = -expm1(R(-2));
    return 2 * log(l.range) - log(4 * s.n * a) - C * s.n * min(R(ratio * ratio), l.mass);
  }
};

// One gamma for the range gamma B, the blanket and the prefactor: B^2/(4 a n) (1 - h)^n with h the least of
// h(g) = g (1 - e^{-2a^2/(g B)^2}) over g in [e^{-eps0}, 1]. h rises, then falls (h' has the sign of
// e^y - 1 - 2y, y = 2 a^2/(g B)^2), so the least is at an end.
template <class Randomizer>
struct Joint {
  template <Real R>
  R operator()(const R& eps, const Reports<R>& s) const {
    const Blanket<R> l = Randomizer{}(eps, s);
    const R a = expm1(eps), ratio = a / l.range;
    const auto h = [&](const R& g) { return R(-g * expm1(-2 * (ratio / g) * (ratio / g))); };
    return 2 * log(l.range) - log(4 * a * s.n) + s.n * log1p(-min(h(l.mass), h(R(1))));
  }
};

// The logarithm of delta by the inequality named.
template <Real R>
R log_delta(Inequality by, const R& eps, const Reports<R>& s);
struct By {
  Inequality inequality;
  template <Real R>
  R operator()(const R& eps, const Reports<R>& s) const {
    return log_delta(inequality, eps, s);
  }
};

template <Real To, Real From>
Reports<To> rounded(const Reports<From>& s) {
  if constexpr (std::same_as<To, double>)
    return {to_double(s.eps0), to_double(s.n), to_double(s.k)};
  else
    return {to_mp50(s.eps0), to_mp50(s.n), to_mp50(s.k)};
}

// All bounds are infinite at 0, and those of Hoeffding's kind fall while e^eps <= 3: that part comes first.
template <class F>
std::optional<Descent> bracket_below(F excess, double eps0) {
  const double end = eps0 * (1 - 1e-12), knee = std::min(end, std::log(3.0));
  const std::optional<Descent> found = first_bracket(excess, 0, knee);
  return found || knee == end ? found : first_bracket(excess, knee, end);
}

// The first eps at which the bound comes down to delta; eps0 when it does not below eps0. Searched in double,
// or in mp50 where n is too large for a double.
template <class LogDelta, Real R>
R epsilon(LogDelta bound, const Reports<R>& s, const R& log_delta) {
  const auto rough = rounded<double>(s);
  const auto in_double = [&, wanted = to_double(log_delta)](double eps) { return bound(eps, rough) - wanted; };
  if constexpr (std::same_as<R, double>) {
    const std::optional<Descent> bracket = bracket_below(in_double, rough.eps0);
    if (!bracket) return s.eps0;
    const auto root = find_root<double>(in_double, bracket->low, bracket->high);
    return root.status != Solved::no_bracket ? root.value : unknown<double>();
  } else {
    const auto fine = rounded<mp50>(s);
    const auto in_mp50 = [&, wanted = to_mp50(log_delta)](const mp50& eps) { return mp50(bound(eps, fine) - wanted); };
    const bool large = !is_finite(rough.n);
    const auto bracket = large ? bracket_below([&](double eps) { return in_mp50(eps); }, rough.eps0)
                               : bracket_below(in_double, rough.eps0);
    if (!bracket) return s.eps0;
    const double near = large ? bracket->high : find_root<double>(in_double, bracket->low, bracket->high).value;
    const std::optional<mp50> nearer = sharpen_crossing(in_mp50, near, *bracket);
    if (!nearer) return unknown<R>();
    if constexpr (std::same_as<R, mp50>)
      return *nearer;
    else
      return enclose_crossing([&](const Ball& eps) { return bound(eps, s) - log_delta; }, *nearer);
  }
}

extern template double epsilon(By, const Reports<double>&, const double&);
extern template mp50 epsilon(By, const Reports<mp50>&, const mp50&);
extern template Ball epsilon(By, const Reports<Ball>&, const Ball&);

}  // namespace epsilary::bounds::blanket
