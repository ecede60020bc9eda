// How far training runs are, kept in an SQLite file as they go: a run that was killed goes on from there and ends with
// the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/learning/clients.hpp"
#include "experiments/sweep/database.hpp"

namespace epsilary::learning {

// After so many rounds, on the test images.
struct Mark {
  std::uint32_t round = 0;
  Score score;
  bool operator==(const Mark& other) const {
    return round == other.round && score.accuracy == other.score.accuracy && score.loss == other.score.loss;
  }
};

// What a mark belongs to: what is trained on which data by which program, and which of its runs.
struct RunName {
  std::string training, sigma;
  std::uint64_t seed = 0;
};

struct Checkpoint {
  std::vector<Mark> marks;   // in order
  std::vector<float> theta;  // after the last of them
};

class Checkpoints {
 public:
  // Opens or makes the file. Throws experiments::BadJournal, and leaves the file as it is, when it is damaged or
  // something else.
  explicit Checkpoints(const std::filesystem::path& file);
  ~Checkpoints();

  Checkpoint find(const RunName& run);
  // On the disk when this returns, both or neither: the mark, and the parameters in place of the last ones.
  void keep(const RunName& run, const Mark& mark, const std::vector<float>& theta);

 private:
  std::unique_ptr<experiments::Database> database_;
};

}  // namespace epsilary::learning
