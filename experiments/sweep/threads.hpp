// How many threads there are to be had.
#pragma once

#include <functional>

namespace epsilary::experiments {

// Runs the work in an arena of so many threads (0: every core), or of as many as the system grants.
void with_threads(int threads, const std::function<void()>& work);

}  // namespace epsilary::experiments
