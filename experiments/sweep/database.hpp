// An SQLite file of ours: opened so that nothing written in it is run, and its failures as words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <epsilary/epsilary.hpp>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace epsilary::experiments {

// The journal cannot be read or written: which file and why, and on a second line the way out.
struct BadJournal : epsilary::Error {
  BadJournal(const std::string& what, std::string next_step)
      : Error(epsilary::Problem::could_not, what, std::move(next_step)) {}
};

inline constexpr int application_id = 0x45505359;  // "EPSY" at byte 68 of the file

// The header is read before SQLite touches the file, so that what is not ours stays as it is. Throws BadJournal.
void refuse_foreign_journal(const std::filesystem::path& file);

// What a file of ours holds.
struct Layout {
  int version;                // kinds of journals have versions of their own
  const char* tables;         // CREATE TABLE a(...);\nCREATE TABLE b(...); in the order of their names
  const char* other_version;  // what a file of another version is: "is a journal, but ..."
  const char* other_tables;
};

// One connection. Throws BadJournal, and leaves the file as it is, when it is damaged or something else.
class Database {
 public:
  explicit Database(const std::filesystem::path& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Makes the tables where the file is empty, and looks whether it has them.
  void prepare_file(const Layout& layout);
  // Writing does not wait for the disk, and readers not for the writer.
  void use_wal();
  void run(const std::string& sql);
  // Undoes what is half done; the error that led here is the one to be told.
  void roll_back();
  std::string text(const char* sql);

  [[noreturn]] void fail() const;
  [[noreturn]] void fail_damaged() const;

 private:
  friend class Query;
  std::string folder_problem() const;

  std::string file_;
  sqlite3* db_ = nullptr;
};

// A statement of SQL, prepared once and run many times: bound, stepped through, reset.
class Query {
 public:
  Query(Database& database, std::string_view sql);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // The bytes must live until the statement is reset.
  void bind(int place, std::string_view text);
  void bind(int place, std::int64_t number);
  void bind(int place, double number);
  void bind(int place, std::span<const std::byte> bytes);
  bool step();  // there is a row
  void reset();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  std::span<const std::byte> bytes(int column) const;  // until the next step

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace epsilary::experiments
