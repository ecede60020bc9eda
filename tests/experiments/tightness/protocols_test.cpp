// The chains of analyses as data.
#include <doctest/doctest.h>

#include <algorithm>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/spec.hpp"
#include "experiments/tightness/tightness.hpp"

using namespace epsilary::experiments;

namespace {

const std::string words = "[words]\nmore = \"a; b\"\n";
const std::string head = "[[protocol]]\nname = \"mine\"\nwords = \"it\"\nexample = \"--n 1\"\n";

std::string refusal(const std::string& toml) {
  try {
    parse_protocols(toml, "mine.toml");
  } catch (const BadSpec& bad) {
    return bad.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every step of a chain stands between two analyses of its protocol, the first of them an upper bound") {
  CHECK(protocols().size() >= 8);
  for (const Protocol& protocol : protocols()) {
    CHECK_FALSE(protocol.chain.empty());
    for (const Slack& step : protocol.chain) {
      INFO(protocol.name << ": " << step.looser << " -> " << step.tighter);
      for (const std::string& id : {step.looser, step.tighter}) {
        const auto forms = epsilary::bounds::named(id);
        REQUIRE_FALSE(forms.empty());
        CHECK(forms.front()->protocol == protocol.name);
      }
      CHECK(epsilary::bounds::named(step.looser).front()->side ==
            epsilary::bounds::Side::upper);  // what cannot be beaten ends a chain
      CHECK_FALSE(step.replaced.empty());
    }
  }
}

TEST_CASE("steps are read with their words, shared or their own") {
  const auto read = parse_protocols(words + head +
                                        R"(falls = ["n"]
step = [
  { from = "balle2020-thm5.1", to = "feldman2021-clones", as = "more" },
  { from = "erlingsson2019-thm7", to = "balle2020-thm5.1", replaced = "c; d" },
])",
                                    "mine.toml");
  REQUIRE(read.size() == 1);
  CHECK(read[0].chain[0].replaced == "a; b");
  CHECK(read[0].chain[1].replaced == "c; d");
  CHECK(read[0].falls == std::vector{epsilary::bounds::Param::n});
}

TEST_CASE("a bad chain is refused with its file and line") {
  CHECK(refusal(head + "step = [{ from = \"balle2020-thm51\", to = \"feldman2021-clones\", replaced = \"x\" }]") ==
        "mine.toml:5: unknown bound 'balle2020-thm51'; did you mean balle2020-thm5.1?");
  CHECK(refusal(head + "step = [{ from = \"balle2020-thm5.1\", to = \"feldman2021-clones\" }]") ==
        "mine.toml:5: a step has one of 'replaced' and 'as'");
  CHECK(refusal(words + head + "step = [{ from = \"balle2020-thm5.1\", to = \"feldman2021-clones\", as = \"less\" }]")
            .find("'less' is missing") != std::string::npos);
  CHECK(refusal(head + "rises = [\"x\"]") == "mine.toml:5: unknown parameter 'x'");
  CHECK(refusal("[[protokol]]").find("unknown key 'protokol'") != std::string::npos);
}
