// What clients compute together, against one at a time; and the rounds of the algorithms, against their text.
#include "experiments/learning/rounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/protocols/mechanisms.hpp"
#include "experiments/sweep/threads.hpp"
#include "tests/experiments/learning/strokes.hpp"

using namespace epsilary::learning;
using epsilary::experiments::MaxNormMechanism;
using epsilary::experiments::Random;

namespace {

const Data& data() {
  static const Data d{learning_test::draw_digits(300, 1), learning_test::draw_digits(100, 2), "digits"};
  return d;
}

TrainingSpec spec_of(const std::string& text) {
  return parse_training_spec(R"(
id = "test"
source = "a test"
network = "13722"
clients = "300"
every = "1"
seeds = "1"
)" + text,
                             "test.toml");
}

// One gradient at a time, alone in its block.
std::vector<double> gradient_of(const Network& network, std::span<const float> theta, std::uint32_t example) {
  Work work(network);
  load(network, data().train.image(example), data().train.labels[example], 0, work);
  forward(network, theta, work);
  backward(network, theta, Layer::first, work);
  Rows rows(network.parameters);
  add_gradients(network, work, rows);
  std::vector<double> out;
  for (std::size_t j = 0; j < rows.size(); ++j) out.push_back(static_cast<double>(rows[j][0]));
  return out;
}

}  // namespace

TEST_CASE("k of n are chosen: different ones, each as often as any other") {
  std::map<std::uint32_t, int> times;
  for (std::uint64_t stream = 0; stream < 3000; ++stream) {
    const auto some = chosen(20, 5, 1, stream);
    CHECK(std::set(some.begin(), some.end()).size() == 5);
    for (const std::uint32_t i : some) ++times[i];
  }
  for (std::uint32_t i = 0; i < 20; ++i) CHECK(std::abs(times[i] - 750) < 5 * std::sqrt(750 * 0.75));
  CHECK(times.rbegin()->first == 19);
  const auto all = chosen(7, 7, 1, 1);
  CHECK(std::set(all.begin(), all.end()).size() == 7);
}

TEST_CASE("sums and single derivatives of many clients are those of each by itself, clipped") {
  const TrainingSpec spec = spec_of("algorithm = \"sgd\"\nper_round = \"10\"\nrate = \"1\"\nrounds = \"1\"");
  Clients clients(spec.network, data());
  const Run run(spec, "", 1, data(), clients);
  std::vector<std::uint32_t> examples;
  for (std::uint32_t i = 0; i < 75; ++i) examples.push_back(3 * i % 300);  // a chunk and a part, not a whole block
  std::vector<double> plain(run.theta.size()), clipped(run.theta.size());
  std::vector<Asked> asked;
  std::vector<double> derivatives, scaled;
  const double limit = 0.5;
  const float largest = 0.01F;
  for (std::size_t c = 0; c < examples.size(); ++c) {
    const std::vector<double> g = gradient_of(spec.network, run.theta, examples[c]);
    double norm = 0, most = 0;
    for (const double x : g) norm += x * x, most = std::max(most, std::abs(x));
    const double factor = std::min(1.0, limit / std::sqrt(norm));
    for (std::size_t j = 0; j < g.size(); ++j) plain[j] += g[j], clipped[j] += factor * g[j];
    asked.push_back({examples[c], static_cast<std::uint32_t>(c * 181)});
    derivatives.push_back(g[c * 181]);
    scaled.push_back(g[c * 181] * std::min(1.0, static_cast<double>(largest) / most));
    CHECK(factor < 1);  // or nothing is clipped
  }
  std::vector<float> sum(run.theta.size()), some(asked.size());
  const auto check_sum = [&](const std::vector<double>& expected) {
    double off = 0;
    for (std::size_t j = 0; j < sum.size(); ++j)
      off = std::max(off, std::abs(static_cast<double>(sum[j]) - expected[j]));
    CHECK(off < 1e-4);
  };
  clients.sum(run.theta, examples, 0, sum);
  check_sum(plain);
  clients.sum(run.theta, examples, limit, sum);
  check_sum(clipped);
  clients.derivatives(run.theta, asked, some);
  for (std::size_t c = 0; c < asked.size(); ++c)
    CHECK(static_cast<double>(some[c]) == doctest::Approx(derivatives[c]).epsilon(1e-5));
  clients.scaled_derivatives(run.theta, asked, largest, some);
  for (std::size_t c = 0; c < asked.size(); ++c) {
    CHECK(static_cast<double>(some[c]) == doctest::Approx(scaled[c]).epsilon(1e-4));
    CHECK(std::abs(some[c]) <= largest);
  }
}

TEST_CASE("a round of CLDP-SGD is the average of the decoded messages of R_infinity") {
  // So tight a limit and so large an eps0 that every sign is told, and is that of the derivative.
  const TrainingSpec spec = spec_of(
      "algorithm = \"cldp-sgd\"\nper_round = \"80\"\nclip = \"coordinate\"\nlimit = \"1e-12\"\neps0 = \"90\"\n"
      "delta = \"1e-5\"\nrate = \"0.25\"\nrounds = \"1\"");
  Clients clients(spec.network, data());
  Run run(spec, "", 7, data(), clients);
  const std::vector<float> before = run.theta;
  run.step(1);
  const MaxNormMechanism mechanism{1e-12, before.size(), 90};
  std::vector<double> moved(before.size());
  int told = 0;
  for (const std::uint32_t client : chosen(300, 80, 7, Random::stream_of(1, 0xFFFFFFFF))) {
    Random random(7, Random::stream_of(1, client));
    const std::size_t j = mechanism.draw_coordinate(random);
    const double g = gradient_of(spec.network, before, client)[j];
    if (std::abs(g) <= 1e-12) {  // a pixel that is always black: any sign
      moved[j] = NAN;
      continue;
    }
    moved[j] += (g > 0 ? 1 : -1) * mechanism.length() / 80;
    ++told;
  }
  CHECK(told > 40);
  int wrong = 0;
  for (std::size_t j = 0; j < before.size(); ++j)
    if (!std::isnan(moved[j]))
      wrong += std::abs(static_cast<double>(run.theta[j]) - (static_cast<double>(before[j]) - 0.25 * moved[j])) > 1e-7;
  CHECK(wrong == 0);
}

TEST_CASE("rounds have the same bits on any number of threads") {
  for (const char* text :
       {"algorithm = \"cldp-sgd\"\nper_round = \"200\"\nclip = \"scaling\"\nlimit = \"0.01\"\neps0 = \"2\"\n"
        "delta = \"1e-5\"\nrate = \"0.3\"\nrounds = \"2\"",
        "algorithm = \"shuffled-checkin\"\ngamma = \"0.7\"\nlimit = \"0.5\"\nsigma = [\"0.1\"]\ndelta = \"1e-5\"\n"
        "rate = \"0.3\"\nrounds = \"2\"",
        "algorithm = \"shuffled-checkin\"\nreport = \"half-space\"\ngamma = \"0.3\"\nlimit = \"0.5\"\neps0 = \"4\"\n"
        "delta = \"1e-5\"\nrate = \"0.3\"\nrounds = \"1\""}) {
    const TrainingSpec spec = spec_of(text);
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 5})
      epsilary::experiments::with_threads(threads, [&] {
        Clients clients(spec.network, data());
        Run run(spec, spec.sigmas.front(), 3, data(), clients);
        for (std::uint32_t round = 1; round <= spec.rounds; ++round) run.step(round);
        results.push_back(run.theta);
      });
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
  }
}

TEST_CASE("reports by half spaces and by noise are right on average") {
  // Many rounds from the same parameters: the steps average to the clipped mean gradient.
  const std::string common =
      "algorithm = \"shuffled-checkin\"\ngamma = \"1\"\nlimit = \"0.5\"\ndelta = \"1e-5\"\nrate = \"1\"\nrounds = "
      "\"1\"\n";
  for (const std::string how : {"report = \"half-space\"\neps0 = \"6\"", "sigma = [\"0.05\"]"}) {
    const TrainingSpec spec = spec_of(common + how);
    Clients clients(spec.network, data());
    Run run(spec, spec.sigmas.front(), 11, data(), clients);
    const std::vector<float> before = run.theta;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < 300; ++i) all.push_back(i);
    std::vector<float> mean(before.size());
    clients.sum(before, all, 0.5, mean);
    run.step(1);
    // The step's component along the mean gradient, and what is expected of it.
    double along = 0, norm = 0, length = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double g = static_cast<double>(mean[j]) / 300,
                   step = static_cast<double>(before[j]) - static_cast<double>(run.theta[j]);
      along += g * step;
      norm += g * g;
      length += step * step;
    }
    // One report's length over the root of 300 is the deviation of the component, at most.
    const double deviation = std::sqrt(length / static_cast<double>(before.size()));
    CHECK_MESSAGE(std::abs(along / std::sqrt(norm) - std::sqrt(norm)) < 5 * deviation, how);
    CHECK(along > 0);
  }
}

TEST_CASE(
    "random check-ins: a slot without anyone is a dummy for fixed and sliding windows and is skipped by averages") {
  const std::string common = "limit = \"0.5\"\nsigma = [\"0.001\"]\ndelta = \"1e-5\"\nrate = \"0.1\"\n";
  const TrainingSpec fixed = spec_of("algorithm = \"checkin-fixed\"\nslots = \"300\"\np0 = \"0.2\"\n" + common);
  const TrainingSpec averaged = spec_of("algorithm = \"checkin-averaged\"\nslots = \"300\"\n" + common);
  const TrainingSpec sliding = spec_of("algorithm = \"checkin-sliding\"\nslots = \"200\"\n" + common);
  CHECK(fixed.rounds == 300);
  CHECK(sliding.rounds == 101);
  Clients clients(fixed.network, data());
  const auto sizes = [&](const TrainingSpec& spec, std::uint32_t rounds) {
    Run run(spec, "0.001", 5, data(), clients);
    std::vector<double> out;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      const std::vector<float> before = run.theta;
      run.step(round);
      double sum = 0;
      for (std::size_t j = 0; j < before.size(); ++j) sum += std::pow(static_cast<double>(run.theta[j] - before[j]), 2);
      out.push_back(std::sqrt(sum));
    }
    return out;
  };
  // Noise alone moves by 0.1 * 2 * 0.5 * 0.001 * sqrt(13722) = 0.0117; a clipped gradient by 0.05 more or less.
  const auto count = [](const std::vector<double>& list, double from, double to) {
    return std::ranges::count_if(list, [&](double x) { return x >= from && x < to; });
  };
  const auto f = sizes(fixed, 60), a = sizes(averaged, 60), s = sizes(sliding, 60);
  CHECK(count(f, 0, 1e-9) == 0);
  CHECK(count(f, 0.010, 0.014) > 35);  // of 60 slots (1 - 0.2/300)^300 = 0.82 are empty
  CHECK(count(a, 0, 1e-9) > 8);        // e^-1 of them
  CHECK(count(a, 1e-9, 0.014) < 5);
  CHECK(count(s, 0, 1e-9) == 0);
  CHECK(count(s, 0.010, 0.014) > 8);
}
