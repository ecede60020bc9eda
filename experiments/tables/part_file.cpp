#include "experiments/tables/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <epsilary/epsilary.hpp>
#include <utility>

namespace epsilary {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

fs::path folder_of(const fs::path& file) { return file.parent_path().empty() ? fs::path(".") : file.parent_path(); }

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

// A process of that number may also run on another machine that shares the folder, so that only what has lain there
// for a while is taken away.
void clear_leftovers(const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code error;
  for (fs::directory_iterator it(folder_of(file), error), end; !error && it != end; it.increment(error)) {
    const std::string found = it->path().filename().string();
    if (!found.starts_with(".part-") || !found.ends_with("-" + name) || found.size() <= 7 + name.size()) continue;
    const std::string number = found.substr(6, found.size() - 7 - name.size());
    if (!is_number(number) || ::kill(static_cast<pid_t>(std::stol(number)), 0) == 0 || errno != ESRCH) continue;
    std::error_code gone;
    const auto written = fs::last_write_time(it->path(), gone);
    if (!gone && fs::file_time_type::clock::now() - written > 1min) fs::remove(it->path(), gone);
  }
}

int settle(const fs::path& file, int flags) {
  const int fd = ::open(file.c_str(), flags | O_RDONLY | O_CLOEXEC);
  const int why = fd < 0 || ::fsync(fd) != 0 ? errno : 0;
  if (fd >= 0) ::close(fd);
  return why;
}

}  // namespace

fs::path part_of(const fs::path& file) {
  clear_leftovers(file);
  return fs::path(file).replace_filename(fmt::format(".part-{}-{}", ::getpid(), file.filename().string()));
}

void replace(const fs::path& file, const fs::path& part) {
  int why = settle(part, 0);
  if (why == EINVAL) why = 0;  // a file system without such a thing
  std::error_code error;
  if (why == 0) {
    fs::rename(part, file, error);
    why = error.value();
  }
  if (why == 0) {
    settle(folder_of(file), O_DIRECTORY);  // that it has its name
    return;
  }
  fs::remove(part, error);
  refuse_writing(file, why);
}

void refuse_writing(const fs::path& file, int why) {
  std::error_code error;
  const bool is_old = fs::is_regular_file(file, error);
  const std::string kept = is_old ? "; the old file is as it was" : "";
  std::string next = "name a file in a folder that can be written";
  if (why == ENOSPC || why == EDQUOT || why == EFBIG) next = "make room and run the same command again";
  if (why == ENAMETOOLONG) next = "give it a shorter name";
  throw Error(Problem::could_not, fmt::format("cannot write {}: {}{}", file.string(), std::strerror(why), kept), next);
}

}  // namespace epsilary
