// Learning on problems with a known optimum: gradients by differences, and what the algorithms do with them.
#include "experiments/protocols/convex.hpp"

#include <doctest/doctest.h>

#include "experiments/protocols/dp_sgd.hpp"
#include "experiments/protocols/intervals.hpp"

using namespace epsilary::experiments;
using Kind = ConvexProblem::Loss;

TEST_CASE("the mean gradient is the slope of the excess risk, the optimum its minimum, and no gradient exceeds L") {
  for (const Kind kind : {Kind::squares, Kind::logistic}) {
    const ConvexProblem problem(kind, 3, 2, 1.7);
    CHECK(problem.excess(problem.optimum) == doctest::Approx(0).epsilon(1e-12));
    CHECK(two_norm(std::span<const double>(problem.optimum)) <= problem.radius / 2);
    Random random(1);
    for (int i = 0; i < 50; ++i) {
      std::vector<double> theta(3);
      for (double& t : theta) t = random.normal();
      problem.project(theta);
      CHECK(two_norm(std::span<const double>(theta)) <= 1 + 1e-12);
      CHECK(problem.excess(theta) >= 0);
      // Both labels of each coordinate with their probabilities.
      for (std::uint32_t j = 0; j < 3; ++j) {
        const double plus = kind == Kind::squares ? 0.5 : 1 / (1 + std::exp(-problem.scale * problem.optimum[j]));
        const double up = kind == Kind::squares ? problem.optimum[j] + 0.5 : 1,
                     down = kind == Kind::squares ? problem.optimum[j] - 0.5 : -1;
        const double mean =
            (plus * problem.gradient(theta, {j, up}) + (1 - plus) * problem.gradient(theta, {j, down})) / 3;
        std::vector<double> more = theta, less = theta;
        more[j] += 1e-5;
        less[j] -= 1e-5;
        CHECK(mean == doctest::Approx((problem.excess(more) - problem.excess(less)) / 2e-5).epsilon(1e-5));
        for (const double label : {up, down})
          CHECK(std::abs(problem.gradient(theta, {j, label})) <= problem.lipschitz * (1 + 1e-12));
      }
      const auto record = problem.draw(random);
      CHECK(std::abs(problem.gradient(theta, record)) <= problem.lipschitz * (1 + 1e-12));
    }
  }
}

TEST_CASE("more slots, more clients, more rounds: the excess risk falls") {
  const ConvexProblem problem(Kind::squares, 4, 1, 1);
  const auto mean = [](int runs, auto excess) {
    Tally tally;
    for (int i = 0; i < runs; ++i) {
      Random random(3, static_cast<std::uint64_t>(i));
      tally.add(excess(random));
    }
    return tally.mean;
  };
  const double nothing = problem.excess(std::vector<double>(4));
  const double few = mean(40, [&](Random& r) { return fixed_window_excess(problem, 200, 20, 1, 0.1, r); });
  const double many = mean(40, [&](Random& r) { return fixed_window_excess(problem, 20000, 2000, 1, 0.1, r); });
  CHECK(many < few / 2);
  CHECK(many < nothing);
  CHECK(mean(40, [&](Random& r) { return averaged_excess(problem, 4000, 400, 0.1, false, r); }) < nothing);
  CHECK(mean(40, [&](Random& r) { return averaged_excess(problem, 4000, 400, 0.1, true, r); }) < nothing);
  const double short_run = mean(20, [&](Random& r) { return cldp_sgd(problem, 100, 2, 50, 10, 4, r).excess; });
  const double long_run = mean(20, [&](Random& r) { return cldp_sgd(problem, 100, 2, 50, 1000, 4, r).excess; });
  CHECK(long_run < short_run);
}

TEST_CASE("DP-SGD without noise and clipping is gradient descent on batches, and finds the optimum") {
  const ConvexProblem problem(Kind::squares, 3, 2, 2);
  Random random(4);
  std::vector<std::vector<ConvexProblem::Record>> data(2);
  for (auto& own : data)
    for (int i = 0; i < 600; ++i) own.push_back(problem.draw(random));
  for (const std::uint32_t lag : {1u, 5u})
    for (const bool partition : {false, true}) {
      const DpSgd sgd{
          .batch = 60, .epochs = 40, .clip = 100, .sigma = 1e-12, .partition = partition, .lag = lag, .step = 0.2};
      const auto model = sgd.run(problem, data, random, [](auto&&...) {});
      CHECK(problem.excess(model) < 0.1 * problem.excess(std::vector<double>(3)));
    }
}

TEST_CASE("DP-SGD: the noise has deviation 2 C sigma, another one in the last epoch, and sums are clipped as asked") {
  const ConvexProblem problem(Kind::squares, 2, 2, 2);
  Random random(5);
  std::vector<std::vector<ConvexProblem::Record>> data(1);
  for (int i = 0; i < 200; ++i) data[0].push_back(problem.draw(random));
  for (const bool together : {false, true}) {
    const DpSgd sgd{.batch = 2, .epochs = 30, .clip = 0.1, .sigma = 2, .last_sigma = 0.5, .batch_clipping = together};
    Tally before, last;
    std::size_t rounds = 0;
    sgd.run(problem, data, random,
            [&](std::size_t, std::uint32_t epoch, const auto& batch, const auto& sum, const auto& sent) {
              ++rounds;
              CHECK(batch.size() == 2);
              CHECK(two_norm(std::span<const double>(sum)) <= (together ? 0.1 : 0.2) * (1 + 1e-12));
              for (std::size_t j = 0; j < 2; ++j) (epoch == 29 ? last : before).add(sent[j] - sum[j]);
            });
    CHECK(rounds == 3000);
    CHECK(before.variance() == doctest::Approx(0.16).epsilon(0.1));  // 5800 numbers: within five deviations
    CHECK(last.variance() == doctest::Approx(0.01).epsilon(0.5));
    CHECK(last.variance() < 0.03);
  }
}
