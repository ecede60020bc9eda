// Reference values at points which a statement's hypotheses exclude: the program refuses them, and the formulas, asked
// directly, have the digits of the other implementation.
#include <doctest/doctest.h>

#include "bounds/theory/checkin/lower.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

Ball number(const char* text) { return Ball(Decimal(text).exact()); }

// Within a unit of the fortieth digit.
void check_forty(const Ball& value, const char* reference) {
  const Ball wanted = number(reference);
  CHECK(certainly(abs(value - wanted) < abs(wanted) * Ball(power_of_ten(-39))));
}

}  // namespace

TEST_CASE("Theorem 3 at order 2.5, where it is not proved") {
  const Ball::Precision bits(256);
  const Ball eps0(3), n(100000), gamma = number("0.01"), lambda = number("2.5"), Delta = number("0.2");
  const Ball term = equal_data::second_order(eps0, n, gamma, lambda);
  check_forty(log1p(equal_data::chernoff_share(Delta, n * gamma) * term) / (lambda - 1),
              "0.000001889093548624193368934281415785850028647");
  check_forty(log1p(term) / (lambda - 1), "0.000002266911644773769021351161086404841468818");
}

TEST_CASE("the closed form of the shuffle outside its range, and its whole delta at a given epsilon") {
  const Ball::Precision bits(256);
  check_forty(clones::closed_form_or_eps0(Ball(8), Ball(1000), number("1e-7")), "8");
  check_forty(number("1e-9") + clones::closed_form_leak(number("0.3"), Ball(1), Ball(10000), number("1e-12")),
              "0.00000002882091180057429022133906245107502244955");
}

TEST_CASE("the program refuses these points and says what holds instead") {
  const auto refused = [](const char* id, const char* point, const char* says) {
    const std::string rule = at::refusal(id, point);
    CHECK_MESSAGE(rule.find(says) != std::string::npos, rule);
  };
  refused("checkin2022-thm3", "eps0=3 n=100000 gamma=0.01 lambda=2.5 Delta=0.2", "checkin2022-thm3-exact");
  refused("checkin2022-thm3-sharp", "eps0=3 n=100000 gamma=0.01 lambda=2.5", "checkin2022-thm3-exact");
  refused("feldman2021-closed", "eps0=8 n=1000 delta=1e-7", "eps0 <= log(n / (16 log(2/delta)))");
}
