// The journal gives back what it was given, and nothing else.
#include "experiments/sweep/journal.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <thread>

#include "bounds/core/registry.hpp"
#include "tests/experiments/scratch.hpp"

using namespace epsilary::experiments;
using namespace experiments_test;

namespace {

const epsilary::bounds::Accuracy six_digits{};

Record cell(const std::string& eps0) {
  return {.bound = epsilary::bounds::named("balle2020-thm5.1").front(),
          .params = {{"eps0", eps0}, {"delta", "1e-6"}, {"n", "1000"}}};
}

Record computed(const std::string& eps0) {
  Record r = cell(eps0);
  r.status = "ok";
  r.value = r.upper = "0.25";
  r.lower = "0.24";
  r.certified = true;
  r.within = false;
  r.at = {{"lambda", "8"}, {"Delta", "0.5"}};
  r.beside = {{"capped", "0.25"}};
  r.note = "a note, with \"quotes\" and ünïcode";
  return r;
}

std::string refusal(const std::filesystem::path& file) {
  try {
    Journal journal(file, six_digits);
  } catch (const BadJournal& bad) {
    CHECK(!bad.next.empty());
    return bad.what();
  }
  return "opened";
}

}  // namespace

TEST_CASE("a journal gives back every field of what it was given") {
  const Scratch scratch;
  {
    Journal journal(scratch / "j", six_digits);
    CHECK(journal.size() == 0);
    journal.keep(computed("0.5"));
  }
  Journal journal(scratch / "j", six_digits);
  CHECK(journal.size() == 1);
  Record found = cell("0.5");
  REQUIRE(journal.find(found));
  const Record given = computed("0.5");
  CHECK(found.status == given.status);
  CHECK(found.value == given.value);
  CHECK(found.lower == given.lower);
  CHECK(found.upper == given.upper);
  CHECK(found.certified == given.certified);
  CHECK(found.within == given.within);
  CHECK(found.at == given.at);
  CHECK(found.beside == given.beside);
  CHECK(found.note == given.note);
  Record other = cell("0.51");
  CHECK(!journal.find(other));
}

TEST_CASE("a row of another program, other digits, another number or another form is not this row") {
  const Scratch scratch;
  {
    Journal journal(scratch / "j", six_digits);
    journal.keep(computed("0.5"));
  }
  CHECK(Journal(scratch / "j", six_digits, "0.0.9-older").size() == 0);
  CHECK(Journal(scratch / "j", {.digits = 7}).size() == 0);
  CHECK(Journal(scratch / "j", {.number = epsilary::bounds::NumberType::in_double}).size() == 0);
  {
    Journal older(scratch / "j", six_digits, "0.0.9-older");
    older.keep(computed("0.5"));
  }
  Journal journal(scratch / "j", six_digits);
  CHECK(journal.size() == 1);
  const auto forms = epsilary::bounds::named("checkin2022-thm3");
  REQUIRE(forms.size() > 1);
  Record one{.bound = forms[0], .status = "ok", .value = "1", .params = {{"n", "10"}}};
  journal.keep(one);
  journal.flush();
  Journal again(scratch / "j", six_digits);
  Record same{.bound = forms[0], .params = one.params}, other{.bound = forms[1], .params = one.params};
  CHECK(again.find(same));
  CHECK(!again.find(other));
}

TEST_CASE("what is not a journal is refused and left as it is") {
  const Scratch scratch;
  for (const std::string& bytes : {std::string("garbage"), std::string(5000, 'x'), std::string(100, '\0'),
                                   std::string("SQLite format 3\0", 16) + std::string(4080, '\0')}) {
    spill(scratch / "foreign", bytes);
    CHECK(refusal(scratch / "foreign").starts_with((scratch / "foreign").string() + " is "));
    CHECK(slurp(scratch / "foreign") == bytes);
  }
  CHECK(refusal("/dev/full").find("is not a file that can hold a journal") != std::string::npos);
  CHECK(refusal(scratch.folder).find("is not a file that can hold a journal") != std::string::npos);
  CHECK(refusal(scratch / "no/such/folder/j").find("cannot write the journal") != std::string::npos);
}

TEST_CASE("a damaged journal is refused and left as it is") {
  const Scratch scratch;
  {
    Journal journal(scratch / "j", six_digits);
    for (int i = 0; i < 500; ++i) journal.keep(computed(std::to_string(i + 1)));
  }
  const std::string whole = slurp(scratch / "j");
  REQUIRE(whole.size() > 20'000);
  std::vector<std::string> damaged{whole.substr(0, whole.size() / 2), whole.substr(0, 5000), whole.substr(0, 99)};
  std::string overwritten = whole;
  overwritten.replace(8192, 4096, std::string(4096, 'z'));
  damaged.push_back(overwritten);
  for (const std::string& bytes : damaged) {
    spill(scratch / "damaged", bytes);
    const std::string words = refusal(scratch / "damaged");
    CHECK_MESSAGE(
        (words.find("is damaged") != std::string::npos || words.find("is not a journal") != std::string::npos), words);
    CHECK(slurp(scratch / "damaged") == bytes);
  }
}

TEST_CASE("a digit that changed on the disk is noticed") {
  const Scratch scratch;
  {
    Journal journal(scratch / "j", six_digits);
    journal.keep(computed("0.5"));
  }
  std::string bytes = slurp(scratch / "j");
  const std::size_t at = bytes.rfind("0.240.25");
  REQUIRE(at != std::string::npos);
  bytes[at + 7] = '1';  // an upper bound of 0.21
  spill(scratch / "j", bytes);
  Journal journal(scratch / "j", six_digits);
  Record found = cell("0.5");
  CHECK_THROWS_AS(journal.find(found), BadJournal);
}

TEST_CASE("several journals on one file, each in its thread, lose nothing") {
  const Scratch scratch;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Journal journal(scratch / "j", six_digits);
      for (int i = 0; i < 200; ++i) journal.keep(computed(std::to_string(t % 2 * 1000 + i + 1)));
    });
  for (std::thread& t : threads) t.join();
  CHECK(Journal(scratch / "j", six_digits).size() == 400);
}

TEST_CASE("a journal with other tables, triggers or views is refused") {
  const Scratch scratch;
  const auto changed = [&](const std::string& name, const std::string& sql) {
    {
      Journal journal(scratch / name, six_digits);
      journal.keep(computed("0.5"));
    }
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open((scratch / name).c_str(), &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(db);
    return scratch / name;
  };
  CHECK(refusal(changed("same", "VACUUM")) == "opened");
  for (const char* sql :
       {"CREATE TABLE other(a)", "DROP TABLE cell; CREATE TABLE other(a)", "ALTER TABLE cell RENAME TO c",
        "CREATE TRIGGER t AFTER INSERT ON cell BEGIN DELETE FROM cell; END", "CREATE VIEW v AS SELECT 1"}) {
    CAPTURE(sql);
    CHECK(refusal(changed("j", sql)).find("other tables") != std::string::npos);
    std::filesystem::remove(scratch / "j");
  }
}

TEST_CASE("a word where a number belongs is no number, whatever the checksum says") {
  const Scratch scratch;
  {
    Journal journal(scratch / "j", six_digits);
    Record forged = computed("0.5");
    forged.value = "nan";
    journal.keep(forged);
  }
  Journal journal(scratch / "j", six_digits);
  Record found = cell("0.5");
  CHECK_THROWS_AS(journal.find(found), BadJournal);
}
