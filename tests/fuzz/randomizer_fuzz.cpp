// Any bytes are either a randomizer or are refused with a reason: as a name or matrix that is typed, as a file of CSV,
// as one of TOML. A matrix that is read has rows of one length that add up to one, no two outputs that tell the same,
// and a privacy of its own that its laws keep.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "experiments/sweep/randomizer_file.hpp"
#include "solvers/numbers/work.hpp"

namespace {

using namespace epsilary;
using bounds::Randomizer;
using solvers::Rational;

void must(bool holds) {
  if (!holds) std::abort();
}

void check_matrix(const Randomizer& r) {
  must(r.rows.size() >= 2);
  const std::size_t columns = r.rows.front().size();
  for (const auto& row : r.rows) {
    Rational sum = 0;
    must(row.size() == columns);
    for (const Rational& x : row) {
      must(x >= 0);
      sum = sum + x;
    }
    must(sum == 1);
  }
  if (r.rows.size() * r.rows.size() * columns > 2000) return;
  const auto proportional = [&](std::size_t j, std::size_t k) {
    for (const auto& a : r.rows)
      for (const auto& b : r.rows)
        if (!(a[j] * b[k] == a[k] * b[j])) return false;
    return true;
  };
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t k = 0; k < j; ++k) must(!proportional(j, k));
  const bounds::OwnPrivacy own = privacy_of(r);
  must(own.ratio >= 1 && own.delta0 >= 0 && own.delta0 <= 1);
  for (const auto& a : r.rows)
    for (const auto& b : r.rows) {
      Rational beyond = 0;  // of the mass of a what exceeds ratio times that of b
      for (std::size_t j = 0; j < columns; ++j)
        if (a[j] > own.ratio * b[j]) beyond = beyond + a[j] - own.ratio * b[j];
      must(beyond <= own.delta0);
    }
}

template <class Read>
void check(Read read) {
  try {
    const solvers::WorkLimit limit(2e7);
    const Randomizer r = read();
    if (r.kind == Randomizer::Kind::matrix) {
      check_matrix(r);
    } else {
      const Randomizer again = bounds::parse_randomizer(r.text);
      must(again.kind == r.kind && again.numbers == r.numbers);
    }
  } catch (const bounds::BadRandomizer& bad) {
    const std::string_view why = bad.what();
    must(!why.empty() && why.size() < 1000);
  } catch (const solvers::OutOfWork&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check([&] { return bounds::parse_randomizer(text); });
  check([&] { return experiments::parse_randomizer_file(text, "fuzz.csv", "fuzz.csv"); });
  check([&] { return experiments::parse_randomizer_file(text, "fuzz.toml", "fuzz.toml"); });
  return 0;
}
