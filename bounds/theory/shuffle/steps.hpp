// Shuffling and random check-ins as compositions of their steps. Balle et al. 2020 bound the posterior of the changed
// record's slot once for all steps; here every step has its own.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>

#include "bounds/theory/composition.hpp"
#include "bounds/theory/renyi.hpp"
#include "solvers/numbers/complex_ball.hpp"
#include "solvers/search/crossing.hpp"
#include "solvers/search/minimise.hpp"
#include "solvers/sums/progression.hpp"

namespace epsilary::bounds::steps {

// Step i = 0..count-1 is eps_i-DP with eps_i = log(1 + rise/(start - fall i)), after `first` more of a step.
template <Real R>
struct Sequence {
  R eps0, rise, start, fall, count;
  R first;  // zero where there is none

  // Stretches of it are counted in double; searches need not be exact.
  bool is_countable() const { return std::same_as<R, double> || !std::isnan(count_of(count)); }
  R at(double i) const { return log1p(rise / (start - fall * R(i))); }
  R largest() const { return certainly(count > R(0)) ? at(to_double(count) - 1) : first; }
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
  const R length(part.length), centre = s.start - s.fall * (R(part.first) + (length - 1) / 2);
  return {centre, R(s.fall * length / 2 / centre)};
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
  if (!s.is_countable()) return {unknown<R>(), unknown<R>(), unknown<R>()};
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

// A step as the randomised response it is at worst: losses +-eps_i with masses g under the law that does not favour
// them, and else 0. Of eps_i-DP alone follows the full response, g = 1/(1 + e^{eps_i}), which is never silent. A step
// is more: by joint convexity both hockey-stick divergences are at most (e^{eps_i} - e^t)/(e^{eps0} + 1), so g = 1/(1 +
// e^{eps0}): the response is played with probability (1 + e^{eps_i})/(1 + e^{eps0}) and silent otherwise.
enum class StepResponse { full, lazy };

// The moment of order 1 + theta minus one, g (e^{(1+theta) e} - 1)(1 - e^{-theta e}).
template <class Z, Real R>
Z response_moment(const R& g, const Z& theta, const R& e) {
  return -(expm1((Z(1) + theta) * e) * expm1(-theta * e) * g);
}
// Half the work where digits of the moment itself, not of its excess over one, are all that counts.
inline ComplexBall response_moment(const Ball& g, const ComplexBall& theta, const Ball& e) {
  const ComplexBall power = exp(theta * e), one(1);
  return (power * exp(e) - one) * (one - one / power) * g;
}
template <Real R>
R mass_of(StepResponse response, const Sequence<R>& s, const R& e) {
  return 1 / (1 + exp(response == StepResponse::full ? e : s.eps0));
}

// (1 + rise/X)^a - 1 around a centre, from (1 - (rho + rho') z + rho rho' z^2) g' = a (rho - rho') g, g the power and
// rho' = rho centre/(centre + rise).
template <class Z, Real R>
Series<Z> power_series(const R& rise, const Around<R>& at, const Z& a, std::size_t terms) {
  const R e = log1p(rise / at.centre), r = at.rho * exp(-e), gap = -at.rho * expm1(-e), both = at.rho + r,
          square = at.rho * r;
  Series<Z> g{exp(a * e)};
  for (std::size_t k = 0; k + 1 < terms; ++k) {
    Z next = (Z(R(both * static_cast<int>(k))) + a * gap) * g[k];
    if (k > 0) next -= g[k - 1] * R(square * static_cast<int>(k - 1));
    g.push_back(next / static_cast<int>(k + 1));
  }
  g[0] = expm1(a * e);
  // The recurrence needs the power itself, the sum the power minus one.
  return g;
}

// How far the moment gets from its value at the centre within |z| <= 2, relative to it: the series of eps has positive
// coefficients, so a power e^{a eps} changes by at most |e^{a eps}| (e^{|a| (eps(2) - eps(0))} - 1) there.
template <class Z, Real R>
R relative_change(StepResponse response, const Sequence<R>& s, const Z& theta, const R& centre, const R& far) {
  const R e = log1p(s.rise / centre), rise = log1p(s.rise / far) - e, g = mass_of(response, s, e);
  const R dg =
      response == StepResponse::full ? R((s.rise / (2 * far + s.rise) - s.rise / (2 * centre + s.rise)) / 2) : R(0);
  const auto change = [&](const Z& a) { return R(abs(exp(a * e)) * expm1(abs(a) * rise)); };
  const R up = abs(expm1((Z(1) + theta) * e)), down = abs(expm1(-theta * e));
  const R most = (g + dg) * (up + change(Z(1) + theta)) * (down + change(-theta)) - g * up * down;
  return most / abs(Z(1) + response_moment(g, theta, e));
}

// A sum up to what was cut.
inline ComplexBall with_remainder(const ComplexBall& sum, const Ball& cut) { return sum.widened(cut); }

// The moments M_i(theta) of the steps, a few as M_i - 1 one by one and the others as sums of log M_i. A stretch is
// short enough that |M - M(centre)| <= |M(centre)|/2 for |z| <= 2, where then |log M - log M(centre)| <= 2 |M/M(centre)
// - 1|. False when that could not be proved.
template <class Z, Real R, class One, class Many>
bool for_moments(StepResponse response, const Sequence<R>& s, const Z& theta, One one, Many many,
                 std::size_t terms = series_terms<R>()) {
  if (!s.is_countable()) return false;
  const auto direct = [&](const R& e) { one(response_moment(mass_of(response, s, e), theta, e)); };
  if (!certainly(s.first <= R(0))) direct(s.first);
  const double fall = to_double(s.fall);
  const auto fits = [&](double near, double length) {
    const double middle = near + fall * (length - 1) / 2, far = middle - fall * length;
    return far > 0 && certainly(relative_change(response, s, theta, R(middle), R(far)) < R(0.4));
  };
  bool proved = true;
  const auto by_series = [&](const Stretch& part) {
    const Around<R> a = around(s, part);
    Series<Z> m = product(power_series(s.rise, a, Z(Z(1) + theta), terms), power_series(s.rise, a, Z(-theta), terms));
    if (response == StepResponse::lazy) {
      const R g = -mass_of(response, s, s.eps0);
      for (Z& x : m) x = x * g;
    } else {  // g = (1 - tanh(eps/2))/2
      Series<Z> g;
      for (const R& x : half_tanh_series(s.rise, a, terms)) g.push_back(Z(R(x / 2)));
      g[0] = g[0] - Z(R(1) / 2);
      m = product(m, g);
    }
    const R change = relative_change(response, s, theta, a.centre, R(a.centre * (1 - 2 * a.rho)));
    proved = proved && certainly(change <= R(0.5));
    const R cut = 4 * change * R(part.length) * ldexp(R(1), -static_cast<int>(terms));
    many(with_remainder(series_sum(log1p_series(m), even_power_sums(R(part.length), terms)), cut));
  };
  for_stretches(
      to_double(s.start), fall, to_double(s.count), 2.0 * static_cast<double>(terms), fits,
      [&](const Stretch& part) {
        for (double i = 0; i < part.length; ++i) direct(s.at(part.first + i));
      },
      by_series);
  return proved;
}

// sum_i log M_i(theta).
template <Real R>
R log_moments(StepResponse response, const Sequence<R>& s, const R& theta) {
  R total(0);
  const bool proved = for_moments(
      response, s, theta, [&](const R& m) { total += log1p(m); }, [&](const R& sum) { total += sum; });
  return proved ? total : unknown<R>();
}

// The steps gathered at a few places, to search with: so many of an eps.
template <class F>
void for_places(const Sequence<double>& s, F f) {
  constexpr int places = 64;
  if (s.first > 0) f(1.0, s.first);
  const double ends = s.start - s.fall * (s.count - 0.5), begins = s.start + s.fall / 2;
  double x = begins;
  for (int k = 1; k <= places && s.count > 0; ++k) {
    const double next = s.fall > 0 ? begins * std::pow(ends / begins, static_cast<double>(k) / places) : begins;
    const double number = s.fall > 0 ? (x - next) / s.fall : s.count / places;
    f(number, std::log1p(s.rise * 2 / (x + next)));
    x = next;
  }
}
inline double rough_log_moments(StepResponse response, const Sequence<double>& s, double theta) {
  double total = 0;
  for_places(s, [&](double times, double e) {
    total += times * std::log1p(response_moment(mass_of(response, s, e), theta, e));
  });
  return total;
}

// The order that is best for this delta. Every order gives a bound, so the search needs no proof.
inline double best_theta(StepResponse response, const Sequence<double>& s, double log_delta) {
  const auto cost = [&](double t) {
    const double theta = std::exp(t);
    return rough_log_moments(response, s, theta) / theta + renyi::conversion_cost(1 + theta, log_delta);
  };
  return std::exp(minimise<double>(cost, std::log(1e-3), std::log(1e9), 80).at.value);
}

// A closed form of the lazy composition: s A (1 + theta) e^{(1+theta) e} + l/theta at theta = sqrt(l/(s A)), A at least
// the sum of the squares and e the largest step, as (e^{(1+theta) e} - 1)(1 - e^{-theta e}) <= theta (1 + theta) e^2
// e^{(1+theta) e}. For many steps A is multiplied by 2/(e^{eps0} + 1).
template <Real R>
R lazy_closed(const R& eps0, const R& squares, const R& largest, const R& delta) {
  if (certainly(squares <= R(0))) return R(0);
  const R l = -log(delta), mass = squares / (1 + exp(eps0)), theta = sqrt(l / mass);
  return mass * (1 + theta) * exp((1 + theta) * largest) + l / theta;
}

}  // namespace epsilary::bounds::steps
