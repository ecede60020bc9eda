#include "experiments/spec.hpp"

#include <doctest/doctest.h>

#include "experiments/catalogue.hpp"
#include "experiments/similar.hpp"

using namespace experiments;

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
  CHECK(spec.sweeps[0].axes[0].param == bounds::Param::n);
  CHECK(spec.sweeps[0].axes[1].param == bounds::Param::eps0);
  CHECK(spec.sweeps[0].axes[1].values.size() == 10);
}

TEST_CASE("a bad spec is refused with file, line, key and what was expected") {
  CHECK(refusal(changed("balle2020-thm5.1", "balle2020-thm99")) ==
        "mine.toml:3: unknown bound 'balle2020-thm99'; see: epsilary list");
  CHECK(refusal(changed("eps0 = \"0.1", "esp0 = \"0.1")) ==
        "mine.toml:6: unknown parameter 'esp0'; see: epsilary list params");
  CHECK(refusal(changed("\"1e3,1e4\"", "\"1e3,\"")) == "mine.toml:5: n: '1e3,' has an empty place in its list");
  CHECK(refusal(changed("\"1e3,1e4\"", "3")).starts_with("mine.toml:5: 'n' must be a string"));
  CHECK(
      refusal(changed("source", "sauce")).starts_with("mine.toml:2: unknown key 'sauce'; expected one of id, source"));
  CHECK(refusal(changed("id = \"mine\"\n", "")).find("'id' is missing") != std::string::npos);
  CHECK(refusal("id = ").starts_with("mine.toml:1: "));
  CHECK(refusal(std::string(100'000, '[')).starts_with("mine.toml:1: "));
}

TEST_CASE("the shipped specs are read") { CHECK(catalogue().front().id == "balle2020-fig2"); }

TEST_CASE("names close to what was typed are offered, best first") {
  const std::vector<std::string> names{"balle2020-thm5.1", "balle2020-thm3.2", "eval"};
  CHECK(similar("balle2020-thm51", names).front() == "balle2020-thm5.1");
  CHECK(similar("evil", names) == std::vector<std::string>{"eval"});
  CHECK(similar("zzzzzzzzzzzzz", names).empty());
  CHECK(edit_distance("kitten", "sitting") == 3);
}
