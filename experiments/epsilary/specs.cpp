#include "experiments/epsilary/specs.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "experiments/learning/results.hpp"
#include "experiments/sweep/catalogue.hpp"
#include "experiments/sweep/sweep.hpp"

namespace epsilary {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using experiments::Spec;

constexpr std::uintmax_t largest_spec = 64 << 20;

}  // namespace

std::string spec_text(const std::string& path, const std::string& command) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Problem::could_not, fmt::format("cannot read {}: {}", path, why),
                fmt::format("see: epsilary {} --help", command));
  };
  std::error_code error;
  if (!fs::exists(path, error)) refuse(std::strerror(ENOENT));
  if (!fs::is_regular_file(path, error)) refuse("it is not a file");
  if (fs::file_size(path, error) > largest_spec) refuse("it is larger than any spec");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Spec spec_named(const std::string& name, bool any_size) {
  std::error_code unknown;
  if (name.ends_with(".toml") || name.find('/') != std::string::npos || fs::exists(name, unknown))
    return experiments::parse_spec(spec_text(name), name, any_size);
  std::vector<std::string> ids;
  for (const Spec& spec : experiments::catalogue()) {
    if (spec.id == name) return spec;
    ids.push_back(spec.id);
  }
  throw Error(Problem::usage,
              fmt::format("'{}' is neither a spec file (.toml) nor a figure{}", name, did_you_mean(name, ids)),
              "see: epsilary list figures");
}

experiments::Table compute_table(const Spec& spec, const Options& options, experiments::Journal* journal,
                                 const Watch& watch) {
  if (!spec.results.empty()) return learning::stored_table(spec.results);
  refuse_too_many(evaluations_of(spec));
  const std::vector<experiments::Row> rows = experiments::rows_of(spec);
  std::vector<const bounds::Bound*> drawn;
  for (const experiments::Row& row : rows) drawn.push_back(row.bound);
  Watched watched(watch, rows.size());
  return experiments::to_table(to_results(experiments::sweep(
      rows, accuracy_of(options),
      {options.threads, journal, &watched.done, watched.stop(), asked_by(drawn, asked_of(options))})));
}

Watched::Watched(const Watch& watch, std::size_t total) : watch_(watch), total_(total) {
  if (!watch.progress) return;
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {  // no thread to be had: the work goes on unseen
  }
}

Watched::~Watched() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watched::loop() {
  std::unique_lock lock(mutex_);
  for (int turn = 1; !ended_.wait_for(lock, 20ms, [this] { return end_; }); ++turn) {
    if (watch_.stop && *watch_.stop) stop_ = true;
    if (turn % 10 == 0 && !watch_.progress(done.load(std::memory_order_relaxed), total_)) stop_ = true;
  }
  watch_.progress(done.load(std::memory_order_relaxed), total_);  // once also for what ended sooner
}

}  // namespace epsilary
