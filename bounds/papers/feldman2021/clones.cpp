#include "bounds/theory/shuffle/clones.hpp"

#include <span>

#include "bounds/core/split.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using clones::LabelledSlots;

template <Real R>
R leak(const Values<R>& x) {
  return x.has(delta0) ? x[delta0] : R(0);
}

// What an (eps0, delta0)-LDP randomizer spends beyond the clones' delta: the differing client's leak, and the change
// of total variation e^{-eps0} delta0 that makes each other report a clone.
template <Real R>
R leaks(const Values<R>& x, const R& clones_delta, const R& eps_) {
  return x[delta0] * (1 - clones_delta + (1 + exp(eps_)) * (x[n] - 1) * exp(-x[eps0]));
}

constexpr const char* room_for_delta0 = "room in delta for what delta0 costs";

// The clones of an approximate randomizer at the delta they keep.
struct Leaking {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R value = clones::clones_epsilon(x[eps0], x[n], x[delta], x[delta0]);
    if (x.at_most(delta0, 0)) return {with_cap(value, x[eps0])};
    return {with_cap(value, x[eps0]), log(leaks(x, x[delta], value))};
  }
};
// The quoted closed form, which has a hypothesis on the delta it keeps.
struct LeakingClosed {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R value = clones::closed_form(x[eps0], x[n], x[delta]);
    if (x.at_most(delta0, 0)) return {with_cap(value, x[eps0])};
    return {with_cap(value, x[eps0]), log(clones::closed_form_leak(value, x[eps0], x[n], x[delta0]))};
  }
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    Answer<R> found = of_whole_delta<LeakingClosed>(x);
    R kept = x.has(share) ? R(x[share] * x[delta]) : x[delta];
    for (const Chosen<R>& c : found.at)
      if (c.param == share) kept = c.value * x[delta];
    if (found.refused.empty() && !certainly(clones::closed_form_margin(x[eps0], x[n], kept) >= 0))
      found.refused = "eps0 <= log(n / (16 log(2/delta))) at the part of delta it keeps";
    return found;
  }
};

// One pass takes sqrt(n) steps.
Hypothesis few_users() {
  return exactly("n <= 10^12", [](const auto& x) { return x[n] <= 1000000000000; });
}

const char* const clones_source =
    "Feldman, McMillan and Talwar 2021, Theorem 3.1's pair, evaluated exactly; delta0 by epsilary";
const char* const clones_formula =
    R"(H_{e^\varepsilon}(P\|Q),\ P=(A+B,\,C-A+1-B),\ C\sim\mathrm{Bin}(n-1,e^{-\varepsilon_0}),\ A\sim\mathrm{Bin}(C,\tfrac12),\ B\sim\mathrm{Bern}(\tfrac{e^{\varepsilon_0}}{1+e^{\varepsilon_0}}))";

void add_closed(std::vector<Bound>& list) {
  list.push_back({
      .id = "feldman2021-closed",
      .title = "Amplification by shuffling, closed form",
      .protocol = "shuffle",
      .source = "Feldman, McMillan and Talwar 2021, Theorem 3.1",
      .formula =
          R"(\log\left(1+\frac{e^{\varepsilon_0}-1}{e^{\varepsilon_0}+1}\left(8\sqrt{\frac{e^{\varepsilon_0}\log(4/\delta)}{n}}+\frac{8e^{\varepsilon_0}}{n}\right)\right);\quad \delta'=\delta+(e^\varepsilon+1)(1+e^{-\varepsilon_0}/2)n\delta_0)",
      .standing = Standing::published,
      .note = "quoted; with delta0 the whole delta uses the quoted constant, feldman2021-clones a proved one",
      .needs = {eps0, n, delta},
      .rises = {eps0},
      .falls = {n, delta},
      .assumes = {provably("eps0 <= log(n / (16 log(2/delta)))",
                           [](const auto& x) { return clones::closed_form_margin(x[eps0], x[n], x[delta]); })},
      .evaluate = each_number(
          []<Real R>(const Values<R>& x) { return with_cap(clones::closed_form(x[eps0], x[n], x[delta]), x[eps0]); }),
  });
  Bound leaking = list.back();
  leaking.title = "Amplification by shuffling, closed form, approximate randomizer";
  leaking.needs = {eps0, delta0, n, delta};
  leaking.takes = {share};
  leaking.rises = {eps0, delta0};
  leaking.falls = {delta};
  leaking.turns = {n};
  leaking.evaluate = each_number([](const auto& x) { return LeakingClosed::answer(x); });
  list.push_back(leaking);
}

void add_clones(std::vector<Bound>& list) {
  list.push_back({
      .id = "feldman2021-clones",
      .title = "Amplification by shuffling, the clones' delta exactly",
      .protocol = "shuffle",
      .source = clones_source,
      .formula = clones_formula,
      .quantity = Quantity::delta,
      .note = clones::one_randomizer,
      .proof = "clones",
      .needs = {eps0, n, eps},
      .takes = {delta0},
      .rises = {eps0},
      .falls = {n, eps},
      .assumes = {few_users()},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        using M = Moment<R>;
        const M moment = x.at_least(eps, eps0) ? M(0) : LabelledSlots<R>{x[n], x[eps0], R(1), leak(x)}(x[eps]).delta;
        const R d = plain<R>(moment);
        return with_cap(x.has(delta0) ? R(d + leaks(x, d, x[eps])) : d, R(1));
      }),
  });
  list.push_back({
      .id = "feldman2021-clones",
      .title = "Amplification by shuffling, the clones' epsilon exactly",
      .protocol = "shuffle",
      .source = clones_source,
      .formula = clones_formula,
      .note = clones::one_randomizer,
      .proof = "clones",
      .needs = {eps0, n, delta},
      .rises = {eps0},
      .falls = {n, delta},
      .assumes = {few_users()},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        return with_cap(clones::clones_epsilon(x[eps0], x[n], x[delta], R(0)), x[eps0]);
      }),
  });
  Bound leaking = list.back();
  leaking.title = "Amplification by shuffling, the clones' epsilon of an approximate randomizer";
  leaking.needs = {eps0, delta0, n, delta};
  leaking.takes = {share};
  leaking.rises = {eps0, delta0};
  leaking.falls = {delta};
  leaking.turns = {n};
  leaking.evaluate = whole_delta_of<Leaking>();
  list.push_back(leaking);
}

}  // namespace

std::span<const Bound> feldman2021_clones() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_closed(out);
    add_clones(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
