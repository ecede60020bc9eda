// What may be known of a local randomizer beyond its eps0: all its probabilities, or its name.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/numbers/rational.hpp"

namespace epsilary::bounds {

struct Randomizer {
  enum class Kind {
    matrix,     // rows: inputs, columns: outputs
    krr,        // randomised response over k values
    subset,     // subset selection, d of k values
    hadamard,   // Hadamard response with k columns
    rappor,     // unary encoding of k values, symmetric
    oue,        // optimised unary encoding of k values
    hash,       // local hashing into g buckets
    rinf,       // R_infinity of Girgis et al. 2021
    laplace,    // noise of scale 1/eps0 on a number in [0, 1]
    gauss,      // noise of standard deviation sigma on a number in [0, 1], clipped to [-t, 1 + t]
    variation,  // known by three numbers: the ratio of two of its laws, that to a third, their distance
  };
  Kind kind = Kind::matrix;
  std::vector<solvers::Rational> numbers = {};            // after the name
  std::vector<std::vector<solvers::Rational>> rows = {};  // of a matrix
  std::string text = {};                                  // as it may be typed again

  // It brings eps0 and delta0 with it; of the others eps0 is a number of the question.
  bool has_own_eps0() const { return kind == Kind::matrix || kind == Kind::gauss; }
};

// The text is not a randomizer; what() says which rule it breaks.
struct BadRandomizer : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// "krr:16", "subset:16,4", "laplace", ..., or a matrix "3/4,1/4;1/4,3/4". Throws BadRandomizer.
Randomizer parse_randomizer(std::string_view text);
// Rows of one length with entries >= 0 that add up to one, at least two of each. Throws BadRandomizer with the place.
Randomizer matrix_randomizer(std::vector<std::vector<solvers::Rational>> rows, std::string text);
// A decimal or a fraction of two. Throws BadRandomizer.
solvers::Rational parse_probability(std::string_view text);

// log of the largest finite ratio of two rows of a matrix, and the largest mass of a row where another has none: the
// matrix is (eps0, delta0)-LDP, and the ratio is exact.
struct OwnPrivacy {
  solvers::Rational ratio, delta0;
};
OwnPrivacy privacy_of(const Randomizer& matrix);

}  // namespace epsilary::bounds
