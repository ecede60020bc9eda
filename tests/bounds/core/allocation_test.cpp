// A sweep in double must not pay for memory.
#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "bounds/core/registry.hpp"

namespace {
thread_local long allocations = 0;
}

// Not inlined: GCC would take free() on what it sees to come from new for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

TEST_CASE("theorem 3.2 in double allocates nothing") {
  using namespace epsilary::bounds;
  const Bound& bound = *named("balle2020-thm3.2").front();
  Values<double> x;
  x.set(Param::eps0, 1);
  x.set(Param::m, 1000);
  x.set(Param::p0, 0.1);
  x.set(Param::delta, 1e-6);
  const long before = allocations;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += bound.evaluate.in_double(x).value;
  const long after = allocations;
  delete new int(1);
  const long with_one = allocations;
  CHECK(after == before);
  CHECK(with_one == after + 1);  // the counter counts
  CHECK(sum > 0);
}
