#include "experiments/sweep/sweep.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <unordered_map>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/registry.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/sweep/run.hpp"
#include "experiments/sweep/threads.hpp"
#include "solvers/numbers/halt.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;
using Clock = std::chrono::steady_clock;

constexpr double chunk_seconds = 2e-4;  // the work handed to a thread at a time
constexpr std::size_t most_in_chunk = 256, most_chunks = 1 << 20;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Consecutive cells and what became of them.
struct Chunk {
  std::size_t begin = 0, end = 0, count = 0;
  std::vector<Record> records;  // the first `count` of them
  Cell cell;
};

// One run of the cells through three stages: cut into chunks, compute in parallel, give out in order.
class Sweep {
 public:
  Sweep(const Cells& cells, const Accuracy& accuracy, const SweepOptions& options,
        const std::function<void(const Record&)>& out)
      : cells_(cells), accuracy_(accuracy), options_(options), out_(out) {
    for (const Bound* b : cells.bounds)
      for (const Param p : cells.params) all_used_ = all_used_ && matters(*b, p);
  }

  void run() {
    namespace tbb = oneapi::tbb;
    with_threads(options_.threads, [&] {
      // A chunk that takes long holds up the order but not the threads: the others run ahead of it.
      tbb::parallel_pipeline(
          most_chunks,
          tbb::make_filter<void, Chunk*>(tbb::filter_mode::serial_in_order, [this](tbb::flow_control& flow) {
            return cut(flow);
          }) & tbb::make_filter<Chunk*, Chunk*>(tbb::filter_mode::parallel, [this](Chunk* chunk) {
            return compute(chunk);
          }) & tbb::make_filter<Chunk*, void>(tbb::filter_mode::serial_in_order, [this](Chunk* c) { give(c); }));
    });
    if (options_.journal) options_.journal->flush();
    if (is_stopped()) throw Stopped();
  }

 private:
  bool is_stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

  Chunk* cut(oneapi::tbb::flow_control& flow) {
    if (next_ == cells_.size || is_stopped()) {
      flow.stop();
      return nullptr;
    }
    const double wanted = chunk_seconds / std::max(cell_seconds_.load(std::memory_order_relaxed), 1e-9);
    const std::size_t count = wanted < 1               ? 1
                              : wanted > most_in_chunk ? most_in_chunk
                                                       : static_cast<std::size_t>(wanted);
    Chunk* chunk = nullptr;
    if (!free_.try_pop(chunk)) chunk = &chunks_.emplace_back();
    chunk->begin = next_;
    next_ = chunk->end = std::min(next_ + count, cells_.size);
    return chunk;
  }

  Chunk* compute(Chunk* chunk) {
    const auto start = Clock::now();
    DoubleWalk& in_double = walks_.local();
    Cell& cell = chunk->cell;
    chunk->count = 0;
    for (std::size_t i = chunk->begin; i < chunk->end && !is_stopped(); ++i) {
      if (chunk->count == chunk->records.size()) chunk->records.emplace_back();
      Record& record = chunk->records[chunk->count++];
      if (cells_.first_like && cells_.first_like(i) != i) continue;  // given from the first one
      cells_.read(i, cell);
      try {
        const solvers::Haltable haltable(options_.stop);
        make(cell, in_double, record);
      } catch (const solvers::Halted&) {
        --chunk->count;
        break;
      }
    }
    const double count = static_cast<double>(std::max<std::size_t>(chunk->count, 1));
    cell_seconds_.store(seconds_since(start) / count, std::memory_order_relaxed);
    if (options_.done) options_.done->fetch_add(chunk->count, std::memory_order_relaxed);
    return chunk;
  }

  void make(const Cell& cell, DoubleWalk& in_double, Record& record) const {
    const auto& [bound, point] = cell;
    if (options_.asked.adjacency || options_.asked.view) {
      if (const std::string other = other_question(*bound, options_.asked); !other.empty()) {
        Evaluation e;
        e.status = Status::outside;
        e.reason = other;
        return describe(*bound, point, e, accuracy_.digits, record);
      }
    }
    if (options_.journal) {
      name_cell(*bound, point, record);
      if (options_.journal->find(record)) return;
    }
    if (accuracy_.number == NumberType::in_double)
      describe(*bound, point, in_double.evaluate(*bound, point), accuracy_.digits, record);
    else
      oneapi::tbb::this_task_arena::isolate([&] {  // as rows are run
        const Evaluation e = evaluated([&] { return evaluate(*bound, point, accuracy_); });
        if (options_.ends > 0)
          describe_ends(*bound, point, e, options_.ends, record);
        else
          describe(*bound, point, e, accuracy_.digits, record);
      });
    if (options_.journal) options_.journal->keep(record);
  }

  void give(Chunk* chunk) {
    for (std::size_t k = 0; k < chunk->count; ++k) {
      const std::size_t i = chunk->begin + k;
      if (!cells_.first_like) {
        give_whole(i, chunk->records[k]);
        continue;
      }
      const std::size_t first = cells_.first_like(i);
      if (first == i) first_[i] = chunk->records[k];
      give_whole(i, first_.at(first));
    }
    free_.push(chunk);
  }

  // With every parameter of its point, also those its bound does not use.
  void give_whole(std::size_t i, Record& record) {
    judge(options_.asked, record);
    if (all_used_) return out_(record);
    cells_.read(i, cell_);
    whole_ = record;
    name_point(cell_.point, whole_);
    out_(whole_);
  }

  const Cells& cells_;
  const Accuracy& accuracy_;
  const SweepOptions& options_;
  const std::function<void(const Record&)>& out_;
  bool all_used_ = true;
  Cell cell_;
  Record whole_;
  std::size_t next_ = 0;
  std::atomic<double> cell_seconds_{chunk_seconds};
  std::unordered_map<std::size_t, Record> first_;
  std::deque<Chunk> chunks_;  // used again and again: their records keep their memory
  oneapi::tbb::concurrent_queue<Chunk*> free_;
  oneapi::tbb::enumerable_thread_specific<DoubleWalk> walks_;
};

// One axis of a grid: how many cells lie between two of its values, and the values themselves.
struct Lane {
  Param param;
  std::size_t stride;
  std::vector<Point::Shared> values;
};

}  // namespace

Cells grid_cells(std::vector<const Bound*> bounds, const std::vector<Axis>& axes) {
  Cells cells{.size = grid_size(axes) * bounds.size(), .bounds = bounds};
  std::vector<Lane> lanes;
  std::size_t stride = bounds.size();
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    cells.params.push_back(axis->param);
    if (!is_number(axis->param)) continue;
    lanes.push_back({axis->param, stride, {}});
    for (const Decimal& x : axis->values) lanes.back().values.push_back(std::make_shared<const Decimal>(x));
    stride *= axis->values.size();
  }
  cells.read = [bounds, lanes, first = first_point(axes)](std::size_t i, Cell& cell) {
    cell.bound = bounds[i % bounds.size()];
    if (cell.point.given().empty()) cell.point = first;
    for (const Lane& lane : lanes) {
      const Point::Shared& value = lane.values[i / lane.stride % lane.values.size()];
      if (&cell.point[lane.param] != value.get()) cell.point.set(lane.param, value);
    }
  };
  for (const Bound* b : bounds) {
    cells.different.push_back(1);
    for (const Lane& lane : lanes)
      if (matters(*b, lane.param)) cells.different.back() *= lane.values.size();
  }
  const auto is_idle = [](const Bound* b, const Lane& lane) {
    return lane.values.size() > 1 && !matters(*b, lane.param);
  };
  if (std::ranges::any_of(bounds, [&](const Bound* b) {
        return std::ranges::any_of(lanes, [&](const Lane& lane) { return is_idle(b, lane); });
      }))
    cells.first_like = [bounds, lanes, is_idle](std::size_t i) {
      std::size_t first = i;
      for (const Lane& lane : lanes)
        if (is_idle(bounds[i % bounds.size()], lane)) first -= i / lane.stride % lane.values.size() * lane.stride;
      return first;
    };
  return cells;
}

Cells row_cells(std::vector<Row> rows) {
  Cells cells{.size = rows.size()};
  std::vector<std::size_t> first(rows.size());
  std::unordered_map<std::string, std::size_t> seen;
  bool any = false;
  Record cell;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [bound, point, evaluation, asked] = rows[i];
    const auto place = static_cast<std::size_t>(std::ranges::find(cells.bounds, bound) - cells.bounds.begin());
    if (place == cells.bounds.size()) {
      cells.bounds.push_back(bound);
      cells.different.push_back(0);
    }
    for (const auto& given : point.given())
      if (!std::ranges::count(cells.params, given.param)) cells.params.push_back(given.param);
    for (const Param p : {Param::steps, Param::randomizer})
      if (point.has(p) && !std::ranges::count(cells.params, p)) cells.params.push_back(p);
    std::string key = fmt::format("{}", static_cast<const void*>(bound));
    name_cell(*bound, point, cell);
    for (const auto& [name, value] : cell.params) key.append(" ").append(name).append("=").append(value);
    first[i] = seen.try_emplace(std::move(key), i).first->second;
    cells.different[place] += first[i] == i;
    any = any || first[i] != i;
  }
  if (any) cells.first_like = [first = std::move(first)](std::size_t i) { return first[i]; };
  cells.read = [rows = std::move(rows)](std::size_t i, Cell& out) { out = {rows[i].bound, rows[i].point}; };
  return cells;
}

Cells chain(std::vector<Cells> parts) {
  Cells all;
  std::vector<std::size_t> begins;
  bool any = false;
  for (const Cells& part : parts) {
    begins.push_back(all.size);
    all.size += part.size;
    any = any || part.first_like;
    for (std::size_t b = 0; b < part.bounds.size(); ++b) {
      const auto place = static_cast<std::size_t>(std::ranges::find(all.bounds, part.bounds[b]) - all.bounds.begin());
      if (place == all.bounds.size()) {
        all.bounds.push_back(part.bounds[b]);
        all.different.push_back(0);
      }
      all.different[place] += part.different[b];
    }
    for (const Param p : part.params)
      if (!std::ranges::count(all.params, p)) all.params.push_back(p);
  }
  const auto place_of = [begins](std::size_t i) {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, i) - begins.begin()) - 1;
  };
  const auto shared = std::make_shared<const std::vector<Cells>>(std::move(parts));
  all.read = [=](std::size_t i, Cell& out) {
    out.point = {};  // of another part, perhaps
    (*shared)[place_of(i)].read(i - begins[place_of(i)], out);
  };
  if (any)
    all.first_like = [=](std::size_t i) {
      const std::size_t part = place_of(i);
      const auto& first = (*shared)[part].first_like;
      return first ? begins[part] + first(i - begins[part]) : i;
    };
  return all;
}

void sweep(const Cells& cells, const Accuracy& accuracy, const SweepOptions& options,
           const std::function<void(const Record&)>& out) {
  Sweep(cells, accuracy, options, out).run();
}

std::vector<Record> sweep(std::vector<Row> rows, const Accuracy& accuracy, const SweepOptions& options) {
  std::vector<Record> records;
  records.reserve(rows.size());
  sweep(row_cells(std::move(rows)), accuracy, options, [&](const Record& r) { records.push_back(r); });
  return records;
}

Estimate estimate(const Cells& cells, const Accuracy& accuracy) {
  constexpr std::size_t samples = 64;  // spread over the grid, the bounds in turn
  constexpr double patience = 3;
  const auto start = Clock::now();
  const std::size_t bounds = cells.bounds.size();
  std::map<const Bound*, std::pair<double, double>> spent;  // seconds, cells
  Estimate total;
  for (std::size_t k = 0; k < samples && seconds_since(start) < patience; ++k, ++total.timed) {
    const double place = static_cast<double>(k * 37 % samples) / samples * static_cast<double>(cells.size);
    const std::size_t point = static_cast<std::size_t>(place) / bounds;
    Cell cell;
    Record record;
    cells.read(std::min(point * bounds + k % bounds, cells.size - 1), cell);
    const auto before = Clock::now();
    describe(*cell.bound, cell.point, evaluated([&] { return evaluate(*cell.bound, cell.point, accuracy); }),
             accuracy.digits, record);
    spent[cell.bound].first += seconds_since(before);
    spent[cell.bound].second += 1;
  }
  const double mean = seconds_since(start) / static_cast<double>(std::max<std::size_t>(total.timed, 1));
  for (std::size_t b = 0; b < bounds; ++b) {
    const auto it = spent.find(cells.bounds[b]);
    total.seconds +=
        static_cast<double>(cells.different[b]) * (it == spent.end() ? mean : it->second.first / it->second.second);
  }
  return total;
}

}  // namespace epsilary::experiments
