// What the statements of Girgis et al. 2021 share: the norm, which left out is the maximum norm, and the
// clients drawn in a round.
#pragma once

#include <type_traits>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::cldp {

// max(d^{1 - 2/p}, 1): how much longer an l_p ball is in the Euclidean norm, squared.
template <Real R>
R squared_stretch(const R& dim, const R& p) {
  return max(R(1), R(pow(dim, R(1 - 2 / p))));
}
template <Real R>
R squared_stretch(const Values<R>& x) {
  return x.has(Param::norm) ? squared_stretch(x[Param::dim], x[Param::norm]) : x[Param::dim];
}

// p = 1 and p = infinity, where a message is a coordinate and a sign.
template <Real R>
bool is_sign_norm(const Values<R>& x) {
  return !x.has(Param::norm) || x.at_most(Param::norm, 1);
}

inline Hypothesis norm_with_a_mechanism() {
  return exactly("norm is 1 or 2 (left out, it is infinity)", [](const auto& x) {
    const auto& p = x[Param::norm];
    return p <= 1 || (p >= 2 && p <= 2);
  });
}

inline Hypothesis drawn_from_the_clients() {
  return exactly("per_round <= clients",
                 [](const auto& x) { return !x.has(Param::clients) || x[Param::per_round] <= x[Param::clients]; });
}

// Several messages of a client, where a statement takes them, by the sampling of Remark 1: of its own records.
inline Hypothesis samples_of_the_records() {
  return exactly("samples <= records", [](const auto& x) {
    using N = std::decay_t<decltype(x[Param::per_round])>;
    return !x.has(Param::samples) || x[Param::samples] <= (x.has(Param::records) ? x[Param::records] : N(1));
  });
}

// What is shuffled in a round, and all records.
template <class N>
N messages(const Values<N>& x) {
  return x.has(Param::samples) ? N(x[Param::per_round] * x[Param::samples]) : x[Param::per_round];
}
template <class N>
N population(const Values<N>& x) {
  return x.has(Param::records) ? N(x[Param::clients] * x[Param::records]) : x[Param::clients];
}

}  // namespace epsilary::bounds::cldp
