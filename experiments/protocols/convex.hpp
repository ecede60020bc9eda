// Learning by the protocols on two convex problems whose optimum is known, to hold against what is proved of the
// excess risk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/protocols/mechanisms.hpp"

namespace epsilary::experiments {

// A record is a coordinate j, uniform, and a label. Models lie in the ball of diameter R around 0, gradients have norm
// at most L, and have the coordinate j alone.
//   squares:  c (theta_j - y)^2 / 2 with y = theta*_j +- R/4 and c = L/R; smooth with constant L/R
//   logistic: log(1 + e^{-y a theta_j}) with P(y = 1) = 1/(1 + e^{-a theta*_j}) and a = L/0.8, its gradient clipped to
//             L: that of a convex loss, linear where the model is badly wrong, with the same optimum
struct ConvexProblem {
  enum class Loss { squares, logistic };
  struct Record {
    std::uint32_t coordinate;
    double label;
  };

  ConvexProblem(Loss kind, std::uint32_t d, double R, double L);

  Loss loss;
  std::uint32_t dim;
  double radius, lipschitz;
  double scale;                 // c or a
  std::vector<double> optimum;  // theta*

  double smooth() const { return scale; }  // of the squares
  Record draw(Random& random) const;
  // Of the coordinate of the record; the others are 0.
  double gradient(const std::vector<double>& theta, const Record& record) const;
  // Mean loss over all records, above that of the optimum.
  double excess(const std::vector<double>& theta) const;
  void project(std::vector<double>& theta) const;
};

// Balle et al. 2020, Theorem 3.5: Algorithm 1 on n fresh records, noise on every coordinate, steps R/(G sqrt i); a real
// update is divided by the probability that a slot is not empty. Excess risk of the last model.
double fixed_window_excess(const ConvexProblem& problem, std::uint32_t n, std::uint32_t m, double p0, double noise,
                           Random& random);
// Theorem 4.2: Algorithm 2 with the steps of its first part, the last model; and of its second, the mean of all models.
double averaged_excess(const ConvexProblem& problem, std::uint32_t n, std::uint32_t m, double noise, bool smooth,
                       Random& random);

// Girgis et al. 2021, Theorem 1: Algorithm 1 with R_infinity on the records of all clients, k of them a round; of the
// empirical risk, whose optimum is that of the records. Squares alone.
struct CldpRun {
  double excess;
  double squared_gradient;  // of the averaged messages in the last round
};
CldpRun cldp_sgd(const ConvexProblem& problem, std::uint32_t clients, std::uint32_t records, std::uint32_t k,
                 std::uint32_t T, double eps0, Random& random);

}  // namespace epsilary::experiments
