// A sweep is a table of evaluations, whatever the threads, the journal and the way it is written.
#include "experiments/sweep/sweep.hpp"

#include <doctest/doctest.h>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/registry.hpp"
#include "experiments/epsilary/inside.hpp"
#include "experiments/sweep/catalogue.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_csv.hpp"
#include "tests/experiments/scratch.hpp"

using namespace epsilary::experiments;
using epsilary::bounds::Param;

namespace {

std::vector<Axis> grid() {
  return {parse_axis(Param::eps0, "0.05:4:40"), parse_axis(Param::n, "1e3,1e4"), parse_axis(Param::m, "10,20,30"),
          parse_axis(Param::delta, "1e-6"), parse_axis(Param::p0, "1")};
}

std::vector<const epsilary::bounds::Bound*> three_bounds() {
  std::vector<const epsilary::bounds::Bound*> list;
  for (const char* id : {"balle2020-thm5.1", "balle2020-thm3.2", "balle2020-prop3.4"})
    list.push_back(epsilary::bounds::form_for(epsilary::bounds::named(id), first_point(grid())));
  return list;
}

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const epsilary::bounds::Point& p : lay_grid(grid()))
    for (const epsilary::bounds::Bound* b : three_bounds()) all.push_back({b, p, {}});
  return all;
}

std::string csv(const std::vector<Record>& records) {
  return write_table(to_table(epsilary::to_results(records)), Format::csv, provenance(6));
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  return all;
}

std::string plain(const epsilary::bounds::Accuracy& accuracy) {
  std::vector<Record> records;
  for (const Row& row : rows()) {
    records.push_back(describe({row.bound, row.point, epsilary::bounds::evaluate(*row.bound, row.point, accuracy)}, 6));
    name_point(row.point, records.back());
  }
  return csv(records);
}

}  // namespace

TEST_CASE("a sweep is what a loop would compute, in order, with any number of threads") {
  for (const epsilary::bounds::NumberType number :
       {epsilary::bounds::NumberType::in_ball, epsilary::bounds::NumberType::in_double,
        epsilary::bounds::NumberType::in_mp50}) {
    const epsilary::bounds::Accuracy accuracy{.number = number};
    const std::string expected = plain(accuracy);
    for (const int threads : {1, 2, 5}) CHECK(csv(sweep(rows(), accuracy, {.threads = threads})) == expected);
    CsvWriter writer(grid_cells(three_bounds(), grid()).params);
    sweep(grid_cells(three_bounds(), grid()), accuracy, {}, [&](const Record& r) { writer.add(r); });
    CHECK(joined(writer.finish(provenance(6))) == expected);
  }
}

TEST_CASE("a row tells its whole point, also what its bound does not use") {
  for (const Record& r : sweep(rows(), {}, {})) CHECK(r.params.size() == 5);
  const std::vector<Record> records = sweep(rows(), {}, {});
  for (const std::size_t place : {0u, 3u, 6u, 9u}) {  // Theorem 5.1, which knows no m
    REQUIRE(records[place].bound->id == "balle2020-thm5.1");
    const auto m = std::ranges::find(records[place].params, "m", &Pairs::value_type::first);
    REQUIRE(m != records[place].params.end());
    CHECK(m->second == rows()[place].point.text(Param::m));
  }
}

TEST_CASE("cells that are equal for a bound are computed once") {
  const experiments_test::Scratch scratch;
  for (const Cells& cells : {grid_cells(three_bounds(), grid()), row_cells(rows())}) {
    // Theorem 5.1 does not use m, Theorem 3.2 does not use n, Proposition 3.4 does not use eps0.
    CHECK(cells.different == std::vector<std::size_t>{80, 120, 6});
    std::filesystem::remove(scratch / "j");
    {
      Journal journal(scratch / "j", {});
      sweep(cells, {}, {.journal = &journal}, [](const Record&) {});
    }
    CHECK(Journal(scratch / "j", {}).size() == 206);
    for (std::size_t i = 0; i < cells.size; ++i) CHECK(cells.first_like(i) <= i);
  }
}

TEST_CASE("evaluating point after point in double gives what evaluating each alone gives") {
  epsilary::bounds::DoubleWalk walk;
  const epsilary::bounds::Accuracy in_double{.number = epsilary::bounds::NumberType::in_double};
  std::size_t compared = 0;
  for (const epsilary::bounds::Bound* b : epsilary::bounds::all()) {
    if (b->id == "feldman2021-clones" || b->width > 0 || b->protocol.ends_with("-checkin") ||
        b->protocol.starts_with("dp-sgd"))
      continue;  // slow
    epsilary::bounds::Point point;
    for (const Param p : b->needs)
      if (is_number(p)) point.set(p, epsilary::bounds::Decimal(info(p).example));
    if (!missing(*b, point).empty()) continue;
    for (const char* changed : {"", "0.25", "-1", "2"}) {
      if (*changed) point.set(b->needs.front(), epsilary::bounds::Decimal(changed));
      const Record alone = describe({b, point, evaluate(*b, point, in_double)}, 6);
      Record walked;
      describe(*b, point, walk.evaluate(*b, point), 6, walked);
      judge({}, walked);
      CAPTURE(b->id);
      CAPTURE(changed);
      CHECK(csv({alone}) == csv({walked}));
      ++compared;
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("what the journal holds is not computed again, and another program's rows are") {
  const experiments_test::Scratch scratch;
  std::vector<Row> one{rows().front()};
  const Record truth = sweep(one, {}, {}).front();
  for (const std::string& program : {fingerprint(), std::string("0.0.9-older")}) {
    std::filesystem::remove(scratch / "j");
    {
      Journal journal(scratch / "j", {}, program);
      Record planted = truth;
      planted.value = "123.456";
      name_cell(*one.front().bound, one.front().point, planted);  // what a journal knows a row by
      journal.keep(planted);
    }
    Journal journal(scratch / "j", {});
    CHECK(sweep(one, {}, {.journal = &journal}).front().value == (program == fingerprint() ? "123.456" : truth.value));
  }
}

TEST_CASE("a sweep that is told to stop stops, keeps its rows, and goes on later") {
  const experiments_test::Scratch scratch;
  std::atomic<bool> stop{false};
  std::size_t given = 0;
  {
    Journal journal(scratch / "j", {});
    const auto stop_at_seven = [&](const Record&) {
      if (++given == 7) stop = true;
    };
    CHECK_THROWS_AS(sweep(grid_cells(three_bounds(), grid()), {}, {.threads = 1, .journal = &journal, .stop = &stop},
                          stop_at_seven),
                    Stopped);
  }
  Journal journal(scratch / "j", {});
  CHECK(journal.size() >= 3);
  CHECK(journal.size() < 206);
  CHECK(csv(sweep(rows(), {}, {.journal = &journal})) == plain({}));
}

TEST_CASE("a column that appears late in a CSV is empty in the lines before") {
  std::vector<Record> records = sweep(rows(), {}, {});
  records.resize(5);
  records[2].beside = {{"step", "0.5"}};
  records[4].beside = {{"last", "7"}};
  records[4].at = {{"lambda", "8"}, {"Delta", "0.5"}};
  records[3].note = "a \"note\", quoted";
  CsvWriter writer(grid_cells(three_bounds(), grid()).params);
  for (const Record& r : records) writer.add(r);
  CHECK(joined(writer.finish(provenance(6))) == csv(records));
}

TEST_CASE("the rows of a spec are its bounds at its points, the last axis fastest") {
  const auto found = std::ranges::find(catalogue(), "balle2020-fig2", &Spec::id);
  REQUIRE(found != catalogue().end());
  const Grid& only = found->sweeps.at(0);
  const auto all = rows_of(*found);
  REQUIRE(all.size() == grid_size(only.axes) * only.bounds.size());
  CHECK(all[0].bound->id == only.bounds[0]);
  CHECK(all[1].bound->id == only.bounds[1]);
}

TEST_CASE("the time of a sweep is told from a few of its cells") {
  const Estimate e = estimate(grid_cells(three_bounds(), grid()), {});
  CHECK(e.timed > 0);
  CHECK(e.timed <= 64);
  CHECK(e.seconds > 0);
}

TEST_CASE("grids one after the other give the rows of each, and equal cells of a grid once") {
  std::vector<Axis> other = grid();
  const Cells first = grid_cells(three_bounds(), grid()), second = grid_cells({three_bounds().front()}, other);
  const Cells both = chain({grid_cells(three_bounds(), grid()), grid_cells({three_bounds().front()}, other)});
  CHECK(both.size == first.size + second.size);
  std::vector<std::string> apart, together;
  const auto told = [](const Record& r) { return std::string(r.bound->id) + " " + join(r.params) + " " + r.value; };
  for (const Cells* cells : {&first, &second})
    sweep(*cells, {}, {}, [&](const Record& r) { apart.push_back(told(r)); });
  sweep(both, {}, {.threads = 2}, [&](const Record& r) { together.push_back(told(r)); });
  CHECK(apart == together);
}

TEST_CASE("a row that fails takes no other with it") {
  using namespace epsilary::bounds;
  const Bound broken{.id = "broken",
                     .protocol = "any",
                     .needs = {Param::eps0},
                     .width = 1e-3,
                     .evaluate = {.bracket = [](const Values<Ball>&, const Request&) -> Answer<Ball> {
                       throw std::logic_error("two proved brackets of one number do not meet");
                     }}};
  std::vector<Row> some = rows();
  some.insert(some.begin(), {&broken, some.front().point, {}});
  for (const int threads : {1, 2}) {
    run(some, {}, threads);
    CHECK(some[0].evaluation.status == Status::unresolved);
    CHECK_FALSE(some[0].evaluation.has_number());
    CHECK(some[0].evaluation.reason.ends_with("two proved brackets of one number do not meet"));
    CHECK(some[1].evaluation.has_number());
    CHECK(some.back().evaluation.has_number());
  }
}
