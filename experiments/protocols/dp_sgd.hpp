// DP-SGD of the Gaussian DP chapter, with everything it lets one choose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/protocols/checkins.hpp"
#include "experiments/protocols/convex.hpp"

namespace epsilary::experiments {

// The sum of gradients over a batch, clipped one by one or together, to norm C.
std::vector<double> clipped_sum(const ConvexProblem& problem, const std::vector<double>& theta,
                                const std::vector<ConvexProblem::Record>& data, const std::vector<std::uint32_t>& batch,
                                double clip, bool together);

// van Dijk and Nguyen 2022, Algorithm 1, of clients with as many records each: every round sends the sum over a batch,
// clipped record by record or as a whole, with noise of deviation 2 C sigma, and updates the client's model by it;
// every `lag` rounds the server's model, which has all updates, takes its place. In the last epoch sigma may be
// another.
struct DpSgd {
  std::uint32_t batch = 10, epochs = 1;
  double clip = 1, sigma = 1, last_sigma = 0;  // 0: as before
  bool batch_clipping = false, partition = false;
  std::uint32_t lag = 1;
  double step = 0.1;
  // Calls seen(client, epoch, batch, sum before the noise, sum with it) in every round; gives the server's model.
  template <class Seen>
  std::vector<double> run(const ConvexProblem& problem, const std::vector<std::vector<ConvexProblem::Record>>& data,
                          Random& random, Seen seen) const {
    std::vector<double> server(problem.dim);
    std::vector<std::vector<double>> models(data.size(), server);
    std::uint32_t round = 0;
    for (std::uint32_t epoch = 0; epoch < epochs; ++epoch) {
      const double deviation = 2 * clip * (last_sigma > 0 && epoch + 1 == epochs ? last_sigma : sigma);
      std::vector<std::vector<std::vector<std::uint32_t>>> parts;
      for (std::size_t c = 0; partition && c < data.size(); ++c)
        parts.push_back(partition_into_batches(static_cast<std::uint32_t>(data[c].size()), batch, random));
      const std::size_t rounds = data.front().size() / batch;
      for (std::size_t b = 0; b < rounds; ++b) {
        for (std::size_t c = 0; c < data.size(); ++c) {
          const auto taken =
              partition ? parts[c][b] : fresh_batch(static_cast<std::uint32_t>(data[c].size()), batch, random);
          const std::vector<double> sum = clipped_sum(problem, models[c], data[c], taken, clip, batch_clipping);
          std::vector<double> sent = sum;
          add_gaussian(std::span(sent), deviation, random);
          seen(c, epoch, taken, sum, sent);
          for (std::uint32_t i = 0; i < problem.dim; ++i) {
            const double change = step * sent[i] / batch;
            models[c][i] -= change;
            server[i] -= change / static_cast<double>(data.size());
          }
          problem.project(models[c]);
        }
        problem.project(server);
        if (++round % lag == 0) std::ranges::fill(models, server);
      }
    }
    return server;
  }
};

}  // namespace epsilary::experiments
