#include "experiments/cli/draw_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "experiments/catalogue.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/progress.hpp"
#include "experiments/similar.hpp"
#include "experiments/sweep.hpp"

namespace epsilary::cli {
namespace {

namespace fs = std::filesystem;
using experiments::Spec;

constexpr std::uintmax_t largest_spec = 64 << 20;

Spec spec_in_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw Refusal(could_not, fmt::format("cannot read {}: {}", path, why), "see: epsilary sweep --help");
  };
  std::error_code error;
  if (!fs::exists(path, error)) refuse(std::strerror(ENOENT));
  if (!fs::is_regular_file(path, error)) refuse("it is not a file");
  if (fs::file_size(path, error) > largest_spec) refuse("it is larger than any spec");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  try {
    return experiments::parse_spec(text.str(), path);
  } catch (const experiments::BadSpec& bad) {
    throw Refusal(usage, bad.what(), "correct the spec; see: epsilary sweep --help");
  }
}

}  // namespace

Spec spec_named(const std::string& name) {
  if (name.ends_with(".toml") || name.find('/') != std::string::npos || fs::exists(name)) return spec_in_file(name);
  std::vector<std::string> ids;
  for (const Spec& spec : experiments::catalogue()) {
    if (spec.id == name) return spec;
    ids.push_back(spec.id);
  }
  const auto close = experiments::similar(name, ids);
  throw Refusal(usage,
                fmt::format("'{}' is neither a spec file (.toml) nor a figure{}", name,
                            close.empty() ? "" : "; did you mean " + close.front() + "?"),
                "see: epsilary list figures");
}

std::size_t evaluations_of(const Spec& spec) {
  std::size_t sum = 0;
  for (const experiments::Grid& grid : spec.sweeps) sum += experiments::grid_size(grid.axes) * grid.bounds.size();
  return sum;
}

experiments::Table compute_table(const Spec& spec, const Options& options, experiments::Journal* journal) {
  refuse_too_many(evaluations_of(spec));
  const std::vector<experiments::Row> rows = experiments::rows_of(spec);
  std::atomic<std::size_t> ready{0};
  std::vector<experiments::Record> records;
  {
    const Progress progress(ready, rows.size());
    std::vector<const bounds::Bound*> drawn;
    for (const experiments::Row& row : rows) drawn.push_back(row.bound);
    records = experiments::sweep(rows, accuracy(options),
                                 {options.threads, journal, &ready, &stop_asked, asked_by(drawn, asked(options))});
  }
  return to_table(records);
}

drawing::Backend backend_given(const std::string& name) {
  const auto backend = drawing::backend_named(name);
  if (!backend) throw Refusal(usage, fmt::format("unknown backend '{}'", name), "choose gnuplot or matplotpp");
  if (*backend == drawing::Backend::matplotpp && !drawing::has_matplotpp())
    throw Refusal(could_not, "this program was built without Matplot++",
                  "install Matplot++ where CMake finds it and build again, or use the default backend, gnuplot");
  return *backend;
}

}  // namespace epsilary::cli
