#include "solvers/integrate.hpp"

namespace solvers {

Ball integrate(const Integrand& f, const Ball& a, const Ball& b) {
  acb_t from, to, sum;
  acb_init(from);
  acb_init(to);
  acb_init(sum);
  acb_set_arb(from, a.arb());
  acb_set_arb(to, b.arb());
  mag_t tolerance;
  mag_init(tolerance);
  const auto call = [](acb_ptr value, const acb_t t, void* function, slong order, slong bits) {
    (*static_cast<const Integrand*>(function))(value, t, order != 0, bits);
    return 0;
  };
  acb_calc_integrate(sum, call, const_cast<Integrand*>(&f), from, to, Ball::precision(), tolerance, nullptr,
                     Ball::precision());
  Ball result;
  acb_get_real(result.arb(), sum);
  mag_clear(tolerance);
  acb_clear(from);
  acb_clear(to);
  acb_clear(sum);
  return result;
}

}  // namespace solvers
