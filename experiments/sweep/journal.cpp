#include "experiments/sweep/journal.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/journal_header.hpp"
#include "experiments/tables/provenance.hpp"

namespace epsilary::experiments {

extern const char* const source_fingerprint;  // made by CMake from the sources that compute

namespace {

using namespace std::chrono_literals;

constexpr int layout = 2;
constexpr int busy_ms = 60'000;
constexpr auto pause_between_commits = 25ms;
constexpr std::size_t most_waiting = 20'000;

const char* const make_table = R"(
CREATE TABLE cell(
  program TEXT, digits INTEGER, number TEXT, bound TEXT, params TEXT,
  status TEXT, value TEXT, lower TEXT, upper TEXT, certified INTEGER, within INTEGER, at TEXT, beside TEXT, note TEXT,
  checksum INTEGER,
  PRIMARY KEY(program, digits, number, bound, params)) WITHOUT ROWID;)";

std::string name(bounds::NumberType number) {
  return number == bounds::NumberType::in_double ? "double" : number == bounds::NumberType::in_mp50 ? "mp50" : "ball";
}

Pairs split(std::string_view text) {
  Pairs pairs;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    const std::size_t equals = std::min(one.find('='), one.size() - 1);
    pairs.emplace_back(one.substr(0, equals), one.substr(equals + 1));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return pairs;
}

// A statement with several forms is told apart by the number of the form.
const std::string& label(const bounds::Bound& bound) {
  static const std::map<const bounds::Bound*, std::string> labels = [] {
    std::map<const bounds::Bound*, std::string> all;
    for (const bounds::Bound* b : bounds::all()) {
      const auto forms = bounds::named(b->id);
      const auto place = std::ranges::find(forms, b) - forms.begin();
      all[b] = forms.size() == 1 ? std::string(b->id) : fmt::format("{}/{}", b->id, place + 1);
    }
    return all;
  }();
  return labels.at(&bound);
}

// A bit that flipped on the disk must not become a bound: FNV-1a over the key and the record.
std::int64_t checksum(std::initializer_list<std::string_view> texts) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::string_view text : texts) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    hash = (hash ^ 0xff) * 1099511628211u;
  }
  return static_cast<std::int64_t>(hash);
}

}  // namespace

std::string fingerprint() {
  const Provenance from = provenance(0);
  std::string parts = source_fingerprint;
  for (const auto& [library, version] : from.libraries) parts += " " + library + " " + version;
  return fmt::format("{}-{:016x}", from.version, static_cast<std::uint64_t>(checksum({parts})));
}

// One connection and its statements.
class Journal::Database {
 public:
  Database(const std::filesystem::path& file, const bounds::Accuracy& accuracy, std::string program)
      : file_(file.string()), program_(std::move(program)), digits_(accuracy.digits), number_(name(accuracy.number)) {
    if (accuracy.patience != 1) program_ += fmt::format("-patience-{}", accuracy.patience);
    const int code = sqlite3_open_v2(file_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    connection_.reset(db_);  // which is to be closed also when the file could not be opened
    if (code != SQLITE_OK) fail();
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, busy_ms);
    // The file may be somebody else's: nothing that is written in it is run.
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  }
  ~Database() { sqlite3_finalize(statement_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void prepare_file() {
    run("BEGIN IMMEDIATE");  // two processes may make the file at the same moment
    if (integer("SELECT count(*) FROM sqlite_schema") == 0)
      run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}; {}", application_id, layout, make_table));
    run("COMMIT");
    if (integer("PRAGMA user_version") != layout)
      throw BadJournal(file_ + " is a journal of another version of epsilary", "name another file with --journal FILE");
    const std::string_view table = make_table;
    if (text("SELECT group_concat(sql, ' and ') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'") !=
        table.substr(table.find("CREATE"), table.rfind(';') - table.find("CREATE")))
      throw BadJournal(file_ + " has other tables than a journal of epsilary", "name another file with --journal FILE");
    use_wal();
    // In WAL mode the system's cache holds what is committed: a killed process loses none of it.
    run("PRAGMA synchronous=NORMAL");
    if (text("PRAGMA quick_check(1)") != "ok") fail_damaged();
  }

  std::size_t count() {
    const auto count_rows = "SELECT count(*) FROM cell WHERE program=?1 AND digits=?2 AND number=?3";
    prepare(count_rows);
    bind_run();
    const auto rows = step() ? sqlite3_column_int64(statement_, 0) : 0;
    sqlite3_reset(statement_);
    return static_cast<std::size_t>(rows);
  }

  void run(const std::string& sql) {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  bool find(Record& r) {
    prepare(
        "SELECT status,value,lower,upper,certified,within,at,beside,note,checksum FROM cell "
        "WHERE program=?1 AND digits=?2 AND number=?3 AND bound=?4 AND params=?5");
    const std::string params = join(r.params);
    bind_run();
    bind(4, label(*r.bound));
    bind(5, params);
    if (!step()) return sqlite3_reset(statement_), false;
    r.status = column(0);
    r.value = column(1);
    r.lower = column(2);
    r.upper = column(3);
    r.certified = sqlite3_column_int(statement_, 4) != 0;
    r.within = sqlite3_column_int(statement_, 5) != 0;
    const std::string at = column(6), beside = column(7);
    r.note = column(8);
    const std::int64_t sum = sqlite3_column_int64(statement_, 9);
    sqlite3_reset(statement_);
    if (sum != checksum_of(r, params, at, beside)) fail_damaged();
    for (const std::string* number : {&r.value, &r.lower, &r.upper})
      if (number->find_first_not_of("0123456789.e+-") != std::string::npos) fail_damaged();
    r.at = split(at);
    r.beside = split(beside);
    return true;
  }

  void insert(const Record& r) {
    prepare("INSERT OR IGNORE INTO cell VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)");
    const std::string params = join(r.params), at = join(r.at), beside = join(r.beside);
    bind_run();
    bind(4, label(*r.bound));
    bind(5, params);
    bind(6, r.status);
    bind(7, r.value);
    bind(8, r.lower);
    bind(9, r.upper);
    sqlite3_bind_int(statement_, 10, r.certified);
    sqlite3_bind_int(statement_, 11, r.within);
    bind(12, at);
    bind(13, beside);
    bind(14, r.note);
    sqlite3_bind_int64(statement_, 15, checksum_of(r, params, at, beside));
    step();
    sqlite3_reset(statement_);
  }

  [[noreturn]] void fail() const {
    const int code = db_ ? sqlite3_extended_errcode(db_) : SQLITE_NOMEM;
    const bool has_reason = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    const int reason = has_reason ? sqlite3_system_errno(db_) : 0;
    const std::string why = !folder_problem().empty() ? folder_problem()
                            : reason                  ? std::strerror(reason)
                                                      : sqlite3_errstr(code);
    switch (code & 0xff) {
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB:
        fail_damaged();
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
  [[noreturn]] void fail_damaged() const {
    throw BadJournal(fmt::format("the journal {} is damaged and was left as it is", file_),
                     "move it away, or name another file with --journal FILE");
  }

 private:
  // Why no file can be made there, where that is so: SQLite tells only how its last attempt ended.
  std::string folder_problem() const {
    const std::filesystem::path folder = std::filesystem::absolute(file_).parent_path();
    std::error_code none;
    if (std::filesystem::exists(file_, none)) return ::access(file_.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? "" : std::strerror(errno);
  }

  void use_wal() {
    for (int attempt = 0; attempt < 200; ++attempt) {  // the switch needs the file alone and does not wait by itself
      const int code = sqlite3_exec(db_, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
      if (code == SQLITE_OK && text("PRAGMA journal_mode") == "wal") return;
      if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY) fail();
      std::this_thread::sleep_for(20ms);
    }
    fail();
  }

  void prepare(std::string_view sql) {
    if (statement_ && prepared_.data() == sql.data()) return;
    sqlite3_finalize(std::exchange(statement_, nullptr));
    if (sqlite3_prepare_v3(db_, sql.data(), -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr) != SQLITE_OK) fail();
    prepared_ = sql;
  }
  void bind(int place, std::string_view text) {
    sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }
  void bind_run() {
    bind(1, program_);
    sqlite3_bind_int(statement_, 2, digits_);
    bind(3, number_);
  }
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    fail();
  }
  std::string column(int i) const {
    const auto bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, i));
    return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, i))) : std::string{};
  }
  std::string text(std::string_view sql) {
    prepare(sql);
    std::string out = step() ? column(0) : std::string{};
    sqlite3_finalize(std::exchange(statement_, nullptr));
    return out;
  }
  int integer(std::string_view sql) { return std::atoi(text(sql).c_str()); }

  std::int64_t checksum_of(const Record& r, const std::string& params, const std::string& at,
                           const std::string& beside) const {
    return checksum({program_, std::to_string(digits_), number_, label(*r.bound), params, r.status, r.value, r.lower,
                     r.upper, r.certified ? "1" : "0", r.within ? "1" : "0", at, beside, r.note});
  }

  std::string file_, program_;
  int digits_;
  std::string number_;
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::unique_ptr<sqlite3, Close> connection_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  std::string_view prepared_;
};

// Collects records and commits them, many at a time, from a thread of its own; where there is none to be had, from
// those that bring them.
class Journal::Writer {
 public:
  explicit Writer(std::unique_ptr<Database> database) : database_(std::move(database)) {
    try {
      thread_ = std::thread([this] { loop(); });
    } catch (const std::system_error&) {
    }
  }
  ~Writer() {
    if (!thread_.joinable()) {
      try {
        commit_waiting();
      } catch (const BadJournal&) {  // told by flush() to those who asked
      }
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void keep(const Record& r) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return error_ || waiting_.size() < most_waiting; });
    if (error_) std::rethrow_exception(error_);
    waiting_.push_back(r);
    if (!thread_.joinable() && std::chrono::steady_clock::now() - committed_ > pause_between_commits) commit_waiting();
    if (waiting_.size() == 1) changed_.notify_all();
  }

  void flush() {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) return commit_waiting();
    hurry_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return error_ || (waiting_.empty() && !committing_); });
    hurry_ = false;
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::vector<Record> batch;
      batch.swap(waiting_);
      committing_ = true;
      lock.unlock();
      std::exception_ptr failed;
      try {
        commit(batch);
      } catch (...) {
        failed = std::current_exception();
      }
      lock.lock();
      committing_ = false;
      error_ = failed;
      changed_.notify_all();
      if (failed) return;
      changed_.wait_for(lock, pause_between_commits, [this] { return closing_ || hurry_; });
    }
  }

  void commit_waiting() {
    std::vector<Record> batch;
    batch.swap(waiting_);
    if (!batch.empty()) commit(batch);
    committed_ = std::chrono::steady_clock::now();
  }

  void commit(const std::vector<Record>& batch) {
    database_->run("BEGIN IMMEDIATE");
    for (const Record& r : batch) database_->insert(r);
    database_->run("COMMIT");
  }

  std::unique_ptr<Database> database_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Record> waiting_;
  bool closing_ = false, committing_ = false, hurry_ = false;
  std::exception_ptr error_;
  std::chrono::steady_clock::time_point committed_{};
  std::thread thread_;
};

Journal::Journal(const std::filesystem::path& file, const bounds::Accuracy& accuracy, std::string program) {
  refuse_foreign_journal(file);
  auto writing = std::make_unique<Database>(file, accuracy, program);
  writing->prepare_file();
  reading_ = std::make_unique<Database>(file, accuracy, std::move(program));
  rows_ = reading_->count();
  writer_ = std::make_unique<Writer>(std::move(writing));
}

Journal::~Journal() = default;

std::size_t Journal::size() const { return rows_; }

bool Journal::find(Record& record) {
  if (rows_ == 0) return false;
  const std::lock_guard lock(one_reader_);
  return reading_->find(record);
}

void Journal::keep(const Record& record) { writer_->keep(record); }

void Journal::flush() { writer_->flush(); }

}  // namespace epsilary::experiments
