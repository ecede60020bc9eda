// Images and labels from the four files of MNIST, in IDX format, gzipped or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace epsilary::learning {

struct Examples {
  std::vector<std::uint8_t> images;  // 28 x 28 bytes each
  std::vector<std::uint8_t> labels;  // 0 to 9

  std::size_t size() const { return labels.size(); }
  const std::uint8_t* image(std::size_t i) const { return images.data() + 784 * i; }
};

struct Data {
  Examples train, test;
  std::string digest;  // of everything that was read: the same digest, the same examples
};

// Refuses files that are missing, cut short, damaged or in one another's place; the refusal says how to get them.
Data read_data(const std::filesystem::path& folder);

}  // namespace epsilary::learning
