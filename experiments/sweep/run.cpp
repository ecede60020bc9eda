#include "experiments/sweep/run.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "experiments/sweep/threads.hpp"
#include "solvers/numbers/halt.hpp"

namespace epsilary::experiments {

void run(std::vector<Row>& rows, const bounds::Accuracy& accuracy, int threads, const Running& running) {
  const auto evaluate = [&](std::size_t i) {
    if (running.stop && *running.stop) throw solvers::Halted();
    const solvers::Haltable haltable(running.stop);
    const bounds::Question question{rows[i].point, rows[i].asked};
    // Isolated: a thread that waited inside would take up another row, at the precision of this one.
    tbb::this_task_arena::isolate([&] {
      const solvers::WorkLimit limit(running.work);
      rows[i].evaluation = evaluated([&] { return bounds::evaluate(*rows[i].bound, question, accuracy); });
    });
    if (running.done) running.done->fetch_add(1, std::memory_order_relaxed);
  };
  if (threads == 1 || rows.size() < 16) {  // starting threads costs more than this
    for (std::size_t i = 0; i < rows.size(); ++i) evaluate(i);
    return;
  }
  with_threads(threads, [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, rows.size(), 8),
        [&](const auto& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) evaluate(i);
        },
        tbb::simple_partitioner{});
  });
}

}  // namespace epsilary::experiments
