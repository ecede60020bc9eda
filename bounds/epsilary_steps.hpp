// Shuffling and random check-ins as compositions of their steps. Balle et al. 2020 bound the posterior of the changed
// record's slot once for all steps; here every step has its own.
#pragma once

#include "bounds/composition.hpp"
#include "bounds/renyi.hpp"
#include "solvers/crossing.hpp"
#include "solvers/minimise.hpp"
#include "solvers/progression.hpp"

namespace bounds::steps {

// Step i = 0..count-1 is eps_i-DP with eps_i = log(1 + rise/(start - fall i)), after `first` more of a step.
template <Real R>
struct Sequence {
  R eps0, rise, start, fall, count;
  R first;  // zero where there is none

  R at(double i) const { return log1p(rise / (start - fall * R(i))); }
  R largest() const { return count > R(0) ? at(to_double(count) - 1) : first; }
};

// Slot i holds the record with probability at most w, and the slots before were seen not to: given the prefix the
// posterior is at most w/(m - (i-1) w (1 - e^{-eps0})).
template <Real R>
Sequence<R> fixed_window(const R& eps0, const R& m, const R& w) {
  return {eps0, R(w * expm1(eps0)), m, R(-w * expm1(-eps0)), m, R(0)};
}

// Swapping the record into the first position: the posterior of position i >= 2 is at most
// 1/(1 + (i-2) e^{-2 eps0} + (n-i+1) e^{-eps0}), since the first position differs from i in one swap only; of i = 1,
// 1/n.
template <Real R>
Sequence<R> shuffle(const R& eps0, const R& n) {
  const R y = exp(-eps0);
  return {eps0, expm1(eps0), R(1 + (n - 1) * y), R(-y * expm1(-eps0)), R(n - 1), log1p(expm1(eps0) / n)};
}

// log(1 + rise/X) and tanh of half of it, around a centre: all coefficients are positive, so what is cut after k terms
// is at most 2^-k of the value at z = 2.
template <Real R>
Series<R> epsilon_series(const R& rise, const Around<R>& a, std::size_t terms) {
  const R here = log1p(rise / a.centre);
  Series<R> e{here};
  R power(1);
  for (std::size_t k = 1; k < terms; ++k) {
    const int order = static_cast<int>(k);
    power *= a.rho;
    e.push_back(-power * expm1(-here * order) / order);
  }
  return e;
}
template <Real R>
Series<R> half_tanh_series(const R& rise, const Around<R>& a, std::size_t terms) {
  const R whole = 2 * a.centre + rise, ratio = 2 * a.centre * a.rho / whole;
  Series<R> t{R(rise / whole)};
  while (t.size() < terms) t.push_back(t.back() * ratio);
  return t;
}

template <Real R>
Around<R> around(const Sequence<R>& s, const Stretch& part) {
  const R centre = s.start - s.fall * R(part.first + (part.length - 1) / 2);
  return {centre, R(s.fall * R(part.length / 2) / centre)};
}

// A sum up to what was cut.
template <Real R>
R with_remainder(const R& sum, const R& cut) {
  if constexpr (std::same_as<R, Ball>) return Ball::hull(sum - cut, sum + cut);
  return sum;
}

// What composition needs to know, for any number of steps.
template <Real R>
StepSums<R> sums(const Sequence<R>& s) {
  StepSums<R> total{s.first, R(s.first * tanh(s.first / 2)), R(s.first * s.first)};
  const std::size_t terms = series_terms<R>();
  const auto add = [&](const R& e) {
    total.epsilons += e;
    total.drift += e * tanh(e / 2);
    total.squares += e * e;
  };
  const auto by_series = [&](const Stretch& part) {
    const Around<R> a = around(s, part);
    const auto e = epsilon_series(s.rise, a, terms), t = half_tanh_series(s.rise, a, terms);
    const auto powers = even_power_sums(R(part.length), terms);
    const R far = log1p(s.rise / (a.centre * (1 - 2 * a.rho)));
    const R cut = far * R(part.length) * ldexp(R(1), -static_cast<int>(terms));
    total.epsilons += with_remainder(series_sum(e, powers), cut);
    total.drift += with_remainder(series_sum(product(e, t), powers), R(cut * tanh(far / 2)));
    total.squares += with_remainder(series_sum(product(e, e), powers), R(cut * far));
  };
  for_stretches(
      to_double(s.start), to_double(s.fall), to_double(s.count), 4.0 * static_cast<double>(terms),
      [](double, double) { return true; },
      [&](const Stretch& part) {
        for (double i = 0; i < part.length; ++i) add(s.at(part.first + i));
      },
      by_series);
  return total;
}

// A step is more than eps_i-DP: it is randomised response that is played with probability (1 + e^{eps_i})/(1 +
// e^{eps0}) and silent otherwise. By joint convexity both hockey-stick divergences are at most (e^{eps_i} -
// e^t)/(e^{eps0} + 1): losses +eps_i and -eps_i with masses s under the law that does not favour them, s = 1/(e^{eps0}
// + 1), and else 0. Its moment of order 1 + theta minus one is s (e^{(1+theta) e} - 1)(1 - e^{-theta e}).
template <Real R>
R lazy_moment(const R& s, const R& theta, const R& e) {
  return -s * expm1((1 + theta) * e) * expm1(-theta * e);
}

// (1 + rise/X)^a - 1 around a centre, from (1 - (rho + rho') z + rho rho' z^2) g' = a (rho - rho') g, g the power and
// rho' = rho centre/(centre + rise).
template <Real R>
Series<R> power_series(const R& rise, const Around<R>& at, const R& a, std::size_t terms) {
  const R e = log1p(rise / at.centre), r = at.rho * exp(-e), gap = -at.rho * expm1(-e);
  Series<R> g{R(exp(a * e))};
  for (std::size_t k = 0; k + 1 < terms; ++k) {
    R next = ((at.rho + r) * static_cast<int>(k) + a * gap) * g[k];
    if (k > 0) next -= at.rho * r * static_cast<int>(k - 1) * g[k - 1];
    g.push_back(next / static_cast<int>(k + 1));
  }
  g[0] = expm1(a * e);
  // The recurrence needs the power itself, the sum the power minus one.
  return g;
}

// sum_i log M_i(theta) for the lazy response. A stretch is short enough that M at z = 2 is at most 3/2 of M at its
// centre; as M - 1 has positive coefficients, |log M - log M(centre)| <= 2 (M(2)/M(0) - 1) for |z| = 2.
template <Real R>
R lazy_log_moments(const Sequence<R>& s, const R& theta) {
  const R lazy = 1 / (1 + exp(s.eps0));
  const auto direct = [&](const R& e) { return log1p(lazy_moment(lazy, theta, e)); };
  const std::size_t terms = series_terms<R>();
  R total = s.first > R(0) ? direct(s.first) : R(0);
  const double th = to_double(theta), rise = to_double(s.rise), fall = to_double(s.fall), share = to_double(lazy);
  const auto fits = [&](double near, double length) {
    const double middle = near + fall * (length - 1) / 2, far = middle - fall * length;
    const auto at = [&](double x) { return std::log1p(lazy_moment(share, th, std::log1p(rise / x))); };
    return far > 0 && at(far) - at(middle) < 0.4;
  };
  bool proved = true;
  const auto by_series = [&](const Stretch& part) {
    const Around<R> a = around(s, part);
    Series<R> up = power_series(s.rise, a, R(1 + theta), terms), down = power_series(s.rise, a, R(-theta), terms);
    Series<R> m = product(up, down);
    for (R& x : m) x = -lazy * x;
    const R far = lazy_moment(lazy, theta, R(log1p(s.rise / (a.centre * (1 - 2 * a.rho)))));
    const R gain = (far - m[0]) / (1 + m[0]);
    proved = proved && gain <= R(0.5);
    const R cut = 4 * gain * R(part.length) * ldexp(R(1), -static_cast<int>(terms));
    total += with_remainder(series_sum(log1p_series(m), even_power_sums(R(part.length), terms)), cut);
  };
  for_stretches(
      to_double(s.start), fall, to_double(s.count), 2.0 * static_cast<double>(terms), fits,
      [&](const Stretch& part) {
        for (double i = 0; i < part.length; ++i) total += direct(s.at(part.first + i));
      },
      by_series);
  return proved ? total : unknown<R>();
}

// The same from a few places, to search with.
inline double rough_log_moments(const Sequence<double>& s, double theta) {
  constexpr int places = 64;
  const double lazy = 1 / (1 + std::exp(s.eps0)), ends = s.start - s.fall * (s.count - 0.5),
               begins = s.start + s.fall / 2;
  double total = s.first > 0 ? std::log1p(lazy_moment(lazy, theta, s.first)) : 0;
  double x = begins;
  for (int k = 1; k <= places && s.count > 0; ++k) {
    const double next = s.fall > 0 ? begins * std::pow(ends / begins, static_cast<double>(k) / places) : begins;
    const double number = s.fall > 0 ? (x - next) / s.fall : s.count / places;
    total += number * std::log1p(lazy_moment(lazy, theta, std::log1p(s.rise * 2 / (x + next))));
    x = next;
  }
  return total;
}

// The order that is best for this delta. Every order gives a bound, so the search needs no proof.
inline double best_theta(const Sequence<double>& s, double log_delta) {
  const auto cost = [&](double t) {
    const double theta = std::exp(t);
    return rough_log_moments(s, theta) / theta + renyi::conversion_cost(1 + theta, log_delta);
  };
  return std::exp(minimise<double>(cost, std::log(1e-3), std::log(1e9), 80).at.value);
}

// A closed form of the lazy composition: s A (1 + theta) e^{(1+theta) e} + l/theta at theta = sqrt(l/(s A)), A at least
// the sum of the squares and e the largest step, as (e^{(1+theta) e} - 1)(1 - e^{-theta e}) <= theta (1 + theta) e^2
// e^{(1+theta) e}. For many steps A is multiplied by 2/(e^{eps0} + 1).
template <Real R>
R lazy_closed(const R& eps0, const R& squares, const R& largest, const R& delta) {
  if (!(squares > R(0))) return R(0);
  const R l = -log(delta), mass = squares / (1 + exp(eps0)), theta = sqrt(l / mass);
  return mass * (1 + theta) * exp((1 + theta) * largest) + l / theta;
}

}  // namespace bounds::steps
