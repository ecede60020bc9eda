// Shuffles and random check-ins: who is asked when, and what is learned so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/epsilary/simulations.hpp"
#include "experiments/protocols/checkins.hpp"
#include "experiments/protocols/convex.hpp"

namespace epsilary {

using namespace experiments;

namespace {

using Numbers = std::span<double>;
using Kind = ConvexProblem::Loss;

ConvexProblem problem_at(const Setting& at, Kind loss) {
  return {loss, at.count("dim"), at["radius"], at["lipschitz"]};
}

double empty_slots(const Window& window) { return static_cast<double>(std::ranges::count(window.asked, nobody)); }
double came(const Window& window) {
  double sum = 0;
  for (const std::uint32_t count : window.came) sum += count;
  return sum;
}
bool is_asked(const Window& window, std::uint32_t who) { return std::ranges::count(window.asked, who) > 0; }

}  // namespace

Experiment shuffle_on(Checks& c) {
  const std::uint32_t n = c.at.count("n");
  const RandomisedResponse response(2, c.at["eps0"]);
  for (const char* who : {"shuffle (Algorithm 5)", "swap (Algorithm 6)"}) {
    c.chance(fmt::format("{}: the record's report comes first", who), "1/n", 1.0 / n);
    c.chance(fmt::format("{}: the record's report comes last", who), "1/n", 1.0 / n);
    c.chance(fmt::format("{}: the last report is 1, the record being 1 and all others 0", who),
             "(e^eps0/n + 1 - 1/n)/(e^eps0 + 1)", response.truth / n + (1 - 1.0 / n) * response.lie);
  }
  c.experiment.run = [=](Random& random, Numbers x) {
    std::size_t i = 0;
    for (const auto& order : {shuffled(n, random), swapped(n, random)}) {
      x[i++] = order.front() == 0;
      x[i++] = order.back() == 0;
      x[i++] = response.sample(order.back() == 0 ? 1 : 0, random);
    }
  };
  return c.experiment;
}

Experiment fixed_window_on(Checks& c) {
  const std::uint32_t n = c.at.count("n"), m = c.at.count("m");
  const double p0 = c.at["p0"], noise = c.at["noise"], most = c.at["lipschitz"] * c.at["radius"];
  c.mean_by("dummy updates", "balle2020-prop3.4", 0, m);
  c.mean_by("dummy updates", "balle2020-prop3.4-bound", 0, m);
  c.mean("check-ins", "n p0", n * p0, 0, n);
  c.chance("a client's update is used", "(m/n)(1 - (1 - p0/m)^n)",
           static_cast<double>(m) / n * (1 - std::pow(1 - p0 / m, n)));
  const bool risk = c.mean_by("excess risk of least squares", "balle2020-thm3.5", 0, most) &&
                    c.mean_by("excess risk of clipped logistic regression", "balle2020-thm3.5", 0, most);
  const ConvexProblem squares = problem_at(c.at, Kind::squares), logistic = problem_at(c.at, Kind::logistic);
  c.experiment.run = [=](Random& random, Numbers x) {
    const Window window = fixed_window(n, m, p0, random);
    x[0] = x[1] = empty_slots(window);
    x[2] = came(window);
    x[3] = is_asked(window, 0);
    if (!risk) return;
    x[4] = fixed_window_excess(squares, n, m, p0, noise, random);
    x[5] = fixed_window_excess(logistic, n, m, p0, noise, random);
  };
  return c.experiment;
}

Experiment averaged_on(Checks& c) {
  const std::uint32_t n = c.at.count("n"), m = c.at.count("m");
  const double users = n, noise = c.at["noise"], most = c.at["lipschitz"] * c.at["radius"];
  c.mean("squared norm of the loads", "n + n(n - 1)/m", users + users * (users - 1) / m, users * users / m,
         users * users);
  c.mean_by("one over the load of a bin", "balle2020-thm4.2-inverse-load", 0, 1);
  std::vector<double> norms;
  for (const char* id : {"balle2020-lemA.6", "epsilary-loads-chernoff"})
    if (const auto norm = c.exceeded_by("the norm of the loads exceeds it", id)) norms.push_back(*norm);
  const ConvexProblem squares = problem_at(c.at, Kind::squares), logistic = problem_at(c.at, Kind::logistic);
  const Parameters smoothness{{"smooth", squares.smooth()}};
  const bool risk =
      c.mean_by("excess risk of least squares", "balle2020-thm4.2-convex", 0, most) &&
      c.mean_by("excess risk of clipped logistic regression", "balle2020-thm4.2-convex", 0, most) &&
      c.mean_by("excess risk of least squares, mean of all models", "balle2020-thm4.2-smooth", 0, most, smoothness);
  c.experiment.run = [=](Random& random, Numbers x) {
    const std::vector<std::uint32_t> seen = loads(averaged_bins(n, m, random), m);
    double squared = 0;
    for (const double load : seen) squared += load * load;
    std::size_t i = 0;
    x[i++] = squared;
    x[i++] = seen[0] ? 1.0 / seen[0] : 0;
    for (const double norm : norms) x[i++] = std::sqrt(squared) > norm;
    if (!risk) return;
    x[i++] = averaged_excess(squares, n, m, noise, false, random);
    x[i++] = averaged_excess(logistic, n, m, noise, false, random);
    x[i++] = averaged_excess(squares, n, m, noise, true, random);
  };
  return c.experiment;
}

Experiment sliding_window_on(Checks& c) {
  const std::uint32_t n = c.at.count("n"), m = c.at.count("m");
  c.mean_by("dummy updates", "balle2020-prop4.4", 0, n - m + 1);
  c.mean_by("dummy updates", "balle2020-prop4.4-bound", 0, n - m + 1);
  c.mean_by("clients who come too early or too late", "balle2020-remark4-lost", 0, n);
  c.chance("the update of a client in the middle is used", "1 - (1 - 1/m)^m", 1 - std::pow(1 - 1.0 / m, m));
  c.experiment.run = [=](Random& random, Numbers x) {
    const Window window = sliding_window(n, m, random);
    x[0] = x[1] = empty_slots(window);
    x[2] = n - came(window);
    x[3] = is_asked(window, m - 1);
  };
  return c.experiment;
}

Experiment epoch_on(Checks& c) {
  const std::uint32_t n = c.at.count("n"), m = c.at.count("m"), times = n / m;
  const double p0 = static_cast<double>(m) / n, used = p0 * (1 - std::pow(1 - 1.0 / n, n));
  c.mean_by("dummy updates of a repetition", "balle2020-prop3.4", 0, m, {{"p0", fmt::format("{}/{}", m, n)}});
  c.mean("check-ins of the epoch", "n", n, 0, static_cast<double>(n) * times);
  c.mean("updates of a client that are used", "1 - (1 - 1/n)^n", used * times, 0, times);
  c.chance("no update of a client is used", "(1 - (m/n)(1 - (1 - 1/n)^n))^(n/m)", std::pow(1 - used, times));
  c.experiment.run = [=](Random& random, Numbers x) {
    for (std::uint32_t repetition = 0; repetition < times; ++repetition) {
      const Window window = fixed_window(n, m, p0, random);
      x[0] += empty_slots(window) / times;
      x[1] += came(window);
      x[2] += is_asked(window, 0);
    }
    x[3] = x[2] == 0;
  };
  return c.experiment;
}

}  // namespace epsilary
