// Shuffled reports with Gaussian noise: k reports N(0, sigma^2), one of them, nobody knows which, shifted by 1. The
// ratio of the two laws is the mean of k independent ratios L of N(1, sigma^2) to N(0, sigma^2), so
// E_Q (P/Q)^lambda = e^{-lambda/(2 sigma^2)} k^{-lambda} lambda! [t^lambda] (sum_i t^i e^{i^2/(2 sigma^2)} / i!)^k.
// Taken around 1 nothing cancels: with rate r of taking part,
//   m1 = sum_{j>=2} C(lambda,j) r^j E(mean - 1)^j,   E(mean - 1)^j = j! k^{-j} [t^j] (sum_i E(L - 1)^i t^i / i!)^k.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "bounds/theory/checkin/shuffled.hpp"

namespace epsilary::bounds::shuffled_gaussian {

// E(L - 1)^i for i = 0..most, all positive: from E[L g(L)] = E[g(w L)], w = e^{1/sigma^2},
// E(L-1)^i = sum_{h<i-1} C(i-1,h) (w-1)^{i-1-h} w^h E(L-1)^h + (w^{i-1} - 1) E(L-1)^{i-1}.
template <Real M>
std::vector<M> centred_moments(const M& sigma, std::size_t most) {
  const M s = 1 / (sigma * sigma), w = exp(s), x = expm1(s);
  std::vector<M> mu{M(1), M(0)};
  for (std::size_t i = 2; i <= most; ++i) {
    const int before = static_cast<int>(i) - 1;
    spend_on_terms<M>(before);
    M weight = exp(before * log(x)), sum(0);  // C(i-1,h) (w-1)^{i-1-h} w^h
    for (int h = 0; h < before; ++h) {
      sum += weight * mu[static_cast<std::size_t>(h)];
      weight = weight * (before - h) / (h + 1) * (w / x);
    }
    mu.push_back(sum + expm1(before * s) * mu[static_cast<std::size_t>(before)]);
  }
  return mu;
}

template <Real M>
class Shuffled {
 public:
  Shuffled(const M& sigma, const M& lambda)
      : lambda_(lambda), last_(static_cast<std::size_t>(to_double(lambda))), even_(last_ + last_ % 2) {
    const std::vector<M> mu = centred_moments(sigma, even_);
    factorial_ = {M(1)};
    for (std::size_t i = 0; i <= even_; ++i) {
      if (i > 0) factorial_.push_back(factorial_.back() * static_cast<int>(i));
      series_.push_back(mu[i] / factorial_.back());
    }
    largest_ = mu[even_];
  }

  // Falls in k at a fixed rate: the mean of k + 1 is the mean of means of k, and the power is convex.
  M operator()(double k, const M& r) const {
    std::vector<M> power{M(1), M(0)};
    if (2 * (k + 1) < static_cast<double>(last_)) power = multiplied(k);
    M choose = lambda_, scale = r / M(k), sum(0);  // C(lambda,j), (r/k)^j
    M rate = scale;
    for (std::size_t j = 2; j <= last_; ++j) {
      if (j == power.size()) power.push_back(next(power, k));
      choose = choose * (lambda_ - static_cast<int>(j - 1)) / static_cast<int>(j);
      rate *= scale;
      const M term = choose * factorial_[j] * rate * power[j];
      sum += term;
      if (j % 2 == 0 && j >= 4 && j < last_)
        if (const std::optional<M> rest = remainder(term, j, k, r, power[j]);
            rest && !certainly(*rest > sum * small())) {
          if constexpr (std::same_as<M, Ball>) return Ball::hull(sum, sum + *rest);
          return sum;
        }
    }
    return sum;
  }

 private:
  static M small() { return ldexp(M(1), -carried_bits<M>()); }

  // [t^j] of the k-th power from those before: sum_i (i (k+1) - j)/j series_i power_{j-i}. No factor is negative
  // while j <= 2 (k + 1), as the series starts at 1 + O(t^2).
  M next(const std::vector<M>& power, double k) const {
    const std::size_t j = power.size();
    spend_on_terms<M>(static_cast<double>(j));
    M sum(0);
    for (std::size_t i = 2; i <= j; ++i)
      sum += (static_cast<int>(i) * (M(k) + 1) - static_cast<int>(j)) * series_[i] * power[j - i];
    return sum / static_cast<int>(j);
  }

  // The k-th power by squaring, for k so small that the recurrence would subtract.
  std::vector<M> multiplied(double k) const {
    const auto times = [&](const std::vector<M>& a, const std::vector<M>& b) {
      std::vector<M> c(last_ + 1, M(0));
      spend_on_terms<M>(static_cast<double>(last_ * last_) / 2);
      for (std::size_t i = 0; i <= last_; ++i)
        for (std::size_t j = 0; i + j <= last_; ++j) c[i + j] += a[i] * b[j];
      return c;
    };
    std::vector<M> base(series_.begin(), series_.begin() + static_cast<std::int64_t>(last_) + 1), out(last_ + 1, M(0));
    out[0] = M(1);
    for (std::int64_t e = static_cast<std::int64_t>(k); e > 0; e /= 2) {
      if (e % 2 == 1) out = times(out, base);
      if (e > 1) base = times(base, base);
    }
    return out;
  }

  // What the terms after an even j can add: by Lyapunov E|mean - 1|^i is log-convex in i, and at the even order past
  // lambda it is at most E(L - 1)^i. So the terms are at most term y^{i-j} C(lambda,i)/C(lambda,j).
  std::optional<M> remainder(const M& term, std::size_t j, double k, const M& r, const M& coefficient) const {
    const M here = factorial_[j] * coefficient * exp(-static_cast<int>(j) * log(M(k)));
    const M y = r * exp((log(largest_) - log(here)) / static_cast<int>(even_ - j));
    const M ratio = (lambda_ - static_cast<int>(j)) / static_cast<int>(j + 1) * y;
    if (!certainly(ratio < M(0.5))) return {};
    return term * ratio * 2;
  }

  M lambda_, largest_;
  std::size_t last_, even_;
  std::vector<M> series_, factorial_;
};

}  // namespace epsilary::bounds::shuffled_gaussian
