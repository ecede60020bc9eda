// Whole trainings: they learn, they go on after an end, and they refuse what cannot be.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <atomic>
#include <cstdlib>
#include <epsilary/epsilary.hpp>

#include "experiments/learning/results.hpp"
#include "experiments/learning/training_spec.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/sweep/spec.hpp"
#include "tests/experiments/learning/strokes.hpp"

using epsilary::Error;
using epsilary::Problem;
using experiments_test::Scratch;
using experiments_test::slurp;
using experiments_test::spill;

namespace {

const std::string head = R"(
id = "test"
source = "a test"
network = "13722"
clients = "300"
)";
const std::string plain = head + R"(
algorithm = "sgd"
per_round = "30"
rate = "0.3"
rounds = "60"
every = "20"
seeds = "1"
)";
const std::string cldp = head + R"(
algorithm = "cldp-sgd"
per_round = "100"
clip = "coordinate"
limit = "0.01"
eps0 = "2"
delta = "1e-5"
rate = "0.3"
later = [{ after = "4", rate = "0.1" }]
rounds = "7"
every = "2"
seeds = "2"
[[accountant]]
bound = "girgis2021-thm1-privacy-joint"
share = "0.5"
[[accountant]]
bound = "girgis2021-thm1-privacy"
)";

std::string csv(const epsilary::Trained& trained) { return write(trained, epsilary::Format::csv); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string cell(const epsilary::Table& table, std::size_t row, const std::string& column) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c] == column) return table.rows.at(row).at(c);
  return "no such column";
}

}  // namespace

TEST_CASE("training without privacy learns the digits: the loss falls and most are told right") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 300, 100);
  const auto trained = epsilary::train({.toml = plain, .data = scratch.folder.string()});
  REQUIRE(trained.table.rows.size() == 3);
  const auto number = [&](std::size_t row, const char* column) {
    return std::atof(cell(trained.table, row, column).c_str());
  };
  CHECK(number(0, "loss") < 2.3);
  CHECK(number(1, "loss") < number(0, "loss"));
  CHECK(number(2, "loss") < number(1, "loss"));
  CHECK(number(2, "accuracy") > 85);
  CHECK(cell(trained.table, 2, "T") == "60");
}

TEST_CASE("a training has the epsilon of its accountants beside its accuracy") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 300, 100);
  const auto trained = epsilary::train({.toml = cldp, .data = scratch.folder.string()});
  const auto& t = trained.table;
  REQUIRE(t.rows.size() == 12);  // after 2, 4, 6 and 7 rounds: itself and two accountants
  CHECK(cell(t, 9, "T") == "7");
  CHECK(cell(t, 9, "each").find(' ') != std::string::npos);  // two seeds
  CHECK(cell(t, 10, "bound") == "girgis2021-thm1-privacy-joint");
  CHECK(cell(t, 10, "value") ==
        epsilary::evaluate(
            "girgis2021-thm1-privacy-joint",
            {{"eps0", 2}, {"clients", 300}, {"per_round", 100}, {"T", 7}, {"delta", "1e-5"}, {"share", "0.5"}})
            .value.text());
  CHECK(cell(t, 10, "standing") == "proved");
  CHECK(cell(t, 11, "value") != cell(t, 8, "value"));  // after 7 and 6 rounds
  const auto fewer = epsilary::train({.toml = cldp, .data = scratch.folder.string(), .seeds = 1});
  CHECK(cell(fewer.table, 9, "each") == cell(t, 9, "each").substr(0, cell(t, 9, "each").find(' ')));
}

TEST_CASE("a training that was stopped anywhere goes on and ends with the same bytes, on any number of threads") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 300, 100);
  const std::string data = scratch.folder.string(), journal = (scratch / "journal").string();
  const std::string whole = csv(epsilary::train({.toml = cldp, .data = data}, {.threads = 1}));
  for (const std::size_t rounds : {1U, 3U, 9U}) {
    std::atomic<bool> stop = false;
    try {
      epsilary::train({.toml = cldp, .data = data, .journal = journal}, {.threads = 2},
                      {.progress = [&](const epsilary::TrainingState& s) { stop = s.done >= rounds; }, .stop = &stop});
      FAIL("it was not stopped");
    } catch (const Error& e) {
      CHECK(e.problem == Problem::interrupted);
      CHECK(e.next.find(journal) != std::string::npos);
    }
  }
  std::size_t asked = 0;
  const auto seen = [&](const epsilary::TrainingState&) { ++asked; };
  CHECK(csv(epsilary::train({.toml = cldp, .data = data, .journal = journal}, {.threads = 3}, {.progress = seen})) ==
        whole);
  CHECK(asked > 0);
  CHECK(asked < 14);
  asked = 0;
  CHECK(csv(epsilary::train({.toml = cldp, .data = data, .journal = journal}, {}, {.progress = seen})) == whole);
  CHECK(asked == 0);  // all of it was there
  // Another rate is another training, in the same file.
  epsilary::train({.toml = replaced(cldp, "rate = \"0.3\"", "rate = \"0.2\""), .data = data, .journal = journal}, {},
                  {.progress = seen});
  CHECK(asked == 14);
}

TEST_CASE("a journal that is damaged or something else is left as it is") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 300, 100);
  const std::string data = scratch.folder.string(), journal = (scratch / "journal").string();
  const auto refusal = [&] {
    const std::string before = slurp(journal);
    try {
      epsilary::train({.toml = cldp, .data = data, .journal = journal});
    } catch (const epsilary::experiments::BadJournal& bad) {
      CHECK(slurp(journal) == before);
      return std::string(bad.what());
    }
    return std::string("none");
  };
  spill(journal,
        "my only copy of something else, which is longer than the header of any journal that there may be .......");
  CHECK(refusal().find("is not a journal of epsilary") != std::string::npos);
  std::filesystem::remove(journal);
  { const epsilary::experiments::Journal of_sweeps(journal, {}); }
  CHECK(refusal().find("not one of training") != std::string::npos);
  std::filesystem::remove(journal);
  epsilary::train({.toml = cldp, .data = data, .journal = journal});
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(journal.c_str(), &db) == SQLITE_OK);
  REQUIRE(sqlite3_exec(db, "UPDATE mark SET accuracy=0.99 WHERE seed=2 AND round=4", nullptr, nullptr, nullptr) ==
          SQLITE_OK);
  sqlite3_close(db);
  CHECK(refusal().find("is damaged") != std::string::npos);
}

TEST_CASE("a spec with impossible values is refused with its line, the value and the rule") {
  const auto refusal = [](const std::string& text) {
    try {
      epsilary::learning::parse_training_spec(text, "t.toml");
    } catch (const epsilary::experiments::BadSpec& bad) {
      CHECK(std::string(bad.what()).starts_with("t.toml:"));
      return std::string(bad.what());
    }
    return std::string("none");
  };
  CHECK(refusal(cldp) == "none");
  const auto says = [&](const std::string& from, const std::string& to, const std::string& what) {
    const std::string said = refusal(replaced(cldp, from, to));
    CHECK_MESSAGE(said.find(what) != std::string::npos, said);
  };
  says("\"cldp-sgd\"", "\"cldp-sg\"", "did you mean cldp-sgd?");
  says("\"13722\"", "\"13170\"", "must be one of 26010, 13722, not '13170'");
  says("per_round = \"100\"", "per_round = \"301\"", "per_round must be at most clients (got 301 of 300)");
  says("per_round = \"100\"", "per_round = \"0.5\"", "per_round");
  says("eps0 = \"2\"", "eps0 = \"-1\"", "0 < eps0");
  says("eps0 = \"2\"", "eps0 = \"nan\"", "eps0");
  says("eps0 = \"2\"", "", "'eps0' is missing");
  says("limit = \"0.01\"", "limit = \"0\"", "0 < limit");
  says("delta = \"1e-5\"", "delta = \"1\"", "delta");
  says("rate = \"0.3\"", "rate = \"1e400\"", "rate");
  says("after = \"4\"", "after = \"0\"", "after");
  says("rounds = \"7\"", "rounds = \"1e9\"", "rounds");
  says("every = \"2\"", "every = \"8\"", "every");
  says("clip = \"coordinate\"", "clip = \"norm\"", "must be one of scaling, coordinate");
  says("clip = \"coordinate\"", "sigma = [\"1\"]", "has no use for 'sigma'");
  says("share = \"0.5\"", "eps0 = \"0.1\"", "'eps0' follows from the run");
  says("\"girgis2021-thm1-privacy\"", "\"balle2020-thm5.2\"", "unknown bound");
  says("\"girgis2021-thm1-privacy\"", "\"epsilary-shuffled-checkin-pld\"", "tells no epsilon of this run");
  says("\"girgis2021-thm1-privacy\"", "\"girgis2021-thm1-privacy-joint\"", "is named twice");
  says("source = ", "colour = ", "unknown key 'colour'");
}

TEST_CASE("noise for (eps0, delta0) is enough, and not much more than enough") {
  const auto sigma = [](const std::string& eps0) {
    return epsilary::learning::parse_training_spec(
               head + "algorithm = \"shuffled-checkin\"\ngamma = \"0.1\"\nlimit = \"0.05\"\neps0 = \"" + eps0 +
                   "\"\ndelta0 = \"1e-5\"\ndelta = \"1e-7\"\nrate = \"1\"\nrounds = \"1\"\nevery = \"1\"\nseeds = "
                   "\"1\"\n",
               "t.toml")
        .sigmas;
  };
  CHECK(sigma("8") == std::vector<std::string>{"0.60023"});  // 1/1.66603, as in the ledger
  for (const std::string eps0 : {"0.01", "0.2", "0.3", "1", "2", "8", "50"}) {
    INFO(eps0);
    REQUIRE(sigma(eps0).size() == 1);
    const std::string enough = sigma(eps0)[0];
    const auto costs = [](const std::string& noise) {
      return epsilary::evaluate("vandijk2022-gdp-epsilon", {{"sigma", noise}, {"T", 1}, {"delta", "1e-5"}},
                                {.digits = 12});
    };
    CHECK(costs(enough).upper.as_double() <= std::stod(eps0));
    CHECK(costs(std::to_string(std::stod(enough) - 2e-5)).lower.as_double() > std::stod(eps0));
  }
}

TEST_CASE("parameters that run away, too few clients and no data are told") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 300, 100);
  const auto problem = [&](const epsilary::Training& t) {
    try {
      epsilary::train(t);
    } catch (const Error& e) {
      return std::string(e.what()) + " / " + e.next;
    }
    return std::string("none");
  };
  const std::string data = scratch.folder.string();
  const std::string wild = replaced(plain + "activation = \"relu\"\n", "rate = \"0.3\"", "rate = \"1e30\"");
  CHECK(problem({.toml = wild, .data = data}).find("no longer numbers after 20 rounds / take a smaller") !=
        std::string::npos);
  CHECK(problem({.toml = replaced(plain, "\"300\"", "\"200\""), .data = data})
            .find("200 clients are fewer than the 300 images") != std::string::npos);
  CHECK(problem({.toml = plain}).find("fetch-mnist") != std::string::npos);
  CHECK(problem({.spec = "girgis2021-mnist-cordinate"}).find("did you mean girgis2021-mnist-coordinate") !=
        std::string::npos);
}

TEST_CASE("every training that ships can be asked for, and every result kept is of one that ships") {
  const auto& specs = epsilary::learning::training_specs();
  CHECK(specs.size() >= 8);
  for (const auto& stored : epsilary::learning::stored_results()) {
    const auto is_its = [&](const auto& spec) { return spec.id == stored.id; };
    const auto found = std::ranges::find_if(specs, is_its);
    REQUIRE_MESSAGE(found != specs.end(), stored.id);
    const epsilary::Table table = epsilary::learning::stored_table({found->id});
    CHECK(cell(table, table.rows.size() - 1, "T") == std::to_string(found->rounds));
    CHECK(table.rows.size() % (1 + found->accountants.size()) == 0);
  }
}

TEST_CASE("the numbers kept are those of this program, where MNIST is at hand") {
  const char* folder = std::getenv("EPSILARY_MNIST");
  if (!folder) return;
  // The first epoch of the longest training, its first seed.
  const auto& specs = epsilary::learning::training_specs();
  const auto found = std::ranges::find(specs, "girgis2021-mnist-coordinate", &epsilary::learning::TrainingSpec::id);
  REQUIRE(found != specs.end());
  std::string text = slurp(std::filesystem::path(EPSILARY_SOURCE) / found->file);
  text = replaced(replaced(text, "rounds = \"480\"", "rounds = \"6\""),
                  "later = [{ after = \"420\", rate = \"0.18\" }]", "");
  const auto trained = epsilary::train({.toml = text, .data = folder, .seeds = 1});
  const std::string kept = epsilary::learning::stored_number({found->id, "training", "each", "", {{"T", "6"}}});
  CHECK(kept.starts_with(cell(trained.table, 0, "each")));
}
