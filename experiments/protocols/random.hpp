// The one source of chance of everything that is run: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), a keyed
// function of a counter. What it gives depends on the seed, the stream and how much was drawn, and on nothing else:
// whoever has a stream of his own draws the same on any number of threads. Every law below is written here, because
// those of the standard library differ from one library to another.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace epsilary::experiments {

class Random {
 public:
  using Block = std::array<std::uint32_t, 4>;
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  // A name for what belongs to one of `who` in one of `round`.
  static std::uint64_t stream_of(std::uint32_t round, std::uint32_t who) { return std::uint64_t{round} << 32 | who; }

  std::uint32_t word() {
    if (next_ == words_.size()) {
      words_ = philox({low(block_), high(block_), low(stream_), high(stream_)}, low(seed_), high(seed_));
      ++block_;
      next_ = 0;
    }
    return words_[next_++];
  }
  std::uint64_t operator()() {
    const std::uint64_t first = word();
    return first << 32 | word();
  }
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return std::numeric_limits<std::uint64_t>::max(); }

  // Uniform on the multiples of 2^-53 in [0, 1).
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  // True with probability p exactly: as many bits are drawn as decide.
  bool coin(double p) {
    while (p > 0) {
      if (p >= 1) return true;
      const double scaled = p * 0x1p32;  // exact
      const auto whole = static_cast<std::uint32_t>(scaled);
      const std::uint32_t drawn = word();
      if (drawn != whole) return drawn < whole;
      p = scaled - whole;
    }
    return false;
  }

  // How many of n coins of probability p show: all are thrown at once, bit by bit of p. A coin is decided at the first
  // bit of its own that differs from p's, and of those that are left each bit is a fair one.
  std::uint64_t coins(std::uint64_t n, double p) {
    if (!(p > 0)) return 0;
    if (p >= 1) return n;
    std::uint64_t shown = 0;
    while (n > 0 && p > 0) {
      p *= 2;
      const std::uint64_t ones = fair(n);
      if (p >= 1) {
        p -= 1;
        shown += n - ones;
        n = ones;
      } else {
        n -= ones;
      }
    }
    return shown;
  }

  // Uniform on 0, ..., n - 1 exactly (Lemire 2019); n > 0.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{word()} * n;
    if (low(product) < n) {
      const std::uint32_t reject = (0 - n) % n;
      while (low(product) < reject) product = std::uint64_t{word()} * n;
    }
    return high(product);
  }

  // Normal with mean 0 and variance 1 (Box, Muller 1958).
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform())), angle = 2 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

  // The first k become a uniform choice of k out of all, in uniform order, whatever their order was.
  template <class T>
  void choose(std::span<T> pool, std::size_t k) {
    for (std::size_t i = 0; i < k && i + 1 < pool.size(); ++i)
      std::swap(pool[i], pool[i + below(static_cast<std::uint32_t>(pool.size() - i))]);
  }
  template <class T>
  void shuffle(std::span<T> all) {
    choose(all, all.size());
  }

  static constexpr Block philox(Block counter, std::uint32_t key0, std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
      counter = {high(b) ^ counter[1] ^ key0, low(b), high(a) ^ counter[3] ^ key1, low(a)};
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    return counter;
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

  // How many of n fair coins show.
  std::uint64_t fair(std::uint64_t n) {
    std::uint64_t ones = 0;
    for (; n >= 32; n -= 32) ones += static_cast<std::uint64_t>(std::popcount(word()));
    if (n > 0) ones += static_cast<std::uint64_t>(std::popcount(word() >> (32 - n)));
    return ones;
  }

  std::uint64_t seed_, stream_, block_ = 0;
  Block words_{};
  std::size_t next_ = words_.size();
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace epsilary::experiments
