// How far a long run is, on standard error: a bar on a terminal, a line every few seconds elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace epsilary::cli {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  // `what` is counted, and `beside` comes before how far it is.
  void show(std::size_t done, std::size_t total, const std::string& what = "rows", const std::string& beside = {});
  void clear();  // takes the bar away

 private:
  using Clock = std::chrono::steady_clock;
  std::string words(std::size_t done, const std::string& what);

  std::size_t total_ = 0;
  bool terminal_, shown_ = false;
  Clock::time_point told_;
  // The rate is that of the last seconds: rows from a journal come faster than rows computed.
  struct Mark {
    Clock::time_point time;
    std::size_t done;
  };
  Mark before_, last_;
};

// 0.3 s, 12 s, 3 min 20 s, 2 h 10 min, 5 days.
std::string duration(double seconds);

}  // namespace epsilary::cli
