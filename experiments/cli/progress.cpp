#include "experiments/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto window = 5s;
constexpr int bar_width = 24;

}  // namespace

Progress::Progress(const std::atomic<std::size_t>& done, std::size_t total)
    : done_(done), total_(total), terminal_(isatty(STDERR_FILENO) != 0), before_{Clock::now(), 0}, last_(before_) {
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {  // no thread to be had: the work goes on unseen
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (shown_ && terminal_) tell("\r\033[K");
}

void Progress::loop() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(window),
                          [this] { return end_; })) {
    const std::size_t done = done_.load(std::memory_order_relaxed);
    const std::string text = words(done);
    if (terminal_) {
      const auto full = static_cast<std::size_t>(bar_width * static_cast<double>(done) / static_cast<double>(total_));
      tell(fmt::format("\r[{}{}] {}\033[K", std::string(full, '#'), std::string(bar_width - full, '.'), text));
    } else {
      note(text);
    }
    shown_ = true;
  }
}

std::string Progress::words(std::size_t done) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - before_.time).count();
  const double rate = static_cast<double>(done - before_.done) / std::max(seconds, 1e-3);
  if (now - last_.time >= window) before_ = std::exchange(last_, {now, done});
  const double left = static_cast<double>(total_ - done) / rate;
  return fmt::format("{} of {} rows, {}/s{}", grouped(done), grouped(total_),
                     rate >= 100 ? grouped(static_cast<std::size_t>(rate)) : fmt::format("{:.2g}", rate),
                     rate > 0 ? ", " + duration(left) + " left" : "");
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  const double minutes = std::floor(seconds / 60), hours = std::floor(minutes / 60);
  if (hours < 1) return fmt::format("{:.0f} min {:.0f} s", minutes, std::floor(seconds - 60 * minutes));
  if (hours < 48) return fmt::format("{:.0f} h {:.0f} min", hours, minutes - 60 * hours);
  return fmt::format("{:.0f} days", seconds / 86400);
}

std::string grouped(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

}  // namespace epsilary::cli
