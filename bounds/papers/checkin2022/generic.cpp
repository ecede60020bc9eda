// The generic conversion of Self check-in 2022, Section 4.1.
#include <span>

#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/generic_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add_generic(std::vector<Bound>& list) {
  Bound form{
      .id = "checkin2022-generic",
      .title = "Generic conversion of a subsampled shuffle, as printed",
      .protocol = "shuffled-checkin",
      .source = "Self check-in 2022, Section 4.1, end",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\mathrm E\big[e^{(\lambda-1)\gamma^*(\lambda,\varepsilon_K,\delta_K)}-1\big]\Big),\ (\varepsilon_k,\delta_k)=\big(\log(1+\tfrac kn(e^{\varepsilon_s(k)}-1)),\tfrac kn\beta\big))",
      .standing = Standing::unsound,
      .note =
          "its second step reads Lemma 3 in the wrong direction and takes the least divergence for the largest: "
          "one client that always checks in with randomised response, eps0 = 1, has 0.7353 at lambda = 2, not 7e-5",
      .proof = "conversion",
      .needs = {eps0, n, gamma, beta},
      .rises = {eps0},
  };
  add_forms(list, form, generic::least_divergence());
}

}  // namespace

std::span<const Bound> checkin2022_generic() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_generic(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
