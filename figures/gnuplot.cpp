#include "figures/gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace figures {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close_end(ends[0]); }
  void close_write() { close_end(ends[1]); }

 private:
  static void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Runs the script; throws with what gnuplot says on its error stream when it fails.
void run_gnuplot(const std::string& script) {
  Pipe in, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY,
                                   0);  // where it draws when it cannot open the file
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  char name[] = "gnuplot", no_startup_file[] = "-d", from_stdin[] = "-";
  char* arguments[] = {name, no_startup_file, from_stdin, nullptr};
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  in.close_read();
  err.close_write();
  if (spawned != 0)
    throw std::runtime_error(std::string("gnuplot cannot be run: ") + std::strerror(spawned) +
                             " (on Debian: apt-get install gnuplot-nox)");
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  const bool fed = write_all(in.ends[1], script);
  in.close_write();
  sigaction(SIGPIPE, &before, nullptr);
  std::string said;
  char buffer[512];
  for (ssize_t n; (n = ::read(err.ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(n));
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (!fed || !WIFEXITED(state) || WEXITSTATUS(state) != 0) throw std::runtime_error("gnuplot failed: " + said);
}

}  // namespace

void draw_with_gnuplot(const Figure& f, const std::filesystem::path& out) { run_gnuplot(gnuplot_script(f, out)); }

}  // namespace figures
