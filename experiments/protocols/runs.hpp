// Many runs on many threads, with the same result on any number of them: runs are cut into blocks of one size, and what
// the blocks give is put together in their order.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "experiments/protocols/random.hpp"
#include "experiments/rows/row.hpp"
#include "experiments/sweep/threads.hpp"

namespace epsilary::experiments {

struct Repeating {
  std::uint64_t seed = 1;
  int threads = 0;                           // 0: every core
  const std::atomic<bool>* stop = nullptr;   // set, it ends with Stopped
  std::atomic<std::size_t>* done = nullptr;  // counts the runs that are ready
};

// So many runs make a block, and so many blocks are held at a time.
inline constexpr std::uint64_t runs_of_a_block = 256, blocks_at_a_time = 4096;

// run(i, random, sum) for i in [first, first + count), each with the stream i of the seed. Sum has add(const Sum&).
template <class Sum, class Run>
Sum repeat(std::uint64_t first, std::uint64_t count, const Repeating& how, Run run) {
  Sum all;
  for (std::uint64_t start = 0; start < count; start += runs_of_a_block * blocks_at_a_time) {
    const std::uint64_t many = std::min(count - start, runs_of_a_block * blocks_at_a_time);
    std::vector<Sum> blocks((many + runs_of_a_block - 1) / runs_of_a_block);
    with_threads(how.threads, [&] {
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, blocks.size(), 1), [&](const auto& range) {
        for (std::size_t block = range.begin(); block != range.end(); ++block) {
          if (how.stop && *how.stop) throw Stopped();
          const std::uint64_t begin = block * runs_of_a_block, end = std::min(many, begin + runs_of_a_block);
          for (std::uint64_t i = first + start + begin; i < first + start + end; ++i) {
            Random random(how.seed, i);
            run(i, random, blocks[block]);
          }
          if (how.done) how.done->fetch_add(end - begin, std::memory_order_relaxed);
        }
      });
    });
    for (const Sum& block : blocks) all.add(block);
  }
  return all;
}

}  // namespace epsilary::experiments
