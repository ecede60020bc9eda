#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/shuffled_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

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
          .evaluate = shuffled::share_moment(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
