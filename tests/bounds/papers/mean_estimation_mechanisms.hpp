// Mechanisms that send one message of few bits, to be run and enumerated.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>

namespace mechanisms {

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

}  // namespace mechanisms
