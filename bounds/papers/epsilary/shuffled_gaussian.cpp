#include <span>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/shuffle/gaussian_reports.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using shuffled_gaussian::Shuffled;

struct AllReport {
  static constexpr Orders orders = Orders::integer;
  static constexpr double largest = 0x1p11;  // the power of a series costs the square of its length
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Shuffled<M> base{M(x[sigma]), M(order)};
    return {renyi::divergence<R>(base(count_of(x[n]), M(1)), order)};
  }
};

struct CheckIn {
  static constexpr Orders orders = Orders::integer;
  static constexpr double largest = 0x1p9;  // the same for every number of check-ins
  static constexpr bool sketched = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Shuffled<M> base{M(x[sigma]), M(order)};
    return {renyi::divergence<R>(checkin::checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order), base), order)};
  }
};

template <class Family>
void add(std::vector<Bound>& list, Bound form) {
  form.side = Side::lower;
  form.note =
      "of one pair of data sets, all other clients holding one value and the client that or another as far away as "
      "there is, in one direction; whether other data are worse is not known";
  form.falls = {sigma};
  form.assumes = {exactly("lambda is an integer >= 2",
                          [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); })};
  add_forms<Family>(list, std::move(form));
  list.back().side = Side::estimate;
  list.back().standing = Standing::approximate;
  list.back().note =
      "the least epsilon that accounting by this divergence and Lemma 2 could report, not a lower bound on epsilon, "
      "because Lemma 2 is one-sided";
}

}  // namespace

std::span<const Bound> epsilary_shuffled_gaussian() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add<AllReport>(
        out,
        {
            .id = "epsilary-shuffled-gaussian",
            .title = "Shuffled reports with Gaussian noise",
            .protocol = "shuffle",
            .source = "epsilary; the pair of Liew and Takahashi 2022, by powers of series around 1",
            .formula =
                R"(\frac{1}{\lambda-1}\log\Big(e^{-\lambda/2\sigma^2}n^{-\lambda}\lambda!\,[t^\lambda]\big(\sum_i\tfrac{t^i}{i!}e^{i^2/2\sigma^2}\big)^n\Big))",
            .proof = "gaussian",
            .needs = {sigma, n},
        });
    add<CheckIn>(
        out,
        {
            .id = "epsilary-shuffled-gaussian-checkin",
            .title = "Shuffled check-in with Gaussian noise",
            .protocol = "shuffled-checkin",
            .source = "epsilary; Self check-in 2022, Theorem 1, with the shuffled Gaussian pair given K",
            .formula =
                R"(\frac{1}{\lambda-1}\log\Big(1+\mathrm E\Big[\sum_{j\ge2}\tbinom\lambda j(\tfrac Kn)^j\,\mathrm E(\bar L_K-1)^j\Big]\Big))",
            .proof = "gaussian, mixture, truncation",
            .needs = {sigma, n, gamma},
        });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
