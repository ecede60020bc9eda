// Long work beside the interpreter: its lock is released, Ctrl-C is seen, and whoever watches is told how far it is.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <epsilary/epsilary.hpp>
#include <functional>

namespace epsilary_python {

// What the work is given: a flag that is set when it should stop, and a Watch that counts for `progress`.
struct Leash {
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> done{0}, total{0};
  epsilary::Watch watch();
};

// Calls `work` without the interpreter's lock. From the main thread another thread works, while this one looks for
// signals some times a second and calls `progress` (a Python function of rows done and all rows, or None).
void run(const std::function<void(Leash&)>& work, const pybind11::object& progress);

}  // namespace epsilary_python
