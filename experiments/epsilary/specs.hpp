// From the name of a spec to its table: what sweep, draw and reproduce share.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "experiments/epsilary/inside.hpp"
#include "experiments/sweep/spec.hpp"

namespace epsilary::experiments {
class Journal;
}

namespace epsilary {

// What the file holds; refuses what is no file or larger than any spec, and points to the help of the command.
std::string spec_text(const std::string& path, const std::string& command = "sweep");

// A file (.toml), or else the id of a figure.
experiments::Spec spec_named(const std::string& name, bool any_size = false);

// Every row of the spec, with the whole point in its columns: a bound that does not use a parameter is level in it.
experiments::Table compute_table(const experiments::Spec& spec, const Options& options, experiments::Journal* journal,
                                 const Watch& watch);

// Tells whoever watches how far the work is, and stops it when told to.
class Watched {
 public:
  Watched(const Watch& watch, std::size_t total);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  std::atomic<std::size_t> done{0};
  const std::atomic<bool>* stop() const { return thread_.joinable() ? &stop_ : watch_.stop; }

 private:
  void loop();

  const Watch& watch_;
  std::size_t total_;
  std::atomic<bool> stop_{false};
  bool end_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
};

}  // namespace epsilary
