// Numerator and denominator of an exact number as machine words.
#pragma once

#include <algorithm>
#include <cstddef>

#include "solvers/numbers/rational.hpp"

namespace epsilary::solvers {

// How many words both take together, and the bits of the larger.
inline std::size_t words_of(const Rational& x) {
  return static_cast<std::size_t>(fmpz_size(fmpq_numref(x.raw())) + fmpz_size(fmpq_denref(x.raw())));
}
inline std::size_t bits_of(const Rational& x) {
  return static_cast<std::size_t>(std::max(fmpz_bits(fmpq_numref(x.raw())), fmpz_bits(fmpq_denref(x.raw()))));
}

// An order by numerators, then by denominators: not that of the numbers, which would multiply them.
inline bool parts_before(const Rational& x, const Rational& y) {
  const int above = fmpz_cmp(fmpq_numref(x.raw()), fmpq_numref(y.raw()));
  return above != 0 ? above < 0 : fmpz_cmp(fmpq_denref(x.raw()), fmpq_denref(y.raw())) < 0;
}

}  // namespace epsilary::solvers
