#include "experiments/sweep/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

namespace epsilary::experiments {
namespace {

using namespace std::chrono_literals;

constexpr int busy_ms = 60'000;

}  // namespace

void refuse_foreign_journal(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return;
  const auto refuse = [&](const char* what) {
    throw BadJournal(fmt::format("{} {}", file.string(), what), "name another file with --journal FILE");
  };
  if (!std::filesystem::is_regular_file(file, none)) refuse("is not a file that can hold a journal");
  if (std::filesystem::file_size(file, none) == 0) return;
  char header[100] = {};
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw BadJournal(fmt::format("cannot read the journal {}: {}", file.string(), std::strerror(errno)),
                     "name another file with --journal FILE");
  in.read(header, sizeof header);
  if (!in || std::memcmp(header, "SQLite format 3", 16) != 0) refuse("is not a journal of epsilary");
  int id = 0;
  for (int i = 68; i < 72; ++i) id = id << 8 | static_cast<unsigned char>(header[i]);
  if (id != application_id) refuse("is an SQLite file of another program");
}

Database::Database(const std::filesystem::path& file) : file_(file.string()) {
  const int code = sqlite3_open_v2(file_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  try {
    if (code != SQLITE_OK) fail();
  } catch (...) {
    sqlite3_close(db_);  // also what could not be opened has to be closed
    throw;
  }
  sqlite3_extended_result_codes(db_, 1);
  sqlite3_busy_timeout(db_, busy_ms);
  // The file may be somebody else's: nothing that is written in it is run.
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

Database::~Database() { sqlite3_close(db_); }

void Database::prepare_file(const Layout& layout) {
  run("BEGIN IMMEDIATE");  // two processes may make the file at the same moment
  if (text("SELECT count(*) FROM sqlite_schema") == "0")
    run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}; {}", application_id, layout.version,
                    layout.tables));
  run("COMMIT");
  const auto refuse = [&](const char* what) {
    throw BadJournal(file_ + " " + what, "name another file with --journal FILE");
  };
  if (text("PRAGMA user_version") != std::to_string(layout.version)) refuse(layout.other_version);
  if (text("SELECT group_concat(sql || ';', char(10)) FROM (SELECT sql FROM sqlite_schema WHERE name NOT LIKE "
           "'sqlite_%' ORDER BY name)") != layout.tables)
    refuse(layout.other_tables);
  if (text("PRAGMA quick_check(1)") != "ok") fail_damaged();
}

void Database::use_wal() {
  for (int attempt = 0; attempt < 200; ++attempt) {  // the switch needs the file alone and does not wait by itself
    const int code = sqlite3_exec(db_, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK && text("PRAGMA journal_mode") == "wal") {
      // In WAL mode the system's cache holds what is committed: a killed process loses none of it.
      run("PRAGMA synchronous=NORMAL");
      return;
    }
    if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY) fail();
    std::this_thread::sleep_for(20ms);
  }
  fail();
}

void Database::run(const std::string& sql) {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Database::roll_back() { sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr); }

std::string Database::text(const char* sql) {
  Query s(*this, sql);
  return s.step() ? s.text(0) : "";
}

// Why no file can be made there, where that is so: SQLite tells only how its last attempt ended.
std::string Database::folder_problem() const {
  const std::filesystem::path folder = std::filesystem::absolute(file_).parent_path();
  std::error_code none;
  if (std::filesystem::exists(file_, none)) return ::access(file_.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

void Database::fail() const {
  const int code = db_ ? sqlite3_extended_errcode(db_) : SQLITE_NOMEM, kind = code & 0xff;
  const int reason = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN ? sqlite3_system_errno(db_) : 0;
  const std::string folder = folder_problem();
  const std::string why = !folder.empty() ? folder : reason ? std::strerror(reason) : sqlite3_errstr(code);
  switch (kind) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: fail_damaged();
    case SQLITE_BUSY:
      throw BadJournal(fmt::format("the journal {} has been locked for {} s", file_, busy_ms / 1000),
                       "end the program that holds it, or name another file with --journal FILE");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw BadJournal(fmt::format("cannot write the journal {}: {}", file_, why),
                       "name a file in a folder that can be written with --journal FILE");
    default:
      throw BadJournal(fmt::format("cannot write the journal {}: {}", file_, why),
                       "what it held is kept: make room and run the same command again");
  }
}

void Database::fail_damaged() const {
  throw BadJournal(fmt::format("the journal {} is damaged and was left as it is", file_),
                   "move it away, or name another file with --journal FILE");
}

Query::Query(Database& database, std::string_view sql) : database_(database) {
  if (sqlite3_prepare_v3(database.db_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement_,
                         nullptr) != SQLITE_OK)
    database.fail();
}
Query::~Query() { sqlite3_finalize(statement_); }

void Query::bind(int place, std::string_view text) {
  sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}
void Query::bind(int place, std::int64_t number) { sqlite3_bind_int64(statement_, place, number); }
void Query::bind(int place, double number) { sqlite3_bind_double(statement_, place, number); }
void Query::bind(int place, std::span<const std::byte> bytes) {
  sqlite3_bind_blob(statement_, place, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
}
bool Query::step() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
  return code == SQLITE_ROW;
}
void Query::reset() { sqlite3_reset(statement_); }

std::string Query::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))) : std::string{};
}
std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Query::number(int column) const { return sqlite3_column_double(statement_, column); }
std::span<const std::byte> Query::bytes(int column) const {
  const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace epsilary::experiments
