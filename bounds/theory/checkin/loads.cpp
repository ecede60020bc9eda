#include "bounds/theory/checkin/loads.hpp"

#include <map>
#include <utility>
#include <vector>

namespace epsilary::bounds {
namespace {

// The weights of the sums of squares, bins added one by one.
template <class N>
std::map<std::int64_t, N> square_weights(std::int64_t n, std::int64_t m) {
  using Weights = std::vector<std::map<std::int64_t, N>>;  // [users][sum of squares]
  const auto size = static_cast<std::size_t>(n) + 1;
  Weights now(size);
  now[0][0] = N(1);
  for (std::int64_t bin = 0; bin < m; ++bin) {
    Weights next(size);
    for (std::size_t b = 0; b < size; ++b)
      for (const auto& [s, weight] : now[b]) {
        N share = weight;
        for (std::size_t l = 0; b + l < size; ++l) {
          if (l > 0) share = share / N(static_cast<int>(l));
          N& sum = next[b + l][s + static_cast<std::int64_t>(l * l)];
          sum = sum + share;
        }
      }
    now = std::move(next);
  }
  return now.back();
}

// The largest sum of squares that is reached or exceeded with more than this share of all weight.
template <class N>
std::int64_t quantile(const std::map<std::int64_t, N>& all, const N& share) {
  N total(0), tail(0);
  for (const auto& [s, weight] : all) total = total + weight;
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    tail = tail + at->second;
    if (tail > share * total) return at->first;
  }
  return 0;
}

}  // namespace

// In double, whose rounding is far below 1e-11; exactly where delta is that close to a jump.
std::int64_t loads::exact_square(std::int64_t n, std::int64_t m, const Rational& delta) {
  const std::map<std::int64_t, double> all = square_weights<double>(n, m);
  const double share = from_rational<double>(delta);
  const std::int64_t above = quantile(all, share * (1 - 1e-11));
  return above == quantile(all, share * (1 + 1e-11)) ? above : quantile(square_weights<Rational>(n, m), delta);
}

}  // namespace epsilary::bounds
