#include "solvers/losses/discrete.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/losses/lattice/saddle_point.hpp"
#include "solvers/losses/softened.hpp"
#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {
namespace {

constexpr std::size_t most_outcomes = 600;  // of one pair, before they are put in groups

// A mechanism by its finite losses, their mass under P, and the mass of P that Q lacks.
struct Losses {
  std::vector<Ball> loss, p, q;
  std::vector<double> rough_loss, log_p;
  Ball infinite;
  std::uint64_t times = 1;

  explicit Losses(const OutcomePair& pair) : times(pair.times) {
    for (std::size_t k = 0; k < pair.p.size(); ++k) {
      if (pair.p[k].is_zero()) continue;  // what P never shows costs nothing
      if (pair.q[k].is_zero()) {
        infinite += pair.p[k];
        continue;
      }
      loss.push_back(log(pair.p[k] / pair.q[k]));
      p.push_back(pair.p[k]);
      q.push_back(pair.q[k]);
      rough_loss.push_back(loss.back().midpoint());
      log_p.push_back(log(pair.p[k]).midpoint());
    }
  }
  double largest() const { return loss.empty() ? 0 : *std::ranges::max_element(rough_loss); }
  double widest() const {
    double most = 0;
    for (const double x : rough_loss) most = std::max(most, std::abs(x));
    return most;
  }
};

struct All {
  std::vector<Losses> parts;
  Ball infinite;    // that some round shows what Q lacks
  double most = 0;  // no loss of all rounds together is larger

  explicit All(const std::vector<OutcomePair>& pairs) {
    Ball none(1);
    for (const OutcomePair& pair : pairs) {
      parts.emplace_back(pair);
      const Losses& part = parts.back();
      none *= pow(1 - part.infinite, Ball(part.times));
      most += static_cast<double>(part.times) * (part.largest() + 1e-12 * part.widest());
    }
    infinite = 1 - none;
    if (std::ranges::all_of(parts, [](const Losses& l) { return l.infinite.is_zero(); })) infinite = Ball(0);
  }
};

ComplexBall moment(const All& all, const ComplexBall& z) {
  ComplexBall product(1);
  for (const Losses& part : all.parts) {
    ComplexBall sum(0);
    for (std::size_t k = 0; k < part.loss.size(); ++k) sum += exp(z * part.loss[k]) * part.p[k];
    product *= pow(sum, part.times);
  }
  return product;
}

// -log |M(c+iy)/M(c)| in double, less what rounding may have added: every mass, tilted by e^{c loss}, and every phase
// is known to a few units times its exponent.
double damping(const All& all, double c, double y) {
  double sum = 0;
  for (const Losses& part : all.parts) {
    double top = -HUGE_VAL, total = 0, re = 0, im = 0;
    for (std::size_t k = 0; k < part.loss.size(); ++k) top = std::max(top, part.log_p[k] + c * part.rough_loss[k]);
    for (std::size_t k = 0; k < part.loss.size(); ++k) {
      const double w = std::exp(part.log_p[k] + c * part.rough_loss[k] - top);
      total += w;
      re += w * std::cos(y * part.rough_loss[k]);
      im += w * std::sin(y * part.rough_loss[k]);
    }
    spend(10.0 * static_cast<double>(part.loss.size()));
    double exponents = 0;
    for (const double x : part.log_p) exponents = std::max(exponents, std::abs(x));
    const double error =
        (static_cast<double>(part.loss.size()) + 64 + 8 * exponents + 8 * (c + y) * part.widest()) * 0x1p-50;
    const double size = std::hypot(re, im) / total + error;
    if (size < 1) sum -= static_cast<double>(part.times) * std::log(size);
  }
  return sum;
}

pld::CumulantModel cumulants(const All& all) {
  pld::CumulantModel out;
  for (const Losses& part : all.parts)
    if (!part.loss.empty()) out.parts.push_back({static_cast<double>(part.times), part.rough_loss, part.log_p});
  return out;
}

// The part of delta(eps) that finite losses have, in one round.
Ball one_round_delta(const Ball& eps, const Losses& part) {
  Ball sum;
  for (std::size_t k = 0; k < part.loss.size(); ++k) sum += max(Ball(0), part.p[k] - exp(eps) * part.q[k]);
  return sum;
}

// The eps of one round between two doubles.
Bracket one_round_epsilon(const Losses& part, const Ball& delta) {
  const auto meets = [&](double eps) { return one_round_delta(Ball(eps), part) <= delta; };
  if (certainly(meets(0))) return {0, 0};
  Bracket out{0, std::max(part.largest(), 0.0) * (1 + 1e-12) + 1e-300};
  if (!certainly(meets(out.upper))) return {0, HUGE_VAL};
  for (int i = 0; i < 60; ++i) {
    const double middle = out.lower + (out.upper - out.lower) / 2;
    if (certainly(meets(middle)))
      out.upper = middle;
    else if (!possibly(meets(middle)))
      out.lower = middle;
    else
      break;
  }
  return out;
}

Bracket epsilon_of(const All& all, const Ball& delta, double width) {
  const Ball left = delta - all.infinite;
  if (!certainly(left > 0)) return {0, HUGE_VAL};
  const auto o = cumulants(all);
  if (o.parts.empty() || all.most <= 0) return {0, 0};
  if (all.parts.size() == 1 && all.parts.front().times == 1) return one_round_epsilon(all.parts.front(), left);
  const double most_c = 1e13 / all.most;
  const double log_delta = log(left).midpoint();
  double c = pld::decreasing_root([&](double t) { return o.log_delta_at(t) - log_delta; }, most_c);
  Abscissa at{c, o.eps_at(c), width};
  if (!(at.x > 0)) {
    c = pld::decreasing_root([&](double t) { return -o.eps_at(t); }, most_c);
    at = {c, 1e-3 / c, 1};
  }
  const auto ask = [&] {
    const LossMoments moments{[&](const ComplexBall& z) { return moment(all, z); },
                              [&](double y) { return damping(all, at.c, y); }};
    Bracket b = softened_epsilon(moments, at, left);
    if (b.upper > all.most) b = {std::min(b.lower, all.most), all.most};
    return b;
  };
  Bracket b = ask();
  if (at.width == 1 && b.upper > 0) {  // above 0 after all
    at.width = width;
    b = ask();
  }
  return b;
}

Ball delta_of(const All& all, const Ball& eps, double width) {
  const auto o = cumulants(all);
  if (o.parts.empty()) return all.infinite;
  if (all.parts.size() == 1 && all.parts.front().times == 1)
    return all.infinite + one_round_delta(eps, all.parts.front());
  if (certainly(Ball(all.most) <= eps)) return all.infinite;
  const double x = eps.midpoint();
  const double c = pld::decreasing_root([&](double t) { return x - o.eps_at(t); }, 1e13 / std::max(all.most, 1e-300));
  const double shown = std::max(x, 1e-3 / c), rough = std::exp(std::max(-700.0, o.log_delta_at(c)));
  const LossMoments moments{[&](const ComplexBall& z) { return moment(all, z); },
                            [&](double y) { return damping(all, c, y); }};
  const SoftenedContour contour(moments, {c, shown, std::min(1.0, width / (2 * c * shown))}, Ball(rough));
  const Ball low = max(Ball(0), contour.lower(eps)), high = min(Ball(1), contour.upper(eps));
  return all.infinite + Ball::hull(low.lower_end(), high.upper_end());
}

// The outcomes of finite loss, the smallest first.
std::vector<std::size_t> by_loss(const OutcomePair& pair) {
  std::vector<std::size_t> finite;
  std::vector<double> loss(pair.p.size());
  for (std::size_t k = 0; k < pair.p.size(); ++k)
    if (!pair.p[k].is_zero() && !pair.q[k].is_zero()) {
      loss[k] = log(pair.p[k] / pair.q[k]).midpoint();
      finite.push_back(k);
    }
  std::ranges::sort(finite, {}, [&](std::size_t k) { return loss[k]; });
  return finite;
}

template <class Group>
OutcomePair grouped(const OutcomePair& pair, std::size_t groups, Group group) {
  const std::vector<std::size_t> finite = by_loss(pair);
  OutcomePair out{.times = pair.times};
  for (std::size_t k = 0; k < pair.p.size(); ++k)
    if (pair.p[k].is_zero() != pair.q[k].is_zero()) {
      out.p.push_back(pair.p[k]);
      out.q.push_back(pair.q[k]);
    }
  const std::size_t size = (finite.size() + groups - 1) / groups;
  for (std::size_t i = 0; i < finite.size(); i += size)
    group(std::vector<std::size_t>(finite.begin() + static_cast<std::ptrdiff_t>(i),
                                   finite.begin() + static_cast<std::ptrdiff_t>(std::min(i + size, finite.size()))),
          out);
  return out;
}

}  // namespace

OutcomePair merged(const OutcomePair& pair, std::size_t groups) {
  return grouped(pair, groups, [&](const std::vector<std::size_t>& members, OutcomePair& out) {
    Ball p, q;
    for (const std::size_t k : members) {
      p += pair.p[k];
      q += pair.q[k];
    }
    out.p.push_back(p);
    out.q.push_back(q);
  });
}

OutcomePair spread(const OutcomePair& pair, std::size_t groups) {
  return grouped(pair, groups, [&](const std::vector<std::size_t>& members, OutcomePair& out) {
    const auto keep = [&](const Ball& p, const Ball& q) {
      out.p.push_back(p);
      out.q.push_back(q);
    };
    Ball low = pair.p[members.front()] / pair.q[members.front()], high = low;
    for (const std::size_t k : members) {
      low = min(low, pair.p[k] / pair.q[k]).lower_end();
      high = max(high, pair.p[k] / pair.q[k]).upper_end();
    }
    const Ball between = high - low;
    if (members.size() == 1 || !certainly(between > 0)) {
      for (const std::size_t k : members) keep(pair.p[k], pair.q[k]);
      return;
    }
    Ball at_low, at_high;  // of q
    for (const std::size_t k : members) {
      const Ball share = max(Ball(0), pair.p[k] - low * pair.q[k]) / between;
      at_high += share;
      at_low += max(Ball(0), pair.q[k] - share);
    }
    keep(low * at_low, at_low);
    keep(high * at_high, at_high);
  });
}

Ball compose(const std::vector<OutcomePair>& pairs, const Target& target, const Request& request) {
  const double wide = request.width / 4;
  const auto answer = [&](const std::vector<OutcomePair>& list) {
    const All all(list);
    return target.eps ? delta_of(all, *target.eps, wide) : as_ball(epsilon_of(all, *target.delta, wide));
  };
  double times = 1;
  for (const OutcomePair& pair : pairs) times += static_cast<double>(pair.times);
  const Ball::Precision bits(128 + nearest_integer(std::log2(times)));
  return within_work(
      8 * request.work,
      [&] {
        if (std::ranges::all_of(pairs, [](const OutcomePair& x) { return x.p.size() <= most_outcomes; }))
          return answer(pairs);
        std::vector<OutcomePair> below, above;
        for (const OutcomePair& x : pairs) {
          const bool few = x.p.size() <= most_outcomes;
          below.push_back(few ? x : merged(x, most_outcomes));
          above.push_back(few ? x : spread(x, most_outcomes / 2));
        }
        const Ball low = answer(below), high = answer(above);
        return high.finite() ? Ball::hull(low.finite() ? low.lower_end() : Ball(0), high.upper_end()) : high;
      },
      unknown<Ball>);
}

}  // namespace epsilary::solvers
