// Shuffled check-in: each of n clients takes part with probability gamma, the reports are shuffled, and the
// number K of check-ins is public. Self check-in 2022, Theorems 1 and 2, on Girgis et al. 2021, Theorem 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <vector>

#include "bounds/theory/renyi.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds::shuffled {

// Theorem 1: the moment of one round is the mean over K of the moments given K, where k of n clients take part and
// each is among them with probability k/n (not gamma, as the proof has it). moment(k, r) must not rise in k at
// a fixed rate r, nor grow faster than r^lambda in r.
template <Real M, class F>
M checkin_mean(const M& n, const Chance<M>& gamma, const M& lambda, F moment) {
  return binomial_mean(
      Binomial<M>{n, gamma.yes, gamma.no}, 1.0, lambda, [&](double k) { return moment(k, M(M(k) / n)); },
      [](double, const M& value) { return value; }, [&](double a, double b) { return moment(a, M(M(b) / n)); });
}

// Girgis et al. 2021, Theorem 1: the moment of k out of n shuffled reports of an eps0-LDP randomizer, rate r = k/n,
//   4 C(lambda,2) r^2 (e^{eps0}-1)^2 / (kb e^{eps0}) + sum_{j>=3} C(lambda,j) j Gamma(j/2) (r s)^j kb^{-j/2}
//   + Y(r) e^{-(k-1)/(8 e^{eps0})},   kb = floor((k-1)/(2 e^{eps0})) + 1,
//   s = sqrt(2) 2 sinh(eps0),   Y(r) = (1 + x)^lambda - 1 - lambda x,   x = 2 r sinh(eps0).
// Each of the k - 1 others is a clone of the record with probability e^{-eps0}. With the record there are at least kb,
// as half of their mean is counted on, but for an event of probability e^{-(k-1)/(8 e^{eps0})}; there Y(r) holds, which
// counts on none.
template <Real M>
class ShuffleMoment {
 public:
  ShuffleMoment(const M& eps0, const M& lambda)
      : lambda_(lambda), E_(exp(eps0)), sinh2_(expm1(eps0) * (1 + exp(-eps0))), s_(sqrt(M(2)) * sinh2_) {
    choose_ = lambda * (lambda - 1) / 2;
    terms_ = {M(0), M(0), 4 * choose_ * expm1(eps0) * expm1(eps0) / E_};
  }

  // kb; the probability of fewer; and Y(r), the moment where there are fewer.
  M clones(const M& k_minus_1) const { return floor(k_minus_1 / (2 * E_)) + 1; }
  M few_clones(const M& k_minus_1) const { return exp(-k_minus_1 / (8 * E_)); }
  M without_clones(const M& r) const { return power_excess(lambda_, M(r * sinh2_)); }

  // The moment where there are kb clones: the first term and the sum over j, at y = r / sqrt(kb). Its terms from j = 3
  // are log-concave: the ratio of two is (lambda - j)/j Gamma((j+1)/2)/Gamma(j/2) s y and Gamma((j+1)/2)^2/Gamma(j/2)^2
  // >= j/2 - 1/4. So once a term is below half the one before, all that follow are together below it.
  M with_clones(const M& y) const {
    const M small = ldexp(M(1), -carried_bits<M>());
    M power = y * y, sum = terms_[2] * power, before(0);
    for (std::size_t j = 3; possibly(M(static_cast<int>(j)) <= lambda_); ++j) {
      solvers::spend_on_term<M>();
      if (j == terms_.size()) extend();
      power *= y;
      const M term = terms_[j] * power;
      sum += term;
      if (j > 3 && certainly(2 * term < before) && !certainly(term > sum * small)) {
        if constexpr (std::same_as<M, Ball>) return Ball::hull(sum, sum + term);
        return sum;
      }
      before = term;
    }
    return sum;
  }

  M operator()(double k, const M& r) const { return at(M(k), r); }
  M at(const M& k, const M& r) const {
    const M others = k - 1;
    return with_clones(M(r / sqrt(clones(others)))) + without_clones(r) * few_clones(others);
  }

  // Theorem 2 at rate r: at most t check-ins with probability `few`, and then as if there were one; otherwise as if
  // there were t + 1.
  M split(const M& r, const M& few, const M& t) const { return enough(r, t) + too_few(r, few, t); }
  // Its parts: more than t check-ins with enough clones among them, and too few of either. The second rises in r; its
  // sum has as many terms as lambda is large, however little they count.
  M enough(const M& r, const M& t) const { return with_clones(M(r / sqrt(clones(t)))); }
  M too_few(const M& r, const M& few, const M& t) const {
    return few * with_clones(r) + without_clones(r) * (few + few_clones(t));
  }

  // The mean of the second at rates K/n, K ~ Bin(n, gamma), for a whole lambda: the sum over j >= 2 of what stands
  // before r^j times E (K/n)^j = sum over i of S(j,i) n(n-1)..(n-i+1) gamma^i/n^j, S Stirling's numbers of the second
  // kind, by their recursion. Nothing is subtracted.
  M mean_too_few(const M& n, const M& gamma, const M& few, const M& t) const {
    const M few_of_either = few + few_clones(t);
    std::vector<M> part{M(0), gamma}, stay{M(0), 1 / n}, join{M(0), gamma};
    M choose = lambda_, power = sinh2_, sum(0);
    for (int j = 2; possibly(M(j) <= lambda_); ++j) {
      solvers::spend_on_terms<M>(j);
      if (static_cast<std::size_t>(j) == terms_.size()) extend();
      part.push_back(M(0)), stay.push_back(M(j) / n), join.push_back((n - (j - 1)) * gamma / n);
      M mean(0);
      for (std::size_t i = part.size() - 1; i > 0; --i) {
        part[i] = part[i] * stay[i] + part[i - 1] * join[i];
        mean += part[i];
      }
      choose = choose * (lambda_ - (j - 1)) / j;
      power *= sinh2_;
      sum += mean * (few * terms_[static_cast<std::size_t>(j)] + few_of_either * choose * power);
    }
    return sum;
  }

 private:
  // C(lambda, j) j Gamma(j/2) s^j for the next j, where j Gamma(j/2) is (j/2) that of j - 2.
  void extend() const {
    const int j = static_cast<int>(terms_.size());
    choose_ = choose_ * (lambda_ - (j - 1)) / j;
    power_ = j == 3 ? M(s_ * s_ * s_) : M(power_ * s_);
    const M gamma = j == 3 ? M(3 * root_pi() / 2) : j == 4 ? M(4) : M(gamma_[j % 2] * j / 2);
    gamma_[j % 2] = gamma;
    terms_.push_back(choose_ * gamma * power_);
  }
  static M root_pi() {
    if constexpr (std::same_as<M, Ball>)
      return sqrt(Ball::pi());
    else
      return exp(lgamma(M(0.5)));
  }

  M lambda_, E_, sinh2_, s_;
  mutable std::vector<M> terms_;  // made when first needed: few are
  mutable M choose_, power_, gamma_[2];
};

// How many check-ins Theorem 2 allows for, (1 - Delta) n gamma, and how likely there are fewer.
template <Real M>
M chernoff_below(const M& Delta, const M& expected) {
  return exp(-Delta * Delta * expected / 2);
}

// The Delta with the least printed bound. Any Delta is valid, so the search needs no proof. The number of clones is
// a step function of t = (1 - Delta) n gamma: first the best step by its left end, then the best t near it.
inline double best_Delta(const ShuffleMoment<Scaled>& base, double eps0, double expected, double gamma, bool whole) {
  const double per_clone = 2 * std::exp(eps0), steps = std::floor(expected / per_clone);
  const Scaled without = base.without_clones(gamma), alone = base.with_clones(gamma) + without;
  const auto cost = [&](double t) {
    const Scaled few = chernoff_below(Scaled(1 - t / expected), Scaled(expected));
    return few * alone + base.with_clones(gamma / std::sqrt(std::floor(t / per_clone) + 1)) +
           without * base.few_clones(t);
  };
  double best = 0;
  Scaled least = cost(0);
  const auto try_at = [&](double t) {
    if (whole) t = std::ceil(t);
    if (!(t >= 0 && t <= expected)) return;
    if (const Scaled c = cost(t); c < least) best = t, least = c;
  };
  const auto left_end = [&](double step) { return step * per_clone * (1 + 1e-13); };
  for (double D = 1; D * expected > 0.5; D /= 1.3) try_at(left_end(std::floor((1 - D) * steps)));
  const auto step_of = [&](double t) { return std::floor(t / per_clone); };
  for (double width = std::max(1.0, std::floor((steps - step_of(best)) / 3)); width >= 1; width = std::floor(width / 2))
    for (double before = -1; before != best;) {
      before = best;
      try_at(left_end(step_of(before) - width)), try_at(left_end(step_of(before) + width));
    }
  const double middle = step_of(best);
  for (double step = middle - 2; middle < countable && step <= middle + 2; ++step)  // each counted
    try_at(minimise<double>([&](double t) { return to_double(log(cost(t))); }, std::max(0.0, left_end(step)),
                            std::clamp(left_end(step + 1) * (1 - 1e-12), 1e-9, expected), 40)
               .at.value);
  return best == 0 ? 1 : (1 - best / expected) * (1 - 1e-11);  // written with 12 digits it is still past the step
}

}  // namespace epsilary::bounds::shuffled
