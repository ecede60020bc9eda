// An epoch of training: 60000 examples, one thread. The goal: within 10 CPU seconds with 26010 parameters.
#include <benchmark/benchmark.h>

#include "experiments/learning/rounds.hpp"
#include "experiments/sweep/threads.hpp"
#include "tests/experiments/learning/strokes.hpp"

using namespace epsilary::learning;

namespace {

void epoch(benchmark::State& state, const char* reading, const char* how) {
  const Data data{learning_test::draw_digits(60000, 1), learning_test::draw_digits(8, 2), "digits"};
  const TrainingSpec spec = parse_training_spec(std::string("id = \"bench\"\nsource = \"\"\nclients = \"60000\"\nevery "
                                                            "= \"1\"\nseeds = \"1\"\nrate = \"0.3\"\nnetwork = \"") +
                                                    reading + "\"\n" + how,
                                                "bench.toml");
  epsilary::experiments::with_threads(1, [&] {
    Clients clients(spec.network, data);
    Run run(spec, spec.sigmas.front(), 1, data, clients);
    for (auto _ : state)
      for (std::uint32_t round = 1; round <= spec.rounds; ++round) run.step(round);
  });
}

const char* const cldp =
    "algorithm = \"cldp-sgd\"\nper_round = \"10000\"\neps0 = \"2\"\ndelta = \"1e-5\"\nlimit = \"0.01\"\nrounds = "
    "\"6\"\nclip = ";
const std::string coordinate = std::string(cldp) + "\"coordinate\"", scaling = std::string(cldp) + "\"scaling\"";
const char* const noisy =
    "algorithm = \"shuffled-checkin\"\ngamma = \"0.1\"\nsigma = [\"2\"]\ndelta = \"1e-5\"\nlimit = \"0.05\"\nrounds = "
    "\"10\"";

void cldp_epoch_one_derivative_26010(benchmark::State& state) { epoch(state, "26010", coordinate.c_str()); }
BENCHMARK(cldp_epoch_one_derivative_26010)->Unit(benchmark::kSecond)->Iterations(1);
void cldp_epoch_one_derivative_13722(benchmark::State& state) { epoch(state, "13722", coordinate.c_str()); }
BENCHMARK(cldp_epoch_one_derivative_13722)->Unit(benchmark::kSecond)->Iterations(1);
void cldp_epoch_whole_gradients_26010(benchmark::State& state) { epoch(state, "26010", scaling.c_str()); }
BENCHMARK(cldp_epoch_whole_gradients_26010)->Unit(benchmark::kSecond)->Iterations(1);
void noisy_epoch_26010(benchmark::State& state) { epoch(state, "26010", noisy); }
BENCHMARK(noisy_epoch_26010)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
