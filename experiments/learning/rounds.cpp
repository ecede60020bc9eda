#include "experiments/learning/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "experiments/protocols/mechanisms.hpp"

namespace epsilary::learning {
namespace {

using experiments::MaxNormMechanism;
using experiments::Random;

// Streams that belong to no client: the server's choices and the noise of a round. Clients are fewer than 10^8.
constexpr std::uint32_t server = 0xFFFFFFFF, noise = 0xFFFFFFFE;
// Rounds in which nothing is trained: the first parameters, each client's image, each client's slot.
constexpr std::uint32_t at_first = 0, images = 0xFFFFFFFF, slots = 0xFFFFFFFE;

}  // namespace

// The places of an array that were never touched hold their own number (Fisher, Yates; Durstenfeld 1964).
std::vector<std::uint32_t> chosen(std::uint32_t n, std::uint32_t k, std::uint64_t seed, std::uint64_t stream) {
  Random random(seed, stream);
  std::unordered_map<std::uint32_t, std::uint32_t> moved;
  std::vector<std::uint32_t> out;
  out.reserve(k);
  const auto holds = [&](std::uint32_t place) {
    const auto it = moved.find(place);
    return it == moved.end() ? place : it->second;
  };
  for (std::uint32_t i = 0; i < k; ++i) {
    const std::uint32_t place = i + random.below(n - i);
    out.push_back(holds(place));
    moved[place] = holds(i);
  }
  return out;
}

Run::Run(const TrainingSpec& spec, const std::string& sigma, std::uint64_t seed, const Data& data, Clients& clients)
    : spec_(spec),
      sigma_(sigma.empty() ? 0 : std::strtod(sigma.c_str(), nullptr)),
      seed_(seed),
      images_(static_cast<std::uint32_t>(data.train.size())),
      clients_(clients) {
  Random random(seed, Random::stream_of(at_first, 0));
  theta = first_parameters(spec.network, [&](std::size_t) { return 2 * random.uniform() - 1; });
  if (spec.slots > 0) check_in();
}

// As many clients as images: each has its own. Otherwise each has one drawn for it, once and for all rounds.
std::uint32_t Run::example_of(std::uint32_t client) const {
  return spec_.clients == images_ ? client : Random(seed_, Random::stream_of(images, client)).below(images_);
}

std::vector<std::uint32_t> Run::examples_of(const std::vector<std::uint32_t>& clients) const {
  std::vector<std::uint32_t> out;
  out.reserve(clients.size());
  for (const std::uint32_t client : clients) out.push_back(example_of(client));
  return out;
}

// Balle et al. 2020: with a fixed window every client picks one of m slots, if any; with a sliding window client i
// picks one of i, ..., i + m - 1, and the server begins with slot m and ends with slot n (counted from 1 there).
void Run::check_in() {
  const bool sliding = spec_.algorithm == Algorithm::checkin_sliding;
  std::vector<std::vector<std::uint32_t>> in(spec_.rounds);
  for (std::uint32_t client = 0; client < spec_.clients; ++client) {
    Random random(seed_, Random::stream_of(slots, client));
    if (!random.coin(spec_.p0)) continue;
    std::uint32_t slot = random.below(spec_.slots);
    if (sliding) {
      if (client + slot + 1 < spec_.slots) continue;  // before the server begins
      slot = client + slot + 1 - spec_.slots;
    }
    if (slot < spec_.rounds) in[slot].push_back(client);
  }
  for (const std::vector<std::uint32_t>& slot : in) {
    begins_.push_back(static_cast<std::uint32_t>(clients_in_.size()));
    clients_in_.insert(clients_in_.end(), slot.begin(), slot.end());
  }
  begins_.push_back(static_cast<std::uint32_t>(clients_in_.size()));
}

std::vector<std::uint32_t> Run::reporting_in(std::uint32_t round) const {
  const std::uint64_t stream = Random::stream_of(round, server);
  switch (spec_.algorithm) {
    case Algorithm::sgd:
    case Algorithm::cldp_sgd: return chosen(spec_.clients, spec_.per_round, seed_, stream);
    case Algorithm::shuffled_checkin:
    case Algorithm::distributed_checkin: {
      // Every client throws its coin: their number is binomial, and who they are is uniform.
      const auto k = Random(seed_, Random::stream_of(round, noise - 1)).coins(spec_.clients, spec_.gamma);
      return chosen(spec_.clients, static_cast<std::uint32_t>(k), seed_, stream);
    }
    case Algorithm::checkin_fixed:
    case Algorithm::checkin_averaged:
    case Algorithm::checkin_sliding: break;
  }
  const auto from = clients_in_.begin() + begins_[round - 1], to = clients_in_.begin() + begins_[round];
  std::vector<std::uint32_t> there(from, to);
  if (spec_.algorithm == Algorithm::checkin_averaged || there.empty()) return there;
  return {there[Random(seed_, stream).below(static_cast<std::uint32_t>(there.size()))]};
}

void Run::descend(std::uint32_t round, const std::vector<float>& direction, double divisor) {
  const double rate = spec_.rate(round) / divisor;
  for (std::size_t j = 0; j < theta.size(); ++j)
    theta[j] = static_cast<float>(static_cast<double>(theta[j]) - rate * static_cast<double>(direction[j]));
}

void Run::step(std::uint32_t round) {
  const std::vector<std::uint32_t> reporting = reporting_in(round);
  switch (spec_.algorithm) {
    case Algorithm::sgd: {
      std::vector<float> sum(theta.size());
      clients_.sum(theta, examples_of(reporting), 0, sum);
      return descend(round, sum, static_cast<double>(reporting.size()));
    }
    case Algorithm::cldp_sgd: return cldp_step(round, reporting);
    case Algorithm::shuffled_checkin:
      if (reporting.empty()) return;
      if (spec_.report == Report::half_space) return half_space_step(round, reporting);
      [[fallthrough]];
    case Algorithm::distributed_checkin:
    case Algorithm::checkin_averaged:
      if (reporting.empty()) return;
      return gaussian_step(round, reporting);
    case Algorithm::checkin_fixed:
    case Algorithm::checkin_sliding:
      return gaussian_step(round, reporting);  // an empty slot gives a dummy: noise alone
  }
}

// Girgis et al. 2021, Algorithm 1: each client sends one coordinate by R_infinity, whose decoded vectors are averaged.
void Run::cldp_step(std::uint32_t round, const std::vector<std::uint32_t>& reporting) {
  const MaxNormMechanism mechanism{spec_.limit, theta.size(), std::strtod(spec_.eps0.c_str(), nullptr)};
  std::vector<Random> randoms;
  std::vector<Asked> asked;
  for (const std::uint32_t client : reporting) {
    randoms.emplace_back(seed_, Random::stream_of(round, client));
    asked.push_back({example_of(client), static_cast<std::uint32_t>(mechanism.draw_coordinate(randoms.back()))});
  }
  std::vector<float> values(asked.size());
  if (spec_.clip == Clip::scaling)
    clients_.scaled_derivatives(theta, asked, static_cast<float>(spec_.limit), values);
  else
    clients_.derivatives(theta, asked, values);
  std::vector<float> votes(theta.size());  // whole numbers: their sums are exact
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const double value = std::clamp(static_cast<double>(values[i]), -spec_.limit, spec_.limit);
    const MaxNormMechanism::Message z =
        MaxNormMechanism::decode(MaxNormMechanism::encode(mechanism.answer(asked[i].coordinate, value, randoms[i])));
    votes[z.coordinate] += z.plus ? 1.0F : -1.0F;
  }
  descend(round, votes, static_cast<double>(asked.size()) / mechanism.length());
}

// Each report has noise of its own, sigma times twice the limit on every coordinate. The server uses nothing but their
// sum, whose noise is drawn at once.
void Run::gaussian_step(std::uint32_t round, const std::vector<std::uint32_t>& reporting) {
  std::vector<float> sum(theta.size());
  if (!reporting.empty()) clients_.sum(theta, examples_of(reporting), spec_.limit, sum);
  const double reports = std::max<double>(1, static_cast<double>(reporting.size()));
  Random random(seed_, Random::stream_of(round, noise));
  experiments::add_gaussian<float>(sum, std::sqrt(reports) * 2 * spec_.limit * sigma_, random);
  descend(round, sum, reports);
}

// LDP-SGD (Duchi, Jordan, Wainwright 2013; Erlingsson et al. 2020): the gradient's direction, turned round with a
// probability that its norm decides, and a uniform direction on its side with probability e^eps0/(1+e^eps0), on the
// other else; stretched to be unbiased.
void Run::half_space_step(std::uint32_t round, const std::vector<std::uint32_t>& reporting) {
  const double eps0 = std::strtod(spec_.eps0.c_str(), nullptr), dim = static_cast<double>(theta.size());
  // 1/E|u_1| of a uniform direction u.
  const double spread = std::sqrt(std::numbers::pi) * std::exp(std::lgamma((dim + 1) / 2) - std::lgamma(dim / 2));
  const double length = spec_.limit * spread / std::tanh(eps0 / 2);
  std::vector<float> sum(theta.size());
  clients_.sum_reports(
      theta, examples_of(reporting),
      [&](std::size_t i, std::span<const float> gradient, std::span<float> out) {
        Random random(seed_, Random::stream_of(round, reporting[i]));
        const double norm = std::min(experiments::two_norm(gradient), spec_.limit);
        const bool ahead = random.coin(0.5 + norm / (2 * spec_.limit));
        const bool told = random.coin(1 / (1 + std::exp(-eps0)));
        std::vector<float> direction(gradient.size(), 0.0F);
        experiments::add_gaussian<float>(direction, 1, random);
        double product = 0;
        for (std::size_t j = 0; j < direction.size(); ++j)
          product += static_cast<double>(direction[j]) * static_cast<double>(gradient[j]);
        const bool is_ahead = product >= 0;
        const double factor = (is_ahead == (ahead == told) ? 1 : -1) / experiments::two_norm<float>(direction);
        for (std::size_t j = 0; j < direction.size(); ++j)
          out[j] += static_cast<float>(factor * static_cast<double>(direction[j]));
      },
      sum);
  descend(round, sum, static_cast<double>(reporting.size()) / length);
}

}  // namespace epsilary::learning
