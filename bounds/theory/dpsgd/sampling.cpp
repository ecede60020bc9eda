#include "bounds/theory/dpsgd/sampling.hpp"

#include <optional>

namespace epsilary::bounds::dpsgd {
namespace {

using enum Param;

std::string text(const Rational& x) { return Decimal::round(x, 12, Rounding::down).text(); }

// The batch nearest to the one given that makes the number of steps whole, if one is near.
std::optional<Rational> whole_batch(const Rational& records, const Rational& batch_, const Rational& n_) {
  for (Rational d(1); d < batch_ && d <= 1000; d = d + 1) {
    if (is_integer(records / (batch_ - d))) return batch_ - d;
    if (batch_ + d <= n_ && is_integer(records / (batch_ + d))) return batch_ + d;
  }
  return {};
}

std::string broken_steps(const Values<Rational>& x) {
  if (!x.has(epochs) || !x.has(n) || !x.has(batch)) return {};
  const Rational records = x[epochs] * x[n], steps = records / x[batch];
  if (is_integer(steps)) return {};
  std::string out =
      "; epochs n/batch = " + text(steps) + " is charged as " + text(rounded_up(steps)) + " steps, whole with ";
  if (is_integer(records))
    if (const auto near = whole_batch(records, x[batch], x[n])) out += "batch = " + text(*near) + " or ";
  return out + "T in place of epochs";
}

}  // namespace

std::string fixed_size_remark(const Values<Rational>& x) {
  return "batches of fixed size, replace-one neighbours" + broken_steps(x);
}
std::string poisson_remark(const Values<Rational>& x) {
  return "Poisson sampling, add-or-remove neighbours" + broken_steps(x);
}
std::string partition_remark(const Values<Rational>&) {
  return "each epoch a partition into batches, replace-one neighbours";
}

}  // namespace epsilary::bounds::dpsgd
