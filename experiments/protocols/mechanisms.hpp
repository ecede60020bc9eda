// What one client does before anything leaves it: clipping, and the randomizers of the papers, each with its law beside
// its sampler.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "experiments/protocols/random.hpp"

namespace epsilary::experiments {

// ---- clipping --------------------------------------------------------------------------------------------

template <std::floating_point F>
F max_norm(std::span<const F> x) {
  F norm = 0;
  for (const F c : x) norm = std::max(norm, std::abs(c));
  return norm;
}
template <std::floating_point F>
double two_norm(std::span<const F> x) {
  double sum = 0;
  for (const F c : x) sum += static_cast<double>(c) * static_cast<double>(c);
  return std::sqrt(sum);
}

// x / max{1, norm / limit}: its direction stays, its norm is at most the limit (Girgis et al. 2021, Algorithm 1,
// line 9; van Dijk and Nguyen 2022, Section 2). No coordinate is rounded to beyond the limit.
template <std::floating_point F>
void clip_by_scaling(std::span<F> x, F norm, F limit) {
  if (!(norm > limit)) return;
  const F factor = limit / norm;
  for (F& c : x) c = std::clamp(c * factor, -limit, limit);
}
// Each coordinate by itself to [-limit, limit].
template <std::floating_point F>
void clip_by_coordinate(std::span<F> x, F limit) {
  for (F& c : x) c = std::clamp(c, -limit, limit);
}

// ---- randomised response ---------------------------------------------------------------------------------

// Of k values, 0 to k - 1, the true one with probability e^eps0 / (e^eps0 + k - 1), else one of the others.
struct RandomisedResponse {
  RandomisedResponse(std::uint32_t values, double epsilon)
      : k(values), eps0(epsilon), truth(1 / (1 + (k - 1) * std::exp(-eps0))), lie(1 / (std::exp(eps0) + (k - 1))) {}
  std::uint32_t k;
  double eps0;
  double truth, lie;  // probabilities of the true value, and of each of the others

  std::uint32_t sample(std::uint32_t value, Random& random) const {
    if (random.coin(truth)) return value;
    if (k == 2) return 1 - value;
    const std::uint32_t other = random.below(k - 1);
    return other < value ? other : other + 1;
  }
};

// ---- private means in few bits ---------------------------------------------------------------------------

// Girgis et al. 2021, Algorithm 2, R_infinity, for |x|_inf <= radius: one random coordinate, its sign by randomised
// response, stretched to be unbiased.
struct MaxNormMechanism {
  MaxNormMechanism(double a, std::size_t d, double epsilon)
      : radius(a), dim(d), eps0(epsilon), slope(std::tanh(epsilon / 2)) {}
  double radius;
  std::size_t dim;
  double eps0;
  double slope;  // the probability of a plus rises by half of it from 0 to the radius

  struct Message {
    std::size_t coordinate;
    bool plus;
    bool operator==(const Message&) const = default;
  };

  // The decoded vector is +-length in one coordinate.
  double length() const { return radius * static_cast<double>(dim) / slope; }
  double decoded(const Message& z) const { return z.plus ? length() : -length(); }

  double probability_of_plus(double coordinate) const { return 0.5 + coordinate / (2 * radius) * slope; }
  double probability(std::span<const double> x, const Message& z) const {
    const double plus = probability_of_plus(x[z.coordinate]);
    return (z.plus ? plus : 1 - plus) / static_cast<double>(dim);
  }

  // The coordinate is drawn before anything of x is known: of x it needs only that one.
  std::size_t draw_coordinate(Random& random) const { return random.below(static_cast<std::uint32_t>(dim)); }
  Message answer(std::size_t coordinate, double value, Random& random) const {
    return {coordinate, random.coin(probability_of_plus(value))};
  }
  Message sample(std::span<const double> x, Random& random) const {
    const std::size_t j = draw_coordinate(random);
    return answer(j, x[j], random);
  }

  // On the wire: the coordinate, ceil(log2 dim) bits, then the sign as the lowest bit.
  int bits() const { return static_cast<int>(std::bit_width(dim - 1)) + 1; }
  static std::uint64_t encode(const Message& z) { return std::uint64_t{z.coordinate} << 1 | (z.plus ? 1 : 0); }
  static Message decode(std::uint64_t wire) { return {static_cast<std::size_t>(wire >> 1), (wire & 1) != 0}; }
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
    bool operator==(const Message&) const = default;
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

  Message sample(std::span<const double> x, Random& random) const {
    const std::size_t row = random.below(static_cast<std::uint32_t>(rows()));
    return {row, random.coin(probability_of_plus(x, row))};
  }

  int bits() const { return static_cast<int>(std::bit_width(rows() - 1)) + 1; }
  static std::uint64_t encode(const Message& z) { return std::uint64_t{z.row} << 1 | (z.plus ? 1 : 0); }
  static Message decode(std::uint64_t wire) { return {static_cast<std::size_t>(wire >> 1), (wire & 1) != 0}; }
};

// ---- noise -----------------------------------------------------------------------------------------------

// Adds independent normal noise of standard deviation sigma to every coordinate.
template <std::floating_point F>
void add_gaussian(std::span<F> x, double sigma, Random& random) {
  for (F& c : x) c += static_cast<F>(sigma * random.normal());
}

}  // namespace epsilary::experiments
