#include "experiments/claims/claims.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "experiments/sweep/spec.hpp"

using namespace epsilary::experiments;

namespace {

const std::string head = R"([[claim]]
id = "mine"
source = "me"
text = "less"
verdict = "holds"
shows = ["it = x"]
)";
const std::string values = R"([claim.values]
x = { bound = "balle2020-thm5.1", eps0 = "1", n = "1e4", delta = "1e-6" }
)";

Finding examined(const std::string& toml) {
  static std::vector<Claim> kept;
  kept = parse_claims(toml, "mine.toml");
  return examine({&kept.front()}, 1).front();
}

std::string refusal(const std::string& toml) {
  try {
    parse_claims(toml, "mine.toml");
  } catch (const BadSpec& bad) {
    return bad.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a claim is computed, told, and held against its expectation") {
  const Finding good = examined(head + "expects = [\"0.4 < x < 0.41\"]\n" + values);
  CHECK(good.broken.empty());
  REQUIRE(good.numbers.size() == 1);
  CHECK(good.numbers[0] == std::pair<std::string, std::string>{"it", "0.40776"});
  const Finding bad = examined(head + "expects = [\"x < 0.4\"]\n" + values);
  REQUIRE(bad.broken.size() == 1);
  CHECK(bad.broken[0] == "x < 0.4 is false");
}

TEST_CASE("a claim may ask where a bound meets a target or another bound") {
  const std::string expects = "expects = [\"x > 0\"]\n[claim.values]\n";
  CHECK(examined(head + expects +
                 R"(x = { bound = "balle2020-thm5.1", eps0 = "1", delta = "1e-6", for = "n", target = "0.1" })")
            .numbers[0]
            .second == "164452");
  // The crossing of Figure 2, n = 1000, known to four digits from a bisection in another program: 0.8737.
  CHECK(
      examined(
          head + expects +
          R"(x = { bound = "balle2020-thm5.1", n = "1e3", delta = "1e-6", for = "eps0", equals = "eps0", from = "0.1", to = "4" })")
          .numbers[0]
          .second.starts_with("0.8736"));
  const Finding none = examined(
      head + expects +
      R"(x = { bound = "balle2020-thm5.1", n = "1e3", delta = "1e-6", for = "eps0", equals = "eps0", from = "1", to = "4" })");
  REQUIRE(none.broken.size() == 1);
  CHECK(none.broken[0].find("no crossing") != std::string::npos);
}

TEST_CASE("a value outside the hypotheses proves nothing") {
  const Finding f = examined(head + R"(expects = ["x < 1e9"]
[claim.values]
x = { bound = "feldman2021-closed", eps0 = "9", n = "100", delta = "1e-6" }
)");
  CHECK(f.broken == std::vector<std::string>{"x < 1e9 could not be proved"});
}

TEST_CASE("a claim quotes what was measured: the last row whose epsilon is small enough") {
  const Finding f = examined(head + R"(expects = ["x >= 1", "early < late", "eps <= 5", "next > 5"]
[claim.values]
x = { training = "girgis2021-mnist-coordinate", column = "seeds" }
early = { training = "girgis2021-mnist-coordinate", bound = "girgis2021-thm1-privacy-joint", eps = "1" }
late = { training = "girgis2021-mnist-coordinate", bound = "girgis2021-thm1-privacy-joint", eps = "10" }
eps = { training = "girgis2021-mnist-coordinate", bound = "girgis2021-thm1-privacy-joint", column = "value", eps = "5" }
next = { training = "girgis2021-mnist-coordinate", bound = "girgis2021-thm1-privacy-joint", column = "value", T = "162" }
)");
  CHECK(f.broken.empty());
}

TEST_CASE("a bad ledger is refused with file and line") {
  CHECK(refusal(head + values) == "mine.toml:1: a claim has 'expects', unless it is not testable here");
  CHECK(refusal("[[claim]]\nid = \"x\"\nsource = \"\"\ntext = \"\"\nverdict = \"maybe\"")
            .find("mine.toml:5: 'verdict' must be one of") == 0);
  CHECK(refusal(head + "expects = [\"x > 0\"]\n[claim.values]\nx = { bound = \"balle2020-thm5.2\" }\n")
            .find("did you mean balle2020-thm") != std::string::npos);
  CHECK(refusal(head + "expects = [\"x > 0\"]\n[claim.values]\nx = { bound = \"balle2020-thm5.1\", eps0 = \"1\" }\n")
            .find("lacks parameters") != std::string::npos);
}

TEST_CASE("the ledger has every paper, and every verdict it gives is proved") {
  std::set<std::string> papers, ids;
  std::vector<const Claim*> all;
  for (const Claim& c : claims()) {
    papers.insert(c.id.substr(0, c.id.find('-')));
    CHECK_MESSAGE(ids.insert(c.id).second, c.id);
    all.push_back(&c);
  }
  CHECK(papers.size() >= 4);
  for (const Finding& f : examine(all, 0)) {
    INFO(f.claim->id);
    for (const std::string& line : f.broken) FAIL_CHECK(line);
  }
}

TEST_CASE("an equality without its ends, and a tie to nothing, are refused with file and line") {
  const std::string claim =
      "[[claim]]\nid = \"a\"\nsource = \"s\"\ntext = \"t\"\nverdict = \"holds\"\nexpects = [\"x < "
      "1\"]\n[claim.values.x]\n"
      "bound = \"balle2020-thm5.1\"\neps0 = \"1\"\n";
  for (const char* rest :
       {"delta = \"1e-6\"\nfor = \"n\"\nequals = \"eps0\"\n",
        "delta = \"1e-6\"\nfor = \"n\"\nequals = \"eps0\"\nfrom = \"1\"\n", "n = \"10\"\ndelta = \"1/m\"\n"})
    CHECK_THROWS_WITH_AS(parse_claims(claim + rest, "c.toml"), doctest::Contains("c.toml:"), BadSpec);
}
