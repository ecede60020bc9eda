// compose: segments of DP-SGD.
#include <doctest/doctest.h>

#include "tests/cli/run.hpp"

TEST_CASE("segments of DP-SGD are composed, and what is no segment is refused") {
  const cli_test::Result plain = cli_test::run_epsilary("compose 1.1:0.01:100 --delta 1e-5");
  CHECK(plain.code == 0);
  CHECK(plain.out.find("epsilon is between ") == 0);
  CHECK(plain.out.find("adding or removing one record, Poisson sampling") != std::string::npos);
  // The same in two parts, and all of it at once as a statement.
  CHECK(cli_test::run_epsilary("compose 1.1:0.01:60 1.1:0.01:40 --delta 1e-5").out == plain.out);
  const cli_test::Result fixed =
      cli_test::run_epsilary("compose 4:0.01:50 2:0.02:10 50:1:1 --sampling fixed --delta 1e-6");
  CHECK(fixed.code == 0);
  CHECK(fixed.out.find("replacing one record, batches of fixed size") != std::string::npos);
  const cli_test::Result delta = cli_test::run_epsilary("compose 2 --eps 1 -f csv");
  CHECK(delta.out.find("delta,ok,1,") != std::string::npos);
  for (const char* bad : {"compose 1.1:0.01:x --delta 1e-5", "compose 1:2:3:4 --delta 1e-5",
                          "compose 1::3 --delta 1e-5", "compose 1:0.5:1.5 --delta 1e-5"}) {
    const cli_test::Result r = cli_test::run_epsilary(bad);
    CHECK(r.code == 2);
    CHECK(r.err.find("is not a segment") != std::string::npos);
  }
  CHECK(cli_test::run_epsilary("compose 0:0.1:3 --delta 1e-5").err.find("multiplier is 0") != std::string::npos);
  // What the statements about DP-SGD refuse is refused here, at once.
  for (const char* far :
       {"compose 1e-5:0.01:9 --delta 1e-6", "compose 0.01:0.01:9 --delta 1e-6", "compose 1.1:1e-9:3 --delta 1e-6",
        "compose 1.1:0.1:2000000000 --delta 1e-6", "compose 1.1:1:1000000 1.1:0.999:3 --delta 1e-6",
        "compose 0.09:0.1:3 --sampling fixed --delta 1e-6"}) {
    INFO(std::string(far));
    CHECK(cli_test::run_epsilary(far).code == 2);
  }
  CHECK(cli_test::run_epsilary("compose 1e-5:0.01:9 --delta 1e-6").err.find("from 0.05 to 10000") != std::string::npos);
  CHECK(cli_test::run_epsilary("compose 1:1.5:3 --delta 1e-5").err.find("rate is 1.5") != std::string::npos);
  CHECK(cli_test::run_epsilary("compose 1:0.5:3 --delta 1e-5 --n 5").err.find("give eps or delta") !=
        std::string::npos);
  CHECK(cli_test::run_epsilary("compose 1:0.5:3 --delta 1e-5 --adjacency remove").err.find("--sampling says") !=
        std::string::npos);
}
