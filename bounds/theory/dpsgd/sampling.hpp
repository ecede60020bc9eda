// What the statements on DP-SGD share: the sampling rate, the number of steps, and when they make sense.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::dpsgd {

template <Real R>
R rate(const Values<R>& x) {
  return x[Param::batch] / x[Param::n];
}

// That a record is in the batch, and that it is not.
template <Real R>
Chance<R> chosen(const Values<R>& x) {
  return {rate(x), R((x[Param::n] - x[Param::batch]) / x[Param::n])};
}

inline Rational rounded_up(const Rational& x) { return Rational(0) - floor(Rational(0) - x); }

// T, or epochs n/batch. A part of a step is charged as a whole one: fewer steps are a post-processing of more.
template <Real R>
R rounds(const Values<R>& x) {
  if (x.has(Param::T)) return x[Param::T];
  if (x.is_exact(Param::epochs) && x.is_exact(Param::n) && x.is_exact(Param::batch))
    return from_rational<R>(rounded_up(x.exact(Param::epochs) * x.exact(Param::n) / x.exact(Param::batch)));
  const double nearby = std::ceil(to_double(x[Param::epochs] * x[Param::n] / x[Param::batch]));
  return R(nearby);  // one of them is searched for
}
template <Real R>
R group_size(const Values<R>& x) {
  return x.has(Param::group) ? x[Param::group] : R(1);
}

inline std::vector<Hypothesis> dpsgd_hypotheses() {
  using enum Param;
  Hypothesis fits = exactly("batch <= n, so give a smaller batch", [](const auto& x) { return x[batch] <= x[n]; });
  fits.limit = [](const Values<Ball>& x) { return x[n]; };
  return {fits, exactly("T or epochs is given, not both", [](const auto& x) { return x.has(T) != x.has(epochs); })};
}

// How batches are drawn and which data sets are neighbours, and what was made of a broken number of steps: what users
// of different accountants most often take for one another.
std::string fixed_size_remark(const Values<Rational>& x);
std::string poisson_remark(const Values<Rational>& x);
std::string partition_remark(const Values<Rational>& x);

}  // namespace epsilary::bounds::dpsgd
