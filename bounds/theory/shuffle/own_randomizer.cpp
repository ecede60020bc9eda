#include "bounds/theory/shuffle/own_randomizer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "solvers/numbers/functions.hpp"

namespace epsilary::bounds::own {
namespace {

using Kind = Randomizer::Kind;

// Outputs that look the same to three records: their mass under each, the least that any record gives them, and which
// of the records are marked in them, where a marked record has one ratio to others and the same always.
struct Class {
  Ball first, second, third, least;
  int marks[4] = {0, 0, 0, 0};
};
using Classes = std::vector<Class>;

double log_ratio(const Ball& a, const Ball& b) { return log(a / b).upper(); }

// Outputs of the same marks relative to the third are one outcome.
Hidden hidden_by(const Classes& classes, Ball Class::*third, bool have_marks) {
  Hidden out{.whole = third != &Class::least};
  const int at = third == &Class::first ? 0 : third == &Class::second ? 1 : third == &Class::third ? 2 : 3;
  std::map<std::pair<int, int>, std::size_t> seen;
  for (const Class& c : classes) {
    const Ball& mass = c.*third;
    if (!certainly(mass > 0)) continue;
    if (have_marks) {
      const std::pair<int, int> marks{c.marks[0] - c.marks[at], c.marks[1] - c.marks[at]};
      if (const auto known = seen.find(marks); known != seen.end()) {
        out.seen[known->second].mass += mass;
        continue;
      }
      seen.emplace(marks, out.seen.size());
    }
    out.seen.push_back({c.first / mass, c.second / mass, mass});
    out.most = std::max(out.most, log_ratio(c.first, c.second));
  }
  return out;
}

// ---- named randomizers -----------------------------------------------------------------------------------

// Outputs in which the records are marked or not: 2^3 kinds, each with its share. A marked record has `high` times the
// share, another `low` times. `all` is the share of outputs in which every record is marked.
Classes marked(const Ball (&share)[2][2][2], const Ball& high, const Ball& low, const Ball& all) {
  Classes out;
  const auto mass = [&](int mark, const Ball& s) { return s * (mark ? high : low); };
  const auto add = [&](int a, int b, int c, const Ball& s, bool every) {
    if (!certainly(s > 0)) return;  // of two or three records all the marked ones are marked for all
    out.push_back({mass(a, s), mass(b, s), mass(c, s), mass(every ? 1 : 0, s), {a, b, c, every ? 1 : 0}});
  };
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 2; ++c) {
        const bool full = a + b + c == 3;
        add(a, b, c, full ? share[a][b][c] - all : share[a][b][c], false);
        if (full) add(a, b, c, all, true);
      }
  return out;
}

// The third record as the first: it adds nothing of its own.
Classes two_records(const Ball& one, const Ball& both, const Ball& none, const Ball& high, const Ball& low,
                    const Ball& all) {
  Ball share[2][2][2];
  share[1][0][1] = one, share[0][1][0] = one, share[1][1][1] = both, share[0][0][0] = none;
  return marked(share, high, low, all);
}

Classes response(const Ball& e, const Rational& k) {
  const Ball d = e + Ball(k - 1), low = 1 / d, high = e / d;
  if (k == 2) return {{high, low, high, low, {1, 0, 1, 0}}, {low, high, low, low, {0, 1, 0, 0}}};
  Classes out{
      {high, low, low, low, {1, 0, 0, 0}}, {low, high, low, low, {0, 1, 0, 0}}, {low, low, high, low, {0, 0, 1, 0}}};
  if (k > 3) {
    const Ball rest = low * Ball(k - 3);
    out.push_back({rest, rest, rest, rest});
  }
  return out;
}

// d of k values, the record among them or not: C(k-3, d-j)/C(k, d) of the sets hold j of three records.
Classes subset(const Ball& e, const Rational& k, const Rational& d) {
  const auto part = [&](int size, int held) {  // of `size` records exactly those `held` are in the set
    Rational x = 1, left = k, in = d, out = k - d;
    for (int i = 0; i < size; ++i, left = left - 1) {
      Rational& from = i < held ? in : out;
      if (from <= 0) return Rational(0);
      x = x * from / left;
      from = from - 1;
    }
    return x;
  };
  const Ball scale = Ball(k) / (e * Ball(d) + Ball(k - d));
  if (k == 2) return two_records(Ball(part(2, 1)), Ball(part(2, 2)), Ball(part(2, 0)), e * scale, scale, Ball(0));
  Ball share[2][2][2];
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 2; ++c) share[a][b][c] = Ball(part(3, a + b + c));
  return marked(share, e * scale, scale, Ball(0));
}

// Bits that are one with probability f for other records; `high` and `low` are the ratios of the record's own bit. The
// output of ones alone is marked for all.
Classes unary(const Rational& k, const Ball& f, const Ball& high, const Ball& low) {
  const Ball all = exp(Ball(k) * log(f)), g = 1 - f;
  if (k == 2) return two_records(f * g, f * f, g * g, high, low, all);
  Ball share[2][2][2];
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 2; ++c) share[a][b][c] = (a ? f : g) * (b ? f : g) * (c ? f : g);
  return marked(share, high, low, all);
}

// Several choices of the third record.
std::vector<Classes> classes_of(const Randomizer& r, const Ball& eps0) {
  const Ball e = exp(eps0);
  const auto& x = r.numbers;
  switch (r.kind) {
    case Kind::krr: return {response(e, x[0])};
    case Kind::rinf:  // opposite vertices
      return {response(e, 2)};
    case Kind::subset: return {subset(e, x[0], x[1])};
    case Kind::rappor: {
      const Ball root = exp(eps0 / 2);
      return {unary(x[0], 1 / (root + 1), root, 1 / root)};
    }
    case Kind::oue: return {unary(x[0], 1 / (e + 1), (e + 1) / 2, (e + 1) / (2 * e))};
    case Kind::hadamard: {  // rows are half full; the first column is marked for all
      const Ball high = 2 * e / (e + 1), low = 2 / (e + 1), first = 1 / Ball(x[0]);
      Ball apart[2][2][2], product[2][2][2];
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          for (int c = 0; c < 2; ++c) {
            apart[a][b][c] = ldexp(Ball(1), -3);
            if ((a + b + c) % 2 == 1) product[a][b][c] = ldexp(Ball(1), -2);
          }
      std::vector<Classes> out{marked(product, high, low, first)};
      if (x[0] >= 8) out.push_back(marked(apart, high, low, first));
      return out;
    }
    case Kind::hash: {  // of two records, which collide with probability 1/g
      const Ball g(x[0]), d = e + g - 1, apart = 1 - 1 / g;
      return {two_records(apart / g, 1 / (g * g), (apart * (g - 2) + (g - 1) / g) / g, e * g / d, g / d, Ball(0))};
    }
    default: return {};
  }
}

// Noise on a number in [0, 1]: outputs in cells between the two ends, and beyond them. Records 0, 1 and 1/2.
template <class Below>
Classes in_cells(const Ball& from, const Ball& to, Below below) {
  constexpr int cells = 40;
  const Ball half = ldexp(Ball(1), -1);
  const Ball records[] = {Ball(0), Ball(1), half};
  Classes out;
  for (int i = -1; i <= cells; ++i) {
    const auto mass = [&](const Ball& record) {
      const auto end = [&](int k) { return from + (to - from) * Ball(k) / Ball(cells); };
      if (i == -1) return below(Ball(from - record));
      if (i == cells) return below(Ball(record - to));
      const Ball left = end(i) - record, right = end(i + 1) - record;
      // The smaller of both tails keeps its digits.
      return certainly(left >= 0) ? below(-left) - below(-right) : below(right) - below(left);
    };
    out.push_back({mass(records[0]), mass(records[1]), mass(records[2]), Ball(0)});
  }
  return out;
}

Ball normal_below(const Ball& z) { return erfc(-z / sqrt(Ball(2))) / 2; }

Classes noise(const Randomizer& r, const Ball& eps0) {
  if (r.kind == Kind::laplace)
    return in_cells(Ball(0), Ball(1),
                    [&](const Ball& y) { return certainly(y <= 0) ? exp(eps0 * y) / 2 : 1 - exp(-eps0 * y) / 2; });
  const Ball sigma(r.numbers[0]), t(r.numbers[1]);
  return in_cells(-t, 1 + t, [&](const Ball& y) { return normal_below(y / sigma); });
}

bool is_noise(const Randomizer& r) { return r.kind == Kind::laplace || r.kind == Kind::gauss; }

// ---- matrices --------------------------------------------------------------------------------------------

struct Column {
  std::vector<Rational> entry;
  Rational least;
};

std::vector<Column> columns_of(const Randomizer& r) {
  std::vector<Column> out;
  for (std::size_t j = 0; j < r.rows.front().size(); ++j) {
    std::vector<Rational> entry;
    for (const auto& row : r.rows) entry.push_back(row[j]);
    const Rational least = *std::ranges::min_element(entry);
    out.push_back({std::move(entry), least});
  }
  return out;
}

// A pair of rows hidden by a third law, exactly.
struct ExactHidden {
  std::map<std::pair<Rational, Rational>, Rational> seen;   // ratios -> mass
  std::map<std::pair<Rational, Rational>, Rational> alone;  // masses -> how many of them
  friend bool operator<(const ExactHidden& a, const ExactHidden& b) {
    return std::tie(a.seen, a.alone) < std::tie(b.seen, b.alone);
  }
};

ExactHidden exactly_hidden(const std::vector<Column>& columns, std::size_t first, std::size_t second,
                           const std::optional<std::size_t>& third) {
  ExactHidden out;
  const auto add = [](auto& map, std::pair<Rational, Rational> at, const Rational& x) {
    auto& mass = map[std::move(at)];
    mass = mass + x;
  };
  for (const Column& c : columns) {
    const Rational& mass = third ? c.entry[*third] : c.least;
    const Rational &a = c.entry[first], &b = c.entry[second];
    if (a == 0 && b == 0 && !third) continue;
    if (mass > 0)
      add(out.seen, {a / mass, b / mass}, mass);
    else if (a > 0 || b > 0)
      add(out.alone, {a, b}, 1);
  }
  return out;
}

Hidden in_balls(const ExactHidden& exact, bool whole) {
  Hidden out{.whole = whole};
  const auto ratio = [&](const Rational& a, const Rational& b) {
    if (a > 0 && b > 0) out.most = std::max(out.most, log(Ball(a / b)).upper());
  };
  for (const auto& [ratios, mass] : exact.seen) {
    out.seen.push_back({Ball(ratios.first), Ball(ratios.second), Ball(mass)});
    ratio(ratios.first, ratios.second);
  }
  for (const auto& [masses, count] : exact.alone) {
    out.alone.push_back({Ball(masses.first * count), Ball(masses.second * count)});
    ratio(masses.first, masses.second);
  }
  return out;
}

std::vector<Hidden> different(const std::set<ExactHidden>& found, bool whole) {
  std::vector<Hidden> out;
  for (const ExactHidden& x : found) out.push_back(in_balls(x, whole));
  return out;
}

std::vector<Hidden> matrix_blankets(const Randomizer& r) {
  const std::vector<Column> columns = columns_of(r);
  std::set<ExactHidden> found;
  for (std::size_t a = 0; a < r.rows.size(); ++a)
    for (std::size_t b = 0; b < r.rows.size(); ++b)
      if (a != b) found.insert(exactly_hidden(columns, a, b, {}));
  return different(found, false);
}

// How much a pair leaks when all others hold a third record, by the normal law of the sum: it chooses, and proves
// nothing.
double rough_leak(const std::vector<std::vector<double>>& rows, std::size_t a, std::size_t b, std::size_t c) {
  double sum = 0;
  for (std::size_t j = 0; j < rows[a].size(); ++j) {
    const double gap = rows[a][j] - rows[b][j];
    if (gap != 0) sum += rows[c][j] > 0 ? gap * gap / rows[c][j] : 1e300;
  }
  return sum;
}

std::vector<Hidden> matrix_equal_others(const Randomizer& r) {
  constexpr std::size_t most_pairs = 12;
  const std::vector<Column> columns = columns_of(r);
  std::vector<std::vector<double>> rows(r.rows.size());
  for (const Column& c : columns)
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(from_rational<double>(c.entry[i]));
  using Choice = std::tuple<double, std::size_t, std::size_t, std::size_t>;
  std::vector<Choice> choices;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < rows.size(); ++b)
      for (std::size_t c = 0; c < rows.size() && a != b; ++c) choices.emplace_back(-rough_leak(rows, a, b, c), a, b, c);
  std::ranges::sort(choices);
  std::set<ExactHidden> found;
  for (std::size_t i = 0; i < choices.size() && found.size() < most_pairs && i < 4 * most_pairs * most_pairs; ++i) {
    const auto& [leak, a, b, c] = choices[i];
    found.insert(exactly_hidden(columns, a, b, c));
  }
  return different(found, true);
}

}  // namespace

LocalPrivacy privacy(const Randomizer& r) {
  const Ball::Precision bits(192);
  if (r.kind == Kind::matrix) {
    const OwnPrivacy own = privacy_of(r);
    return {log(Ball(own.ratio)), own.delta0};
  }
  const Ball sigma(r.numbers[0]), t(r.numbers[1]);
  return {log(normal_below(-t / sigma) / normal_below(-(1 + t) / sigma)), 0};
}

Hidden three_numbers(const Ball& P, const Ball& Q, const Ball& distance) {
  const Ball side = distance * P / (Q * (P - 1)), both = (1 - distance * (P + 1) / (P - 1)) / Q;
  const Ball low = Q / P;
  const double most = log(P).upper();
  Hidden out{.seen = {{Q, low, side}, {low, Q, side}}, .most = most};
  if (!certainly(both <= 0)) out.seen.push_back({Q, Q, max(Ball(0), both)});
  return out;
}

std::vector<Hidden> blankets(const Randomizer& r, const Ball& eps0) {
  if (r.kind == Kind::matrix) return matrix_blankets(r);
  const Ball e = exp(eps0);
  if (r.kind == Kind::variation) return {three_numbers(Ball(r.numbers[0]), Ball(r.numbers[1]), Ball(r.numbers[2]))};
  if (r.kind == Kind::laplace) return {three_numbers(e, e, -expm1(-eps0 / 2))};
  if (r.kind == Kind::gauss) {
    const Ball own = exp(privacy(r).eps0);
    return {three_numbers(own, own, 1 - 2 * normal_below(-1 / (2 * Ball(r.numbers[0]))))};
  }
  return {hidden_by(classes_of(r, eps0).front(), &Class::least, true)};
}

std::vector<Hidden> equal_others(const Randomizer& r, const Ball& eps0) {
  if (r.kind == Kind::matrix) return matrix_equal_others(r);
  std::vector<Hidden> out;
  for (const Classes& c : is_noise(r) ? std::vector<Classes>(1, noise(r, eps0)) : classes_of(r, eps0))
    for (const auto third : {&Class::first, &Class::second, &Class::third})
      out.push_back(hidden_by(c, third, !is_noise(r)));
  return out;
}

}  // namespace epsilary::bounds::own
