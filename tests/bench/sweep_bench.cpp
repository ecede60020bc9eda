// What a sweep adds to its evaluations. All ratios are of CPU times in one run, so that a busy machine spoils them
// little; the speed-up of two threads is of wall times and wants a quiet one.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/sweep/sweep.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_csv.hpp"

using namespace epsilary::experiments;
using epsilary::bounds::Param;

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const std::filesystem::path& scratch_file(const char* ending) {
  static std::filesystem::path path;
  return path = std::filesystem::temp_directory_path() / ("epsilary-bench-" + std::to_string(getpid()) + ending);
}

std::vector<const epsilary::bounds::Bound*> only(const char* id, const std::vector<Axis>& axes) {
  return {epsilary::bounds::form_for(epsilary::bounds::named(id), first_point(axes))};
}

void to_csv(const Cells& cells, const epsilary::bounds::Accuracy& accuracy, int threads) {
  CsvWriter csv(cells.params);
  sweep(cells, accuracy, {.threads = threads}, [&](const Record& r) { csv.add(r); });
  epsilary::write_file(scratch_file(".csv"), csv.finish(provenance(6)));
  std::filesystem::remove(scratch_file(".csv"));
}

// A million points in double to a CSV file, against evaluate() in a loop at the same points, on one core.
void million_in_double(benchmark::State& state, const char* id) {
  const std::vector<Axis> axes{parse_axis(Param::n, "1000:1000000:1000"), parse_axis(Param::eps0, "0.05:1:1000"),
                               parse_axis(Param::delta, "1e-6")};
  const auto bound = only(id, axes);
  const epsilary::bounds::Accuracy accuracy{.number = epsilary::bounds::NumberType::in_double};
  const auto points = lay_grid(axes);
  double bare = 0, whole = 0;
  for (auto _ : state) {
    const double start = cpu_seconds();
    for (const epsilary::bounds::Point& p : points)
      benchmark::DoNotOptimize(epsilary::bounds::evaluate(*bound.front(), p, accuracy));
    const double middle = cpu_seconds();
    to_csv(grid_cells(bound, axes), accuracy, 1);
    whole += cpu_seconds() - middle;
    bare += middle - start;
  }
  const double cells = 1e6 * static_cast<double>(state.iterations());
  state.counters["bare_ns"] = bare / cells * 1e9;
  state.counters["sweep_ns"] = whole / cells * 1e9;
  state.counters["percent_of_bare_speed"] = 100 * bare / whole;
}
BENCHMARK_CAPTURE(million_in_double, shuffling, "balle2020-thm5.1")->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(million_in_double, erlingsson, "erlingsson2019-thm7")->Iterations(1)->Unit(benchmark::kSecond);

const std::vector<Axis>& certified_work() {  // cells of about a hundred microseconds
  static const std::vector<Axis> axes{parse_axis(Param::eps0, "0.05:1:2000"), parse_axis(Param::T, "50"),
                                      parse_axis(Param::delta, "1e-6")};
  return axes;
}

void two_threads(benchmark::State& state) {
  const Cells cells = grid_cells(only("kairouz2015-optimal", certified_work()), certified_work());
  double wall[2] = {}, cpu[2] = {};
  for (auto _ : state)
    for (const int threads : {1, 2}) {
      const double start = wall_seconds(), cpu_start = cpu_seconds();
      to_csv(cells, {}, threads);
      wall[threads - 1] += wall_seconds() - start;
      cpu[threads - 1] += cpu_seconds() - cpu_start;
    }
  state.counters["speed_up"] = wall[0] / wall[1];
  state.counters["speed_up_by_cpu"] = 2 * cpu[0] / cpu[1];  // what two free cores would give
}
BENCHMARK(two_threads)->Iterations(4)->Unit(benchmark::kSecond);

void journal(benchmark::State& state) {
  const Cells cells = grid_cells(only("kairouz2015-optimal", certified_work()), certified_work());
  double without = 0, with = 0, replay = 0;
  const auto run = [&](Journal* kept) {
    const double start = cpu_seconds();
    sweep(cells, {}, {.threads = 1, .journal = kept}, [](const Record&) {});
    return cpu_seconds() - start;
  };
  for (auto _ : state) {
    without += run(nullptr);
    const auto file = scratch_file(".journal");
    {
      Journal kept(file, {});
      with += run(&kept);
    }
    Journal again(file, {});
    replay += run(&again);
    std::filesystem::remove(file);
  }
  const double count = static_cast<double>(cells.size) * static_cast<double>(state.iterations());
  state.counters["cell_us"] = without / count * 1e6;
  state.counters["journal_us"] = (with - without) / count * 1e6;
  state.counters["cost_percent"] = 100 * (with / without - 1);
  state.counters["replay_us"] = replay / count * 1e6;
}
BENCHMARK(journal)->Iterations(6)->Unit(benchmark::kSecond);

}  // namespace
