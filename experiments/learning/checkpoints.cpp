#include "experiments/learning/checkpoints.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>

#include "experiments/sweep/checksum.hpp"

namespace epsilary::learning {
namespace {

using experiments::Checksum;
using experiments::Query;

constexpr experiments::Layout layout{.version = 101,  // the journals of sweeps count from 1
                                     .tables = R"(CREATE TABLE mark(
  training TEXT, sigma TEXT, seed INTEGER, round INTEGER, accuracy REAL, loss REAL, checksum INTEGER,
  PRIMARY KEY(training, sigma, seed, round)) WITHOUT ROWID;
CREATE TABLE parameters(
  training TEXT, sigma TEXT, seed INTEGER, round INTEGER, theta BLOB, checksum INTEGER,
  PRIMARY KEY(training, sigma, seed)) WITHOUT ROWID;)",
                                     .other_version = "is a journal, but not one of training",
                                     .other_tables = "has other tables than a journal of training"};

// A bit that flipped on the disk must not become a result.
std::int64_t checksum(const RunName& run, std::uint32_t round, std::span<const std::byte> bytes) {
  const std::string key = fmt::format("{} {} {} {}", run.training, run.sigma, run.seed, round);
  return static_cast<std::int64_t>(Checksum().add(key).add(bytes.data(), bytes.size()).value());
}

std::int64_t checksum(const RunName& run, const Mark& mark) {
  const double numbers[] = {mark.score.accuracy, mark.score.loss};
  return checksum(run, mark.round, std::as_bytes(std::span(numbers)));
}

void bind(Query& s, const RunName& run) {
  s.bind(1, run.training);
  s.bind(2, run.sigma);
  s.bind(3, static_cast<std::int64_t>(run.seed));
}

}  // namespace

Checkpoints::Checkpoints(const std::filesystem::path& file) {
  experiments::refuse_foreign_journal(file);
  database_ = std::make_unique<experiments::Database>(file);
  database_->prepare_file(layout);
}

Checkpoints::~Checkpoints() = default;

Checkpoint Checkpoints::find(const RunName& run) {
  Checkpoint out;
  Query marks(*database_,
              "SELECT round,accuracy,loss,checksum FROM mark WHERE training=?1 AND sigma=?2 AND seed=?3 "
              "ORDER BY round");
  bind(marks, run);
  while (marks.step()) {
    out.marks.push_back({static_cast<std::uint32_t>(marks.integer(0)), {marks.number(1), marks.number(2)}});
    if (checksum(run, out.marks.back()) != marks.integer(3)) database_->fail_damaged();
  }
  if (out.marks.empty()) return out;
  Query last(*database_, "SELECT round,theta,checksum FROM parameters WHERE training=?1 AND sigma=?2 AND seed=?3");
  bind(last, run);
  if (!last.step()) database_->fail_damaged();
  const std::span<const std::byte> bytes = last.bytes(1);
  const std::uint32_t round = out.marks.back().round;
  if (last.integer(0) != round || bytes.size() % sizeof(float) != 0 || checksum(run, round, bytes) != last.integer(2))
    database_->fail_damaged();
  out.theta.resize(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(out.theta.data(), bytes.data(), bytes.size());
  return out;
}

void Checkpoints::keep(const RunName& run, const Mark& mark, const std::vector<float>& theta) {
  database_->run("BEGIN IMMEDIATE");
  try {
    Query marks(*database_, "INSERT OR REPLACE INTO mark VALUES(?1,?2,?3,?4,?5,?6,?7)");
    bind(marks, run);
    marks.bind(4, std::int64_t{mark.round});
    marks.bind(5, mark.score.accuracy);
    marks.bind(6, mark.score.loss);
    marks.bind(7, checksum(run, mark));
    marks.step();
    Query parameters(*database_, "INSERT OR REPLACE INTO parameters VALUES(?1,?2,?3,?4,?5,?6)");
    bind(parameters, run);
    parameters.bind(4, std::int64_t{mark.round});
    const auto bytes = std::as_bytes(std::span(theta));
    parameters.bind(5, bytes);
    parameters.bind(6, checksum(run, mark.round, bytes));
    parameters.step();
    database_->run("COMMIT");
  } catch (...) {
    database_->roll_back();
    throw;
  }
}

}  // namespace epsilary::learning
