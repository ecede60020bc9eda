// The front door of runs: simulate and audit.
#include <doctest/doctest.h>

#include <algorithm>
#include <epsilary/epsilary.hpp>

using namespace epsilary;

namespace {

// The error of a call, or nothing.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return std::string(e.what()) + " / " + e.next;
  }
  return {};
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every protocol that is simulated agrees with the statements about it") {
  for (const std::string& protocol : simulated_protocols()) {
    const Simulation s = simulate(protocol, {}, {.runs = "200", .seed = 3});
    CHECK_MESSAGE(!s.rows.empty(), protocol);
    CHECK(s.notes.empty());
    CHECK(!s.problem);
    for (const Simulated& row : s.rows) {
      INFO(protocol << ": " << row.what << ", " << row.statement);
      CHECK(row.agrees);
      CHECK(std::stod(row.low) <= std::stod(row.simulated));
      CHECK(std::stod(row.simulated) <= std::stod(row.high));
    }
  }
  CHECK(simulated_protocols().size() == protocols().size());
}

TEST_CASE("a simulation has the same rows on one thread and on three, and others from another seed") {
  const Repetition repetition{.runs = "600", .seed = 8};
  const auto rows = [](const Simulation& s) { return write(s, Format::csv); };
  const std::string one = rows(simulate("checkin-averaged", {{"n", 60}, {"m", 20}}, repetition, {.threads = 1}));
  CHECK(one == rows(simulate("checkin-averaged", {{"n", 60}, {"m", 20}}, repetition, {.threads = 3})));
  CHECK(one != rows(simulate("checkin-averaged", {{"n", 60}, {"m", 20}}, {.runs = "600", .seed = 9}, {.threads = 3})));
}

TEST_CASE("a count of bits that no message can have does not agree: log2 5 + 1 is no whole number") {
  const Simulation s = simulate("cldp-sgd", {{"dim", 5}, {"T", 2}}, {.runs = "20000"});
  REQUIRE(s.problem);
  CHECK(s.problem->problem == Problem::check_failed);
  for (const Simulated& row : s.rows) CHECK(row.agrees == (row.statement != "girgis2021-thm1-bits"));
}

TEST_CASE("an audit lies below every proved upper bound, and above half of what its data cost") {
  for (const char* protocol : {"checkin-averaged", "checkin-epoch", "dp-sgd"}) {
    const Audit a = audit(protocol, {}, {.runs = "60000", .seed = 2});
    INFO(protocol);
    CHECK(!a.problem);
    CHECK(a.uppers.size() >= 2);
    CHECK(std::ranges::all_of(a.uppers, &Audit::Compared::below));
    CHECK(a.measured.as_double() <= a.upper.as_double());
    CHECK(a.measured.as_double() <= a.attained.as_double());
    CHECK(a.measured.as_double() >= 0.5 * a.attained.as_double());
    CHECK(a.attained.as_double() <= a.lower.as_double() * (1 + 1e-9));
    CHECK(a.runs + a.chosen_on == 60000);
  }
}

TEST_CASE("runs refuse what cannot be run, and say what can") {
  CHECK(says(refusal([] { audit("shufle", {}); }), "did you mean shuffle?"));
  CHECK(says(refusal([] { simulate("shufle", {}); }), "did you mean shuffle?"));
  CHECK(says(refusal([] { audit("shuffle", {}, {.runs = "0"}); }), "runs must be an integer from 1000"));
  CHECK(says(refusal([] { simulate("shuffle", {}, {.runs = "3"}); }), "runs must be an integer from 10"));
  CHECK(says(refusal([] { simulate("shuffle", {}, {.runs = "many"}); }), "runs: "));
  CHECK(says(refusal([] { audit("shuffle", {}, {.confidence = "1"}); }), "1/2 <= confidence < 1 (got 1)"));
  CHECK(says(refusal([] { audit("shuffle", {{"gamma", "0.1"}}); }), "it takes eps0, n, delta"));
  CHECK(says(refusal([] { audit("shuffle", {{"n", "10,20"}}); }), "2 points are given where one is run"));
  CHECK(says(refusal([] { audit("shuffle", {{"n", "1e9"}}); }), "n <= 1000000"));
  CHECK(says(refusal([] { audit("dp-sgd", {{"batch", 60}}); }), "batch <= n"));
  CHECK(says(refusal([] { audit("cldp-sgd", {{"per_round", 51}}); }), "per_round <= clients"));
  CHECK(says(refusal([] { audit("checkin-epoch", {{"m", 7}}); }), "m divides n"));
  CHECK(says(refusal([] { audit("checkin-sliding", {{"n", 30}}); }), "n >= 2 m - 1"));
  CHECK(says(refusal([] { audit("cldp-sgd-pooled", {{"samples", 5}}); }), "samples <= records"));
  CHECK(says(refusal([] { audit("shuffle", {{"randomizer", "laplace"}}); }), "choose krr:3 or krr:2"));
  const std::atomic<bool> stop{true};
  CHECK(says(refusal([&] { audit("shuffle", {}, {}, {}, {.stop = &stop}); }), "interrupted"));
}
