// FNV-1a, for what must be noticed when it changed: a bit that flipped on the disk, another spec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace epsilary::experiments {

class Checksum {
 public:
  Checksum& add(const void* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) hash_ = (hash_ ^ static_cast<const unsigned char*>(bytes)[i]) * prime;
    return *this;
  }
  Checksum& add(std::string_view text) { return add(text.data(), text.size()); }
  // A text whose end counts: "ab" and "c" are not "a" and "bc".
  Checksum& add_whole(std::string_view text) {
    add(text);
    hash_ = (hash_ ^ 0xff) * prime;
    return *this;
  }
  std::uint64_t value() const { return hash_; }

 private:
  static constexpr std::uint64_t prime = 1099511628211U;
  std::uint64_t hash_ = 14695981039346656037U;
};

}  // namespace epsilary::experiments
