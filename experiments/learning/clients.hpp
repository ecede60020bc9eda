// Many clients at once, each with one example: their derivatives and gradients, on as many threads as there are, with
// the same bits on any number of them, because what is summed is summed in chunks that do not depend on the threads.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>
#include <span>

#include "experiments/learning/data.hpp"
#include "experiments/learning/network.hpp"

namespace epsilary::learning {

// A client that is asked for one coordinate of its gradient.
struct Asked {
  std::uint32_t example = 0;
  std::uint32_t coordinate = 0;
};

struct Score {
  double accuracy = 0, loss = 0;  // share of images told right; mean cross entropy
};

class Clients {
 public:
  Clients(const Network& network, const Data& data);

  // Each the derivative of its own loss by its own coordinate. Nothing else of a gradient is computed.
  void derivatives(std::span<const float> theta, std::span<const Asked> asked, std::span<float> out);
  // The same after the whole gradient is scaled so that no coordinate is beyond the limit.
  void scaled_derivatives(std::span<const float> theta, std::span<const Asked> asked, float limit,
                          std::span<float> out);

  // The sum of their gradients, each scaled to a Euclidean norm of at most `limit`; 0: as they are.
  void sum(std::span<const float> theta, std::span<const std::uint32_t> examples, double limit, std::span<float> out);

  // The sum of what `report` adds for each: it has the client's place in the list, its gradient and the sum so far.
  using Reporting = std::function<void(std::size_t, std::span<const float>, std::span<float>)>;
  void sum_reports(std::span<const float> theta, std::span<const std::uint32_t> examples, const Reporting& report,
                   std::span<float> out);

  Score test(std::span<const float> theta);

 private:
  // What a thread has for itself.
  struct Desk {
    explicit Desk(const Network& network) : work(network), gradients(network.parameters) {}
    Work work;
    Rows gradients;
  };
  void load_block(const Examples& examples, std::span<const std::uint32_t> which, Work& work) const;
  template <class Chunk>
  void sum_chunks(std::size_t count, std::span<float> out, Chunk chunk);

  const Network& network_;
  const Data& data_;
  oneapi::tbb::enumerable_thread_specific<Desk> desks_;
};

}  // namespace epsilary::learning
