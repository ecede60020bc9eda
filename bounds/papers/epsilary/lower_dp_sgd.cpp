#include <span>

#include "bounds/forms/dpsgd.hpp"
#include "bounds/theory/dpsgd/composed.hpp"

namespace epsilary::bounds {

std::span<const Bound> epsilary_lower_dp_sgd() {
  using namespace dpsgd;
  static const std::vector<Bound> list = dpsgd_forms(
      {
          .id = "epsilary-lower-dp-sgd",
          .protocol = "dp-sgd",
          .source = "epsilary; a linear loss, every other record with the opposite gradient",
          .formula =
              R"(\max\{T((1-\tfrac bn)\mathcal N_0+\tfrac bn\mathcal N_{1/\sigma},\mathcal N_0),T(\mathcal N_0,\cdot)\}^{\otimes T})",
          .side = Side::lower,
          .note =
              "of one loss and one pair of data sets, neighbours and noise as in vandijk2022-composed: what no bound "
              "for all of them can beat",
          .proof = "opposite",
          .remark = fixed_size_remark,
          .width = composed_width,
          .evaluate = bracketed<composed_poisson>(),
      },
      "Least epsilon of DP-SGD that any analysis can show", "Least delta of DP-SGD that any analysis can show");
  return list;
}

}  // namespace epsilary::bounds
