// mp50 against Boost.Multiprecision, which rounds the same 168 bits to nearest: equal to the last bit.
#include "solvers/numbers/mp.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/mpfr.hpp>
#include <random>

using epsilary::solvers::mp;
using epsilary::solvers::mp50;
using Boost =
    boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<50>, boost::multiprecision::et_off>;

namespace {

bool same(const mp50& a, const Boost& b) { return mpfr_equal_p(a.mpfr(), b.backend().data()) != 0; }

}  // namespace

TEST_CASE("mp50 is Boost's number of 50 digits, operation by operation") {
  CHECK(std::numeric_limits<mp50>::digits == std::numeric_limits<Boost>::digits);
  CHECK(same(std::numeric_limits<mp50>::epsilon(), std::numeric_limits<Boost>::epsilon()));
  CHECK(same(mp50::pi(), boost::math::constants::pi<Boost>()));
  CHECK(same(mp50::e(), boost::math::constants::e<Boost>()));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-200, 200), digits(1, 10);
  for (int i = 0; i < 300; ++i) {
    const double u = digits(random) * std::pow(10, exponent(random)),
                 v = -digits(random) * std::pow(10, exponent(random) / 50);
    CAPTURE(u);
    CAPTURE(v);
    const mp50 a = mp50(u) / 3, b = mp50(v) / 7;
    const Boost c = Boost(u) / 3, d = Boost(v) / 7;
    CHECK(same(a, c));
    CHECK(same(b, d));
    CHECK(same(a + b, c + d));
    CHECK(same(a - b, c - d));
    CHECK(same(a * b, c * d));
    CHECK(same(-b, -d));
    CHECK(same(sqrt(a), sqrt(c)));
    CHECK(same(log(a), log(c)));
    CHECK(same(exp(b), exp(d)));
    CHECK(same(tanh(b), tanh(d)));
    CHECK(same(pow(a, b), pow(c, d)));
    CHECK(same(floor(b), floor(d)));
    CHECK(same(ceil(b), ceil(d)));
    CHECK(same(abs(b), abs(d)));
    CHECK(same(ldexp(b, -5), ldexp(d, -5)));
    CHECK((a < b) == (c < d));
    CHECK((b <= a) == (d <= c));
    CHECK(abs(Boost(a.str(30)) - c) <= abs(c) * Boost("1e-29"));
    mp50 sum = a;
    sum += b;
    sum *= a;
    sum -= b;
    sum /= 3;
    CHECK(same(sum, ((c + d) * c - d) / 3));
  }
}

TEST_CASE("mp: copies own their digits, wider numbers keep them, NaN compares with nothing") {
  mp50 a = mp50(1) / 3;
  const mp50 copy = a;
  a += 1;
  CHECK(copy == mp50(1) / 3);
  CHECK(a == copy + 1);
  a = a;
  CHECK(mp50(mp<80>(copy)) == copy);
  CHECK(mp50(mp<80>(1) / 3) == copy);
  CHECK_FALSE(mp<80>(copy) == mp<80>(1) / 3);
  CHECK(mp50("1e-49") < mp50(1e-48));
  CHECK(mp50(~0ull) == ldexp(mp50(1), 64) - 1);
  const mp50 nothing = std::numeric_limits<mp50>::quiet_NaN();
  CHECK_FALSE(nothing == nothing);
  CHECK_FALSE(nothing < 1);
  CHECK_FALSE(nothing >= 1);
}
