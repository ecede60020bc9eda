#include "figures/gnuplot.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace figures {
namespace {

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

// Labels are in gnuplot's enhanced mode: ε_0 and 10^3 come out as people write them.
std::string enhanced(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '^' || c == '_') && i + 1 < text.size() && text[i + 1] != '{') {
      std::size_t end = i + 1;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0)) ++end;
      out += c + ("{" + std::string(text.substr(i + 1, end - i - 1)) + "}");
      i = end - 1;
    } else if (c == '@' || c == '&' || c == '~') {
      out += std::string("\\") + c;
    } else {
      out += c;
    }
  }
  return single_quoted(out);
}

std::string terminal(const Figure& f, const std::string& extension) {
  const std::string size = std::to_string(f.width) + "," + std::to_string(f.height);
  if (extension == ".svg")
    return "set terminal svg size " + size + " enhanced font 'DejaVu Sans,13' background rgb 'white'\n";
  if (extension == ".png") return "set terminal pngcairo size " + size + " enhanced font 'DejaVu Sans,11'\n";
  if (extension == ".pdf") return "set terminal pdfcairo size 8.6in,5in enhanced font 'DejaVu Sans,13'\n";
  throw std::runtime_error("'" + extension + "' is not a figure format; use .svg, .png or .pdf");
}

void add_axis(std::string& s, char name, const Axis& a) {
  s += std::string("set ") + name + "label " + enhanced(a.label) + "\n";
  if (a.logarithmic) s += std::string("set logscale ") + name + "\nset format " + name + " '10^{%T}'\n";
  if (!a.from.empty() || !a.to.empty()) s += std::string("set ") + name + "range [" + a.from + ":" + a.to + "]\n";
}

const char* dash_type(Dash d) { return d == Dash::solid ? "1" : d == Dash::dashed ? "(12,6)" : "(3,4)"; }

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
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);  // where it draws when it cannot open the file
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

std::string gnuplot_script(const Figure& f, const std::filesystem::path& out) {
  std::string s = "reset session\nset encoding utf8\n";
  s += terminal(f, out.extension().string());
  s += "set output " + single_quoted(out.string()) + "\n";
  add_axis(s, 'x', f.x);
  add_axis(s, 'y', f.y);
  s += "set grid lc rgb '#dddddd' lt 1\nset border 3\nset tics nomirror\n";
  s += "set key outside right center vertical Left reverse samplen 2.5 spacing 1.25\n";  // beside the data
  // A curve is two data blocks: where it says something, and, faded, where it does not.
  for (std::size_t i = 0; i < f.curves.size(); ++i)
    for (const bool faded : {false, true}) {
      const Curve& c = f.curves[i];
      s += "$curve" + std::to_string(i) + (faded ? "f" : "") + " << EOD\n";
      for (std::size_t k = 0; k < c.x.size(); ++k) {
        // A faded stretch begins at the last useful point, so that the curve has no gap.
        const bool joint = faded && !c.faded[k] && k + 1 < c.x.size() && c.faded[k + 1];
        s += c.faded[k] == faded || joint ? c.x[k] + " " + c.y[k] + "\n" : "\n";
      }
      s += "EOD\n";
    }
  s += "plot ";
  bool first = true;
  for (const bool faded : {true, false})
    for (std::size_t i = 0; i < f.curves.size(); ++i) {
      const Curve& c = f.curves[i];
      bool any = false;
      for (const bool x : c.faded) any |= x == faded;
      if (!any) continue;
      s += first ? "" : ", \\\n  ";
      first = false;
      s += "$curve" + std::to_string(i) + (faded ? "f" : "") + " using 1:2 with lines lc rgb '" +
           (faded ? "#C0" + c.color.substr(1) : c.color) + "' dt " + dash_type(c.dash) + " lw " +
           std::to_string(static_cast<int>(c.width)) + (faded ? " notitle" : " title " + enhanced(c.label));
    }
  return s + "\nunset output\n";
}

void draw(const Figure& f, const std::filesystem::path& out) {
  std::filesystem::path part = out;
  part.replace_filename(".part-" + out.filename().string());  // keeps the extension, which chooses the terminal
  try {
    run_gnuplot(gnuplot_script(f, part));
    if (!std::filesystem::exists(part)) throw std::runtime_error("gnuplot wrote nothing to " + part.string());
    std::filesystem::rename(part, out);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

}  // namespace figures
