// How many check-ins a bound allows for: floor((1 - Delta) n gamma), with Delta as given or chosen.
#pragma once

#include <cmath>
#include <concepts>

#include "bounds/theory/accounting.hpp"

namespace epsilary::bounds::checkin {

template <Real R>
struct Threshold {
  R Delta, t;
};

// best(values, n gamma) is the Delta to take where none is given, found in double without proof: every Delta is valid.
template <Real R, class Best>
Threshold<R> threshold(const Values<R>& x, Best best) {
  using enum Param;
  if constexpr (std::same_as<R, double>) {
    const double expected = x[n] * x[gamma], D = x.has(Param::Delta) ? x[Param::Delta] : best(x, expected);
    return {D, std::floor((1 - D) * expected * (1 + 1e-15))};
  } else {
    const Rational exact =
        x.has(Param::Delta) ? x.exact(Param::Delta) : Decimal::nearest(threshold(in_double(x), best).Delta, 12).exact();
    return {from_rational<R>(exact), from_rational<R>(floor((Rational(1) - exact) * x.exact(n) * x.exact(gamma)))};
  }
}

}  // namespace epsilary::bounds::checkin
