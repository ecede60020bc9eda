// Rows that are looked at: what each may cost.
#include "experiments/sweep/run.hpp"

#include <doctest/doctest.h>

#include "bounds/core/registry.hpp"
#include "tests/reference/reference.hpp"

using namespace epsilary::experiments;

TEST_CASE("a row that costs more than it may says so and names the option, and takes no other with it") {
  const auto row = [](const std::string& id, const std::string& params) {
    const epsilary::bounds::Point point = reference::parse_point(params);
    return Row{epsilary::bounds::form_for(epsilary::bounds::named(id), point), point, {}};
  };
  std::vector<Row> rows{row("epsilary-shuffled-checkin-pld", "eps0=1 n=1000 gamma=0.1 T=10 delta=1e-6"),
                        row("balle2020-thm5.1", "eps0=1 n=1e4 delta=1e-6"),
                        row("checkin2022-thm2-exact", "eps0=1 n=1e6 gamma=0.1 lambda=8")};
  run(rows, {}, 1, {.work = 1e5});
  for (const std::size_t i : {0U, 2U}) {
    CHECK(rows[i].evaluation.status == epsilary::bounds::Status::unresolved);
    CHECK(rows[i].evaluation.reason.find("patience") != std::string::npos);
  }
  CHECK(rows[1].evaluation.certified);
  run(rows, {}, 1);
  for (const Row& r : rows) CHECK_MESSAGE(r.evaluation.has_number(), r.bound->id << ": " << r.evaluation.reason);
}
