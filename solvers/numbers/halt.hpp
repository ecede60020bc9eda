// Work that somebody waits for and may have had enough of.
#pragma once

#include <atomic>

#include "solvers/numbers/work.hpp"

namespace epsilary::solvers {

// Within the scope the work of this thread ends soon after the flag is set, with Halted; none given, as before.
class Haltable {
 public:
  explicit Haltable(const std::atomic<bool>* stop) : halt_(work::halt), look_(work::look) {
    if (!stop) return;
    work::halt = stop;
    work::look = work::done;
    work::set_alarm();
  }
  ~Haltable() {
    work::halt = halt_;
    work::look = look_;
    work::set_alarm();
  }
  Haltable(const Haltable&) = delete;
  Haltable& operator=(const Haltable&) = delete;

 private:
  const std::atomic<bool>* halt_;
  double look_;
};

}  // namespace epsilary::solvers
