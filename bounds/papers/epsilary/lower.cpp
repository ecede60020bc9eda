#include <span>

#include "bounds/theory/checkin/hypotheses.hpp"
#include "bounds/theory/shuffle/responses.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace lower;

// The slots and the probability that the record is in one of them.
template <Real R>
struct Slots {
  R m, w;
};
struct ShuffledUsers {
  template <Real R>
  static Slots<R> slots(const Values<R>& x) {
    return {x[n], R(1)};
  }
};
struct FixedWindow {
  template <Real R>
  static Slots<R> slots(const Values<R>& x) {
    return {x[m], x.has(n) ? fixed_window_weight(x[m], x[n], x[p0]) : x[p0]};
  }
};
struct SlidingWindow {
  template <Real R>
  static Slots<R> slots(const Values<R>& x) {
    return {x[m], x.has(n) ? sliding_window_weight(x[m]) : R(1)};
  }
};

// The worse of the two directions.
template <class Protocol>
struct BinaryIn {
  template <Real R>
  static R epsilon(const Values<R>& x) {
    const Slots<R> at = Protocol::slots(x);
    return max(family_epsilon<Binary>(x[delta], at.m, x[eps0], at.w, false),
               family_epsilon<Binary>(x[delta], at.m, x[eps0], at.w, true));
  }
  template <Real R>
  static R delta_at(const Values<R>& x) {
    if (x.at_least(eps, eps0)) return R(0);
    const Slots<R> at = Protocol::slots(x);
    return max(plain<R>(Binary<R>{at.m, x[eps0], at.w, false}(x[eps]).delta),
               plain<R>(Binary<R>{at.m, x[eps0], at.w, true}(x[eps]).delta));
  }
};
template <class Protocol>
struct TernaryIn {
  template <Real R>
  static R epsilon(const Values<R>& x) {
    const Slots<R> at = Protocol::slots(x);
    return family_epsilon<Ternary>(x[delta], at.m, x[eps0], at.w);
  }
  template <Real R>
  static R delta_at(const Values<R>& x) {
    if (x.at_least(eps, eps0)) return R(0);
    const Slots<R> at = Protocol::slots(x);
    return plain<R>(Ternary<R>{at.m, x[eps0], at.w}(x[eps]).delta);
  }
};

// The number of other ones and the direction that do worst at an eps, found without proof: each gives a lower bound.
struct Worst {
  double ones = 0;
  bool reverse = false;
};
inline Worst worst_at(double users, double eps0, double eps) {
  Worst worst;
  double most = -HUGE_VAL;
  for (double ones = 0; ones < users; ++ones)
    for (const bool reverse : {false, true})
      if (const double d = to_double(log(Mixed<double>{users, eps0, ones, reverse}(eps).delta)); d > most)
        worst = {ones, reverse}, most = d;
  return worst;
}

struct MixedIn {
  // Whoever leaks more than delta at an epsilon that was reached has a larger one; at the end nobody does.
  template <Real R>
  static Answer<R> epsilon(const Values<R>& x) {
    const double d = to_double(x[delta]), users = to_double(x[n]), e0 = to_double(x[eps0]);
    Worst by;
    for (int i = 0; i < 20; ++i) {
      const double reached = family_epsilon<Mixed>(d, users, e0, by.ones, by.reverse);
      const Worst next = worst_at(users, e0, reached);
      if (next.ones == by.ones && next.reverse == by.reverse) break;
      by = next;
    }
    return answer(family_epsilon<Mixed>(x[delta], x[n], x[eps0], R(by.ones), by.reverse), by);
  }
  template <Real R>
  static Answer<R> delta_at(const Values<R>& x) {
    if (x.at_least(eps, eps0)) return answer(R(0), Worst{});
    const Worst by = worst_at(to_double(x[n]), to_double(x[eps0]), to_double(x[eps]));
    return answer(plain<R>(Mixed<R>{x[n], x[eps0], R(by.ones), by.reverse}(x[eps]).delta), by);
  }

 private:
  template <Real R>
  static Answer<R> answer(const R& value, const Worst& by) {
    return {.value = value, .cap = {}, .beside = {{"ones", R(by.ones)}}};
  }
};

template <class Family>
void add_forms(std::vector<Bound>& list, Bound form) {
  form.side = Side::lower;
  form.takes.push_back(delta0);
  for (const Param given : {delta, eps}) {
    Bound b = form;
    b.quantity = given == delta ? Quantity::epsilon : Quantity::delta;
    b.needs.push_back(given);
    b.falls.push_back(given);
    b.assumes.push_back(assume::delta0_within_delta());
    b.evaluate = given == delta ? each_number([]<Real R>(const Values<R>& x) { return Family::epsilon(x); })
                                : each_number([]<Real R>(const Values<R>& x) { return Family::delta_at(x); });
    list.push_back(std::move(b));
  }
}

const char* const binary_formula =
    R"(\max\{\mathbb{E}(\Lambda-e^\varepsilon)_+,\mathbb{E}(1-e^\varepsilon\Lambda)_+\},\ \Lambda=1-w+\tfrac wm(Ke^{\varepsilon_0}+(m-K)e^{-\varepsilon_0}),\ K\sim\mathrm{Bin}(m,\tfrac1{e^{\varepsilon_0}+1}))";
const char* const ternary_formula =
    R"(\mathbb{E}[(1-w)(1-e^\varepsilon)+\tfrac wm(a(e^{\varepsilon_0}-e^\varepsilon)+b(1-e^{\varepsilon+\varepsilon_0})+(m-a-b)e^{-\varepsilon_0}(1-e^\varepsilon))]_+,\ (a,b)\sim\mathrm{Mult}(m;\tfrac1{e^{\varepsilon_0}+2},\tfrac1{e^{\varepsilon_0}+2}))";

const char* const mixed_formula =
    R"(\max_{h<n}\max\{H_{e^\varepsilon}(P\|Q),H_{e^\varepsilon}(Q\|P)\},\ P,Q=\mathrm{Bin}(h,1-q)+\mathrm{Bin}(n-1-h,q)+\{\mathrm{Bern}(1-q),\mathrm{Bern}(q)\},\ q=\tfrac1{e^{\varepsilon_0}+1})";

Bound shuffle() {
  return {
      .protocol = "shuffle",
      .needs = {eps0, n},
      .rises = {eps0},
      .falls = {n},
      .assumes = {exactly("n <= 10^12", [](const auto& x) { return x[n] <= 1000000000000; })},
  };
}
Bound fixed_window() {
  return {
      .protocol = "checkin-fixed",
      .note =
          "with n: the others hold 0 and check in alike; without n the client is alone, which is what a bound "
          "that holds for every n has to cover",
      .needs = {eps0, m, p0},
      .takes = {n},
      .rises = {eps0, p0},
      .assumes = {exactly("m <= 10^12", [](const auto& x) { return x[m] <= 1000000000000; })},
  };
}
Bound sliding_window() {
  return {
      .protocol = "checkin-sliding",
      .note =
          "with n: all check in and the others hold 0; a client in the middle of n >= 2 m - 1 meets m - 1 competitors in "
          "each slot; without n the client is alone, which is what a bound that holds for every n has to cover",
      .needs = {eps0, m},
      .takes = {n},
      .rises = {eps0},
      .assumes = {exactly("m <= 10^12", [](const auto& x) { return x[m] <= 1000000000000; }),
                  exactly("n >= 2 m - 1", [](const auto& x) { return !x.has(n) || x[n] >= 2 * x[m] - 1; })},
  };
}
Bound averaged() {
  Bound b = shuffle();
  b.protocol = "checkin-averaged";
  b.note =
      "for every number of bins, as the supremum over local randomizers: a message that carries independent noise "
      "in many coordinates shows how many were averaged; with loads that are public it is attained";
  return b;
}

Bound named_as(Bound b, const std::string& id, const std::string& title, const std::string& source,
               const std::string& formula) {
  b.id = id;
  b.title = title;
  b.source = source;
  b.formula = formula;
  b.proof = id == "epsilary-lower-rr-mixed" ? "ones" : "witness";
  return b;
}

// Where hardly any other report is a label, the sum visits every slot to tell so.
Hypothesis somebody_answers() {
  return provably("eps0 <= 10 + log(slots), or 10^4 slots at most; beyond, binary response says as much",
                  [](const auto& x) -> Ball {
                    const Ball slots = x.has(m) ? x[m] : x[n];
                    return certainly(slots <= 10000) ? Ball(1) : 10 + log(slots) - x[eps0];
                  });
}

const char* const binary_source = "epsilary; binary randomised response, every other record 0";
const char* const ternary_source = "epsilary; ternary randomised response, record 1 or 2, every other record 0";

}  // namespace

std::span<const Bound> epsilary_lower() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const auto binary = [&](auto protocol, const Bound& b, const std::string& id, const std::string& title) {
      add_forms<BinaryIn<decltype(protocol)>>(out, named_as(b, id, title, binary_source, binary_formula));
    };
    const auto ternary = [&](auto protocol, const Bound& b, const std::string& id, const std::string& title) {
      Bound form = named_as(b, id, title, ternary_source, ternary_formula);
      form.assumes.push_back(somebody_answers());
      add_forms<TernaryIn<decltype(protocol)>>(out, form);
    };
    binary(ShuffledUsers{}, shuffle(), "epsilary-lower-rr", "What shuffling cannot beat, by binary response");
    ternary(ShuffledUsers{}, shuffle(), "epsilary-lower-rr3", "What shuffling cannot beat, by ternary response");
    Bound few = shuffle();
    few.note = "the worst number of ones among the others is sought; it is 0 nearly always";
    few.assumes = {exactly("n <= 200; for more use epsilary-lower-rr", [](const auto& x) { return x[n] <= 200; })};
    add_forms<MixedIn>(
        out,
        named_as(few, "epsilary-lower-rr-mixed", "What shuffling cannot beat, by binary response among ones and zeros",
                 "epsilary; binary randomised response, some of the other records 1", mixed_formula));
    binary(FixedWindow{}, fixed_window(), "epsilary-lower-rr-fixed",
           "What check-ins with a fixed window cannot beat, by binary response");
    ternary(FixedWindow{}, fixed_window(), "epsilary-lower-rr3-fixed",
            "What check-ins with a fixed window cannot beat, by ternary response");
    binary(SlidingWindow{}, sliding_window(), "epsilary-lower-rr-sliding",
           "What check-ins with a sliding window cannot beat, by binary response");
    ternary(SlidingWindow{}, sliding_window(), "epsilary-lower-rr3-sliding",
            "What check-ins with a sliding window cannot beat, by ternary response");
    binary(ShuffledUsers{}, averaged(), "epsilary-lower-rr-averaged",
           "What averaged check-ins cannot beat, by binary response");
    ternary(ShuffledUsers{}, averaged(), "epsilary-lower-rr3-averaged",
            "What averaged check-ins cannot beat, by ternary response");
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
