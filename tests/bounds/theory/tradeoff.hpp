// Trade-off functions as values: what is certified of them, and the operations of Dong, Roth and Su 2022 on them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::bounds {

using solvers::Ball;

// A convex falling function on [0, 1] known from below by finitely many lines: f(alpha) >= height - slope alpha, and
// f >= 0. Samples of f joined by chords would lie above it and certify nothing. Every operation keeps the lines below.
struct Tradeoff {
  struct Line {
    Ball slope, height;
  };
  std::vector<Line> lines;

  Ball operator()(const Ball& alpha) const;  // the largest of the lines
};

// (eps, delta)-differential privacy for one or more eps >= 0, both ways: a symmetric function. An empty list says
// nothing.
struct Guarantee {
  Ball eps, delta;
};
Tradeoff from_guarantees(const std::vector<Guarantee>& guarantees);
Tradeoff from_profile(const std::function<Ball(const Ball& eps)>& delta, const std::vector<double>& eps);
Tradeoff identity();  // 1 - alpha: perfect privacy

// The profile of the lines: sup over alpha of 1 - f(alpha) - e^eps alpha, for any real eps; at least that of f.
Ball profile(const Tradeoff& f, const Ball& eps);

// The inverse: the least t with f(t) <= alpha.
Tradeoff inverse(const Tradeoff& f);

// The largest convex function below both, which is the double conjugate of their minimum.
Tradeoff convex_minimum(const Tradeoff& f, const Tradeoff& g);

// C_p(f) = min{f_p, f_p^{-1}}**, f_p = p f + (1 - p) Id.
Tradeoff subsampled(const Tradeoff& f, const Ball& p);

// Groups of g: 1 - (1 - f)^{o g}; g >= 1.
Tradeoff group(const Tradeoff& f, int g);

using Line = Tradeoff::Line;

// The lines that are the largest somewhere, steepest first, with the line 0 as the last. Which they are is found in
// double: leaving a line out keeps the rest below the function.
inline std::vector<Line> envelope(std::vector<Line> lines) {
  lines.push_back({Ball(0), Ball(0)});
  const auto slope = [](const Line& l) { return l.slope.midpoint(); };
  const auto height = [](const Line& l) { return l.height.midpoint(); };
  std::ranges::sort(lines, [&](const Line& a, const Line& b) {
    return slope(a) != slope(b) ? slope(a) > slope(b) : height(a) > height(b);
  });
  const auto meet = [&](const Line& a, const Line& b) { return (height(a) - height(b)) / (slope(a) - slope(b)); };
  std::vector<Line> top;
  for (const Line& l : lines) {
    if (!top.empty() && !(slope(l) < slope(top.back()))) continue;  // as steep, and not higher
    while (top.size() > 1 && meet(top.back(), l) <= meet(top[top.size() - 2], top.back())) top.pop_back();
    if (top.size() == 1 && meet(top.back(), l) <= 0) top.pop_back();  // below it on all of [0, 1]
    top.push_back(l);
  }
  while (top.size() > 1 && meet(top[top.size() - 2], top.back()) >= 1) top.pop_back();
  return top;
}

// How high a line of this slope can be below them all on [0, 1]: as high as each of them turned about its end, and,
// between a steeper line and a flatter one, as their convex combination with that slope, whichever two they are.
// Neighbours in the envelope give the most.
inline Ball support(const std::vector<Line>& top, const Ball& slope) {
  const Line *steeper = nullptr, *flatter = nullptr;
  Ball most = Ball(0);
  for (const Line& l : top) {
    most = max(most, l.height + min(Ball(0), slope - l.slope));
    if (certainly(l.slope > slope)) steeper = &l;
    if (certainly(l.slope < slope) && !flatter) flatter = &l;
  }
  if (!steeper || !flatter) return most;
  const Ball share = (slope - flatter->slope) / (steeper->slope - flatter->slope);
  return max(most, share * steeper->height + (1 - share) * flatter->height);
}

// The graph of the largest line in double: its ends and where neighbours of the envelope meet.
struct Corner {
  double x, y;
};
void add_corners(const std::vector<Line>& top, std::vector<Corner>& out) {
  const auto value = [&](const Line& l, double x) { return l.height.midpoint() - l.slope.midpoint() * x; };
  out.push_back({0, value(top.front(), 0)});
  for (std::size_t i = 1; i < top.size(); ++i) {
    const double x = ((top[i - 1].height - top[i].height) / (top[i - 1].slope - top[i].slope)).midpoint();
    out.push_back({x, value(top[i], x)});
  }
  out.push_back({1, value(top.back(), 1)});
}

inline Ball Tradeoff::operator()(const Ball& alpha) const {
  Ball most(0);
  for (const Line& l : lines) most = max(most, l.height - l.slope * alpha);
  return most;
}

inline Tradeoff identity() { return {{{Ball(1), Ball(1)}}}; }

// 1 - delta - e^eps alpha, and its inverse e^-eps (1 - delta - alpha).
inline Tradeoff from_guarantees(const std::vector<Guarantee>& guarantees) {
  Tradeoff f;
  for (const auto& [eps, delta] : guarantees) {
    const Ball rest = 1 - delta, rise = exp(eps);
    f.lines.push_back({rise, rest});
    f.lines.push_back({1 / rise, rest / rise});
  }
  return f;
}
inline Tradeoff from_profile(const std::function<Ball(const Ball& eps)>& delta, const std::vector<double>& eps) {
  std::vector<Guarantee> guarantees;
  for (const double e : eps) guarantees.push_back({Ball(e), delta(Ball(e))});
  return from_guarantees(guarantees);
}

inline Ball profile(const Tradeoff& f, const Ball& eps) {
  return max(Ball(0), 1 - support(envelope(f.lines), exp(eps)));
}

inline Tradeoff inverse(const Tradeoff& f) {
  Tradeoff out;
  for (const Line& l : f.lines)
    if (certainly(l.slope > 0)) out.lines.push_back({1 / l.slope, l.height / l.slope});
  return out;
}

// Its slopes are those of the lower hull of the corners of both, found in double; then each line is put as high as both
// allow.
inline Tradeoff convex_minimum(const Tradeoff& f, const Tradeoff& g) {
  const std::vector<Line> first = envelope(f.lines), second = envelope(g.lines);
  std::vector<Corner> corners, hull;
  add_corners(first, corners);
  add_corners(second, corners);
  std::ranges::sort(corners, [](const Corner& a, const Corner& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  for (const Corner& c : corners) {
    if (!hull.empty() && hull.back().x == c.x) continue;
    const auto above = [&](const Corner& a, const Corner& b) {
      return (b.y - a.y) * (c.x - a.x) >= (c.y - a.y) * (b.x - a.x);
    };
    while (hull.size() > 1 && above(hull[hull.size() - 2], hull.back())) hull.pop_back();
    hull.push_back(c);
  }
  Tradeoff out;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const double steepness = (hull[i - 1].y - hull[i].y) / (hull[i].x - hull[i - 1].x);
    const Ball slope(steepness);
    if (std::isfinite(steepness) && steepness > 0)
      out.lines.push_back({slope, min(support(first, slope), support(second, slope))});
  }
  return out;
}

inline Tradeoff subsampled(const Tradeoff& f, const Ball& p) {
  Tradeoff mixed{{{1 - p, 1 - p}}};
  for (const Line& l : f.lines) mixed.lines.push_back({p * l.slope + (1 - p), p * l.height + (1 - p)});
  return convex_minimum(mixed, inverse(mixed));
}

// With u = 1 - f, the least of 1 and of the rising lines 1 - height + slope alpha, u after u is the least of the lines
// after the lines.
inline Tradeoff group(const Tradeoff& f, int g) {
  const std::vector<Line> once = envelope(f.lines);
  std::vector<Line> all = once;
  for (int i = 1; i < g; ++i) {
    std::vector<Line> next;
    for (const Line& outer : once)
      for (const Line& inner : all)
        next.push_back({outer.slope * inner.slope, outer.height - outer.slope * (1 - inner.height)});
    all = envelope(std::move(next));
  }
  return {all};
}

}  // namespace epsilary::bounds
