// Many cells (a bound at a point), each computed once, in parallel, with the rows in order whatever the threads.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "experiments/rows/row.hpp"
#include "experiments/sweep/axis.hpp"
#include "experiments/sweep/spec.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

class Journal;

struct Cell {
  const bounds::Bound* bound = nullptr;
  bounds::Point point;
};

// The cells of a sweep by number, made on demand: ten million of them take no memory.
struct Cells {
  std::size_t size = 0;
  std::function<void(std::size_t, Cell&)> read;  // makes the given cell the one of this number
  // The first cell with the same bound and the same values of the parameters it uses; empty when no two are equal.
  std::function<std::size_t(std::size_t)> first_like = {};
  std::vector<const bounds::Bound*> bounds = {};
  std::vector<std::size_t> different = {};  // of each bound, the cells that must be computed
  std::vector<bounds::Param> params = {};   // given at some point
};

// Every bound at every point of the axes, the last axis running fastest and the bounds faster still.
Cells grid_cells(std::vector<const bounds::Bound*> bounds, const std::vector<Axis>& axes);
Cells row_cells(std::vector<Row> rows);
// One after the other; cells that are equal in two of them are computed in both.
Cells chain(std::vector<Cells> parts);

struct SweepOptions {
  int threads = 0;  // 0: every core
  Journal* journal = nullptr;
  std::atomic<std::size_t>* done = nullptr;  // counts the rows that are ready
  const std::atomic<bool>* stop = nullptr;   // set it, and the sweep throws Stopped after the cells in hand
  bounds::Asked asked = {};
  int ends = 0;  // digits, where records are to hold both ends of every number
};

// Gives the records to `out` one by one, in order.
void sweep(const Cells& cells, const bounds::Accuracy& accuracy, const SweepOptions& options,
           const std::function<void(const Record&)>& out);

std::vector<Record> sweep(std::vector<Row> rows, const bounds::Accuracy& accuracy, const SweepOptions& options = {});

// How long one thread would take, from timing a few cells of each bound.
struct Estimate {
  double seconds = 0;
  std::size_t timed = 0;
};
Estimate estimate(const Cells& cells, const bounds::Accuracy& accuracy);

}  // namespace epsilary::experiments
