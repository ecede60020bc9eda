// What no analysis of shuffling or random check-ins can beat: randomised response, with every other record equal.
// One of m slots holds the record with probability w; the shuffle of n reports is w = 1, m = n.
#pragma once

#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/profile.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds::responses {

// Binary response, the record 1 or 0 and all others 0. Of K ~ Bin(m, 1/(e^{eps0}+1)) ones the ratio of the two laws is
// 1 + w k (K/m - 1/(e^{eps0}+1)), k = e^{eps0} - e^{-eps0}. Each direction is exact.
template <Real R>
struct Binary {
  R m, eps0, w;
  bool reverse = false;  // the record 0 under P

  ProfileAt<R> operator()(const R& eps) const;

  // From here on delta is zero.
  double most() const {
    const double e0 = to_double(eps0), p = to_double(w);
    return reverse ? -subsampled(-e0, p) : subsampled(e0, p);
  }
};

// Ternary response, the record 1 or 2 and all others 0: of m slots a show 1 and b show 2 with probability
// 1/(e^{eps0}+2) each; the laws are 1 - w + (w/m) (e^{eps0} a + b + e^{-eps0} (m - a - b)) and the same with a and b
// exchanged, so both directions agree. Above binary response from eps0 around 1 on.
template <Real R>
struct Ternary {
  R m, eps0, w;

  ProfileAt<R> operator()(const R& eps) const;
  double most() const { return subsampled(to_double(eps0), to_double(w)); }
};

// Binary response, the record 1 or 0 and `ones` of the n - 1 others 1: of X ~ Bin(ones, 1-q) + Bin(n-1-ones, q) ones
// among the others, q = 1/(e^{eps0}+1), the laws are X + Bern(1-q) and X + Bern(q). Each direction is exact; with no
// other ones it is the shuffle of `Binary`, which hardly any other number of ones exceeds.
template <Real R>
struct Mixed {
  R n, eps0, ones;
  bool reverse = false;

  ProfileAt<R> operator()(const R& eps) const;
  double most() const { return to_double(eps0); }
};

// The other clients of random check-ins with a fixed window all hold 0: a slot is given to one of those who chose it,
// so it holds the record with probability (1/n) (1 - (1 - p0/m)^n) / (1/m) given the slot. With n = 1 this is p0.
template <Real R>
R fixed_window_weight(const R& m, const R& n, const R& p0) {
  return m / n * checkin::slot_is_used(n, m, p0).yes;
}
// Sliding window, a client in the middle: each slot of its window has m - 1 competitors.
template <Real R>
R sliding_window_weight(const R& m) {
  return checkin::slot_is_used(m, m, R(1)).yes;
}

}  // namespace epsilary::bounds::responses
