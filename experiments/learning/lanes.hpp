// Eight examples side by side: every loop of the network runs over them at once, and none sees the others, so that an
// example has the same bits wherever it stands. Nothing here is fused or reordered; wider registers only make it
// faster.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace epsilary::learning {

inline constexpr int lanes = 8;
using Lanes = float __attribute__((vector_size(4 * lanes)));
using LaneBits = std::int32_t __attribute__((vector_size(4 * lanes)));

// Rows of eight, zero at first, where the widest registers like them: how a vector type is aligned depends on the
// processor that a function is compiled for, and the containers of the standard library know only one.
class Rows {
 public:
  explicit Rows(std::size_t count)
      : count_(count), rows_(static_cast<Lanes*>(::operator new(count * sizeof(Lanes), alignment))) {
    clear();
  }
  void clear() { std::fill_n(data(), count_, Lanes{}); }
  std::size_t size() const { return count_; }
  Lanes* data() { return rows_.get(); }
  const Lanes* data() const { return rows_.get(); }
  Lanes& operator[](std::size_t i) { return rows_.get()[i]; }
  const Lanes& operator[](std::size_t i) const { return rows_.get()[i]; }

 private:
  static constexpr std::align_val_t alignment{sizeof(Lanes)};
  struct Free {
    void operator()(Lanes* rows) const { ::operator delete(rows, alignment); }
  };
  std::size_t count_;
  std::unique_ptr<Lanes, Free> rows_;
};

// A loop that is compiled for processors with and without AVX2; which one runs is decided when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define EPSILARY_FOR_EACH_PROCESSOR [[gnu::target_clones("avx2", "default")]]
#else
#define EPSILARY_FOR_EACH_PROCESSOR
#endif

}  // namespace epsilary::learning
