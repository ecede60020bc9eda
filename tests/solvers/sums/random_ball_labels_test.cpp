// Sums over labels in long double, on random laws: what long double rounds is part of the result.
#include "solvers/sums/label_enclosure.hpp"
#include "tests/solvers/numbers/random_balls.hpp"

using namespace epsilary::solvers;
using random_balls::Source;

namespace {

Ball choose(std::int64_t n, std::int64_t k) {
  Ball c(1);
  for (std::int64_t i = 0; i < k; ++i) c = c * Ball(n - i) / Ball(i + 1);
  return c;
}
Ball power(const Ball& x, std::int64_t n) {
  Ball out(1);
  for (std::int64_t i = 0; i < n; ++i) out *= x;
  return out;
}

}  // namespace

TEST_CASE("random balls: the excess of labels holds the whole sum") {
  Source source(31);
  int found = 0;
  for (int i = 0; i < 150; ++i) {
    const Ball::Precision bits(300);
    const std::int64_t slots = source.whole(1, 40);
    const Ball s = Source::midpoint(source.exact(0.001, 0.499)), d = Source::midpoint(source.exact(0.1, 20));
    const Ball v = -d * Source::midpoint(source.exact(0, 0.49)), u = -d * Source::midpoint(source.exact(0, 4));
    const auto excess = enclosed_excess({slots, s, 1 - 2 * s, u, v, d, 0, 0, 1});
    if (!excess) continue;
    ++found;
    Ball truth(0);
    for (std::int64_t c = 0; c <= slots; ++c)
      for (std::int64_t a = 0; a <= c; ++a) {
        const Ball l = u + v * Ball(c) + d * (Ball(a) - Ball(c) / 2);
        truth += choose(slots, c) * power(2 * s, c) * power(1 - 2 * s, slots - c) * choose(c, a) * ldexp(Ball(1), -c) *
                 max(l, Ball(0));
      }
    CAPTURE(i);
    CHECK(excess->above.overlaps(truth));
    CHECK(certainly(excess->above.upper_end() - excess->above.lower_end() <= abs(truth) * Ball(1e-3) + Ball(1e-12)));
  }
  CHECK(found > 100);
}

TEST_CASE("random balls: the excess of a binomial over a number above its mean holds the whole sum") {
  Source source(32);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    const Ball::Precision bits(300);
    const std::int64_t n = source.whole(1, 60);
    const Ball p = Source::midpoint(source.exact(0.001, 0.999)), mean = Ball(n) * p;
    const Ball x = mean + (Ball(n) - mean) * Source::midpoint(source.exact(0, 1));
    const auto excess = enclosed_excess(n, p, 1 - p, x);
    if (!excess) continue;
    ++found;
    Ball truth(0);
    for (std::int64_t k = 0; k <= n; ++k)
      truth += choose(n, k) * power(p, k) * power(1 - p, n - k) * max(Ball(k) - x, Ball(0));
    CAPTURE(i);
    CHECK(excess->above.overlaps(truth));
  }
  CHECK(found > 150);
}
