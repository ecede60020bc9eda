// Runs the program as a user does: arguments in, exit code and both streams out.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace cli_test {

struct Result {
  int code = -1;
  std::string out, err;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A folder of this test process, empty at the start and removed at the end.
inline const std::filesystem::path& scratch() {
  struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("epsilary-test-" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

// The arguments are shell text, as they stand in the README.
inline Result run_epsilary(const std::string& arguments, const std::string& environment = "") {
  const auto err = scratch() / "stderr";
  const std::string command = "cd '" + scratch().string() + "' && " + environment + " '" EPSILARY_EXECUTABLE "' " +
                              arguments + " 2>'" + err.string() + "' </dev/null";
  Result r;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) r.out.append(buffer, n);
  const int status = pclose(pipe);
  r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  r.err = slurp(err);
  return r;
}

}  // namespace cli_test
