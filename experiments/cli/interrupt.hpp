// Ctrl-C: the first signal asks for an end after the cells in hand, a second one ends the program.
#pragma once

#include <atomic>

namespace epsilary::cli {

extern std::atomic<bool> stop_asked;

void stop_on_signals();

}  // namespace epsilary::cli
