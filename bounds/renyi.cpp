#include "bounds/renyi.hpp"

#include <span>

#include "bounds/accounting.hpp"

namespace bounds {
namespace {

using enum Param;

struct Response {
  static constexpr Orders orders = Orders::real;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::response(x[eps0], order)};
  }
};

// The same for (eps0, delta0): up to probability delta0 a pair of laws that is eps0-DP.
struct ApproximateResponse {
  static constexpr Orders orders = Orders::real;
  static constexpr bool optimal = true;
  static constexpr bool closed = true;
  static constexpr std::string_view lacks = "T delta0 < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    return x[delta0];
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::response(x[eps0], order)};
  }
};

struct Gaussian {
  static constexpr Orders orders = Orders::real;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::gaussian(x[mu], order)};
  }
};

void add_mechanisms(std::vector<Bound>& list) {
  add_forms<Response>(
      list,
      {
          .id = "mironov2017-response",
          .title = "Renyi divergence of randomised response, the worst of all eps0-DP mechanisms",
          .protocol = "renyi",
          .source = "Mironov 2017, Proposition 5; worst case by Kairouz, Oh and Viswanath 2015",
          .formula =
              R"(\frac{1}{\lambda-1}\log\left(1+\frac{(e^{\lambda\varepsilon_0}-1)(1-e^{(1-\lambda)\varepsilon_0})}{1+e^{\varepsilon_0}}\right))",
          .proof = "response",
          .needs = {eps0},
          .rises = {eps0},
      });
  add_forms<ApproximateResponse>(
      list,
      {
          .id = "epsilary-approximate-rdp",
          .title = "Renyi accounting of an (eps0, delta0)-DP mechanism",
          .protocol = "renyi",
          .source = "epsilary; Kairouz, Oh and Viswanath 2015: with probability 1 - delta0 the pair is eps0-DP",
          .formula =
              R"(\varepsilon(\lambda)=\text{randomised response at }\varepsilon_0;\quad \delta'=\delta+T\delta_0)",
          .note = "an (eps0, delta0)-DP mechanism may have an infinite Renyi divergence; this one is of the part that "
                  "has probability 1 - delta0 in each round",
          .proof = "approximate, response, conversion",
          .needs = {eps0, delta0},
          .rises = {eps0},
      });
  add_forms<Gaussian>(list, {
                                .id = "mironov2017-gaussian",
                                .title = "Renyi divergence of the Gaussian mechanism",
                                .protocol = "renyi",
                                .source = "Mironov 2017, Proposition 7",
                                .formula = R"(\lambda\mu^2/2)",
                                .proof = "response",
                                .needs = {mu},
                                .rises = {mu},
                            });
}

void add_lemma2(std::vector<Bound>& list) {
  list.push_back({
      .id = "checkin2022-lem2",
      .title = "From Renyi to approximate differential privacy",
      .protocol = "renyi",
      .source = "Self check-in 2022, Lemma 2; Canonne, Kamath and Steinke 2020",
      .formula = R"(\varepsilon(\lambda)+\frac{\log(1/\delta)+(\lambda-1)\log(1-1/\lambda)-\log\lambda}{\lambda-1})",
      .note = "printed for 1 < delta < 0, which is 0 < delta < 1; a negative value means 0",
      .proof = "conversion",
      .needs = {rdp, lambda, delta},
      .rises = {rdp},
      .falls = {delta},
      .evaluate = each_number([](const auto& x) { return renyi::to_epsilon(x[rdp], x[lambda], log(x[delta])); }),
  });
  list.push_back({
      .id = "checkin2022-lem2",
      .title = "From Renyi to approximate differential privacy: delta",
      .protocol = "renyi",
      .source = "Self check-in 2022, Lemma 2; Canonne, Kamath and Steinke 2020",
      .formula =
          R"(\frac{e^{(\lambda-1)(\varepsilon(\lambda)-\varepsilon)}}{\lambda-1}\left(1-\frac1\lambda\right)^\lambda)",
      .quantity = Quantity::delta,
      .proof = "conversion",
      .needs = {rdp, lambda, eps},
      .rises = {rdp},
      .falls = {eps},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        return with_cap(R(exp(renyi::to_log_delta(x[rdp], x[lambda], x[eps]))), R(1));
      }),
  });
  list.push_back({
      .id = "mironov2017-prop3",
      .title = "From Renyi to approximate differential privacy, first form",
      .protocol = "renyi",
      .source = "Mironov 2017, Proposition 3",
      .formula = R"(\varepsilon(\lambda)+\frac{\log(1/\delta)}{\lambda-1})",
      .proof = "conversion",
      .needs = {rdp, lambda, delta},
      .rises = {rdp},
      .falls = {delta},
      .evaluate = each_number([]<Real R>(const Values<R>& x) { return R(x[rdp] - log(x[delta]) / (x[lambda] - 1)); }),
  });
}

void add_lemma3(std::vector<Bound>& list) {
  list.push_back({
      .id = "asoodeh2021-optimal",
      .title = "From Renyi to approximate differential privacy, optimal at one order",
      .protocol = "renyi",
      .source = "Asoodeh, Liao, Calmon, Kosut and Sankar 2021; Self check-in 2022, Lemma 3 read in its true direction",
      .formula =
          R"(\min\left\{\varepsilon\ge0:\ \varepsilon+\tfrac{1}{\lambda-1}\log\min_r\left[r^\lambda(r-\delta)^{1-\lambda}+(1-r)^\lambda(e^\varepsilon-r+\delta)^{1-\lambda}\right]\ge\varepsilon(\lambda)\right\})",
      .note = "necessary for an ordered pair; a mechanism bounds both orders, so it may do better still",
      .proof = "conversion",
      .needs = {rdp, lambda, delta},
      .rises = {rdp},
      .falls = {delta},
      .evaluate = each_number([](const auto& x) { return renyi::to_epsilon_optimal(x[rdp], x[lambda], x[delta]); }),
  });
  Bound least{
      .id = "asoodeh2021-divergence",
      .title = "Least Renyi divergence of a pair that is not better than (eps, delta)",
      .protocol = "renyi",
      .source = "Asoodeh, Liao, Calmon, Kosut and Sankar 2021",
      .formula =
          R"(\varepsilon+\tfrac{1}{\lambda-1}\log\min_{\delta<r\le1}\left[r^\lambda(r-\delta)^{1-\lambda}+(1-r)^\lambda(e^\varepsilon-r+\delta)^{1-\lambda}\right])",
      .quantity = Quantity::rdp,
      .side = Side::lower,
      .proof = "conversion",
      .needs = {eps, delta, lambda},
      .rises = {eps, delta, lambda},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        Answer<R> answer{.value = renyi::least_divergence(x[lambda], x[eps], x[delta])};
        const bool inside = x.is_exact(lambda) && x.is_exact(delta) ? x.exact(lambda) * x.exact(delta) < 1
                                                                    : certainly(x[lambda] * x[delta] < 1);
        answer.beside.push_back({"r", inside ? renyi::optimal_r(x[lambda], x[eps], x[delta]) : R(1)});
        return answer;
      }),
  };
  list.push_back(least);
  least.id = "checkin2022-lem3";
  least.title = "From approximate to Renyi differential privacy, as printed";
  least.source = "Self check-in 2022, Lemma 3";
  least.side = Side::upper;
  least.standing = Standing::unsound;
  least.note =
      "the direction is wrong, it is a lower bound (asoodeh2021-divergence): publishing the datum with probability "
      "delta is (0, delta)-DP and has infinite divergence; at delta = 0 it gives 0, randomised response has "
      "0.7353 at eps = 1, lambda = 2";
  list.push_back(least);
}

}  // namespace

std::span<const Bound> renyi_privacy() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_mechanisms(out);
    add_lemma2(out);
    add_lemma3(out);
    for (Bound& b : out) b.adjacency = Adjacency::either;
    return out;
  }();
  return list;
}

}  // namespace bounds
