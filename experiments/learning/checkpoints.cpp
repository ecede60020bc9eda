#include "experiments/learning/checkpoints.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "experiments/sweep/journal.hpp"
#include "experiments/sweep/journal_header.hpp"

namespace epsilary::learning {
namespace {

using experiments::BadJournal;

constexpr int layout = 101;  // the journals of sweeps count from 1
constexpr int busy_ms = 60'000;

const char* const make_tables = R"(CREATE TABLE mark(
  training TEXT, sigma TEXT, seed INTEGER, round INTEGER, accuracy REAL, loss REAL, checksum INTEGER,
  PRIMARY KEY(training, sigma, seed, round)) WITHOUT ROWID;
CREATE TABLE parameters(
  training TEXT, sigma TEXT, seed INTEGER, round INTEGER, theta BLOB, checksum INTEGER,
  PRIMARY KEY(training, sigma, seed)) WITHOUT ROWID;)";

// FNV-1a: a bit that flipped on the disk must not become a result.
std::int64_t checksum(const std::string& key, const void* bytes, std::size_t count) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 1099511628211U;
  return static_cast<std::int64_t>(hash);
}

std::string key(const RunName& run, std::uint32_t round) {
  return fmt::format("{} {} {} {}", run.training, run.sigma, run.seed, round);
}

std::int64_t checksum(const RunName& run, const Mark& mark) {
  const double numbers[] = {mark.score.accuracy, mark.score.loss};
  return checksum(key(run, mark.round), numbers, sizeof numbers);
}

}  // namespace

class Checkpoints::Database {
 public:
  explicit Database(const std::filesystem::path& file) : file_(file.string()) {
    const int code = sqlite3_open_v2(file_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    connection_.reset(db_);
    if (code != SQLITE_OK) fail();
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, busy_ms);
    // The file may be somebody else's: nothing that is written in it is run.
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    run("BEGIN IMMEDIATE");
    if (text("SELECT count(*) FROM sqlite_schema") == "0")
      run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}; {}", experiments::application_id, layout,
                      make_tables));
    run("COMMIT");
    if (text("PRAGMA user_version") != std::to_string(layout))
      throw BadJournal(file_ + " is a journal, but not one of training", "name another file with --journal FILE");
    if (text("SELECT group_concat(sql || ';', char(10)) FROM (SELECT sql FROM sqlite_schema WHERE name NOT LIKE "
             "'sqlite_%' ORDER BY name)") != make_tables)
      throw BadJournal(file_ + " has other tables than a journal of training", "name another file with --journal FILE");
    if (text("PRAGMA quick_check(1)") != "ok") fail_damaged();
  }

  void run(const std::string& sql) {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  // Undoes what is half done; the error that led here is the one to be told.
  void roll_back() { sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr); }

  class Statement {
   public:
    Statement(Database& database, const char* sql) : database_(database) {
      if (sqlite3_prepare_v2(database.db_, sql, -1, &statement_, nullptr) != SQLITE_OK) database.fail();
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    void bind(const RunName& run) {
      sqlite3_bind_text(statement_, 1, run.training.data(), static_cast<int>(run.training.size()), SQLITE_STATIC);
      sqlite3_bind_text(statement_, 2, run.sigma.data(), static_cast<int>(run.sigma.size()), SQLITE_STATIC);
      sqlite3_bind_int64(statement_, 3, static_cast<std::int64_t>(run.seed));
    }
    bool step() {
      const int code = sqlite3_step(statement_);
      if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
      return code == SQLITE_ROW;
    }
    sqlite3_stmt* operator*() const { return statement_; }

   private:
    Database& database_;
    sqlite3_stmt* statement_ = nullptr;
  };

  [[noreturn]] void fail() const {
    const int code = db_ ? sqlite3_extended_errcode(db_) : SQLITE_NOMEM, kind = code & 0xff;
    const int reason = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN ? sqlite3_system_errno(db_) : 0;
    const std::string why = reason ? std::strerror(reason) : sqlite3_errstr(code);
    if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB) fail_damaged();
    if (kind == SQLITE_BUSY)
      throw BadJournal(fmt::format("the journal {} has been locked for {} s", file_, busy_ms / 1000),
                       "end the program that holds it, or name another file with --journal FILE");
    if (kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY || kind == SQLITE_PERM)
      throw BadJournal(fmt::format("cannot write the journal {}: {}", file_, why),
                       "name a file in a folder that can be written with --journal FILE");
    throw BadJournal(fmt::format("cannot write the journal {}: {}", file_, why),
                     "what it held is kept: make room and run the same command again");
  }
  [[noreturn]] void fail_damaged() const {
    throw BadJournal(fmt::format("the journal {} is damaged and was left as it is", file_),
                     "move it away, or name another file with --journal FILE");
  }

 private:
  std::string text(const char* sql) {
    const Statement s(*this, sql);
    const int code = sqlite3_step(*s);
    if (code != SQLITE_ROW) fail();
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(*s, 0));
    return bytes ? bytes : "";
  }

  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::string file_;
  std::unique_ptr<sqlite3, Close> connection_;
  sqlite3* db_ = nullptr;
};

Checkpoints::Checkpoints(const std::filesystem::path& file) {
  experiments::refuse_foreign_journal(file);
  database_ = std::make_unique<Database>(file);
}

Checkpoints::~Checkpoints() = default;

Checkpoint Checkpoints::find(const RunName& run) {
  Checkpoint out;
  Database::Statement marks(*database_,
                            "SELECT round,accuracy,loss,checksum FROM mark WHERE training=?1 AND sigma=?2 AND seed=?3 "
                            "ORDER BY round");
  marks.bind(run);
  while (marks.step()) {
    out.marks.push_back({static_cast<std::uint32_t>(sqlite3_column_int64(*marks, 0)),
                         {sqlite3_column_double(*marks, 1), sqlite3_column_double(*marks, 2)}});
    if (checksum(run, out.marks.back()) != sqlite3_column_int64(*marks, 3)) database_->fail_damaged();
  }
  if (out.marks.empty()) return out;
  Database::Statement last(*database_,
                           "SELECT round,theta,checksum FROM parameters WHERE training=?1 AND sigma=?2 AND seed=?3");
  last.bind(run);
  if (!last.step()) database_->fail_damaged();
  const void* bytes = sqlite3_column_blob(*last, 1);
  const auto count = static_cast<std::size_t>(sqlite3_column_bytes(*last, 1));
  if (sqlite3_column_int64(*last, 0) != out.marks.back().round || count % sizeof(float) != 0 ||
      checksum(key(run, out.marks.back().round), bytes, count) != sqlite3_column_int64(*last, 2))
    database_->fail_damaged();
  out.theta.resize(count / sizeof(float));
  if (count > 0) std::memcpy(out.theta.data(), bytes, count);
  return out;
}

void Checkpoints::keep(const RunName& run, const Mark& mark, const std::vector<float>& theta) {
  database_->run("BEGIN IMMEDIATE");
  try {
    {
      Database::Statement s(*database_, "INSERT OR REPLACE INTO mark VALUES(?1,?2,?3,?4,?5,?6,?7)");
      s.bind(run);
      sqlite3_bind_int64(*s, 4, mark.round);
      sqlite3_bind_double(*s, 5, mark.score.accuracy);
      sqlite3_bind_double(*s, 6, mark.score.loss);
      sqlite3_bind_int64(*s, 7, checksum(run, mark));
      s.step();
    }
    {
      Database::Statement s(*database_, "INSERT OR REPLACE INTO parameters VALUES(?1,?2,?3,?4,?5,?6)");
      s.bind(run);
      sqlite3_bind_int64(*s, 4, mark.round);
      sqlite3_bind_blob(*s, 5, theta.data(), static_cast<int>(theta.size() * sizeof(float)), SQLITE_STATIC);
      sqlite3_bind_int64(*s, 6, checksum(key(run, mark.round), theta.data(), theta.size() * sizeof(float)));
      s.step();
    }
    database_->run("COMMIT");
  } catch (...) {
    database_->roll_back();
    throw;
  }
}

}  // namespace epsilary::learning
