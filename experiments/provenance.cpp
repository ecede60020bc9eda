#include "experiments/provenance.hpp"

#include <gmp.h>
#include <mpfr.h>
#include <oneapi/tbb/version.h>

#include <boost/version.hpp>

#include "solvers/numbers/ball.hpp"

namespace epsilary::experiments {

Provenance provenance(int digits) {
  const std::string boost = std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) +
                            "." + std::to_string(BOOST_VERSION % 100);
  return {EPSILARY_VERSION,
          digits,
          {{"arb", arb_version},
           {"flint", FLINT_VERSION},
           {"mpfr", mpfr_get_version()},
           {"gmp", gmp_version},
           {"boost", boost},
           {"tbb", TBB_runtime_version()}}};
}

}  // namespace epsilary::experiments
