#include "solvers/numbers/rational.hpp"

namespace epsilary::solvers {

Rational power_of_ten(std::int64_t exponent) {
  Rational r;
  fmpz* side = exponent < 0 ? fmpq_denref(r.raw()) : fmpq_numref(r.raw());
  fmpz_one(fmpq_numref(r.raw()));
  fmpz_set_ui(side, 10);
  fmpz_pow_ui(side, side, static_cast<ulong>(exponent < 0 ? -exponent : exponent));
  return r;
}

}  // namespace epsilary::solvers
