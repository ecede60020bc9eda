#include "solvers/losses/contour/line.hpp"

#include <tuple>

#include "solvers/losses/contour/phases.hpp"

namespace epsilary::solvers::contour {

using pld::CumulantModel;

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

std::vector<Layer> layer_cake(const std::vector<DensityStep>& density_steps) {
  std::vector<Layer> layers;
  if (density_steps.empty()) return layers;
  const auto height = [&](std::size_t i) { return density_steps[i].density.lower(); };
  std::size_t first = 0;
  for (std::size_t i = 0; i < density_steps.size(); ++i)
    if (height(i) > height(first)) first = i;
  std::size_t last = first;
  double level = height(first);
  while (level > 0) {  // widen towards the higher neighbour; what the level falls by is one layer
    const double left = first > 0 ? height(first - 1) : 0,
                 right = last + 1 < density_steps.size() ? height(last + 1) : 0;
    const double next = std::min(level, std::max(left, right));
    const Ball length = density_steps[last].to - density_steps[first].from;
    if (next < level) layers.push_back({length / 2, length * (Ball(level) - Ball(next))});
    level = next;
    if (left >= right && first > 0)
      --first;
    else
      ++last;
  }
  return layers;
}
Ball characteristic_gap(const std::vector<Layer>& layers, const Ball& from) {
  Ball sum;
  for (const Layer& l : layers) sum += l.mass * max(Ball(0), 1 - sinc_beyond(from * l.half));
  return sum;
}

TruncatedLaws::TruncatedLaws(const MomentLaws& uncut, double log_neglected) {
  double rounds = 0;
  for (const MomentLaw& law : uncut(log_neglected)) rounds += law.times;
  laws = uncut(log_neglected - std::log(rounds));
  for (const MomentLaw& law : laws) {
    cumulants.parts.push_back({law.times, law.loss, law.log_mass});
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
  RoughlyDivided(const CumulantModel::Part& part, double body) : part_(part), body_(body) {}

  double log_body(double theta) const { return part_.times * sums(theta).log_body; }
  // of M^T - B^T
  double log_tail(double theta) const {
    const Sums s = sums(theta);
    const double z = s.log_tail - s.log_body, x = part_.times * (z > 40 ? z : std::log1p(std::exp(z)));
    const double gained = x > 1e-12 ? x + std::log(-std::expm1(-x)) : z + std::log(part_.times);
    return part_.times * s.log_body + gained;
  }

 private:
  struct Sums {
    double log_body, log_tail;
  };
  Sums sums(double theta) const {
    // As much as the largest loss of the body weighs is put at its end, where the rough law has nothing.
    constexpr double none = -1e9;
    double largest = -HUGE_VAL, weight = none;
    for (std::size_t i = 0; i < part_.loss.size(); ++i)
      if (part_.loss[i] <= body_ && part_.loss[i] > largest) largest = part_.loss[i], weight = part_.log_p[i];
    const double at_end = body_ > 0 ? weight + theta * body_ : none;
    double top_inner = at_end, top_outer = none;
    for (std::size_t i = 0; i < part_.loss.size(); ++i) {
      double& top = part_.loss[i] > body_ ? top_outer : top_inner;
      top = std::max(top, part_.log_p[i] + theta * part_.loss[i]);
    }
    double inner = std::exp(at_end - top_inner), outer = top_outer > none ? 0 : 1;
    for (std::size_t i = 0; i < part_.loss.size(); ++i) {
      const double log_weight = part_.log_p[i] + theta * part_.loss[i];
      (part_.loss[i] > body_ ? outer : inner) += std::exp(log_weight - (part_.loss[i] > body_ ? top_outer : top_inner));
    }
    return {std::log(inner) + top_inner, std::log(outer) + top_outer};
  }

  const CumulantModel::Part& part_;
  double body_;
};

// A line such that what is left out is below e^{log_tolerated}.
class LineSearch {
 public:
  LineSearch(const TruncatedLaws& truncated, const Tolerance& tolerance)
      : laws_(truncated.laws),
        cumulants_(truncated.cumulants),
        eps_(tolerance.eps),
        log_tolerated_(tolerance.log_tolerated),
        most_work_(tolerance.most_work) {}

  // Where moments explode to the right of the saddle, the longest steps are possible on a line left of it; where few
  // losses are added, the sum is the shorter the nearer to the saddle.
  std::optional<Line> around(double saddle) const {
    const auto log_all = [&](double theta) { return cumulants_.cumulant(theta)[0]; };
    const auto f = [&](double u) { return period(std::exp(u), 0, log_all).first; };
    const double top = std::log(saddle), longest = minimise<double>(f, top - 2, top + 0.5, 16).at.value;
    Line best{.work = most_work_};
    for (const double share : {0.0, 0.5, 1.0}) {
      Line p{.c = std::exp(longest + share * (top - longest))};
      std::tie(p.h, p.beyond) = period(p.c, 0, log_all);
      draw(p, best);
      if (best.work < 1e6) break;
    }
    return best.c > 0 ? std::optional(best) : std::nullopt;
  }

  // The best of those lines and of lines for a divided law.
  std::optional<Line> best(double saddle) const {
    const std::optional<Line> whole = around(saddle);
    if ((whole && whole->work < 3e6) || !can_divide()) return whole;
    Line best = whole ? *whole : Line{.work = most_work_};
    const auto [most, order] = largest_body();
    for (const double body : {most, most / 4, 0.0}) {
      const RoughlyDivided law(cumulants_.parts[0], body);
      const double top = saddle_of(law);
      for (const double share : {1.0, 0.7, 0.4}) {
        Line p{.c = share * top, .body = body, .body_order = body * laws_[0].times > eps_ ? order : 0};
        std::tie(p.h, p.beyond) =
            period(p.c, std::min(0.0, law.log_tail(0)), [&](double theta) { return law.log_tail(theta); });
        draw_divided(p, best, law);
      }
    }
    return best.c > 0 ? std::optional(best) : std::nullopt;
  }

  // log delta(eps) at the saddle of the divided law.
  double log_delta() const {
    const RoughlyDivided law(cumulants_.parts[0], largest_body().first);
    const double c = saddle_of(law), step = 0.01 * c;
    const double here = log_height(law, c);
    const double bend = (log_height(law, c + step) + log_height(law, c - step) - 2 * here) / (step * step);
    return here - std::log(2 * M_PI * std::max(bend, 1e-3 / (c * c))) / 2;
  }
  // The order at which Chernoff's bound is least, of the whole law or of the divided one.
  Line chernoff() const {
    const double unit = std::log(std::max(eps_, std::sqrt(cumulants_.cumulant(0)[2])));
    const auto least = [&](auto log_moment) {
      return minimise<double>(
          [&](double u) {
            const double c = std::exp(u);
            return log_moment(c) - c * eps_ + log_hockey_stick(c);
          },
          -7 - unit, 8 - unit, 40);
    };
    const auto whole = least([&](double theta) { return cumulants_.cumulant(theta)[0]; });
    Line out{.c = std::exp(whole.at.value)};
    if (!can_divide() || eps_ <= 0) return out;
    const auto [body, order] = largest_body();
    const RoughlyDivided law(cumulants_.parts[0], body);
    const auto parts = least([&](double theta) { return law.log_tail(theta); });
    if (parts.value < whole.value)
      out = {.c = std::exp(parts.at.value), .body = body, .body_order = body * laws_[0].times > eps_ ? order : 0};
    return out;
  }
  bool can_divide() const { return laws_.size() == 1 && laws_[0].body; }

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
    return law.log_tail(c) - c * eps_ - std::log(c * (1 + c));
  }
  double saddle_of(const RoughlyDivided& law) const {
    const double unit = std::log(std::max(eps_, std::sqrt(cumulants_.cumulant(0)[2])));
    const auto f = [&](double u) { return log_height(law, std::exp(u)); };
    return std::exp(minimise<double>(f, -7 - unit, 8 - unit, 40).at.value);
  }

  // The largest body that does not matter, and the order that shows it.
  std::pair<double, double> largest_body() const {
    if (eps_ <= 0) return {0, 0};
    const double T = laws_[0].times;
    const auto log_delta = [&](double body) {
      const RoughlyDivided law(cumulants_.parts[0], body);
      const auto f = [&](double u) {
        const double theta = std::exp(u);
        return law.log_body(theta) - theta * eps_ + log_hockey_stick(theta);
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
  bool lengthen(Line& p, double most, F left_out, W work) const {
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
  void choose_bits(Line& p, double log_scale, double nodes) const {
    double rounds = 0;
    for (const MomentLaw& law : laws_) rounds += law.times;
    const double units = rounds * (6 * p.last + 2 * nodes + 16);
    const double needed = (log_scale + std::log(units) - log_tolerated_) / std::log(2.0) - 4;
    p.fine = needed >= -std::log2(Phases::wide_unit);
    p.bits = least_bits + (p.fine ? static_cast<std::int64_t>(needed) : 0);
    if (p.fine) p.work *= 24 * std::pow(static_cast<double>(p.bits) / least_bits, 1.5);
  }

  static constexpr double most_points = 1e6;  // on a line, for the memory they take
  // A point on the line takes some thousand products beside its phases.
  static constexpr double per_point = 2000;

  // Takes the line if it is better than the best so far.
  void draw(Line p, Line& best) const {
    p.h = 2 * M_PI / p.h;
    std::vector<std::vector<RoughLayer>> piles;
    std::vector<double> mass;
    double nodes = 0;
    for (const MomentLaw& law : laws_) {
      const Tilted here = law.tilted(p.c, 0);
      piles.push_back(roughly(layer_cake(law.density_steps(p.c))));
      mass.push_back(total(here).midpoint());
      nodes += static_cast<double>(here.nodes.size());
    }
    const double log_scale = cumulants_.cumulant(p.c)[0] - p.c * eps_;
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
  void draw_divided(Line p, Line& best, const RoughlyDivided& law) const {
    p.h = 2 * M_PI / p.h;
    const double T = laws_[0].times, body = std::exp(law.log_body(p.c) / T), log_scale = law.log_tail(p.c) - p.c * eps_;
    if (!(log_scale - log_tolerated_ < 150)) return;  // too many digits to lose
    const double nodes = 1500, whole = std::exp(cumulants_.cumulant(p.c)[0] / T);
    const std::vector<RoughLayer> pile = roughly(layer_cake(laws_[0].density_steps(p.c)));
    const double at_zero = std::exp(RoughlyDivided(cumulants_.parts[0], 0).log_body(p.c) / T);
    const auto left_out = [&](double Y) {
      const double tail = laws_[0].rough_tail_beyond(p.c, Y, p.body),
                   still = at_zero + laws_[0].rough_tail_beyond(p.c, Y, 0),
                   other = std::min({body, whole - rough_shortfall(pile, Y), still}) + tail;
      return std::log(T * tail) + (T - 1) * std::log(other) - p.c * eps_ - std::log(M_PI * Y);
    };
    if (!lengthen(p, best.work, left_out, [&](double Y) { return Y / p.h * (nodes + per_point); })) return;
    choose_bits(p, log_scale, nodes);
    if (p.work < best.work) best = p;
  }

  const std::vector<MomentLaw>& laws_;
  const CumulantModel& cumulants_;
  double eps_, log_tolerated_, most_work_;
};

}  // namespace

std::optional<Line> line_around(const TruncatedLaws& truncated, const Tolerance& tolerance, double saddle) {
  return LineSearch(truncated, tolerance).around(saddle);
}
std::optional<Line> best_line(const TruncatedLaws& truncated, const Tolerance& tolerance, double saddle) {
  return LineSearch(truncated, tolerance).best(saddle);
}

Line chernoff_orders(const TruncatedLaws& truncated, double eps, double log_tolerated) {
  return LineSearch(truncated, {eps, log_tolerated, 0}).chernoff();
}

double rough_log_delta(const TruncatedLaws& truncated, double eps, double most) {
  const LineSearch search(truncated, {eps, most - 18, 0});
  if (!search.can_divide() || eps <= 0) return most;
  const double divided = search.log_delta();
  return divided > -1e8 ? std::min(most, divided) : most;  // below, nothing was left beyond the body
}

double rough_epsilon(const TruncatedLaws& truncated, double log_delta, double most) {
  const auto search = [&](double eps) { return LineSearch(truncated, {eps, log_delta - 18, 0}); };
  if (!search(most).can_divide() || most <= 0) return most;
  double low = std::log(most) - 16, high = std::log(most) + 0.5;
  for (int i = 0; i < 14; ++i) {
    const double middle = (low + high) / 2;
    (search(std::exp(middle)).log_delta() > log_delta ? low : high) = middle;
  }
  return std::exp(high);
}

}  // namespace epsilary::solvers::contour
