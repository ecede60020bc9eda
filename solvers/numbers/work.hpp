// What an evaluation may cost, counted while it is done and not by a clock: what is found depends neither on the
// machine nor on what else it does. A unit is a product of complex doubles, about five nanoseconds.
#pragma once

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

namespace epsilary::solvers {

struct OutOfWork : std::exception {
  const char* what() const noexcept override { return "the work allowed is done"; }
};

namespace work {
inline constinit thread_local double done = 0, limit = std::numeric_limits<double>::infinity();
[[noreturn]] inline void stop() { throw OutOfWork(); }
}  // namespace work

// Counts work that is done or about to be; throws OutOfWork where that is more than is allowed.
inline void spend(double units) {
  if ((work::done += units) > work::limit) [[unlikely]]
    work::stop();
}
inline double work_left() { return work::limit - work::done; }

// Within the scope this thread may do so much work, and no more than it may outside of it.
class WorkLimit {
 public:
  explicit WorkLimit(double units) : before_(work::limit) { work::limit = std::min(work::limit, work::done + units); }
  ~WorkLimit() { work::limit = before_; }
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  double before_;
};

// Within the scope nothing is refused: for the few operations that put together what was found before the work ran out.
class Unlimited {
 public:
  Unlimited() : before_(std::exchange(work::limit, std::numeric_limits<double>::infinity())) {}
  ~Unlimited() { work::limit = before_; }
  Unlimited(const Unlimited&) = delete;
  Unlimited& operator=(const Unlimited&) = delete;

 private:
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
