// Speed of check-in over T rounds, at the points of Figures 1a and 2a.
#include <benchmark/benchmark.h>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

const std::string figure1 = "eps0=1 n=10000000 gamma=1e-3 T=100000 delta=1e-7",
                  figure2 = "n=600000 gamma=1e-3 multiplier=1 T=100000 delta=1e-8",
                  example = "n=1000000 gamma=0.001 multiplier=1 T=100 delta=1e-6";

void proved(benchmark::State& state, const std::string& id, const std::string& params) {
  for (auto _ : state) benchmark::DoNotOptimize(at::proved(id, params, 6));
}

BENCHMARK_CAPTURE(proved, clones_composed, "epsilary-shuffled-checkin-pld", figure1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, clones_divergence, "epsilary-shuffled-checkin-rdp", figure1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, response_composed, "epsilary-lower-shuffled-checkin", figure1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, gaussian_composed, "epsilary-distributed-checkin-pld", figure2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, known_randomizer, "epsilary-shuffle-randomizer",
                  "randomizer=krr:16 eps0=1 n=1000000 delta=1e-6")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, known_randomizer_in_1e9, "epsilary-shuffle-randomizer",
                  "randomizer=rinf eps0=1 n=1000000000 delta=1e-6")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, sharpest_rounds, "epsilary-cldp-sgd-best-pld",
                  "eps0=1 clients=60000 per_round=10000 T=100 delta=1e-5")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, shuffled_gaussian, "epsilary-shuffled-gaussian-checkin", example)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, quorum, "checkin2022-thm4-quorum", example + " quorum=380")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proved, removal, "checkin2022-thm4-removal", example + " quorum=380")->Unit(benchmark::kMillisecond);

// Cost against n at a fixed rate: it grows more slowly than sqrt(n).
void clones_composed_for(benchmark::State& state) {
  const std::string params = "eps0=1 n=" + std::to_string(state.range(0)) + " gamma=1e-3 T=1000 delta=1e-6";
  for (auto _ : state) benchmark::DoNotOptimize(at::proved("epsilary-shuffled-checkin-pld", params, 6));
}
BENCHMARK(clones_composed_for)->RangeMultiplier(100)->Range(10'000, 10'000'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
