#include "bounds/theory/checkin/lower.hpp"

#include <span>

#include "bounds/papers/divergence_estimate.hpp"
#include "bounds/theory/accounting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

// The Delta with the largest share; it does not depend on the order. Any Delta is valid, so the search needs no proof.
template <Real R>
R best_Delta_below(const R& expected) {
  const auto find = [](const auto& mean) {
    using S = std::decay_t<decltype(mean)>;
    return minimise<S>([&](const S& D) { return S(-chernoff_share(D, mean)); }, S(0), S(1)).at.value;
  };
  if constexpr (std::same_as<R, double>)
    return find(expected);
  else
    return from_rational<R>(Decimal(find(to_mp50(expected)).str(30)).exact());
}

// The terms of its sums are compared and copied more often than they are added, which nobody counts.
constexpr double uncounted_of_balls = 10;

struct Thm3 {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    const R expected = x[n] * x[gamma], D = x.has(Param::Delta) ? x[Param::Delta] : best_Delta_below(expected);
    return {R(log1p(chernoff_share(D, expected) * second_order(x[eps0], x[n], x[gamma], order)) / (order - 1)), D};
  }
};

struct Thm3Sharp {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {R(log1p(second_order(x[eps0], x[n], x[gamma], order)) / (order - 1))};
  }
};

template <class Family>
void add(std::vector<Bound>& list, Bound form) {
  form.protocol = "shuffled-checkin";
  form.side = Side::lower;
  form.needs = {eps0, n, gamma};
  form.rises = {eps0};
  form.assumes = {exactly("lambda = 2 or lambda >= 3 (checkin2022-thm3-exact holds at any order)",
                          [](const auto& x) { return !x.has(lambda) || !(x[lambda] < 3) || is_integer(x[lambda]); })};
  add_forms<Family>(list, std::move(form));
  list[list.size() - 2].takes.push_back(delta0);  // a pure randomizer is (eps0, delta0)-DP too
  make_estimate(list.back());
  list.back().rises = {T};  // the terms left out matter more at large orders: there it may fall to nothing
  list.back().falls.clear();
}

void add_exact(std::vector<Bound>& list) {
  list.push_back({
      .id = "checkin2022-thm3-exact",
      .title = "Shuffled check-in of randomised response on equal data, exactly",
      .protocol = "shuffled-checkin",
      .source = "epsilary; the pair of the proof of Self check-in 2022, Theorem 3, summed exactly in both directions",
      .formula =
          R"(\frac{1}{\lambda-1}\log\sum_k\mathrm{Bin}_{n,\gamma}(k)\sum_m\mathrm{Bin}_{k,p}(m)(1+z)^\lambda,\ z=\tfrac{2k}n\sinh\varepsilon_0\left(\tfrac mk-p\right),\ p=\tfrac1{e^{\varepsilon_0}+1})",
      .quantity = Quantity::rdp,
      .side = Side::lower,
      .proof = "lower, truncation",
      .needs = {eps0, n, gamma, lambda},
      .takes = {delta0},
      .rises = {eps0, lambda},
      .assumes = {exactly("n <= 10^15, as check-ins are counted one by one",
                          [](const auto& x) { return x[n] <= 1000000000000000; })},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        const WorkLimit dear(work_left() / uncounted_of_balls);
        return both_directions<R>(checkin_moment(x, x[lambda]), checkin_moment(x, x.complement(lambda)), x[lambda]);
      }),
  });
}

}  // namespace

std::span<const Bound> checkin2022_lower() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add<Thm3>(
        out,
        {
            .id = "checkin2022-thm3",
            .title = "Lower bound on the divergence of shuffled check-in",
            .source = "Self check-in 2022, Theorem 3, equation (8)",
            .formula =
                R"(\frac{1}{\lambda-1}\log\left(1+(1-e^{-\Delta^2n\gamma/(2+\Delta)})\binom\lambda2\frac{\gamma(e^{\varepsilon_0}-1)^2}{(1+\Delta)ne^{\varepsilon_0}}\right))",
            .note = "of the worst eps0-LDP randomizer, not of each",
            .proof = "lower",
            .takes = {Param::Delta},
        });
    add<Thm3Sharp>(
        out,
        {
            .id = "checkin2022-thm3-sharp",
            .title = "Lower bound on the divergence of shuffled check-in, without Delta",
            .source = "epsilary; Self check-in 2022, Theorem 3 with E[(K/n)^2/K] = gamma/n in place of "
                      "Chernoff's bound",
            .formula =
                R"(\frac{1}{\lambda-1}\log\left(1+\binom\lambda2\frac{\gamma(e^{\varepsilon_0}-1)^2}{ne^{\varepsilon_0}}\right))",
            .note = "of the worst eps0-LDP randomizer, not of each",
            .proof = "lower",
        });
    add_exact(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
