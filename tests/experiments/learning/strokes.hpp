// Digits drawn by a few strokes, each a little aside: a data set that a test makes for itself.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/learning/data.hpp"
#include "experiments/protocols/random.hpp"
#include "tests/experiments/scratch.hpp"

namespace learning_test {

// The seven strokes of a display: top, upper left, upper right, middle, lower left, lower right, bottom.
inline epsilary::learning::Examples draw_digits(std::size_t count, std::uint64_t seed) {
  constexpr std::array<const char*, 10> digits{"1110111", "0010010", "1011101", "1011011", "0111010",
                                               "1101011", "1101111", "1010010", "1111111", "1111011"};
  constexpr int ends[7][4] = {{4, 8, 4, 19},  {4, 8, 13, 8},    {4, 19, 13, 19}, {13, 8, 13, 19},
                              {13, 8, 22, 8}, {13, 19, 22, 19}, {22, 8, 22, 19}};  // row and column, twice
  epsilary::experiments::Random random(seed);
  epsilary::learning::Examples out;
  out.images.assign(784 * count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t digit = random.below(10);
    out.labels.push_back(static_cast<std::uint8_t>(digit));
    const int down = static_cast<int>(random.below(5)) - 2, right = static_cast<int>(random.below(5)) - 2;
    for (int stroke = 0; stroke < 7; ++stroke) {
      if (digits[digit][stroke] == '0') continue;
      const int* e = ends[stroke];
      for (int y = e[0]; y <= e[2] + 1; ++y)
        for (int x = e[1]; x <= e[3] + 1; ++x)
          out.images[784 * i + static_cast<std::size_t>((y + down) * 28 + x + right)] =
              static_cast<std::uint8_t>(160 + random.below(96));
    }
  }
  return out;
}

inline std::string number(std::uint32_t x) {
  return {static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8), static_cast<char>(x)};
}
inline std::string idx_images(const epsilary::learning::Examples& e) {
  return number(0x803) + number(static_cast<std::uint32_t>(e.size())) + number(28) + number(28) +
         std::string(e.images.begin(), e.images.end());
}
inline std::string idx_labels(const epsilary::learning::Examples& e) {
  return number(0x801) + number(static_cast<std::uint32_t>(e.size())) + std::string(e.labels.begin(), e.labels.end());
}

// The four files, as MNIST has them.
inline void write_digits(const std::filesystem::path& folder, std::size_t train, std::size_t test) {
  std::filesystem::create_directories(folder);
  const auto some = draw_digits(train, 1), others = draw_digits(test, 2);
  experiments_test::spill(folder / "train-images-idx3-ubyte", idx_images(some));
  experiments_test::spill(folder / "train-labels-idx1-ubyte", idx_labels(some));
  experiments_test::spill(folder / "t10k-images-idx3-ubyte", idx_images(others));
  experiments_test::spill(folder / "t10k-labels-idx1-ubyte", idx_labels(others));
}

}  // namespace learning_test
