// Rounds: self check-in, CLDP-SGD, DP-SGD.
#include <algorithm>
#include <cmath>

#include "experiments/epsilary/simulations.hpp"
#include "experiments/protocols/checkins.hpp"
#include "experiments/protocols/convex.hpp"
#include "experiments/protocols/dp_sgd.hpp"

namespace epsilary {

using namespace experiments;

namespace {

using Numbers = std::span<double>;

double square(double x) { return x * x; }
double within_one_deviation() { return std::erf(1 / std::sqrt(2)); }
const char* const normal_formula = "P(|N(0,1)| <= 1)";

double dropout_at(const Setting& at) { return at.has("dropout") ? at["dropout"] : 0; }

// P(Bin(n, p) < k).
double fewer_than(std::uint32_t n, double p, std::uint32_t k) {
  if (p == 0) return k > 0 ? 1 : 0;
  double sum = 0;
  for (std::uint32_t i = 0; i < k; ++i)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  return sum;
}

}  // namespace

Experiment shuffled_checkin_on(Checks& c) {
  const std::uint32_t n = c.at.count("n");
  const double p = c.at["gamma"], dropout = dropout_at(c.at), gamma = p * (1 - dropout);
  const RandomisedResponse response(2, c.at["eps0"]);
  c.mean("check-ins of a round", "n p (1 - p')", n * gamma, 0, n);
  c.mean_by("squared share of clients that check in", "epsilary-checkin-moment", 0, 1,
            {{"gamma", gamma}, {"lambda", 2}});
  c.chance("a client is there", "p (1 - p')", gamma);
  c.chance("a report tells the truth", "e^eps0/(e^eps0 + 1)", response.truth);
  c.experiment.run = [=](Random& random, Numbers x) {
    const std::vector<std::uint32_t> there = checked_in(n, p, dropout, random);
    x[0] = static_cast<double>(there.size());
    x[1] = square(x[0] / n);
    x[2] = std::ranges::count(there, 0u) > 0;
    x[3] = response.sample(1, random);
  };
  return c.experiment;
}

Experiment distributed_checkin_on(Checks& c) {
  const std::uint32_t n = c.at.count("n"), quorum = c.at.count("quorum");
  const double p = c.at["gamma"], dropout = dropout_at(c.at), gamma = p * (1 - dropout), sigma = c.at["multiplier"];
  c.mean("check-ins of a round", "n p (1 - p')", n * gamma, 0, n);
  c.chance("a round is aborted", "P(K < quorum)", fewer_than(n, gamma, quorum));
  c.chance("the noise of k clients is at most sigma sqrt(k)", normal_formula, within_one_deviation());
  c.experiment.run = [=](Random& random, Numbers x) {
    std::vector<std::uint32_t> there = checked_in(n, p, dropout, random);
    x[0] = static_cast<double>(there.size());
    x[1] = !takes_place(there, quorum);
    if (there.empty()) there.push_back(0);
    double noise = 0;
    for (std::size_t i = 0; i < there.size(); ++i) noise += sigma * random.normal();
    x[2] = std::abs(noise) <= sigma * std::sqrt(static_cast<double>(there.size()));
  };
  return c.experiment;
}

Experiment cldp_sgd_on(Checks& c) {
  const std::uint32_t m = c.at.count("clients"), r = c.at.count("records"), k = c.at.count("per_round"),
                      d = c.at.count("dim"), T = c.at.count("T");
  const double eps0 = c.at["eps0"], a = c.at["lipschitz"];
  const MaxNormMechanism by_coordinate(a, d, eps0);
  const OneNormMechanism by_row{a, d, eps0};
  // A record inside the cube, and one inside the ball of the sum norm.
  std::vector<double> cube(d), ball(d);
  double squared = 0, squared_in_ball = 0;
  for (std::uint32_t j = 0; j < d; ++j) {
    cube[j] = a * (j % 3 == 0 ? 1 : j % 3 == 1 ? -0.5 : 0.25);
    ball[j] = a / d * (j % 2 ? -1 : 1);
    squared += square(cube[j]);
    squared_in_ball += square(ball[j]);
  }
  const double length = by_coordinate.length(), farthest = square(length + std::sqrt(squared));
  const double row_length = a / std::tanh(eps0 / 2) * std::sqrt(d);
  const Parameters radius{{"radius", a}}, with_square{{"radius", a}, {"square", squared}};
  c.chance("a record is used in a round", "per_round/(clients records)", static_cast<double>(k) / m / r);
  const double whole = static_cast<double>(k) / m * by_coordinate.bits();
  c.mean("bits of a client in a round", "(per_round/clients)(ceil(log2 dim) + 1)", whole, 0, by_coordinate.bits());
  c.mean_by("bits of a client in a round", "girgis2021-thm1-bits", 0, by_coordinate.bits(), {{"T", 1}});
  c.mean("R_infinity: the first coordinate", "x_1", cube[0], -length, length);
  c.mean_by("R_infinity: squared error of a message", "girgis2021-lem2-exact", 0, farthest, with_square);
  c.mean_by("R_infinity: squared error of a message", "girgis2021-lem2", 0, farthest, radius);
  c.mean_by("R_infinity: squared error of the mean of per_round messages", "girgis2021-thm4", 0, farthest,
            {{"radius", a}, {"n", k}});
  const bool rows = c.mean_by("Hadamard rows, l1: squared error of a message", "epsilary-mean-l1", 0,
                              square(row_length + std::sqrt(squared_in_ball)), {{"radius", a}, {"n", 1}, {"norm", 1}});
  const std::size_t learning = c.size();
  const bool risk =
      c.mean_by("squared norm of the averaged gradient", "girgis2021-lem4", 0, square(length)) &&
      c.mean_by("squared norm of the averaged gradient", "epsilary-cldp-moment", 0, square(length)) &&
      c.mean_by("excess risk of least squares", "girgis2021-thm1-risk", 0, c.at["lipschitz"] * c.at["radius"]);
  const ConvexProblem squares(ConvexProblem::Loss::squares, d, c.at["radius"], c.at["lipschitz"]);
  c.experiment.run = [=](Random& random, Numbers x) {
    double used = 0, sent = 0;
    for (const Sender& sender : chosen(m, r, k, 1, random)) {
      used += sender.client == 0 && sender.record == 0;
      sent += sender.client == 0;
    }
    x[0] = used;
    x[1] = x[2] = sent * by_coordinate.bits();
    const auto error_of = [&](const MaxNormMechanism::Message& z) {
      return squared - square(cube[z.coordinate]) + square(by_coordinate.decoded(z) - cube[z.coordinate]);
    };
    // What arrives is what was sent.
    const auto message = MaxNormMechanism::decode(MaxNormMechanism::encode(by_coordinate.sample(cube, random)));
    x[3] = message.coordinate == 0 ? by_coordinate.decoded(message) : 0;
    x[4] = x[5] = error_of(message);
    std::vector<double> average(d);
    for (std::uint32_t i = 0; i < k; ++i) {
      const auto z = by_coordinate.sample(cube, random);
      average[z.coordinate] += by_coordinate.decoded(z) / k;
    }
    x[6] = 0;
    for (std::uint32_t j = 0; j < d; ++j) x[6] += square(average[j] - cube[j]);
    if (rows) {
      const auto row = by_row.sample(ball, random);
      x[7] = 0;
      for (std::uint32_t j = 0; j < d; ++j) x[7] += square(by_row.decoded(row, j) - ball[j]);
    }
    if (!risk) return;
    const CldpRun run = cldp_sgd(squares, m, r, k, T, eps0, random);
    x[learning] = x[learning + 1] = run.squared_gradient;
    x[learning + 2] = run.excess;
  };
  return c.experiment;
}

Experiment pooled_on(Checks& c) {
  const std::uint32_t m = c.at.count("clients"), r = c.at.count("records"), k = c.at.count("per_round"),
                      s = c.at.count("samples");
  c.chance("a record is kept", "per_round samples/(clients records)", static_cast<double>(k) * s / m / r);
  c.mean("messages of one client that are kept", "per_round samples/clients", static_cast<double>(k) * s / m, 0, s);
  c.experiment.run = [=](Random& random, Numbers x) {
    for (const Sender& sender : pooled(m, r, k, s, random)) {
      x[0] += sender.client == 0 && sender.record == 0;
      x[1] += sender.client == 0;
    }
  };
  return c.experiment;
}

Experiment dp_sgd_on(Checks& c) {
  const std::uint32_t n = c.at.count("n"), b = c.at.count("batch"), epochs = c.at.count("epochs");
  const double sigma = c.at["sigma"], last = c.at["sigma_hat"];
  const ConvexProblem problem(ConvexProblem::Loss::squares, 3, 2, 4);
  c.chance("a record is in a batch", "batch/n", static_cast<double>(b) / n);
  c.chance("clipped one by one, the sum moves by at most 2 C", "1", 1);
  c.chance("clipped as a whole, the sum moves by at most 2 C", "1", 1);
  c.chance("the noise of a coordinate is at most 2 C sigma", normal_formula, within_one_deviation());
  if (const auto mu = c.stated("vandijk2022-adaptive", {}))
    c.experiment.checks.push_back({"an adversary told the batches tells the two data sets apart: Phi(mu/2)",
                                   "vandijk2022-adaptive", mu->statement->side,
                                   std::erfc(-mu->lower.as_double() / 2 / std::sqrt(2)) / 2,
                                   std::erfc(-mu->upper.as_double() / 2 / std::sqrt(2)) / 2});
  const bool told = c.size() == 5;
  c.experiment.run = [=](Random& random, Numbers x) {
    std::vector<ConvexProblem::Record> data, neighbour;
    for (std::uint32_t i = 0; i < n; ++i) data.push_back(problem.draw(random));
    neighbour = data;
    neighbour[0] = problem.draw(random);
    std::vector<double> theta(problem.dim);
    for (double& t : theta) t = problem.radius * (random.uniform() - 0.5);
    const std::vector<std::uint32_t> batch = fresh_batch(n, b, random);
    x[0] = std::ranges::count(batch, 0u) > 0;
    for (const bool together : {false, true}) {
      std::vector<double> moved = clipped_sum(problem, theta, data, batch, 1, together);
      const std::vector<double> other = clipped_sum(problem, theta, neighbour, batch, 1, together);
      for (std::uint32_t j = 0; j < problem.dim; ++j) moved[j] -= other[j];
      x[together ? 2 : 1] = two_norm(std::span<const double>(moved)) <= 2 * (1 + 1e-12);
    }
    std::vector<double> noise(1);
    add_gaussian(std::span(noise), 2 * sigma, random);
    x[3] = std::abs(noise[0]) <= 2 * sigma;
    if (!told) return;
    // The record has gradient C u, its neighbour -C u, all others 0: in the batch that holds it an epoch shows +-C plus
    // noise. Each of the two is as likely, and the adversary takes the likelier.
    double evidence = 0;
    for (std::uint32_t epoch = 0; epoch < epochs; ++epoch) {
      const double deviation = epoch + 1 == epochs ? last : sigma;
      for (const auto& part : partition_into_batches(n, b, random))
        if (std::ranges::count(part, 0u)) evidence += (1 + 2 * deviation * random.normal()) / square(deviation);
    }
    x[4] = evidence > 0;
  };
  return c.experiment;
}

}  // namespace epsilary
