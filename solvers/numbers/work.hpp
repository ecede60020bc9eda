// What an evaluation may cost, counted while it is done and not by a clock: what is found depends neither on the
// machine nor on what else it does. A unit is a product of complex doubles, about five nanoseconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <utility>

namespace epsilary::solvers {

struct OutOfWork : std::exception {
  const char* what() const noexcept override { return "the work allowed is done"; }
};

// Somebody who waits has had enough. No std::exception: what fails takes no other with it, what is stopped stops all.
struct Halted {};

namespace work {
inline constexpr double endless = std::numeric_limits<double>::infinity();
inline constexpr double between_looks = 1e5;  // half a millisecond
inline constinit thread_local double done = 0, limit = endless;
inline constinit thread_local const std::atomic<bool>* halt = nullptr;
inline constinit thread_local double look = endless;   // where `halt` is read again
inline constinit thread_local double alarm = endless;  // the nearer of limit and look
inline void set_alarm() { alarm = std::min(limit, look); }
inline void ring() {
  if (halt && *halt) throw Halted();
  if (done > limit) throw OutOfWork();
  look = done + between_looks;
  set_alarm();
}
}  // namespace work

// Counts work that is done or about to be; throws OutOfWork where that is more than is allowed.
inline void spend(double units) {
  if ((work::done += units) > work::alarm) [[unlikely]]
    work::ring();
}
inline double work_left() { return work::limit - work::done; }

// Within the scope this thread may do so much work, and no more than it may outside of it.
class WorkLimit {
 public:
  explicit WorkLimit(double units) : before_(work::limit) {
    work::limit = std::min(work::limit, work::done + units);
    work::set_alarm();
  }
  ~WorkLimit() {
    work::limit = before_;
    work::set_alarm();
  }
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  double before_;
};

// Within the scope nothing is refused: for the few operations that put together what was found before the work ran out.
class Unlimited {
 public:
  Unlimited() : before_(std::exchange(work::limit, work::endless)) { work::set_alarm(); }
  ~Unlimited() {
    work::limit = before_;
    work::set_alarm();
  }
  Unlimited(const Unlimited&) = delete;
  Unlimited& operator=(const Unlimited&) = delete;

 private:
  double before_;
};

// Within the scope nothing is counted: for tables that a thread remembers, or what is found would depend on what else
// was asked before.
class Uncounted {
 public:
  Uncounted() : before_(work::done) {}
  ~Uncounted() {
    work::done = before_;
    work::look = std::min(work::look, work::done + work::between_looks);
    work::set_alarm();
  }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Unlimited unlimited_;
  double before_;
};

// What a tool finds with so much work; `otherwise` where that does not do.
template <class Tool, class Otherwise>
auto within_work(double units, Tool tool, Otherwise otherwise) -> decltype(tool()) {
  try {
    const WorkLimit limit(units);
    return tool();
  } catch (const OutOfWork&) {
    const Unlimited last;
    return otherwise();
  }
}

}  // namespace epsilary::solvers
