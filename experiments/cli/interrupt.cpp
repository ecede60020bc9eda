#include "experiments/cli/interrupt.hpp"

#include <csignal>

namespace epsilary::cli {

std::atomic<bool> stop_asked{false};

void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
}

}  // namespace epsilary::cli
