// Progress on standard error, notes, and Ctrl-C: what a long command gives the library to watch it.
#pragma once

#include <mutex>

#include "experiments/cli/command.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/progress.hpp"

namespace epsilary::cli {

class Watching {
 public:
  Watching()
      : watch_{.progress =
                   [this](std::size_t done, std::size_t total) {
                     const std::lock_guard lock(mutex_);
                     progress_.show(done, total);
                     return true;
                   },
               .stop = &stop_asked,
               .note =
                   [this](const std::string& text) {
                     const std::lock_guard lock(mutex_);
                     progress_.clear();
                     note(text);
                   }} {}
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  const epsilary::Watch& watch() const { return watch_; }

 private:
  std::mutex mutex_;
  Progress progress_;
  epsilary::Watch watch_;
};

}  // namespace epsilary::cli
