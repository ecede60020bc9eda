// Accounting over T rounds: the divergences of one order add up, and Lemma 2 turns the sum into epsilon.
// Every order gives a valid bound, so the search for the best needs no proof: it runs in double, and the
// number printed is evaluated once at the order found.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>

#include "bounds/core/split.hpp"
#include "bounds/theory/renyi.hpp"
#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds {

// What a family says of one round at a given order; `Delta` is what it chose, if it has one.
template <Real R>
struct Round {
  R rdp;
  std::optional<R> Delta = {};
};

// A family by what it computes. It is a struct of static members: round(values, order), a Round of the same number
// type, and `orders`. Further members are optional.
struct RoundFamily {
  template <Real R>
  using OneRound = Round<R> (*)(const Values<R>&, const R& order);
  template <Real R>
  using Spent = R (*)(const Values<R>&);

  Orders orders = Orders::integer;
  bool sketched = false;    // its long sums are sketched in the search of the order
  bool optimal = false;     // by the optimal conversion (Asoodeh et al. 2021); else by Lemma 2, which its figures use
  bool closed = false;      // no sum over the order, which otherwise has as many terms as it is large
  double largest = 0x1p14;  // the order a search goes to at most
  // Of a family whose divergence holds only outside an event: what is needed for T such events to fit into delta, and
  // the probability of one, spent(values).
  std::string_view lacks = {};
  std::tuple<OneRound<double>, OneRound<mp50>, OneRound<Ball>> rounds = {};
  std::tuple<Spent<double>, Spent<mp50>, Spent<Ball>> spends = {};

  template <Real R>
  Round<R> round(const Values<R>& x, const R& order) const {
    return std::get<OneRound<R>>(rounds)(x, order);
  }
  template <Real R>
  R spent(const Values<R>& x) const {
    return std::get<Spent<R>>(spends)(x);
  }
  bool has_event() const { return !lacks.empty(); }
};

template <class Family>
constexpr RoundFamily family_of() {
  RoundFamily f;
  f.orders = Family::orders;
  if constexpr (requires { Family::sketched; }) f.sketched = Family::sketched;
  if constexpr (requires { Family::optimal; }) f.optimal = Family::optimal;
  if constexpr (requires { Family::closed; }) f.closed = Family::closed;
  if constexpr (requires { Family::largest; }) f.largest = Family::largest;
  if (f.closed) f.largest = 0x1p30;
  f.rounds = {Family::template round<double>, Family::template round<mp50>, Family::template round<Ball>};
  if constexpr (requires { Family::lacks; }) {
    f.lacks = Family::lacks;
    f.spends = {Family::template spent<double>, Family::template spent<mp50>, Family::template spent<Ball>};
  }
  return f;
}
template <class Family>
inline constexpr RoundFamily as_family = family_of<Family>();

template <Real R>
Values<double> in_double(const Values<R>& x) {
  return x.template as<double>();
}

// A double as an exact decimal of 12 digits, which the user can read off and type again.
template <Real R>
R short_decimal(double x) {
  return from_rational<R>(Decimal::nearest(x, 12).exact());
}

// The divergence of one round at the order given.
template <Real R>
Answer<R> one_round(const RoundFamily& family, const Values<R>& x);
// Epsilon after T rounds at the best order, or the order given; what the rounds spend is taken from delta first.
template <Real R>
Answer<R> after_rounds(const RoundFamily& family, const Values<R>& x);

template <class Family>
RoundForms rounds_of() {
  return {each_number([](const auto& x) { return one_round(as_family<Family>, x); }),
          each_number([](const auto& x) { return after_rounds(as_family<Family>, x); }), as_family<Family>.orders,
          as_family<Family>.has_event(), as_family<Family>.optimal};
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

}  // namespace epsilary::bounds
