#include "experiments/sweep/threads.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace epsilary::experiments {
namespace {

// TBB ends the program when a thread cannot be made, so it is never asked for one too many: they are made once before,
// all at the same time. Where the system refuses, half of what it grants is taken and the rest left to others.
std::size_t granted(std::size_t wanted) {
  std::mutex mutex;
  std::condition_variable changed;
  bool end = false;
  std::size_t alive = 0;
  std::vector<std::thread> made;
  bool refused = false;
  try {
    made.reserve(wanted);
    while (made.size() + 1 < wanted) {
      std::size_t running = made.size();
      made.emplace_back([&] {
        const auto memory = std::make_unique<std::string>(100, ' ');  // of which a thread may get a share of its own
        std::unique_lock lock(mutex);
        ++alive;
        changed.notify_all();
        changed.wait(lock, [&] { return end; });
      });
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return alive > running; });
    }
  } catch (const std::system_error&) {
    refused = true;
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  {
    const std::lock_guard lock(mutex);
    end = true;
  }
  changed.notify_all();
  for (std::thread& one : made) one.join();
  return refused ? 1 + made.size() / 2 : wanted;
}

}  // namespace

void with_threads(int threads, const std::function<void()>& work) {
  namespace tbb = oneapi::tbb;
  const auto cores = static_cast<std::size_t>(tbb::info::default_concurrency());
  const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : cores;
  const std::size_t had = granted(wanted);
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                 had < wanted ? had : std::max(cores, wanted));
  tbb::task_arena arena(static_cast<int>(had));
  arena.execute(work);
}

}  // namespace epsilary::experiments
