#include "experiments/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto window = 5s;
constexpr int bar_width = 24;

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0), told_(Clock::now()), before_{told_, 0}, last_(before_) {}

void Progress::clear() {
  if (shown_ && terminal_) tell_as_it_is("\r\033[K");
  shown_ = false;
}

void Progress::show(std::size_t done, std::size_t total, const std::string& what, const std::string& beside) {
  const auto now = Clock::now();
  if (total != std::exchange(total_, total) || done < last_.done) before_ = last_ = {now, done};  // another work
  if (terminal_ ? done == total_ && !shown_ : now - told_ < window) return;  // a bar for what is over would only flash
  told_ = now;
  const std::string text = beside + words(done, what);
  if (terminal_) {
    const auto full = static_cast<std::size_t>(bar_width * static_cast<double>(done) / static_cast<double>(total_));
    tell_as_it_is(fmt::format("\r[{}{}] {}\033[K", std::string(full, '#'), std::string(bar_width - full, '.'), text));
  } else {
    note(text);
  }
  shown_ = true;
}

std::string Progress::words(std::size_t done, const std::string& what) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - before_.time).count();
  const double rate = static_cast<double>(done - before_.done) / std::max(seconds, 1e-3);
  if (now - last_.time >= window) before_ = std::exchange(last_, {now, done});
  const double left = static_cast<double>(total_ - done) / rate;
  return fmt::format("{} of {} {}, {}/s{}", epsilary::grouped(done), epsilary::grouped(total_), what,
                     rate >= 100 ? epsilary::grouped(static_cast<std::size_t>(rate)) : fmt::format("{:.2g}", rate),
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

}  // namespace epsilary::cli
