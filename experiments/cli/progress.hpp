// How far a long run is, on standard error: a bar on a terminal, a line every few seconds elsewhere.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace epsilary::cli {

class Progress {
 public:
  Progress(const std::atomic<std::size_t>& done, std::size_t total);
  ~Progress();  // takes the bar away

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  std::string words(std::size_t done);

  const std::atomic<std::size_t>& done_;
  std::size_t total_;
  bool terminal_, shown_ = false;
  // The rate is that of the last seconds: rows from a journal come faster than rows computed.
  struct Mark {
    Clock::time_point time;
    std::size_t done;
  };
  Mark before_, last_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

// 0.3 s, 12 s, 3 min 20 s, 2 h 10 min, 5 days.
std::string duration(double seconds);

// Grouped for reading: 12 345 678.
std::string grouped(std::size_t count);

}  // namespace epsilary::cli
