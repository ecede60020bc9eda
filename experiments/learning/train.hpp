// All runs of a training: every seed with every sigma, one after the other, each on all threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/learning/checkpoints.hpp"
#include "experiments/learning/data.hpp"
#include "experiments/learning/training_spec.hpp"

namespace epsilary::learning {

struct Curve {
  std::string sigma;
  std::uint64_t seed = 0;
  std::vector<Mark> marks;
};

struct Training {
  int threads = 0;                     // 0: every core
  Checkpoints* checkpoints = nullptr;  // nothing is kept without
  const std::atomic<bool>* stop = nullptr;
  // After every round: the run, its last mark if there is one, and how many rounds of how many are done in all.
  std::function<void(const Curve&, std::size_t, std::size_t)> progress = {};
};

// Told to stop.
struct Stopped {};

std::vector<Curve> train(const TrainingSpec& spec, const Data& data, const Training& training);

// When the test images are looked at: after every `every` rounds, and after the last.
std::vector<std::uint32_t> marks_of(const TrainingSpec& spec);

// What the results depend on, in one word: the spec without its words and its accountants, the data, and the sources.
std::string fingerprint(const TrainingSpec& spec, const Data& data);

}  // namespace epsilary::learning
