// A training run as data: which algorithm on which network, with how many clients, how their reports are protected,
// for how long, and by which statements its privacy is told. TOML, numbers as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/learning/network.hpp"

namespace epsilary::learning {

enum class Algorithm {
  sgd,                  // random batches, nothing protected
  cldp_sgd,             // Girgis et al. 2021, Algorithm 1, with R_infinity
  shuffled_checkin,     // Self check-in 2022: who checks in reports, and every report is seen
  distributed_checkin,  // the same, and only the sum is seen
  checkin_fixed,        // Balle et al. 2020, A_fix, A_avg, A_sldw
  checkin_averaged,
  checkin_sliding,
};

enum class Clip { none, scaling, coordinate };
enum class Report { gaussian, half_space };  // noise on the gradient; a random direction on its side (LDP-SGD)

// The learning rate of the rounds after `after`.
struct Rate {
  std::uint32_t after = 0;
  double rate = 0;
};

// A statement that tells epsilon, with parameters beyond those of the run: share = "0.5".
struct Accountant {
  std::string bound;
  std::vector<std::pair<std::string, std::string>> parameters;
};

struct TrainingSpec {
  std::string id, source, caption, file;
  Algorithm algorithm = Algorithm::sgd;
  Network network;
  std::uint32_t clients = 0;    // more than there are images: each has one drawn with replacement
  std::uint32_t per_round = 0;  // of cldp-sgd and sgd
  double gamma = 0;             // of the check-ins to rounds
  std::uint32_t slots = 0;      // of random check-ins
  double p0 = 1;
  Clip clip = Clip::none;
  double limit = 0;  // of the greatest coordinate for cldp-sgd, of the Euclidean norm else
  Report report = Report::gaussian;
  std::string eps0, delta0, delta;      // as written
  std::vector<std::string> sigmas;      // over twice the limit, one run each; one empty text where there is no noise
  std::vector<Rate> rates;              // the first is after 0
  std::uint32_t rounds = 0, every = 0;  // how many, and after how many of them the test images are looked at
  std::uint32_t seeds = 1;              // 1, 2, ..., so many
  std::vector<Accountant> accountants;

  double rate(std::uint32_t round) const;  // rounds count from 1
};

// Throws experiments::BadSpec with file, line, key and rule.
TrainingSpec parse_training_spec(std::string_view toml, std::string_view file);

// Those that ship with the program.
const std::vector<TrainingSpec>& training_specs();

// What the run says of itself to a statement after T rounds with this sigma.
std::vector<std::pair<std::string, std::string>> account_of(const TrainingSpec& spec, const std::string& sigma,
                                                            std::uint32_t T);

}  // namespace epsilary::learning
