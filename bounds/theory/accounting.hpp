// Accounting over T rounds: the divergences of one order add up, and Lemma 2 turns the sum into epsilon.
// Every order gives a valid bound, so the search for the best needs no proof: it runs in double, and the
// number printed is evaluated once at the order found.
#pragma once

#include <string>

#include "bounds/core/bound.hpp"
#include "bounds/core/split.hpp"
#include "bounds/theory/renyi.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds {

// What a family says of one round at a given order; `Delta` is what it chose, if it has one.
template <Real R>
struct Round {
  R rdp;
  std::optional<R> Delta = {};
};

// A family whose divergence holds only outside an event has its probability in one round, spent(values), and in words
// what is needed for T such events to fit into delta, lacks.
template <class Family>
concept Spends = requires {
  Family::lacks;
};

enum class Orders { integer, real, corners };  // corners: real, interpolated between integers

// A family that says `optimal` has its divergence turned into epsilon by the optimal conversion (Asoodeh et al. 2021),
// the others by the paper's Lemma 2, which its figures use.
// One that says `sketched` has its long sums sketched in the search of the order.
template <class Family>
constexpr bool converts_optimally = requires {
  Family::optimal;
};

template <class Family, Real R>
R converted(const R& rdp, const R& order, const R& delta, const R& log_delta) {
  const R plain = renyi::to_epsilon(rdp, order, log_delta);
  if constexpr (converts_optimally<Family>) {
    if constexpr (std::same_as<R, double>)
      if (!std::isnormal(delta)) return plain;
    const R best = renyi::to_epsilon_optimal(rdp, order, delta);
    if constexpr (std::same_as<R, Ball>) return min(best, plain);
    if (certainly(best <= plain)) return best;  // not where rounding hides it
  }
  return plain;
}

// The largest order a search goes to: sums have as many terms, closed forms (Family::closed) cost nothing,
// and a family may say how far it can go (Family::largest).
template <class Family>
constexpr double largest_order() {
  if constexpr (requires { Family::closed; })
    return 0x1p30;
  else if constexpr (requires { Family::largest; })
    return Family::largest;
  else
    return 0x1p14;
}

// A sum over the order has as many terms as it is large.
template <class Family, Real R>
bool has_too_many_terms(const R& order) {
  if constexpr (requires { Family::closed; })
    return false;
  else
    return !(to_double(order) <= 0x1p20);
}
inline constexpr std::string_view few_terms = "lambda <= 1048576, as the sum over it has as many terms";

template <Real R>
Values<double> in_double(const Values<R>& x) {
  return x.template as<double>();
}

// A double as an exact decimal of 12 digits, which the user can read off and type again.
template <Real R>
R short_decimal(double x) {
  return from_rational<R>(Decimal::nearest(x, 12).exact());
}

struct Order {
  double order, cost;
};

// The best integer from low to high: golden sections, then one by one.
template <class Cost>
Order best_integer(Cost cost, double low, double high, Order best) {
  constexpr double golden = 0.6180339887498949;
  double a = low, b = high;
  double c = std::round(b - golden * (b - a)), d = std::round(a + golden * (b - a));
  double at_c = cost(c), at_d = cost(d);
  while (b - a > 3) {
    if (at_c < best.cost) best = {c, at_c};
    if (at_d < best.cost) best = {d, at_d};
    if (at_c < at_d)
      b = d, d = c, at_d = at_c, c = std::round(b - golden * (b - a)), at_c = cost(c);
    else
      a = c, c = d, at_c = at_d, d = std::round(a + golden * (b - a)), at_d = cost(d);
    if (c >= d) break;
  }
  for (double k = a; k <= b && b - a < 12; ++k)
    if (const double at_k = cost(k); at_k < best.cost) best = {k, at_k};
  return best;
}

// The order with the least cost: doubling while the cost falls, then closing in. Integers from 2, or reals.
// One that turns only once from `settled` on may have a first least before it.
template <class Cost>
double best_order(Cost cost, Orders orders, double longest, double settled = 4) {
  Order best{2, cost(2.0)};
  double high = 4;
  for (; high <= longest; high *= 2) {
    const double c = cost(high);
    if (c < best.cost) best = {high, c};
    // A cost that is infinite at small orders may still fall; one that has risen will not fall again.
    else if ((std::isfinite(best.cost) && high >= settled) || high > 4096)
      break;
  }
  const double a = std::max(2.0, best.order / 2), b = std::min(high, best.order * 2);
  if (orders == Orders::integer) return best_integer(cost, a, b, best).order;
  const auto closer = [&](double low, double up) {
    const auto at = [&](double t) { return cost(1 + std::exp(t)); };
    const auto found = minimise<double>(at, std::log(low - 1), std::log(up - 1), 60);
    if (found.value < best.cost) best = {1 + std::exp(found.at.value), found.value};
  };
  if (orders == Orders::corners) {  // each piece falls or rises on its own
    best = best_integer(cost, a, b, best);
    const double corner = best.order;
    closer(corner > 2 ? corner - 1 : 1.001, corner);
    closer(corner, corner + 1);
    return best.order;
  }
  closer(best.order > 2 ? a : 1.001, b);
  const double whole = std::max(2.0, std::round(best.order));
  return cost(whole) <= best.cost ? whole : best.order;
}

// Family::round(values, order) gives a Round of the same number type.
template <class Family, Real R>
Answer<R> one_round(const Values<R>& x) {
  if (has_too_many_terms<Family>(x[Param::lambda])) return {.value = R(0), .refused = few_terms};
  const Round<R> round = Family::round(x, x[Param::lambda]);
  Answer<R> answer{.value = round.rdp};
  if (round.Delta && !x.has(Param::Delta)) answer.at.push_back({Param::Delta, *round.Delta});
  if constexpr (Spends<Family>) {
    const R spent = Family::spent(x);
    answer.beside.push_back({"delta_per_round", spent});
    if (!certainly(spent <= 0)) answer.log_delta_total = log(spent);
  }
  return answer;
}

// Epsilon after T rounds at the best order, or the order given, all of delta kept for the conversion.
template <class Family, Real R>
Answer<R> converted_rounds(const Values<R>& x) {
  using Param::lambda, Param::T, Param::delta;
  const R log_delta = log(x[delta]);
  R order;
  if (x.has(lambda)) {
    order = x[lambda];
    if (has_too_many_terms<Family>(order)) return {.value = R(0), .refused = few_terms};
  } else {
    const Values<double> nearby = in_double(x);
    const double rounds = nearby[T], log_d = to_double(log_delta);
    // By the conversion that is used, which need not have its best where Lemma 2 has.
    const auto cost = [&](double l) {
      const double rdp = rounds * Family::round(nearby, l).rdp;
      return std::isfinite(rdp) ? converted<Family>(rdp, l, nearby[delta], log_d) : rdp;
    };
    const auto search = [&] { 
      // The optimal conversion is sharp at order 2 and often sharper at large ones, not at 3 and 4.
      return best_order(cost, Family::orders, largest_order<Family>(), converts_optimally<Family> ? 32 : 4);
    };
    double found = 0;
    if constexpr (requires { Family::sketched; }) {
      double promised = 0;
      {
        const Sketch sketch;
        found = search();
        promised = cost(found);
      }
      if (!(cost(found) <= 1.01 * promised)) found = search();  // the sketch missed something
    } else {
      found = search();
    }
    order = Family::orders == Orders::integer ? R(found) : short_decimal<R>(found);
  }
  const Round<R> round = Family::round(x, order);
  Answer<R> answer{.value = converted<Family>(R(x[T] * round.rdp), order, x[delta], log_delta)};
  if (!x.has(lambda)) answer.at.push_back({lambda, order});
  if (round.Delta && !x.has(Param::Delta)) answer.at.push_back({Param::Delta, *round.Delta});
  return answer;
}

// The same at a whole delta: what T rounds spend is taken from it first.
template <class Family>
struct Converted {
  static constexpr std::string_view lacks = Family::lacks;
  template <Real R>
  static std::optional<R> beside(const Values<R>& x) {
    const R spent = x[Param::T] * Family::spent(x);
    return certainly(spent <= 0) ? std::nullopt : std::optional<R>(log(spent));
  }
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    return {converted_rounds<Family>(x), beside(x)};
  }
};
template <class Family, Real R>
Answer<R> after_rounds(const Values<R>& x) {
  if constexpr (Spends<Family>)
    return of_whole_delta<Converted<Family>>(x);
  else
    return converted_rounds<Family>(x);
}

// (lambda - 1) eps(lambda) is convex in lambda and 0 at 1, so the chord between two integers bounds it.
template <class Family>
struct Interpolated {
  static constexpr Orders orders = Orders::corners;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    const double nearest = std::max(1.0, std::round(to_double(order)));
    const auto right = order >= R(nearest);
    if (certainly(right) || nearest <= 1) return between(x, order, nearest);
    Round<R> left = between(x, order, nearest - 1);
    if (possibly(right))
      left.rdp = branch(
          right, [&] { return between(x, order, nearest).rdp; }, [&] { return left.rdp; });
    return left;
  }

 private:
  // For an order between low and low + 1.
  template <Real R>
  static Round<R> between(const Values<R>& x, const R& order, double low) {
    const R share = order - R(low);
    Round<R> above = Family::round(x, R(R(low) + 1));
    R chord = share * R(low) * above.rdp;
    if (low > 1) chord += (1 - share) * (R(low) - 1) * Family::round(x, R(low)).rdp;
    return {R(chord / (order - 1)), above.Delta};
  }
};

// The note of the form over T rounds.
inline std::string with_conversion(const std::string& note) {
  return note + (note.empty() ? "" : "; ") +
         "epsilon by the optimal conversion (asoodeh2021-optimal) instead of Lemma 2";
}

// The two forms of a statement on one round: its divergence at an order, and epsilon after T rounds. `needs`,
// `takes`, `rises` and `falls` of the form given are those of the round.
template <class Family>
void add_forms(std::vector<Bound>& list, Bound form) {
  using enum Param;
  Bound rounds = form;
  form.quantity = Spends<Family> ? Quantity::rdp_approx : Quantity::rdp;
  form.needs.push_back(lambda);
  form.evaluate = each_number([]<Real R>(const Values<R>& x) { return one_round<Family>(x); });
  list.push_back(std::move(form));
  rounds.quantity = Quantity::epsilon;
  rounds.needs.insert(rounds.needs.end(), {T, delta});
  rounds.takes.push_back(lambda);
  if (Spends<Family>) rounds.takes.push_back(share);
  rounds.rises.push_back(T);
  rounds.falls.push_back(delta);
  if constexpr (converts_optimally<Family>) rounds.note = with_conversion(rounds.note);
  rounds.evaluate = each_number([]<Real R>(const Values<R>& x) { return after_rounds<Family>(x); });
  list.push_back(std::move(rounds));
}

}  // namespace epsilary::bounds
