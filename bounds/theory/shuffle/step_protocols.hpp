// The protocols that are compositions of steps: which, and what holds of them without any composition.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/shuffle/steps.hpp"
#include "bounds/theory/shuffle/swapping.hpp"

namespace epsilary::bounds::steps {

// A protocol: its steps, what bounds the sum of their squares in closed form, and what holds without any amplification;
// of a window also the probability that the record is in it at all.
struct FixedWindow {
  template <Real R>
  static R weight(const Values<R>& x) {
    return x[Param::p0];
  }
  template <Real R>
  static Sequence<R> sequence(const Values<R>& x) {
    return fixed_window(x[Param::eps0], x[Param::m], x[Param::p0]);
  }
  template <Real R>
  static R squares(const Values<R>& x) {
    return checkin::posterior_squares(x[Param::eps0], x[Param::m], x[Param::p0]);
  }
  template <Real R>
  static R cap(const Values<R>& x) {
    return subsampled(x[Param::eps0], x[Param::p0]);
  }
};
struct SlidingWindow {
  template <Real R>
  static R weight(const Values<R>&) {
    return R(1);
  }
  template <Real R>
  static Sequence<R> sequence(const Values<R>& x) {
    return fixed_window(x[Param::eps0], x[Param::m], R(1));
  }
  template <Real R>
  static R squares(const Values<R>& x) {
    return checkin::replacement_squares(x[Param::eps0], x[Param::m], R(1));
  }
  template <Real R>
  static R cap(const Values<R>& x) {
    return x[Param::eps0];
  }
};
struct ShuffleSteps {
  template <Real R>
  static Sequence<R> sequence(const Values<R>& x) {
    return shuffle(x[Param::eps0], x[Param::n]);
  }
  template <Real R>
  static R squares(const Values<R>& x) {
    return shuffling::swapping_squares(x[Param::eps0], x[Param::n]);
  }
  template <Real R>
  static R cap(const Values<R>& x) {
    return x[Param::eps0];
  }
};

}  // namespace epsilary::bounds::steps
