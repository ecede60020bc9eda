#include "experiments/sweep/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/checksum.hpp"
#include "experiments/tables/provenance.hpp"

namespace epsilary::experiments {

extern const char* const source_fingerprint;  // made by CMake from the sources that compute

namespace {

using namespace std::chrono_literals;

constexpr auto pause_between_commits = 25ms;
constexpr std::size_t most_waiting = 20'000;

constexpr Layout layout{.version = 2,
                        .tables = R"(CREATE TABLE cell(
  program TEXT, digits INTEGER, number TEXT, bound TEXT, params TEXT,
  status TEXT, value TEXT, lower TEXT, upper TEXT, certified INTEGER, within INTEGER, at TEXT, beside TEXT, note TEXT,
  checksum INTEGER,
  PRIMARY KEY(program, digits, number, bound, params)) WITHOUT ROWID;)",
                        .other_version = "is a journal of another version of epsilary",
                        .other_tables = "has other tables than a journal of epsilary"};

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

}  // namespace

std::string fingerprint() {
  const Provenance from = provenance(0);
  std::string parts = source_fingerprint;
  for (const auto& [library, version] : from.libraries) parts += " " + library + " " + version;
  return fmt::format("{}-{:016x}", from.version, Checksum().add_whole(parts).value());
}

// One connection and its statements, of the rows of one program and accuracy.
class Journal::Cells {
 public:
  Cells(const std::filesystem::path& file, const bounds::Accuracy& accuracy, std::string program)
      : database_(file), program_(std::move(program)), digits_(accuracy.digits), number_(name(accuracy.number)) {
    if (accuracy.patience != 1) program_ += fmt::format("-patience-{}", accuracy.patience);
  }

  void prepare_file() {
    database_.prepare_file(layout);
    database_.use_wal();
  }

  std::size_t count() {
    Query s(database_, "SELECT count(*) FROM cell WHERE program=?1 AND digits=?2 AND number=?3");
    bind_run(s);
    return s.step() ? static_cast<std::size_t>(s.integer(0)) : 0;
  }

  void run(const std::string& sql) { database_.run(sql); }

  bool find(Record& r) {
    if (!find_)
      find_.emplace(database_,
                    "SELECT status,value,lower,upper,certified,within,at,beside,note,checksum FROM cell "
                    "WHERE program=?1 AND digits=?2 AND number=?3 AND bound=?4 AND params=?5");
    Query& s = *find_;
    const std::string params = join(r.params);
    bind_run(s);
    s.bind(4, label(*r.bound));
    s.bind(5, params);
    if (!s.step()) return s.reset(), false;
    r.status = s.text(0);
    r.value = s.text(1);
    r.lower = s.text(2);
    r.upper = s.text(3);
    r.certified = s.integer(4) != 0;
    r.within = s.integer(5) != 0;
    const std::string at = s.text(6), beside = s.text(7);
    r.note = s.text(8);
    const std::int64_t sum = s.integer(9);
    s.reset();
    if (sum != checksum_of(r, params, at, beside)) database_.fail_damaged();
    for (const std::string* number : {&r.value, &r.lower, &r.upper})
      if (number->find_first_not_of("0123456789.e+-") != std::string::npos) database_.fail_damaged();
    r.at = split(at);
    r.beside = split(beside);
    return true;
  }

  void insert(const Record& r) {
    if (!insert_)
      insert_.emplace(database_,
                      "INSERT OR IGNORE INTO cell VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)");
    Query& s = *insert_;
    const std::string params = join(r.params), at = join(r.at), beside = join(r.beside);
    bind_run(s);
    s.bind(4, label(*r.bound));
    s.bind(5, params);
    s.bind(6, r.status);
    s.bind(7, r.value);
    s.bind(8, r.lower);
    s.bind(9, r.upper);
    s.bind(10, std::int64_t{r.certified});
    s.bind(11, std::int64_t{r.within});
    s.bind(12, at);
    s.bind(13, beside);
    s.bind(14, r.note);
    s.bind(15, checksum_of(r, params, at, beside));
    s.step();
    s.reset();
  }

 private:
  void bind_run(Query& s) const {
    s.bind(1, program_);
    s.bind(2, std::int64_t{digits_});
    s.bind(3, number_);
  }

  // A bit that flipped on the disk must not become a bound.
  std::int64_t checksum_of(const Record& r, const std::string& params, const std::string& at,
                           const std::string& beside) const {
    Checksum sum;
    sum.add_whole(program_).add_whole(std::to_string(digits_)).add_whole(number_).add_whole(label(*r.bound));
    sum.add_whole(params).add_whole(r.status).add_whole(r.value).add_whole(r.lower).add_whole(r.upper);
    sum.add_whole(r.certified ? "1" : "0").add_whole(r.within ? "1" : "0");
    sum.add_whole(at).add_whole(beside).add_whole(r.note);
    return static_cast<std::int64_t>(sum.value());
  }

  Database database_;
  std::string program_;
  int digits_;
  std::string number_;
  std::optional<Query> find_, insert_;
};

// Collects records and commits them, many at a time, from a thread of its own; where there is none to be had, from
// those that bring them.
class Journal::Writer {
 public:
  explicit Writer(std::unique_ptr<Cells> cells) : cells_(std::move(cells)) {
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
    cells_->run("BEGIN IMMEDIATE");
    for (const Record& r : batch) cells_->insert(r);
    cells_->run("COMMIT");
  }

  std::unique_ptr<Cells> cells_;
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
  auto writing = std::make_unique<Cells>(file, accuracy, program);
  writing->prepare_file();
  reading_ = std::make_unique<Cells>(file, accuracy, std::move(program));
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
