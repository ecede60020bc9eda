// The parameters every statement draws from: one meaning each.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "solvers/search/invert.hpp"

namespace epsilary::bounds {

enum class Param : unsigned char {
  eps0,
  delta0,
  delta,
  delta1,
  delta2,
  beta,
  n,
  m,
  p0,
  gamma,
  T,
  lambda,
  Delta,
  sigma,
  multiplier,
  noise,
  mu,
  epochs,
  batch,
  group,
  eps,
  w,
  q,
  clients,
  records,
  per_round,
  dim,
  norm,
  radius,
  lipschitz,
  smooth,
  bits,
  load,
  a,
  b,
  k,
  share,
  samples,
  gradient,
  square,
  rdp,
  quorum,
  dropout,
  alpha,
  rho,
  omega,
  t,
  sigma_hat,
  steps,
  randomizer,
};
inline constexpr std::size_t param_count = static_cast<std::size_t>(Param::randomizer) + 1;

// The values a parameter may ever take, in words and as a predicate.
struct Domain {
  std::string_view words;  // with the key in place of #
  bool (*holds)(const solvers::Rational&);
  solvers::Range (*range)();
};

struct ParamInfo {
  Param param;
  std::string_view key;      // what the user types and the tables say
  std::string_view meaning;  // one line
  const Domain& domain;
  std::string_view example;
  std::string_view unit = "";  // what it is measured in, where that may be mistaken
};

// Not a number: a sequence of them, or a randomizer. A Point holds these apart.
inline bool is_number(Param p) { return p != Param::steps && p != Param::randomizer; }

const std::array<ParamInfo, param_count>& params();
const ParamInfo& info(Param p);
inline std::string_view key(Param p) { return info(p).key; }
std::optional<Param> param_named(std::string_view key);

// The domain's words about this parameter: "0 < delta < 1".
std::string rule(const ParamInfo& info);
// The same as a sentence: "delta must satisfy 0 < delta < 1", "m must be an integer >= 1".
std::string requirement(const ParamInfo& info);

}  // namespace epsilary::bounds
