#include "bounds/core/param.hpp"

namespace epsilary::bounds {
namespace {

using solvers::Range;
using solvers::Rational;

const Domain positive{"# > 0", [](const Rational& x) { return x > 0; }, [] { return Range{}; }};
const Domain nonnegative{"# >= 0", [](const Rational& x) { return x >= 0; },
                         [] { return Range{.low_included = true}; }};
// A randomizer that says nothing; a search looks for one that does.
const Domain local{"# >= 0", [](const Rational& x) { return x >= 0; }, [] { return Range{}; }};
const Domain above_one{"# > 1", [](const Rational& x) { return x > 1; }, [] { return Range{.low = 1}; }};
const Domain at_least_one{"# >= 1", [](const Rational& x) { return x >= 1; },
                          [] { return Range{.low = 1, .low_included = true}; }};
const Domain open_unit{"0 < # < 1", [](const Rational& x) { return x > 0 && x < 1; },
                       [] { return Range{.high = Rational(1)}; }};
const Domain half_open_unit{"0 <= # < 1", [](const Rational& x) { return x >= 0 && x < 1; },
                            [] { return Range{.high = Rational(1), .low_included = true}; }};
const Domain closed_unit{"0 <= # <= 1", [](const Rational& x) { return x >= 0 && x <= 1; },
                         [] { return Range{.high = Rational(1), .low_included = true, .high_included = true}; }};
const Domain at_least_two{"# is an integer >= 2", [](const Rational& x) { return is_integer(x) && x >= 2; },
                          [] { return Range{.low = 2, .low_included = true, .integer = true}; }};
const Domain counting{"# is an integer >= 1", [](const Rational& x) { return is_integer(x) && x >= 1; },
                      [] { return Range{.low = 1, .low_included = true, .integer = true}; }};
// Rounds may be none; a search begins at one.
const Domain rounds{"# is an integer >= 0", [](const Rational& x) { return is_integer(x) && x >= 0; },
                    [] { return Range{.low = 1, .low_included = true, .integer = true}; }};

const Domain a_randomizer{
    "# is krr:K, subset:K,D, hadamard:K, rappor:K, oue:K, hash:G, rinf, laplace, gauss:SIGMA,T, variation:P,Q,B, a "
    "matrix 3/4,1/4;1/4,3/4 or a file",
    [](const Rational&) { return true; }, [] { return Range{}; }};

constexpr std::string_view over_change =
    "over the largest change between neighbours: twice the clipping norm when a record is replaced, the clipping norm "
    "when it is removed";
constexpr std::string_view over_norm = "over the clipping norm, the largest norm of one contribution";
constexpr std::string_view of_gradient = "in the unit of the gradients, as lipschitz";

}  // namespace

const std::array<ParamInfo, param_count>& params() {
  using enum Param;
  static const std::array<ParamInfo, param_count> all{{
      {eps0, "eps0", "epsilon of one local randomizer, or of one composed mechanism", local, "0.5"},
      {delta0, "delta0", "delta of one local randomizer, or of one composed mechanism", half_open_unit, "1e-30"},
      {delta, "delta", "failure probability of the guarantee", open_unit, "1e-6"},
      {delta1, "delta1", "distance to a pure randomizer that an approximate one may have", open_unit, "1e-20"},
      {delta2, "delta2", "probability that the loads of the bins exceed their bound", open_unit, "1e-6"},
      {beta, "beta", "failure probability of one repetition", open_unit, "1e-9"},
      {n, "n", "number of users", counting, "1000000"},
      {m, "m", "number of check-in slots", counting, "1000"},
      {p0, "p0", "probability that a user checks in at all", closed_unit, "0.1"},
      {gamma, "gamma", "probability that a user checks in to one round", closed_unit, "0.001"},
      {T, "T", "number of rounds, or of composed mechanisms", rounds, "100"},
      {lambda, "lambda", "order of the Renyi divergence", above_one, "8"},
      {Delta, "Delta", "relative deviation of the number of check-ins allowed for", closed_unit, "0.5"},
      {sigma, "sigma", "standard deviation of the Gaussian noise", positive, "1", over_change},
      {multiplier, "multiplier", "noise multiplier: standard deviation of the Gaussian noise", positive, "1",
       over_norm},
      {noise, "noise", "standard deviation of the noise on each coordinate of a gradient", positive, "1", of_gradient},
      {mu, "mu", "parameter of Gaussian differential privacy", positive, "1"},
      {epochs, "epochs", "passes over the data", positive, "10"},
      {batch, "batch", "records in one step of DP-SGD", counting, "256"},
      {group, "group", "size of the group protected", counting, "2"},
      {eps, "eps", "epsilon at which delta is asked for", nonnegative, "0.1"},
      {w, "w", "largest probability that a slot is given to the user who chose it", closed_unit, "0.1"},
      {q, "q", "sampling rate", closed_unit, "0.01"},
      {clients, "clients", "number of clients", counting, "10000"},
      {records, "records", "records held by one client", counting, "10"},
      {per_round, "per_round", "clients chosen in one round", counting, "100"},
      {dim, "dim", "dimension of the model", counting, "10"},
      {norm, "norm", "index p of the norm", at_least_one, "2"},
      {radius, "radius", "diameter of the model space, or radius of the data", positive, "1"},
      {lipschitz, "lipschitz", "Lipschitz constant of the loss", positive, "1"},
      {smooth, "smooth", "smoothness constant of the loss", positive, "1"},
      {bits, "bits", "bits of one message", positive, "3"},
      {load, "load", "Euclidean norm of the numbers of users in the bins", positive, "32000"},
      {a, "a", "largest increase of the odds at the first step", positive, "0.5"},
      {b, "b", "share by which the posterior may grow over all steps", half_open_unit, "0.3"},
      {k, "k", "values a randomised response takes", at_least_two, "2"},
      {share, "share", "share of delta spent on the composition itself; the rest pays for what it is applied to",
       open_unit, "0.5"},
      {samples, "samples", "records one client samples in a round, messages it sends", counting, "1"},
      {gradient, "gradient", "root of the second moment of a stochastic gradient", positive, "2"},
      {square, "square", "squared Euclidean norm of a record", nonnegative, "0.5"},
      {rdp, "rdp", "Renyi divergence of order lambda", nonnegative, "0.05"},
      {quorum, "quorum", "least number of check-ins with which a round takes place", counting, "380"},
      {dropout, "dropout",
       "largest rate, one for all and unknown, at which users who checked in, or should report, drop out",
       half_open_unit, "0.2"},
      {alpha, "alpha", "type I error of a test between neighbours", closed_unit, "0.05"},
      {rho, "rho", "parameter of concentrated privacy", positive, "0.1"},
      {omega, "omega", "order at which truncated concentrated privacy stops", above_one, "20"},
      {t, "t", "excess of the privacy loss over its mean", nonnegative, "1"},
      {sigma_hat, "sigma_hat", "standard deviation of the Gaussian noise in the last epoch", positive, "2",
       over_change},
      {steps, "steps", "epsilons of the composed mechanisms, or of a round with 1, 2, ... reports, as 0.1+0.05x20",
       positive, "0.1+0.05x20"},
      {randomizer, "randomizer", "the local randomizer itself: its name, or a file with its matrix (CSV or TOML)",
       a_randomizer, "krr:16"},
  }};
  return all;
}

const ParamInfo& info(Param p) { return params()[static_cast<std::size_t>(p)]; }

std::optional<Param> param_named(std::string_view key) {
  for (const ParamInfo& p : params())
    if (p.key == key) return p.param;
  return {};
}

std::string rule(const ParamInfo& info) {
  std::string words(info.domain.words);
  words.replace(words.find('#'), 1, info.key);
  return words;
}

std::string requirement(const ParamInfo& info) {
  const std::string name(info.key), words = rule(info), is = name + " is ";
  if (words.starts_with(is)) return name + " must be " + words.substr(is.size());
  return name + " must satisfy " + words;
}

}  // namespace epsilary::bounds
