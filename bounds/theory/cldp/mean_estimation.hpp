// Private mean estimation with few bits: Girgis et al. 2021, Theorems 2, 3 and 4, Algorithm 2 and Lemma 2.
// n clients hold vectors of l_p norm at most `radius` in `dim` dimensions; the error is squared Euclidean.
#pragma once

#include <bit>
#include <cstddef>
#include <random>
#include <span>

#include "bounds/theory/cldp/communication.hpp"
#include "bounds/theory/cldp/convergence.hpp"

namespace epsilary::bounds::cldp {

// Algorithm 2, R_infinity: one random coordinate, its sign by randomised response, stretched to be unbiased.
struct MaxNormMechanism {
  double radius;
  std::size_t dim;
  double eps0;

  struct Message {
    std::size_t coordinate;
    bool plus;
  };

  // The decoded vector is +-length in one coordinate.
  double length() const { return radius * static_cast<double>(dim) / std::tanh(eps0 / 2); }

  double probability_of_plus(double coordinate) const { return 0.5 + coordinate / (2 * radius) * std::tanh(eps0 / 2); }

  double probability(std::span<const double> x, const Message& z) const {
    const double plus = probability_of_plus(x[z.coordinate]);
    return (z.plus ? plus : 1 - plus) / static_cast<double>(dim);
  }

  template <class Generator>
  Message sample(std::span<const double> x, Generator& random) const {
    const std::size_t j = std::uniform_int_distribution<std::size_t>(0, dim - 1)(random);
    return {j, std::bernoulli_distribution(probability_of_plus(x[j]))(random)};
  }
};

// For p = 1 the text defines no mechanism. This one attains Theorem 4: one random row of a Hadamard matrix of
// 2^ceil(log2 d) rows, the sign of its product with x by randomised response, decoded as a multiple of the row.
// The product is at most |x|_1, the rows are orthogonal, and every decoded vector has length a sqrt(d) coth.
struct OneNormMechanism {
  double radius;
  std::size_t dim;
  double eps0;

  struct Message {
    std::size_t row;
    bool plus;
  };

  std::size_t rows() const { return std::bit_ceil(dim); }
  static double entry(std::size_t row, std::size_t column) { return std::popcount(row & column) % 2 ? -1 : 1; }

  double probability_of_plus(std::span<const double> x, std::size_t row) const {
    double product = 0;
    for (std::size_t j = 0; j < dim; ++j) product += entry(row, j) * x[j];
    return 0.5 + product / (2 * radius) * std::tanh(eps0 / 2);
  }

  double probability(std::span<const double> x, const Message& z) const {
    const double plus = probability_of_plus(x, z.row);
    return (z.plus ? plus : 1 - plus) / static_cast<double>(rows());
  }

  double decoded(const Message& z, std::size_t column) const {
    return (z.plus ? 1 : -1) * radius / std::tanh(eps0 / 2) * entry(z.row, column);
  }

  template <class Generator>
  Message sample(std::span<const double> x, Generator& random) const {
    const std::size_t row = std::uniform_int_distribution<std::size_t>(0, rows() - 1)(random);
    return {row, std::bernoulli_distribution(probability_of_plus(x, row))(random)};
  }
};

// Lemma 2: E |R(x) - x|^2 = a^2 d^2 coth^2(eps0/2) - |x|^2, because |R(x)| is constant and its mean is x.
template <Real R>
R squared_length(const R& radius, const R& dim, const R& eps0) {
  const R length = radius * dim * coth_half(eps0);
  return length * length;
}

// Theorem 4 for p = 1 and p = 2: factor a^2 d coth^2(eps0/2) / n.
template <Real R>
R mean_risk(const R& radius, const R& dim, const R& n, const R& eps0, int factor) {
  const R coth = coth_half(eps0);
  return factor * radius * radius * dim / n * coth * coth;
}

// Theorem 2, the order of the minimax risk: below p = 2 and from p = 2 on.
template <Real R>
R minimax_rate_small(const R& radius, const R& dim, const R& n, const R& eps0) {
  return radius * radius * min(R(1), R(dim / (n * eps0 * eps0)));
}
template <Real R>
R minimax_rate_large(const R& radius, const R& dim, const R& stretch, const R& n, const R& eps0) {
  return radius * radius * stretch * min(R(1), R(dim / (n * min(eps0, R(eps0 * eps0)))));
}

// The risk left by messages from B symbols, decoded one by one and averaged. All clients may hold the same x,
// so the risk is at least |x - y(x)|^2 with y(x) in the hull of the B decoded vectors, which has at most B - 1
// dimensions; of x and -x one misses the part of x orthogonal to them. On average over sign vectors that
// part is (d - B + 1)/d of |x|^2, over coordinate vectors as well, and some unit vector has all of it.
template <Real R>
R few_symbols_risk(const R& radius, const R& dim, const R& p, const R& symbols) {
  const R left = (dim - symbols + 1) / dim;
  return radius * radius *
         branch(
             p < R(2), [&] { return R(max(R(pow(dim, R(1 - 2 / p))), left)); },
             [&] { return R(max(R(1), R(squared_stretch(dim, p) * left))); });
}
template <Real R>
R few_symbols_risk(const R& radius, const R& dim, const R& symbols) {
  return radius * radius * max(R(1), R(dim - symbols + 1));
}

// Bits, where given, against log2 of the dimension.
inline Hypothesis too_few_bits() {
  return provably("bits < log2(dim)", []<class V>(const V& x) {
    using R = std::remove_cvref_t<decltype(x[Param::dim])>;
    if (!x.has(Param::bits)) return R(1);
    const R margin = log2_of(x[Param::dim]) - x[Param::bits];
    return certainly(margin <= 0) ? R(-1) : margin;  // equality is not below
  });
}
template <class Needed>
Hypothesis enough_bits(const std::string& words, Needed) {
  return provably(words, []<class V>(const V& x) {
    using R = std::remove_cvref_t<decltype(x[Param::dim])>;
    return x.has(Param::bits) ? R(x[Param::bits] - Needed{}(x)) : R(1);
  });
}

}  // namespace epsilary::bounds::cldp
