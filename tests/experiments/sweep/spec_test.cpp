#include "experiments/sweep/spec.hpp"

#include <doctest/doctest.h>

#include <set>

#include "experiments/epsilary/similar.hpp"
#include "experiments/sweep/catalogue.hpp"

using namespace epsilary::experiments;

namespace {

const std::string good = R"(id = "mine"
source = "me"
bounds = ["balle2020-thm5.1"]
[axes]
n = "1e3,1e4"
eps0 = "0.1:1:10"
[fixed]
delta = "1e-6"
[figure]
x = { column = "eps0", label = "eps0" }
y = { column = "value", label = "eps" }
)";

std::string refusal(const std::string& text) {
  try {
    parse_spec(text, "mine.toml");
  } catch (const BadSpec& bad) {
    return bad.what();
  }
  return "accepted";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("a spec is read in the order of the file") {
  const Spec spec = parse_spec(good, "mine.toml");
  REQUIRE(spec.sweeps[0].axes.size() == 3);
  CHECK(spec.sweeps[0].axes[0].param == epsilary::bounds::Param::n);
  CHECK(spec.sweeps[0].axes[1].param == epsilary::bounds::Param::eps0);
  CHECK(spec.sweeps[0].axes[1].values.size() == 10);
}

TEST_CASE("a bad spec is refused with file, line, key and what was expected") {
  CHECK(refusal(changed("balle2020-thm5.1", "balle2020-thm99")) ==
        "mine.toml:3: unknown bound 'balle2020-thm99'; did you mean balle2020-thm3.2?");
  CHECK(refusal(changed("eps0 = \"0.1", "esp0 = \"0.1")) ==
        "mine.toml:6: unknown parameter 'esp0'; did you mean eps0?");
  CHECK(refusal(changed("\"1e3,1e4\"", "\"1e3,\"")) == "mine.toml:5: n: '1e3,' has an empty place in its list");
  CHECK(refusal(changed("\"1e3,1e4\"", "3")).starts_with("mine.toml:5: 'n' must be a string"));
  CHECK(
      refusal(changed("source", "sauce")).starts_with("mine.toml:2: unknown key 'sauce'; expected one of id, source"));
  CHECK(refusal(changed("id = \"mine\"\n", "")).find("'id' is missing") != std::string::npos);
  CHECK(refusal("id = ").starts_with("mine.toml:1: "));
  CHECK(refusal(std::string(100'000, '[')).starts_with("mine.toml:1: "));
}

TEST_CASE("the shipped specs are read, and each has a name of its own") {
  std::set<std::string> ids;
  for (const Spec& spec : catalogue()) CHECK_MESSAGE(ids.insert(spec.id).second, spec.id);
  for (const char* id : {"balle2020-fig2", "checkin2022-fig1a", "checkin2022-fig2a", "girgis2021-section6-epochs",
                         "vandijk2022-tradeoff", "regime-shuffle-winner", "tightness-map"})
    CHECK_MESSAGE(ids.count(id) == 1, id);
}

TEST_CASE("names close to what was typed are offered, best first") {
  const std::vector<std::string> names{"balle2020-thm5.1", "balle2020-thm3.2", "eval"};
  CHECK(similar("balle2020-thm51", names).front() == "balle2020-thm5.1");
  CHECK(similar("evil", names) == std::vector<std::string>{"eval"});
  CHECK(similar("zzzzzzzzzzzzz", names).empty());
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("a spec may have several sweeps and draw bands, references and maps") {
  const Spec spec = parse_spec(R"(id = "two"
source = "me"
[[sweep]]
bounds = ["balle2020-thm5.1"]
[sweep.axes]
n = "1e3:1e6:4:log"
[sweep.fixed]
eps0 = "1"
delta = "1/n"
[[sweep]]
bounds = ["erlingsson2019-thm7"]
[sweep.axes]
n = "1e3"
[sweep.fixed]
eps0 = "1"
delta = "1e-6"
[figure]
x = { column = "n", label = "n", scale = "log" }
y = { column = "value", label = "eps", from = "0.1", to = "1" }
[[figure.band]]
label = "b"
low = ["balle2020-thm5.1"]
high = ["erlingsson2019-thm7"]
[[figure.reference]]
label = "r"
x = "1e4"
[figure.map]
shows = "ratio"
bounds = ["balle2020-thm5.1"]
over = "eps0"
levels = ["1"]
)",
                               "two.toml");
  CHECK(spec.sweeps.size() == 2);
  const auto rows = rows_of(spec);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].point.text(epsilary::bounds::Param::delta) == "0.001");
  CHECK(rows[4].bound->id == "erlingsson2019-thm7");
  CHECK(spec.figure.bands.size() == 1);
  CHECK(spec.figure.map->levels == std::vector<std::string>{"1"});
}

TEST_CASE("what a figure cannot draw is refused before anything is computed") {
  const std::string line = "[[figure.line]]\nlabel = \"\"\n";
  CHECK(refusal(good + line + "bound = \"balle2020-thm3.2\"\n").find("which no sweep computes") != std::string::npos);
  CHECK(refusal(good + line + "bound = \"balle2020-thm5.1\"\ndash = \"wavy\"\n").find("'dash' must be one of solid") !=
        std::string::npos);
  CHECK(refusal(good + "[[figure.reference]]\nlabel = \"\"\n").find("a reference has one of") != std::string::npos);
  CHECK(refusal(good + "[[figure.reference]]\nlabel = \"\"\nx = \"1\"\n").find("needs 'from' and 'to'") !=
        std::string::npos);
  CHECK(refusal(changed("id = \"mine\"", "id = \"../mine\"")).find("'id' names the files") != std::string::npos);
  CHECK(refusal(changed("delta = \"1e-6\"", "delta = \"1/m\"")).find("delta is tied to m, which is not given") !=
        std::string::npos);
  CHECK(refusal(changed("delta = \"1e-6\"", "m = \"3\"")).find("balle2020-thm5.1 needs delta") != std::string::npos);
}

TEST_CASE("a figure of results that are kept sweeps nothing, and its bands name a bound and two columns") {
  const std::string kept = R"(id = "mine"
source = "me"
results = ["girgis2021-mnist-coordinate"]
[figure]
x = { column = "value", label = "eps" }
y = { column = "accuracy", label = "accuracy" }
[[figure.band]]
bound = "girgis2021-thm1-privacy"
low = ["low"]
high = ["high"]
)";
  const Spec spec = parse_spec(kept, "mine.toml");
  CHECK(spec.results == std::vector<std::string>{"girgis2021-mnist-coordinate"});
  CHECK(evaluations_of(spec) == 0);
  CHECK(refusal("bounds = [\"balle2020-thm5.1\"]\n" + kept) ==
        "mine.toml:1: 'results' are drawn as they are; there is no 'bounds'");
  CHECK(refusal(kept + "where = \"x\"\n").find("'where' must be a table") != std::string::npos);
  CHECK(refusal("id = \"-o\"\nsource = \"s\"\n").find("neither '-' nor '.' first") != std::string::npos);
  CHECK(refusal(kept + "[[figure.band]]\nlow = [\"a\"]\nhigh = [\"b\"]\n").find("has a 'label'") != std::string::npos);
}
