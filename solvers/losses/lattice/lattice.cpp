#include <algorithm>
#include <cmath>

#include "solvers/losses/pair.hpp"

namespace epsilary::solvers {
namespace {

// One side on its nodes: x[0] = 0 < x[1] < ... in lattice units, e^x, the profile of the law cut at the last node, and
// for each cell i (from node i-1 to node i) how far the chord lies above the profile at most.
struct Nodes {
  std::vector<std::int64_t> at;
  std::vector<Ball> alpha, profile, light, excess;
  Tail beyond;
};

struct Sample {
  Ball alpha, profile, light;
};

Sample sample(const Side& side, const Ball& x) {
  const Tail tail = side.tail(x);
  const Ball alpha = exp(x);
  return {alpha, tail.heavy - alpha * tail.light, tail.light};
}

// The profile is convex in alpha and lies above its tangents at the ends and at a point between; its chord exceeds
// them most where two neighbours meet. The slope at a node is minus the light tail.
Ball chord_excess(const Sample& a, const Sample& m, const Sample& b) {
  const Ball width = b.alpha - a.alpha, chord = (b.profile - a.profile) / width;
  const Ball left_turn = a.light - m.light, right_turn = m.light - b.light;
  if (!certainly(left_turn > 0 && right_turn > 0)) return (width * (a.light - b.light) / 4).upper_end();
  const Ball left = (a.profile - m.profile - m.light * (m.alpha - a.alpha)) / left_turn;
  const Ball right = (b.profile - m.profile + m.light * (b.alpha - m.alpha)) / right_turn;
  const Ball most = max((chord + a.light) * left, (-b.light - chord) * right);
  return max(most, Ball(0)).upper_end();
}

Nodes place(const Side& side, double step, double fineness, double log_neglected) {
  Nodes nodes{.at = {0}};
  for (const double knot : side.knots(fineness, log_neglected))
    if (const std::int64_t j = nearest_integer(knot / step); j > nodes.at.back()) nodes.at.push_back(j);
  if (side.most > 0 && std::isfinite(side.most))
    if (const std::int64_t last = nearest_integer(std::ceil(side.most / step)); last > nodes.at.back())
      nodes.at.push_back(last);
  if (nodes.at.size() == 1) nodes.at.push_back(1);
  const auto loss = [&](double j) { return Ball(step) * Ball(j); };
  std::vector<Sample> samples;
  for (const std::int64_t j : nodes.at) samples.push_back(sample(side, loss(static_cast<double>(j))));
  nodes.beyond = side.tail(loss(static_cast<double>(nodes.at.back())));
  nodes.excess.emplace_back(0);
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Sample between = sample(side, loss(static_cast<double>(nodes.at[i - 1] + nodes.at[i]) / 2));
    nodes.excess.push_back(chord_excess(samples[i - 1], between, samples[i]));
  }
  for (const Sample& s : samples) {
    nodes.alpha.push_back(s.alpha);
    nodes.profile.push_back(s.profile - nodes.beyond.heavy + s.alpha * nodes.beyond.light);
    nodes.light.push_back(s.light - nodes.beyond.light);
  }
  nodes.profile.back() = Ball(0);
  return nodes;
}

// Masses of the lighter law at the nodes but the first, from a piecewise linear profile: the turns of its slope.
struct SideMasses {
  std::vector<Ball> light;  // light[i] at node i, light[0] unused
  Ball heavy_total, light_total;
};
SideMasses turns(const Nodes& nodes, const std::vector<Ball>& profile) {
  const std::size_t n = nodes.at.size();
  std::vector<Ball> slope(n + 1);  // slope[i] in cell i
  for (std::size_t i = 1; i < n; ++i) slope[i] = (profile[i] - profile[i - 1]) / (nodes.alpha[i] - nodes.alpha[i - 1]);
  SideMasses out{std::vector<Ball>(n), profile[0] - slope[1], -slope[1]};
  for (std::size_t i = 1; i < n; ++i) out.light[i] = slope[i + 1] - slope[i];
  return out;
}

// Both sides joined at loss 0, where P and Q have the same mass: what the sides leave of the total.
Masses join(const Nodes& right, const SideMasses& r, const Nodes& left, const SideMasses& l) {
  Masses out;
  for (std::size_t i = left.at.size() - 1; i >= 1; --i) {
    out.at.push_back(-left.at[i]);
    out.p.push_back(l.light[i]);
  }
  out.at.push_back(0);
  out.p.push_back(1 - right.beyond.heavy - left.beyond.light - r.heavy_total - l.light_total);
  for (std::size_t i = 1; i < right.at.size(); ++i) {
    out.at.push_back(right.at[i]);
    out.p.push_back(r.light[i] * right.alpha[i]);
  }
  return out;
}

// By how much to lower the profile at the nodes so that its chords come to lie below it: at an inner node by the larger
// excess of its two cells; at the last but one node down to 0. Where the profile falls so steeply before a node that
// this would take most of it, the node is lowered for the cell after it alone, and the chord before it becomes the
// tangent at the node.
std::vector<Ball> lowering(const Nodes& nodes) {
  const std::size_t n = nodes.at.size();
  std::vector<Ball> e(n);
  e[0] = nodes.excess[1];
  e[n - 2] = nodes.profile[n - 2];
  for (std::size_t i = 1; i + 2 < n; ++i) {
    e[i] = max(nodes.excess[i], nodes.excess[i + 1]);
    const Ball half = nodes.profile[i] / 2;
    if (certainly(e[i] <= half) || !certainly(nodes.excess[i + 1] <= half)) continue;  // either way will do
    e[i] = nodes.excess[i + 1];
    const Ball tangent = nodes.profile[i] - e[i] + (nodes.alpha[i] - nodes.alpha[i - 1]) * nodes.light[i];
    e[i - 1] = max(e[i - 1], nodes.profile[i - 1] - tangent).upper_end();
  }
  return e;
}
std::vector<Ball> lowered(const Nodes& nodes, std::vector<Ball> e, const Ball& at_zero) {
  e[0] = at_zero;
  for (std::size_t i = 0; i + 2 < e.size(); ++i) e[i] = nodes.profile[i] - e[i];
  e[e.size() - 2] = Ball(0);
  return e;
}

// Widens the last cell until lowering its first node to 0 covers the excess of the cell before it, and the node before
// that stays above 0.
void widen_last_cell(Nodes& nodes) {
  const auto fits = [&] {
    const std::size_t n = nodes.at.size();
    if (!certainly(nodes.profile[n - 2] >= nodes.excess[n - 2])) return false;
    return n < 4 || certainly(nodes.profile[n - 3] >= max(nodes.excess[n - 3], nodes.excess[n - 2]));
  };
  while (nodes.at.size() >= 3 && !fits()) {
    for (auto* list : {&nodes.alpha, &nodes.profile, &nodes.light, &nodes.excess}) list->erase(list->end() - 2);
    nodes.at.erase(nodes.at.end() - 2);
  }
}

// A turn the wrong way at a node is undone by drawing the chord between its neighbours, which lies lower.
// The mass moves to them so that the totals of P and Q stay; a mass that may have either sign is lessened to one that
// has not, and a pair that lacks it is dominated too. False when it cannot be done.
bool make_convex(Masses& masses, double step) {
  const std::size_t n = masses.at.size();
  std::vector<Ball> q, a;
  for (std::size_t i = 0; i < n; ++i) {
    a.push_back(exp(Ball(step) * Ball(masses.at[i])));
    q.push_back(masses.p[i] / a.back());
  }
  std::vector<std::size_t> kept;  // of the nodes before `next`
  for (std::size_t next = 1; next <= n; ++next) {
    std::size_t here = next - 1;
    while (!certainly(q[here] >= 0)) {
      if (kept.empty() || next == n || !q[here].finite()) return false;
      if (!certainly(q[here] < 0)) q[here] = q[here].lower_end();
      const std::size_t before = kept.back();
      const Ball share = (a[next] - a[here]) / (a[next] - a[before]);
      q[before] += q[here] * share;
      q[next] += q[here] * (1 - share);
      here = before;  // which may have become negative
      kept.pop_back();
    }
    kept.push_back(here);
  }
  Masses out;
  for (const std::size_t i : kept) {
    out.at.push_back(masses.at[i]);
    out.p.push_back(q[i] * a[i]);
  }
  masses = std::move(out);
  return true;
}

}  // namespace

Lattice discretise(const LossLaw& law, double step, double fineness, double log_neglected) {
  const Ball::Precision bits(128);
  Nodes right = place(law.right, step, fineness, log_neglected);
  Nodes left = law.symmetric ? right : place(law.left, step, fineness, log_neglected);
  Lattice out{.step = step};
  out.upper = join(right, turns(right, right.profile), left, turns(left, left.profile));
  out.upper.p.front() += left.beyond.light;  // losses below the first node are raised to it
  out.infinite = right.beyond.heavy;

  widen_last_cell(right);
  widen_last_cell(left);
  out.lower = {{0}, {Ball(0)}};  // the trivial lower bound
  if (right.at.size() < 3 || left.at.size() < 3) return out;
  const std::vector<Ball> r = lowering(right), l = lowering(left);
  const Ball at_zero = max(r[0], l[0]);
  Masses lower = join(right, turns(right, lowered(right, r, at_zero)), left, turns(left, lowered(left, l, at_zero)));
  if (make_convex(lower, step)) out.lower = std::move(lower);
  return out;
}

}  // namespace epsilary::solvers
