// The one header of the library, as its users have it: no other header of the house is included.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <epsilary/epsilary.hpp>
#include <fstream>
#include <sstream>

#include "tests/experiments/scratch.hpp"

using namespace epsilary;

namespace {

const Parameters point{{"eps0", 1}, {"n", "1e4"}, {"delta", "1e-6"}};

Error refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    CHECK_FALSE(e.next.empty());
    return e;
  }
  FAIL("accepted");
  return {Problem::could_not, "", ""};
}

}  // namespace

TEST_CASE("a statement at a point: the safe end, both ends, and what it is worth") {
  const Result r = evaluate("balle2020-thm5.1", point);
  CHECK(r.value.text() == "0.407760");  // the README's number
  CHECK(r.lower.text() == "0.407759");
  CHECK(r.upper.text() == "0.407760");
  CHECK((r.certified && r.answers && r.guarantee));
  CHECK(r.status == "ok");
  CHECK(r.statement->standing == "proved");
  CHECK(r.params == Pairs{{"eps0", "1"}, {"delta", "1e-6"}, {"n", "10000"}});
}

TEST_CASE("a double is rounded to the side of its number") {
  CHECK(Number("0.1", Number::Rounded::up).as_double() == 0.1);  // which is above one tenth
  CHECK(Number("0.1", Number::Rounded::down).as_double() == std::nextafter(0.1, 0.0));
  CHECK(Number("0.3", Number::Rounded::up).as_double() == std::nextafter(0.3, 1.0));  // 0.3 is below three tenths
  CHECK(Number("0.3", Number::Rounded::down).as_double() == 0.3);
  CHECK(Number("0.5", Number::Rounded::up).as_double() == 0.5);
  CHECK(Number("1e-400", Number::Rounded::up).as_double() > 0);
  CHECK(Number("1e-400", Number::Rounded::down).as_double() == 0);
  CHECK(std::isinf(Number("1e400", Number::Rounded::up).as_double()));
  CHECK(std::isfinite(Number("1e400", Number::Rounded::down).as_double()));
}

TEST_CASE("a double that goes in is the decimal one would type") {
  CHECK(Value(0.1).text() == "0.1");
  CHECK(Value(1e-6).text() == "1e-06");
  CHECK(evaluate("balle2020-thm5.1", {{"eps0", 1.0}, {"n", 10000}, {"delta", 1e-6}}).value.text() == "0.407760");
}

TEST_CASE("a number that is not there cannot be read, and says why") {
  const Result r = evaluate("balle2020-thm3.2-simple", {{"eps0", 2}, {"m", 10}, {"p0", 1}, {"delta", "1e-3"}});
  CHECK_FALSE(r);
  CHECK(r.status == "outside");
  const Error e = refusal([&] { r.value.text(); });
  CHECK(std::string(e.what()).find("it needs eps0 <= 1") != std::string::npos);
  refusal([&] { r.upper.as_double(); });
  refusal([] { Number().text(); });
}

TEST_CASE("what cannot be done is one kind of error, with the parameter at fault and the next step") {
  const Error number = refusal([] { evaluate("balle2020-thm5.1", {{"eps0", "abc"}, {"n", 1}, {"delta", "0.1"}}); });
  CHECK(number.problem == Problem::usage);
  CHECK(number.parameter == "eps0");
  CHECK(std::string(number.what()).starts_with("eps0: 'abc' is not a decimal number"));
  CHECK(std::string(refusal([] { evaluate("balle2020-thm51", point); }).what()).find("did you mean balle2020-thm5.1") !=
        std::string::npos);
  CHECK(std::string(refusal([] {
                      evaluate("balle2020-thm5.1", {{"esp0", 1}});
                    }).what()) == "unknown parameter 'esp0'; did you mean eps0?");
  CHECK(std::string(refusal([] {
                      evaluate("balle2020-thm5.1", {{"eps0", 1}});
                    }).what()) == "balle2020-thm5.1 needs n, delta");
  refusal([] { evaluate("balle2020-thm5.1", {{"eps0", "1,2"}, {"n", 10}, {"delta", "0.1"}}); });
  refusal([] { evaluate("balle2020-thm5.1", {{"eps0", 1}, {"eps0", 2}, {"n", 10}, {"delta", "0.1"}}); });
  refusal([] { evaluate("balle2020-thm5.1", point, {.digits = 0}); });
  refusal([] { evaluate("balle2020-thm5.1", point, {.precision = "float"}); });
  refusal([] { evaluate("balle2020-thm5.1", point, {.adjacency = "swap"}); });
  refusal([] { evaluate("balle2020-thm5.1", point, {.view = "all"}); });
}

TEST_CASE("a fraction is a number, written down to 17 digits") {
  const Result r = evaluate("balle2020-thm5.1", {{"eps0", "1/8"}, {"n", "1e4"}, {"delta", "1/3"}});
  CHECK(r.params == Pairs{{"eps0", "0.125"}, {"delta", "1/3"}, {"n", "10000"}});
}

TEST_CASE("many points: a grid with the last key fastest, or a list") {
  const Evaluations grid =
      evaluate_all({"balle2020-thm5.1"}, {{"eps0", "0.5,1"}, {"n", "1e3,1e4"}, {"delta", "1e-6"}}, {.threads = 2});
  REQUIRE(grid.results.size() == 4);
  CHECK(grid.results[3].value.text() == "0.407760");
  CHECK(grid.results[1].params == Pairs{{"eps0", "0.5"}, {"delta", "1e-6"}, {"n", "10000"}});
  std::vector<Parameters> points;
  for (const char* n : {"1e4", "1e5"}) points.push_back({{"eps0", 1}, {"n", n}, {"delta", "1e-6"}});
  const auto list = evaluate_points("balle2020-thm5.1", points);
  CHECK(list[0].value.text() == "0.407760");
  CHECK(list[1].value.as_double() < list[0].value.as_double());
  CHECK(evaluate_all({}, point, {.dry_run = true}).evaluations > 10);
}

TEST_CASE("every statement describes itself, and can be narrowed") {
  CHECK(statements().size() > 300);
  for (const Statement& s : statements()) {
    INFO(s.id);
    CHECK(s.id.starts_with(s.paper));
    CHECK_FALSE(s.title.empty());
    CHECK_FALSE(s.source.empty());
    CHECK_FALSE(s.protocol.empty());
    CHECK_FALSE(s.worth.empty());
    CHECK(s.reliable == (s.standing == "proved" || s.standing == "repaired"));
    for (const auto* keys : {&s.needs, &s.takes, &s.rises, &s.falls, &s.turns})
      for (const std::string& key : *keys) CHECK(std::ranges::count(parameters(), key, &Parameter::key) == 1);
  }
  const auto some = statements({.protocol = "shuffle", .quantity = "epsilon", .word = "CLONES"});
  CHECK(some.size() >= 1);
  for (const Statement& s : some) CHECK((s.protocol == "shuffle" && s.quantity == "epsilon"));
  CHECK(some.size() < statements({.protocol = "shuffle"}).size());
  CHECK(std::string(refusal([] { statements({.protocol = "shufle"}); }).what()) ==
        "unknown protocol 'shufle'; did you mean shuffle?");
  CHECK(describe("feldman2021-clones").size() > 1);
}

TEST_CASE("solve, compare and tightness give what the command line prints") {
  const Solutions s = solve("balle2020-thm5.1", "n", "0.1", {{"eps0", 1}, {"delta", "1e-6"}});
  CHECK(s.points.at(0).value.text() == "164452");
  CHECK(s.points[0].beyond == "164451");
  const Solutions none = solve("balle2020-thm5.1", "n", "-1", {{"eps0", 1}, {"delta", "1e-6"}});
  REQUIRE(none.problem);
  refusal([&] { none.points.at(0).value.text(); });

  const Comparison c = compare({"balle2020-thm5.1", "erlingsson2019-thm7"}, point);
  CHECK(c.lines.at(0).tightest == "balle2020-thm5.1");

  const Tightness t = tightness({"shuffle"}, point);
  REQUIRE(t.sandwiches.size() == 1);
  CHECK(t.sandwiches[0].upper.text() == "0.0380188");
  CHECK(t.sandwiches[0].lower_by == "epsilary-lower-rr3");
  CHECK(t.losses.size() >= 5);
  const Design d = design({"checkin-averaged"}, "eps0", "0.1", {{"n", "1e4"}, {"delta", "1e-6"}});
  CHECK(d.admissions.at(0).statement->id == "epsilary-averaged-blanket");
}

TEST_CASE("a sweep tells how far it is, and stops when told to") {
  const Sweep work{.bounds = {"kairouz2015-optimal"},
                   .parameters = {{"eps0", "0.05:1:4000"}, {"T", 100}, {"delta", "1e-6"}}};
  std::atomic<bool> stop{true};
  CHECK(refusal([&] { sweep(work, {}, {.stop = &stop}); }).problem == Problem::interrupted);
  std::atomic<int> calls{0};
  const Watch impatient{.progress = [&](std::size_t done, std::size_t total) {
    CHECK(done <= total);
    CHECK(total == 4000);
    ++calls;
    return false;
  }};
  const Error e = refusal([&] { sweep(work, {.threads = 1}, impatient); });
  CHECK(e.problem == Problem::interrupted);
  CHECK(calls > 0);
}

TEST_CASE("a spec's text, its bounds and its file give the same rows; a table of them can be drawn") {
  const experiments_test::Scratch folder;
  const std::string toml = R"(id = "mine"
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
  const std::string file = (folder / "mine.toml").string(), table = (folder / "t.csv").string();
  std::ofstream(file) << toml;
  const auto by_text = sweep({.toml = toml}), by_file = sweep({.spec = file}),
             by_grid = sweep({.bounds = {"balle2020-thm5.1"},
                              .parameters = {{"n", "1e3,1e4"}, {"eps0", "0.1:1:10"}, {"delta", "1e-6"}}});
  REQUIRE(by_text.size() == 20);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(by_text[i].value.text() == by_file[i].value.text());
    CHECK(by_text[i].value.text() == by_grid[i].value.text());
  }
  CHECK(plan({.toml = toml}).rows == 20);
  const Written csv = write_sweep({.toml = toml}, Format::csv);
  CHECK(csv.pieces.at(0).find(", spec mine\n") != std::string::npos);
  CHECK(csv.pieces.at(0).find("source ") != std::string::npos);
  write_file(table, csv.pieces);
  const std::string script = (folder / "t.gp").string();
  const Drawn drawn = draw({.what = table, .file = script});  // which finds its axes
  CHECK(drawn.rows == 20);
  std::ostringstream text;
  text << std::ifstream(script).rdbuf();
  CHECK(text.str().find("ε_{0}") != std::string::npos);
  CHECK(text.str().find("10^{3}") != std::string::npos);  // a colour for each n
}

TEST_CASE("claims are checked, and a second time found in the journal") {
  const experiments_test::Scratch folder;
  const std::string journal = (folder / "journal").string();
  const std::vector<std::string> ids{"balle2020-cor3.3-half", "balle2020-fig2-ten-times-larger"};
  const Findings first = check(ids, {}, {}, journal), again = check(ids, {}, {}, journal), without = check(ids);
  for (const Findings* other : {&again, &without}) CHECK(write(first, Format::json) == write(*other, Format::json));
  CHECK_FALSE(first.problem);
  CHECK(std::filesystem::file_size(journal) > 0);
}

TEST_CASE("names, figures, versions") {
  CHECK(protocols().size() >= 8);
  for (const Protocol& p : protocols()) CHECK(p.chain.size() >= 2);
  CHECK(figures().size() > 30);
  for (const Figure& f : figures()) CHECK(f.rows > 0);
  CHECK(claims().size() > 20);
  CHECK(version().starts_with("0."));
  CHECK(fingerprint().starts_with(version()));
  CHECK(grouped(12345678) == "12 345 678");
  CHECK(grouped(999) == "999");
}

TEST_CASE("a fraction goes in as it is, in lists and columns too") {
  CHECK(values("eps0", "1/3,0.5") == std::vector<std::string>{"1/3", "0.5"});
  CHECK(values("eps0", "0.5:1:3") == std::vector<std::string>{"0.5", "0.75", "1"});
  CHECK(values("delta", "1/n") == std::vector<std::string>{"1/n"});
  CHECK(values("steps", "0.1x3") == std::vector<std::string>{"0.1x3"});
  const auto r = evaluate_all({"balle2020-thm5.1"}, {{"eps0", "1/3,0.5"}, {"n", 1000}, {"delta", "1e-6"}});
  REQUIRE(r.results.size() == 2);
  CHECK(r.results[0].params.front() == std::pair<std::string, std::string>{"eps0", "1/3"});
}

TEST_CASE("many points in columns are the points one by one, and in double to the digits of a double") {
  Columns columns{.columns = {{"eps0", {0.5, "1", "1/3"}, {0, 1, 2, 0, 1, 2}},
                              {"n", {1000, "1e4"}, {0, 0, 0, 1, 1, 1}},
                              {"delta", {"1e-6"}}},
                  .points = 6};
  const std::vector<std::string> eps0{"0.5", "1", "1/3"}, n{"1000", "10000"};
  const auto rows = evaluate_points("balle2020-thm5.1", columns, {.digits = 16});
  const Doubles fast = evaluate_doubles("balle2020-thm5.1", columns);
  REQUIRE(rows.size() == 6);
  REQUIRE(fast.values.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const Result one =
        evaluate("balle2020-thm5.1", {{"eps0", eps0[i % 3]}, {"n", n[i / 3]}, {"delta", "1e-6"}}, {.digits = 16});
    CHECK(rows[i].value.text() == one.value.text());
    CHECK(rows[i].params == one.params);
    CHECK(fast.values[i] == doctest::Approx(one.value.as_double()).epsilon(1e-12));
    CHECK(statuses()[fast.status[i]] == one.status);
  }
  columns.columns[2] = {"delta", {"1/n"}};  // tied
  CHECK(evaluate_points("balle2020-thm5.1", columns)[3].params[1].second == "0.0001");
  const Result tied = evaluate("balle2020-thm5.1", {{"eps0", 0.5}, {"n", 10000}, {"delta", "1e-4"}});
  CHECK(evaluate_doubles("balle2020-thm5.1", columns).values[3] ==
        doctest::Approx(tied.value.as_double()).epsilon(1e-5));
  const Columns few{.columns = {{"eps0", {1}}, {"n", {100, 1000}, {0, 1}}, {"delta", {"1e-6"}}}, .points = 2};
  const Doubles outside = evaluate_doubles("epsilary-lower-rr-mixed", few);
  CHECK(std::isnan(outside.values[1]));
  CHECK(statuses()[outside.status[1]] == "outside");
  columns.columns[1].at[0] = 7;
  CHECK(refusal([&] { evaluate_points("balle2020-thm5.1", columns); }).parameter == "n");
  CHECK(refusal([] {
          evaluate_doubles("balle2020-thm5.1", {.columns = {{"eps0", {"x", "1"}, {0, 1}}}, .points = 2});
        }).parameter == "eps0");
}

TEST_CASE("a flag that is set ends the work with an interruption") {
  const std::atomic<bool> stop{true};
  const Options options{.stop = &stop};
  const auto is_stopped = [](auto call) {
    try {
      call();
    } catch (const Error& e) {
      return e.problem == Problem::interrupted;
    }
    return false;
  };
  CHECK(is_stopped([&] { evaluate("feldman2021-clones", point, options); }));
  CHECK(is_stopped([&] { tightness({"shuffle"}, point, options); }));
  CHECK(is_stopped([&] { solve("balle2020-thm5.1", "n", "0.1", {{"eps0", 1}, {"delta", "1e-6"}}, options); }));
  CHECK(is_stopped([&] { design({"shuffle"}, "eps0", "0.1", {{"n", 1000}, {"delta", "1e-6"}}, options); }));
  CHECK(is_stopped([&] { compose({{.multiplier = "1", .rate = "0.1", .times = 10}}, {{"delta", "1e-5"}}, options); }));
  CHECK(evaluate("feldman2021-clones", point).value.text() == "0.0530054");
}

TEST_CASE("the proof of a statement is its text") {
  const std::string text = proof_text(describe("feldman2021-clones").front());
  CHECK(text.starts_with("## "));
  CHECK(text.find("\n# ") == std::string::npos);
  std::size_t proofs = 0;
  for (const Statement& s : statements())
    if (s.reliable) {
      INFO(s.id);
      CHECK(proof_text(s).starts_with("## "));
      ++proofs;
    }
  CHECK(proofs > 100);
}

TEST_CASE("mechanisms of one's own and Gaussians of several kinds, composed") {
  const Mechanism response{.p = {"3/4", "1/4"}, .q = {"1/4", "3/4"}, .times = 1};
  const Composed one = compose({response}, {{"eps", 0}});  // the distance of the laws
  CHECK(std::stod(one.lower.text()) <= 0.5);
  CHECK(std::stod(one.upper.text()) >= 0.5);
  CHECK(one.status == "ok");
  CHECK(refusal([&] { compose({response}, {{"eps", 0}, {"delta", 0.1}}); }).problem == Problem::usage);
  CHECK(refusal([&] { compose({{.p = {"0.5", "0.4"}, .q = {"1/2", "1/2"}}}, {{"eps", 0}}); }).parameter == "p");
  CHECK(refusal([&] { compose({response, {.multiplier = "1"}}, {{"eps", 0}}); }).problem == Problem::usage);
  CHECK(refusal([&] { compose({{.multiplier = "0"}}, {{"eps", 0}}); }).parameter == "multiplier");

  // The same steps as one kind, as two equal kinds, and by the statement.
  const Result exact =
      evaluate("vandijk2022-poisson", {{"q", "0.02"}, {"sigma", "1.2"}, {"T", 100}, {"delta", "1e-5"}});
  for (const std::vector<Mechanism>& kinds :
       {std::vector<Mechanism>{{.multiplier = "1.2", .rate = "0.02", .times = 100}},
        {{.multiplier = "1.2", .rate = "1/50", .times = 60}, {.multiplier = "6/5", .rate = "0.02", .times = 40}}}) {
    const Composed c = compose(kinds, {{"delta", "1e-5"}});
    INFO(c.lower.text() << " " << c.upper.text());
    CHECK(std::stod(c.lower.text()) <= std::stod(exact.upper.text()));
    CHECK(std::stod(exact.lower.text()) <= std::stod(c.upper.text()));
    CHECK(std::stod(c.upper.text()) <= 1.002 * std::stod(c.lower.text()));
  }
  // Without sampling, squares add up: 1/9 + 1/16 = (5/12)^2.
  const Composed plain = compose({{.multiplier = "3"}, {.multiplier = "4"}}, {{"delta", "1e-5"}});
  const Result gaussian = evaluate("vandijk2022-gdp-epsilon", {{"mu", "5/12"}, {"delta", "1e-5"}});
  CHECK(plain.upper.text() == gaussian.upper.text());
}

TEST_CASE("a figure as data") {
  const Picture p = picture({.what = "balle2020-fig2"}, {.precision = "double"});
  CHECK(p.curves.size() > 4);
  CHECK(p.y.logarithmic);
  for (const Curve& c : p.curves) CHECK(c.x.size() == c.y.size());
  CHECK(colors().front() == "#0072B2");
  CHECK(shades().size() > 3);
}

TEST_CASE("runs are counted as they are, or refused") {
  // An outcome that gives a record away once in 10^25 runs: one run more never makes delta smaller.
  const std::vector<Value> p{"0.5", "0.4999999999999999999999999", "1e-25"}, q{"0.5", "0.5", "0"};
  double before = 0;
  for (const int bits : {30, 31, 32, 33, 40, 52, 53}) {
    const std::uint64_t times = std::uint64_t{1} << bits;
    const Composed found = compose({{.p = p, .q = q, .times = times}}, {{"eps", "0.1"}});
    CAPTURE(bits);
    CHECK(found.lower.as_double() >= before);
    CHECK(found.lower.as_double() <= 1e-25 * static_cast<double>(times));
    CHECK(found.upper.as_double() >= 0.999 * 1e-25 * static_cast<double>(times));
    before = found.lower.as_double();
  }
  for (const std::uint64_t times : {(std::uint64_t{1} << 53) + 1, std::uint64_t{1} << 63, ~std::uint64_t{0}})
    CHECK_THROWS_WITH_AS(compose({{.p = p, .q = q, .times = times}}, {{"eps", "0.1"}}),
                         doctest::Contains("runs are counted up to 2^53"), Error);
}

TEST_CASE("what cannot be drawn is refused with the step that helps, before anything is computed") {
  const auto refusal = [](const Drawing& drawing) {
    try {
      draw(drawing);
    } catch (const Error& e) {
      return std::string(e.what()) + "; " + e.next;
    }
    return std::string("drawn");
  };
  CHECK(refusal({.what = "balle2020-fig2", .file = "x.foo"}) ==
        "'.foo' is not a figure format; use .svg, .png, .pdf, .tex or .gp");
}

TEST_CASE("the next step of a refused value is about what is wrong with it") {
  const auto next = [](const char* text) {
    try {
      evaluate_all({"balle2020-thm5.1"}, {{"eps0", text}, {"n", 100}, {"delta", "1e-6"}});
    } catch (const Error& e) {
      return e.next;
    }
    return std::string("accepted");
  };
  CHECK(next("1:2:100000000") == "ask for fewer values");
  CHECK(next("1:5").starts_with("write a range as from:to:count"));
  CHECK(next("one").find("eps0 must satisfy eps0 >= 0") != std::string::npos);
  CHECK(next("delta/0").starts_with("tie a parameter only to"));
}
