#include "experiments/tables/provenance.hpp"

#include <gmp.h>
#include <mpfr.h>
#include <oneapi/tbb/version.h>

#include <boost/version.hpp>

#include "solvers/numbers/ball.hpp"

namespace epsilary::experiments {

extern const char* const source_fingerprint;  // made by CMake from the sources that compute

Provenance provenance(int digits, const std::string& spec) {
  const std::string boost = std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) +
                            "." + std::to_string(BOOST_VERSION % 100);
  return {EPSILARY_VERSION,
          std::string(source_fingerprint, 16),
          digits,
          {{"arb", arb_version},
           {"flint", FLINT_VERSION},
           {"mpfr", mpfr_get_version()},
           {"gmp", gmp_version},
           {"boost", boost},
           {"tbb", TBB_runtime_version()}},
          spec};
}

}  // namespace epsilary::experiments
