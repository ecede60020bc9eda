// The worst pairs as they run: their likelihood ratios are likelihood ratios, and what they cost is what the lower
// bounds say.
#include "experiments/protocols/pairs.hpp"

#include <doctest/doctest.h>

#include <epsilary/epsilary.hpp>

#include "experiments/protocols/audit.hpp"
#include "experiments/protocols/intervals.hpp"

using namespace epsilary::experiments;

namespace {

Setting setting_of(const epsilary::Parameters& parameters) {
  std::map<std::string, double> numbers;
  for (const auto& [key, value] : parameters) numbers[key] = std::stod(value.text());
  return Setting(std::move(numbers));
}

// Far from what one run may add: five deviations of the mean.
double far(const Tally& tally) { return 5 * std::sqrt(tally.variance() / static_cast<double>(tally.count)); }

}  // namespace

TEST_CASE("reports of randomised response: likelihoods by adding over the place of the record, two slots") {
  for (const std::uint32_t k : {2u, 3u}) {
    const RandomisedResponse response(k, 1.2);
    const double w = 0.7;
    const auto law = [&](std::uint32_t held, std::uint32_t shown) {
      return held == shown ? response.truth : response.lie;
    };
    for (std::uint32_t value = 0; value < k; ++value)
      for (std::uint32_t a = 0; a < k; ++a)
        for (std::uint32_t b = 0; b < k; ++b) {
          Reports seen(response);
          ++seen.counts[a];
          ++seen.counts[b];
          const double base = law(0, a) * law(0, b);
          const double exact = (1 - w) * base + w / 2 * (law(value, a) * law(0, b) + law(0, a) * law(value, b));
          CHECK(seen.likelihood(value, w) == doctest::Approx(exact / base));
        }
  }
}

TEST_CASE("every protocol on its worst data costs what the lower bound says, delta at that epsilon, by 6000 runs") {
  for (const epsilary::Protocol& protocol : epsilary::protocols()) {
    epsilary::Parameters at = epsilary::audited_by_default(protocol.name);
    // Fewer rounds take less time to compose.
    for (auto& [key, value] : at)
      if (key == "T") value = 1;
    const auto pairs = pairs_of(protocol.name, setting_of(at));
    CHECK_MESSAGE(!pairs.empty(), protocol.name);
    for (const Pair& pair : pairs) {
      INFO(protocol.name << " " << pair.randomizer);
      const double eps = epsilary::evaluate(pair.statement, at).value.as_double();
      // Over the neighbour the ratio has mean 1, and the excess over e^eps is delta; likewise the other way.
      Tally ratio, inverse, forward, backward;
      for (std::uint64_t i = 0; i < 6000; ++i) {
        Random on_data(11, 2 * i), on_neighbour(11, 2 * i + 1);
        const double p = pair.run(false, on_data), q = pair.run(true, on_neighbour);
        ratio.add(std::exp(q));
        inverse.add(std::exp(-p));
        forward.add(std::max(0.0, 1 - std::exp(eps - p)));
        backward.add(std::max(0.0, 1 - std::exp(eps + q)));
      }
      CHECK(std::abs(ratio.mean - 1) <= far(ratio));
      CHECK(std::abs(inverse.mean - 1) <= far(inverse));
      const Tally& larger = forward.mean > backward.mean ? forward : backward;
      if (protocol.name == "checkin-epoch" && pair.randomizer == "krr:2")
        CHECK(larger.mean <= 0.01 + far(larger));  // the statement is about the better of the two
      else
        CHECK(std::abs(larger.mean - 0.01) <= far(larger));
    }
  }
}

TEST_CASE("what is measured is the same on any number of threads, lies below what the pair costs, and near it") {
  const Setting at(std::map<std::string, double>{{"eps0", 3}, {"n", 30}});
  const auto pairs = pairs_of("shuffle", at);
  const Measured one = measure(pairs, 30000, 0.01, 0.99, {.seed = 5, .threads = 1});
  const Measured three = measure(pairs, 30000, 0.01, 0.99, {.seed = 5, .threads = 3});
  CHECK(one.epsilon == three.epsilon);
  CHECK(one.hits == three.hits);
  CHECK(one.misses == three.misses);
  CHECK(one.event.threshold == three.event.threshold);
  CHECK(one.runs == 27000);
  CHECK(one.chosen_on == 3000);
  const double attained =
      epsilary::evaluate(pairs[one.pair].statement, {{"eps0", 3}, {"n", 30}, {"delta", "0.01"}}).value.as_double();
  CHECK(one.epsilon < attained);
  CHECK(one.epsilon > 0.75 * attained);
  const Measured other = measure(pairs, 30000, 0.01, 0.99, {.seed = 6, .threads = 3});
  CHECK(other.hits != one.hits);
}

TEST_CASE("a protocol that hides everything is measured to cost nothing, and one that hides nothing is caught") {
  const Pair silent{"", "", "", [](bool, Random& random) { return random.normal(); }};
  CHECK(measure({silent}, 5000, 0.01, 0.99, {.seed = 1}).epsilon == 0);
  const Pair open{"", "", "", [](bool neighbour, Random&) { return neighbour ? -20.0 : 20.0; }};
  CHECK(measure({open}, 5000, 0.01, 0.99, {.seed = 1}).epsilon > 6);
  // Of several pairs the one that tells more is looked at.
  CHECK(measure({silent, open}, 5000, 0.01, 0.99, {.seed = 1}).pair == 1);
}

TEST_CASE("measured epsilon exceeds the truth no more often than its confidence allows") {
  // Binary response of one client, eps0 = 1, delta = 0: the truth is 1, and a confidence of 1/2 is often nearly missed.
  const RandomisedResponse response(2, 1);
  const Pair pair{"", "", "", [&](bool neighbour, Random& random) {
                    return response.sample(neighbour ? 0 : 1, random) ? 1.0 : -1.0;
                  }};
  int above = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    above += measure({pair}, 1000, 1e-9, 0.5, {.seed = seed, .threads = 1}).epsilon > 1;
  CHECK(above <= 60);
}
