// The papers' algorithms, one round at a time. What a round draws depends on the seed, the round and the client alone,
// so that a run goes on from its parameters as if it had never stopped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/learning/clients.hpp"
#include "experiments/learning/training_spec.hpp"

namespace epsilary::learning {

class Run {
 public:
  Run(const TrainingSpec& spec, const std::string& sigma, std::uint64_t seed, const Data& data, Clients& clients);

  // Rounds count from 1, and each makes the parameters of the next.
  void step(std::uint32_t round);

  std::vector<float> theta;

 private:
  std::uint32_t example_of(std::uint32_t client) const;
  std::vector<std::uint32_t> examples_of(const std::vector<std::uint32_t>& clients) const;
  void check_in();

  void cldp_step(std::uint32_t round, const std::vector<std::uint32_t>& reporting);
  void gaussian_step(std::uint32_t round, const std::vector<std::uint32_t>& reporting);
  void half_space_step(std::uint32_t round, const std::vector<std::uint32_t>& reporting);
  std::vector<std::uint32_t> reporting_in(std::uint32_t round) const;
  void descend(std::uint32_t round, const std::vector<float>& direction, double divisor);

  const TrainingSpec& spec_;
  double sigma_ = 0;
  std::uint64_t seed_;
  std::uint32_t images_;
  Clients& clients_;
  // Random check-ins: who checked in to slot s are clients_in_[begins_[s]] and the following.
  std::vector<std::uint32_t> clients_in_, begins_;
};

// k different of 0, ..., n - 1, uniformly, in uniform order.
std::vector<std::uint32_t> chosen(std::uint32_t n, std::uint32_t k, std::uint64_t seed, std::uint64_t stream);

}  // namespace epsilary::learning
