#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/shuffled.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

}  // namespace

std::span<const Bound> epsilary_checkin_moment() {
  static const Bound list[] = {
      {
          .id = "epsilary-checkin-moment",
          .title = "Moment of the share of clients that check in",
          .protocol = "shuffled-checkin",
          .source =
              "epsilary; E[(K/n)^lambda] for K binomial, what Theorem 2 of Self check-in 2022 needs for gamma^lambda",
          .formula = R"(\mathrm{E}[(K/n)^\lambda],\ K\sim\mathrm{Bin}(n,\gamma))",
          .quantity = Quantity::ratio,
          .side = Side::exact,
          .proof = "association",
          .adjacency = Adjacency::none,
          .needs = {n, gamma, lambda},
          .rises = {gamma},
          .falls = {lambda},
          .evaluate = each_number([]<Real R>(const Values<R>& x) {
            using M = Moment<R>;
            const M order = M(x[lambda]);
            const M mean =
                checkin_mean(M(x[n]), chance_of<M>(x, gamma), order, [&](double, const M& r) { return pow(r, order); });
            return plain<R>(mean);
          }),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
