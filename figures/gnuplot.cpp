#include "figures/gnuplot.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "figures/label.hpp"
#include "solvers/numbers/work.hpp"

extern char** environ;

namespace epsilary::drawing {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw Error(Problem::could_not, std::string("cannot make a pipe: ") + std::strerror(errno),
                  "free some file descriptors and try again");
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

// Feeds the script and hears what is said, both at once: whichever pipe is full, the other goes on.
struct Heard {
  bool fed;
  std::string said;
};
// Whoever waits and has had enough need not wait for gnuplot, which is then ended.
Heard feed(pid_t child, Pipe& in, Pipe& err, std::string_view script) {
  constexpr std::size_t enough = 4096;  // of what is said
  constexpr int between_looks = 100;    // milliseconds
  fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  Heard heard{true, {}};
  while (err.ends[0] >= 0) {
    pollfd ends[2] = {{err.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}};  // poll passes over -1
    const int ready = ::poll(ends, 2, between_looks);
    if (solvers::work::halt && *solvers::work::halt) ::kill(child, SIGKILL);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) break;
    if (ends[1].revents != 0) {
      const ssize_t n = ::write(in.ends[1], script.data(), script.size());
      if (n >= 0) script.remove_prefix(static_cast<std::size_t>(n));
      if (n < 0 && errno != EINTR && errno != EAGAIN) heard.fed = false;
      if (script.empty() || !heard.fed) in.close_write();
    }
    if (ends[0].revents != 0) {
      char buffer[512];
      const ssize_t n = ::read(err.ends[0], buffer, sizeof buffer);
      if (n == 0 || (n < 0 && errno != EINTR)) err.close_read();
      if (n > 0 && heard.said.size() < enough) heard.said.append(buffer, static_cast<std::size_t>(n));
    }
  }
  in.close_write();
  return heard;
}

// The environment with one time zone, which PDF writes down, and without the terminal that somebody likes to look at,
// which need not be there.
std::vector<char*> environment() {
  static char utc[] = "TZ=UTC0";
  std::vector<char*> out{utc};
  for (char** entry = environ; *entry; ++entry)
    if (const std::string_view text = *entry; !text.starts_with("TZ=") && !text.starts_with("GNUTERM="))
      out.push_back(*entry);
  out.push_back(nullptr);
  return out;
}

// Runs the script, which draws to standard output, into the file; throws with what gnuplot says on its error stream
// when it fails.
void run_gnuplot(const std::string& script, const std::filesystem::path& out) {
  Pipe in, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  char name[] = "gnuplot", no_startup_file[] = "-d", from_stdin[] = "-";
  char* arguments[] = {name, no_startup_file, from_stdin, nullptr};
  pid_t child = 0;
  posix_spawnattr_t attributes;  // whatever this program does about a dead pipe, gnuplot begins as programs do
  posix_spawnattr_init(&attributes);
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &broken_pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int spawned = posix_spawnp(&child, "gnuplot", &actions, &attributes, arguments, environment().data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  in.close_read();
  err.close_write();
  if (spawned != 0)
    throw Error(Problem::could_not, std::string("gnuplot cannot be run: ") + std::strerror(spawned),
                std::string(spawned == ENOENT ? "install it (on Debian: apt-get install gnuplot-nox); " : "") +
                    "the table is made without it: epsilary sweep");
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  const Heard heard = feed(child, in, err, script);
  sigaction(SIGPIPE, &before, nullptr);
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(state) && solvers::work::halt && *solvers::work::halt) throw solvers::Halted();
  if (!heard.fed || !WIFEXITED(state) || WEXITSTATUS(state) != 0)
    throw Error(Problem::could_not, "gnuplot failed: " + shown(heard.said),
                "write the script itself (-o FILE.gp) to see what it was given");
}

}  // namespace

void draw_with_gnuplot(const Figure& f, const std::filesystem::path& out) {
  run_gnuplot(gnuplot_script(f, out.extension().string()), out);
}

}  // namespace epsilary::drawing
