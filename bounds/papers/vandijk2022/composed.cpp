#include "bounds/theory/dpsgd/composed.hpp"

#include <array>
#include <span>

#include "bounds/forms/dpsgd.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

}  // namespace

std::span<const Bound> vandijk2022_composed() {
  static const std::vector<Bound> list = [] {
    const Bound composed{
        .id = "vandijk2022-composed",
        .protocol = "dp-sgd",
        .source = "van Dijk and Nguyen 2022, section 4.4; Dong, Roth and Su 2022, Theorems 4.2 and 5.1",
        .formula = R"(C_{b/n}(G_{1/\sigma})^{\otimes T})",
        .note =
            "fixed-size batches drawn afresh at each step, replace-one neighbours, noise sigma times twice the "
            "clipping norm; exact for this trade-off function, which no DP-SGD run is shown to attain",
        .proof = "batches, subsampling, domination",
        .remark = fixed_size_remark,
        .width = composed_width,
        .evaluate = bracketed<composed_fixed_size>(),
    };
    Bound contour = composed;
    contour.id = "vandijk2022-composed-contour";
    contour.formula =
        R"(\frac1{2\pi i}\int_{c-i\infty}^{c+i\infty}\frac{e^{-z\varepsilon}M(z)^T}{z(z+1)}dz,\ M(z)=E\,e^{zX})";
    contour.note = "the same quantity as vandijk2022-composed by the contour integral alone; wide where it is too long";
    contour.evaluate = bracketed<composed_by_contour>();
    Bound sampled = composed;
    sampled.id = "vandijk2022-poisson";
    sampled.proof = "poisson, domination";
    sampled.protocol = "dp-sgd-poisson";
    sampled.source =
        "Zhu, Dong and Wang 2022, dominating pairs of Poisson sampling, composed as in van Dijk and Nguyen 2022";
    sampled.formula =
        R"(\max\{T((1-q)\mathcal N_0+q\mathcal N_{1/\sigma},\mathcal N_0),T(\mathcal N_0,\cdot)\}^{\otimes T})";
    sampled.note = "Poisson sampling at rate b/n, add-or-remove neighbours, noise sigma times the clipping norm";
    sampled.adjacency = Adjacency::remove;
    sampled.remark = poisson_remark;
    sampled.evaluate = bracketed<composed_poisson>();
    std::vector<Bound> out;
    for (const auto& [bound, tool] :
         {std::pair{composed, std::array{"epsilon of DP-SGD by composing its privacy losses",
                                         "delta of DP-SGD by composing its privacy losses"}},
          {contour, std::array{"epsilon of DP-SGD by the contour integral", "delta of DP-SGD by the contour integral"}},
          {sampled, std::array{"epsilon of DP-SGD with Poisson sampling by composing its "
                               "privacy losses",
                               "delta of DP-SGD with Poisson sampling by composing its "
                               "privacy losses"}}})
      for (Bound& b : dpsgd_forms(bound, tool[0], tool[1])) out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
