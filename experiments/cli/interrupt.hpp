// Ctrl-C: the first signal asks for an end after the cells in hand, a second one ends the program.
#pragma once

#include <atomic>

namespace cli {

extern std::atomic<bool> stop_asked;

void stop_on_signals();

}  // namespace cli
