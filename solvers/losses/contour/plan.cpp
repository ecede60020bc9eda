#include "solvers/losses/contour/plan.hpp"

#include <tuple>

#include "solvers/losses/contour/phases.hpp"

namespace epsilary::solvers::contour {

using pld::Outlook;

namespace {

// The largest |sin v / v| for v >= u: it falls to zero at pi, and no lobe beyond reaches 0.2173.
Ball sinc_beyond(const Ball& u) {
  const Ball lobe(0.2173);
  if (certainly(u >= 3)) return min(lobe, 1 / u);
  Ball s;
  arb_sinc(s.arb(), u.arb(), Ball::precision());
  return max(s, lobe);
}

}  // namespace

std::vector<Layer> pile_up(const std::vector<Stair>& stairs) {
  std::vector<Layer> layers;
  if (stairs.empty()) return layers;
  const auto height = [&](std::size_t i) { return stairs[i].density.lower(); };
  std::size_t first = 0;
  for (std::size_t i = 0; i < stairs.size(); ++i)
    if (height(i) > height(first)) first = i;
  std::size_t last = first;
  double level = height(first);
  while (level > 0) {  // widen towards the higher neighbour; what the level falls by is one layer
    const double left = first > 0 ? height(first - 1) : 0, right = last + 1 < stairs.size() ? height(last + 1) : 0;
    const double next = std::min(level, std::max(left, right));
    const Ball length = stairs[last].to - stairs[first].from;
    if (next < level) layers.push_back({length / 2, length * (Ball(level) - Ball(next))});
    level = next;
    if (left >= right && first > 0)
      --first;
    else
      ++last;
  }
  return layers;
}
Ball shortfall(const std::vector<Layer>& layers, const Ball& from) {
  Ball sum;
  for (const Layer& l : layers) sum += l.mass * max(Ball(0), 1 - sinc_beyond(from * l.half));
  return sum;
}

Work::Work(const MomentLaws& uncut, double log_neglected) {
  double rounds = 0;
  for (const MomentLaw& law : uncut(log_neglected)) rounds += law.times;
  laws = uncut(log_neglected - std::log(rounds));
  for (const MomentLaw& law : laws) {
    outlook.parts.push_back({law.times, law.loss, law.log_mass});
  }
}

namespace {

// The same in double, to choose a line with.
struct RoughLayer {
  double half, mass;
};
std::vector<RoughLayer> roughly(const std::vector<Layer>& layers) {
  std::vector<RoughLayer> out;
  for (const Layer& l : layers) out.push_back({l.half.midpoint(), l.mass.midpoint()});
  return out;
}
double rough_shortfall(const std::vector<RoughLayer>& layers, double from) {
  constexpr double lobe = 0.2173;
  double sum = 0;
  for (const auto& [half, mass] : layers) {
    const double u = from * half;
    sum += mass * (1 - (u >= 3 ? std::min(lobe, 1 / u) : std::max(u > 0 ? std::sin(u) / u : 1, lobe)));
  }
  return sum;
}

// The law of one step seen from far, divided: logarithms of moments of the composition, in double.
class RoughlyDivided {
 public:
  RoughlyDivided(const Outlook::Part& part, double core) : part_(part), core_(core) {}

  double log_core(double theta) const { return part_.times * sums(theta).log_core; }
  // of M^T - B^T
  double log_rest(double theta) const {
    const Sums s = sums(theta);
    const double z = s.log_rest - s.log_core, x = part_.times * (z > 40 ? z : std::log1p(std::exp(z)));
    const double gained = x > 1e-12 ? x + std::log(-std::expm1(-x)) : z + std::log(part_.times);
    return part_.times * s.log_core + gained;
  }

 private:
  struct Sums {
    double log_core, log_rest;
  };
  Sums sums(double theta) const {
    // As much as the largest loss of the core weighs is put at its end, where the rough law has nothing.
    constexpr double none = -1e9;
    double largest = -HUGE_VAL, weight = none;
    for (std::size_t i = 0; i < part_.loss.size(); ++i)
      if (part_.loss[i] <= core_ && part_.loss[i] > largest) largest = part_.loss[i], weight = part_.log_p[i];
    const double at_end = core_ > 0 ? weight + theta * core_ : none;
    double top_inner = at_end, top_outer = none;
    for (std::size_t i = 0; i < part_.loss.size(); ++i) {
      double& top = part_.loss[i] > core_ ? top_outer : top_inner;
      top = std::max(top, part_.log_p[i] + theta * part_.loss[i]);
    }
    double inner = std::exp(at_end - top_inner), outer = top_outer > none ? 0 : 1;
    for (std::size_t i = 0; i < part_.loss.size(); ++i) {
      const double log_weight = part_.log_p[i] + theta * part_.loss[i];
      (part_.loss[i] > core_ ? outer : inner) += std::exp(log_weight - (part_.loss[i] > core_ ? top_outer : top_inner));
    }
    return {std::log(inner) + top_inner, std::log(outer) + top_outer};
  }

  const Outlook::Part& part_;
  double core_;
};

// A line such that what is left out is below e^{log_tolerated}.
class Planner {
 public:
  Planner(const Work& work, const Wish& wish)
      : laws_(work.laws),
        outlook_(work.outlook),
        eps_(wish.eps),
        log_tolerated_(wish.log_tolerated),
        most_work_(wish.most_work) {}

  // Where moments explode to the right of the saddle, the longest steps are possible on a line left of it; where few
  // losses are added, the sum is the shorter the nearer to the saddle.
  std::optional<Plan> around(double saddle) const {
    const auto log_all = [&](double theta) { return outlook_.cumulant(theta)[0]; };
    const auto f = [&](double u) { return period(std::exp(u), 0, log_all).first; };
    const double top = std::log(saddle), longest = minimise<double>(f, top - 2, top + 0.5, 16).at.value;
    Plan best{.work = most_work_};
    for (const double share : {0.0, 0.5, 1.0}) {
      Plan p{.c = std::exp(longest + share * (top - longest))};
      std::tie(p.h, p.beyond) = period(p.c, 0, log_all);
      draw(p, best);
      if (best.work < 1e6) break;
    }
    return best.c > 0 ? std::optional(best) : std::nullopt;
  }

  // The best of those lines and of lines for a divided law.
  std::optional<Plan> best(double saddle) const {
    const std::optional<Plan> whole = around(saddle);
    if ((whole && whole->work < 3e6) || !can_divide()) return whole;
    Plan best = whole ? *whole : Plan{.work = most_work_};
    const auto [most, order] = largest_core();
    for (const double core : {most, most / 4, 0.0}) {
      const RoughlyDivided law(outlook_.parts[0], core);
      const double top = saddle_of(law);
      for (const double share : {1.0, 0.7, 0.4}) {
        Plan p{.c = share * top, .core = core, .core_order = core * laws_[0].times > eps_ ? order : 0};
        std::tie(p.h, p.beyond) =
            period(p.c, std::min(0.0, law.log_rest(0)), [&](double theta) { return law.log_rest(theta); });
        draw_divided(p, best, law);
      }
    }
    return best.c > 0 ? std::optional(best) : std::nullopt;
  }

  // log delta(eps) at the saddle of the divided law.
  double log_delta() const {
    const RoughlyDivided law(outlook_.parts[0], largest_core().first);
    const double c = saddle_of(law), step = 0.01 * c;
    const double here = log_height(law, c);
    const double bend = (log_height(law, c + step) + log_height(law, c - step) - 2 * here) / (step * step);
    return here - std::log(2 * M_PI * std::max(bend, 1e-3 / (c * c))) / 2;
  }
  // The order at which Chernoff's bound is least, of the whole law or of the divided one.
  Plan chernoff() const {
    const double unit = std::log(std::max(eps_, std::sqrt(outlook_.cumulant(0)[2])));
    const auto least = [&](auto log_moment) {
      return minimise<double>(
          [&](double u) {
            const double c = std::exp(u);
            return log_moment(c) - c * eps_ + log_hockey_stick(c);
          },
          -7 - unit, 8 - unit, 40);
    };
    const auto whole = least([&](double theta) { return outlook_.cumulant(theta)[0]; });
    Plan out{.c = std::exp(whole.at.value)};
    if (!can_divide() || eps_ <= 0) return out;
    const auto [core, order] = largest_core();
    const RoughlyDivided law(outlook_.parts[0], core);
    const auto parts = least([&](double theta) { return law.log_rest(theta); });
    if (parts.value < whole.value)
      out = {.c = std::exp(parts.at.value), .core = core, .core_order = core * laws_[0].times > eps_ ? order : 0};
    return out;
  }
  bool can_divide() const { return laws_.size() == 1 && laws_[0].core; }

 private:
  // Chernoff at c + a puts the terms m > 0 below the tolerance when 2 pi/h is at least this, for the best a; the terms
  // m < 0 ask for (log_mass - log_tolerated)/c. Returns h and a.
  template <class F>
  std::pair<double, double> period(double c, double log_mass, F log_moment) const {
    const auto above = [&](double u) {
      const double a = std::exp(u);
      return (log_moment(c + a) - (c + a) * eps_ - log_tolerated_) / a;
    };
    const auto best = minimise<double>(above, std::log(c) - 6, std::log(c) + 2, 24);
    // Where all of it is tolerated the length is of no account.
    const double length = std::max({1.01 * best.value, (log_mass - log_tolerated_) / c, 1 / c});
    return {length, std::exp(best.at.value)};
  }

  double log_height(const RoughlyDivided& law, double c) const {
    return law.log_rest(c) - c * eps_ - std::log(c * (1 + c));
  }
  double saddle_of(const RoughlyDivided& law) const {
    const double unit = std::log(std::max(eps_, std::sqrt(outlook_.cumulant(0)[2])));
    const auto f = [&](double u) { return log_height(law, std::exp(u)); };
    return std::exp(minimise<double>(f, -7 - unit, 8 - unit, 40).at.value);
  }

  // The largest core that does not matter, and the order that shows it.
  std::pair<double, double> largest_core() const {
    if (eps_ <= 0) return {0, 0};
    const double T = laws_[0].times;
    const auto log_delta = [&](double core) {
      const RoughlyDivided law(outlook_.parts[0], core);
      const auto f = [&](double u) {
        const double theta = std::exp(u);
        return law.log_core(theta) - theta * eps_ + log_hockey_stick(theta);
      };
      return minimise<double>(f, std::log(1e-2 / eps_), std::log(1e4 / eps_), 30);
    };
    double low = 0.999 * eps_ / T, high = eps_, order = 0;  // a little less, for eps nearby
    for (int i = 0; i < 10; ++i) {
      const double middle = std::sqrt(low * high);
      const auto found = log_delta(middle);
      if (found.value < log_tolerated_ - 1)
        low = middle, order = std::exp(found.at.value);
      else
        high = middle;
    }
    return {low, order};
  }

  // Finds the least length of a line such that what it leaves out is tolerated; gives up when it takes too much work.
  template <class F, class W>
  bool lengthen(Plan& p, double most, F left_out, W work) const {
    double low = p.h, high = p.h;
    for (; left_out(high) > log_tolerated_; high *= 2) {
      if (work(high) > most || high > most_points * p.h) return false;
      low = high;
    }
    for (int i = 0; i < 6 && low < high; ++i) {
      const double middle = std::sqrt(low * high);
      (left_out(middle) > log_tolerated_ ? low : high) = middle;
    }
    p.last = std::ceil(high / p.h) + 1;
    p.work = work(high);
    return true;
  }
  // Every moment is wrong by some units of rounding, its power T times as much; this may take a larger share.
  void choose_bits(Plan& p, double log_scale, double nodes) const {
    double rounds = 0;
    for (const MomentLaw& law : laws_) rounds += law.times;
    const double units = rounds * (6 * p.last + 2 * nodes + 16);
    const double needed = (log_scale + std::log(units) - log_tolerated_) / std::log(2.0) - 4;
    p.fine = needed >= -std::log2(Phases::wide_unit);
    p.bits = least_bits + (p.fine ? static_cast<long>(needed) : 0);
    if (p.fine) p.work *= 24 * std::pow(static_cast<double>(p.bits) / least_bits, 1.5);
  }

  static constexpr double most_points = 1e6;  // on a line, for the memory they take
  // A point on the line takes some thousand products beside its phases.
  static constexpr double per_point = 2000;

  // Takes the plan if it is better than the best so far.
  void draw(Plan p, Plan& best) const {
    p.h = 2 * M_PI / p.h;
    std::vector<std::vector<RoughLayer>> piles;
    std::vector<double> mass;
    double nodes = 0;
    for (const MomentLaw& law : laws_) {
      const Tilted here = law.tilted(p.c, 0);
      piles.push_back(roughly(pile_up(law.stairs(p.c))));
      mass.push_back(total(here).midpoint());
      nodes += static_cast<double>(here.nodes.size());
    }
    const double log_scale = outlook_.cumulant(p.c)[0] - p.c * eps_;
    const auto left_out = [&](double Y) {
      double sum = log_scale - std::log(M_PI * Y);
      for (std::size_t i = 0; i < laws_.size(); ++i)
        sum += laws_[i].times * std::log1p(-rough_shortfall(piles[i], Y) / mass[i]);
      return sum;
    };
    if (!lengthen(p, best.work, left_out, [&](double Y) { return Y / p.h * (nodes + per_point); })) return;
    choose_bits(p, log_scale, nodes);
    if (p.work < best.work) best = p;
  }
  void draw_divided(Plan p, Plan& best, const RoughlyDivided& law) const {
    p.h = 2 * M_PI / p.h;
    const double T = laws_[0].times, core = std::exp(law.log_core(p.c) / T), log_scale = law.log_rest(p.c) - p.c * eps_;
    if (!(log_scale - log_tolerated_ < 150)) return;  // too many digits to lose
    const double nodes = 1500, whole = std::exp(outlook_.cumulant(p.c)[0] / T);
    const std::vector<RoughLayer> pile = roughly(pile_up(laws_[0].stairs(p.c)));
    const double at_zero = std::exp(RoughlyDivided(outlook_.parts[0], 0).log_core(p.c) / T);
    const auto left_out = [&](double Y) {
      const double rest = laws_[0].rough_rest_beyond(p.c, Y, p.core),
                   still = at_zero + laws_[0].rough_rest_beyond(p.c, Y, 0),
                   other = std::min({core, whole - rough_shortfall(pile, Y), still}) + rest;
      return std::log(T * rest) + (T - 1) * std::log(other) - p.c * eps_ - std::log(M_PI * Y);
    };
    if (!lengthen(p, best.work, left_out, [&](double Y) { return Y / p.h * (nodes + per_point); })) return;
    choose_bits(p, log_scale, nodes);
    if (p.work < best.work) best = p;
  }

  const std::vector<MomentLaw>& laws_;
  const Outlook& outlook_;
  double eps_, log_tolerated_, most_work_;
};

}  // namespace

std::optional<Plan> line_around(const Work& work, const Wish& wish, double saddle) {
  return Planner(work, wish).around(saddle);
}
std::optional<Plan> best_line(const Work& work, const Wish& wish, double saddle) {
  return Planner(work, wish).best(saddle);
}

Plan chernoff_orders(const Work& work, double eps, double log_tolerated) {
  return Planner(work, {eps, log_tolerated, 0}).chernoff();
}

double rough_log_delta(const Work& work, double eps, double most) {
  const Planner planner(work, {eps, most - 18, 0});
  if (!planner.can_divide() || eps <= 0) return most;
  const double divided = planner.log_delta();
  return divided > -1e8 ? std::min(most, divided) : most;  // below, nothing was left beyond the core
}

double rough_epsilon(const Work& work, double log_delta, double most) {
  const auto planner = [&](double eps) { return Planner(work, {eps, log_delta - 18, 0}); };
  if (!planner(most).can_divide() || most <= 0) return most;
  double low = std::log(most) - 16, high = std::log(most) + 0.5;
  for (int i = 0; i < 14; ++i) {
    const double middle = (low + high) / 2;
    (planner(std::exp(middle)).log_delta() > log_delta ? low : high) = middle;
  }
  return std::exp(high);
}

}  // namespace epsilary::solvers::contour
