#include "experiments/protocols/convex.hpp"

#include <cmath>
#include <span>

#include "experiments/protocols/checkins.hpp"
#include "experiments/protocols/dp_sgd.hpp"

namespace epsilary::experiments {
namespace {

constexpr double clipped_slope = 0.8;  // of the logistic loss at its steepest

double sigmoid(double z) { return 1 / (1 + std::exp(-z)); }

// The logistic loss, continued as a line where it falls faster than the clipping allows.
double clipped_logistic(double z) {
  const double bend = -std::log(clipped_slope / (1 - clipped_slope));
  return z >= bend ? std::log1p(std::exp(-z)) : std::log1p(std::exp(-bend)) + clipped_slope * (bend - z);
}

void descend(std::vector<double>& theta, const std::vector<double>& gradient, double step) {
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= step * gradient[i];
}

}  // namespace

ConvexProblem::ConvexProblem(Loss kind, std::uint32_t d, double R, double L)
    : loss(kind), dim(d), radius(R), lipschitz(L), scale(kind == Loss::squares ? L / R : L / clipped_slope) {
  double size = R / (4 * std::sqrt(d));
  if (kind == Loss::logistic) size = std::min(size, 1 / scale);  // the clipping does not act at the optimum
  for (std::uint32_t j = 0; j < d; ++j) optimum.push_back(j % 2 ? -size : size);
}

ConvexProblem::Record ConvexProblem::draw(Random& random) const {
  const std::uint32_t j = random.below(dim);
  if (loss == Loss::squares) return {j, optimum[j] + (random.coin(0.5) ? radius : -radius) / 4};
  return {j, random.coin(sigmoid(scale * optimum[j])) ? 1.0 : -1.0};
}

double ConvexProblem::gradient(const std::vector<double>& theta, const Record& record) const {
  const double at = theta[record.coordinate];
  if (loss == Loss::squares) return scale * (at - record.label);
  double slope = -record.label * scale * sigmoid(-record.label * scale * at);
  clip_by_scaling(std::span(&slope, 1), std::abs(slope), lipschitz);
  return slope;
}

double ConvexProblem::excess(const std::vector<double>& theta) const {
  double sum = 0;
  for (std::uint32_t j = 0; j < dim; ++j)
    if (loss == Loss::squares) {
      sum += scale * (theta[j] - optimum[j]) * (theta[j] - optimum[j]) / 2;
    } else {
      const double plus = sigmoid(scale * optimum[j]);
      const auto mean = [&](double t) {
        return plus * clipped_logistic(scale * t) + (1 - plus) * clipped_logistic(-scale * t);
      };
      sum += mean(theta[j]) - mean(optimum[j]);
    }
  return sum / dim;
}

void ConvexProblem::project(std::vector<double>& theta) const {
  const double norm = two_norm(std::span<const double>(theta));
  if (norm > radius / 2)
    for (double& t : theta) t *= radius / (2 * norm);
}

double fixed_window_excess(const ConvexProblem& problem, std::uint32_t n, std::uint32_t m, double p0, double noise,
                           Random& random) {
  const double L = problem.lipschitz, users = n, full = -std::expm1(users * std::log1p(-p0 / m));
  const double G = std::sqrt(problem.dim * noise * noise + L * L) / (1 - 2 * std::exp(-users * p0 / m));
  std::vector<double> theta(problem.dim), update;
  std::uint32_t i = 0;
  for (const std::uint32_t client : fixed_window(n, m, p0, random).asked) {
    update.assign(problem.dim, 0);
    if (client != nobody) {  // each is asked once at most, so its record may be drawn now
      const auto record = problem.draw(random);
      update[record.coordinate] = problem.gradient(theta, record);
    }
    add_gaussian(std::span(update), noise, random);
    descend(theta, update, problem.radius / (G * std::sqrt(++i)) / (client != nobody ? full : 1));
    problem.project(theta);
  }
  return problem.excess(theta);
}

double averaged_excess(const ConvexProblem& problem, std::uint32_t n, std::uint32_t m, double noise, bool smooth,
                       Random& random) {
  const double L = problem.lipschitz, d = problem.dim, R = problem.radius, users = n;
  const double G = std::sqrt(L * L + m * d * noise * noise / users);
  const double even =
      R * std::sqrt(users) / (problem.smooth() * R * std::sqrt(users) + m * std::sqrt(L * L + d * noise * noise));
  std::vector<double> theta(problem.dim), mean(problem.dim), update;
  std::uint32_t i = 0;
  for (const std::uint32_t load : loads(averaged_bins(n, m, random), m)) {
    ++i;
    for (std::size_t j = 0; j < theta.size(); ++j) mean[j] += theta[j] / m;
    if (load == 0) continue;
    update.assign(problem.dim, 0);
    for (std::uint32_t client = 0; client < load; ++client) {
      const auto record = problem.draw(random);
      update[record.coordinate] += problem.gradient(theta, record);
      add_gaussian(std::span(update), noise, random);
    }
    descend(theta, update, (smooth ? even : R / (G * std::sqrt(i))) / load);
    problem.project(theta);
  }
  return problem.excess(smooth ? mean : theta);
}

CldpRun cldp_sgd(const ConvexProblem& problem, std::uint32_t clients, std::uint32_t records, std::uint32_t k,
                 std::uint32_t T, double eps0, Random& random) {
  const std::uint32_t d = problem.dim, n = clients * records;
  std::vector<ConvexProblem::Record> data;
  std::vector<double> labels(d), held(d);
  for (std::uint32_t i = 0; i < n; ++i) {
    data.push_back(problem.draw(random));
    labels[data[i].coordinate] += data[i].label;
    ++held[data[i].coordinate];
  }
  const MaxNormMechanism mechanism{problem.lipschitz, d, eps0};
  const double L = problem.lipschitz, coth = 1 / mechanism.slope;
  const double G = std::sqrt(L * L * d * (1 + 4.0 * d / k * coth * coth));
  std::vector<double> theta(d), average;
  CldpRun out{};
  for (std::uint32_t t = 1; t <= T; ++t) {
    average.assign(d, 0);
    for (const Sender& sender : chosen(clients, records, k, 1, random)) {
      const auto& record = data[sender.client * records + sender.record];
      const std::size_t j = mechanism.draw_coordinate(random);
      const double value = j == record.coordinate ? std::clamp(problem.gradient(theta, record), -L, L) : 0;
      average[j] += mechanism.decoded(mechanism.answer(j, value, random)) / k;
    }
    descend(theta, average, problem.radius / (G * std::sqrt(t)));
    problem.project(theta);
  }
  const double norm = two_norm(std::span<const double>(average));
  out.squared_gradient = norm * norm;
  for (std::uint32_t j = 0; j < d; ++j)
    if (held[j] > 0) {
      const double off = theta[j] - labels[j] / held[j];
      out.excess += problem.scale * held[j] / n * off * off / 2;
    }
  return out;
}

std::vector<double> clipped_sum(const ConvexProblem& problem, const std::vector<double>& theta,
                                const std::vector<ConvexProblem::Record>& data, const std::vector<std::uint32_t>& batch,
                                double clip, bool together) {
  std::vector<double> sum(problem.dim);
  for (const std::uint32_t i : batch) {
    double slope = problem.gradient(theta, data[i]);
    if (!together) clip_by_scaling(std::span(&slope, 1), std::abs(slope), clip);
    sum[data[i].coordinate] += slope;
  }
  if (together) {
    const double norm = two_norm(std::span<const double>(sum));
    clip_by_scaling(std::span(sum), norm, clip);
  }
  return sum;
}

}  // namespace epsilary::experiments
