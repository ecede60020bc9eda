#include <span>

#include "bounds/theory/cldp/mean_estimation_formulas.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace cldp;

const char* const or_theorem_3 =
    "bits >= log2(dim): with fewer, Theorem 3 applies (girgis2021-thm3, repaired as epsilary-few-bits)";

void add(std::vector<Bound>& out, Bound form) {
  form.protocol = "mean-estimation";
  form.adjacency = Adjacency::none;
  out.push_back(std::move(form));
}

void add_lower_bounds(std::vector<Bound>& out) {
  add(out,
      {
          .id = "girgis2021-thm2",
          .title = "Minimax risk of private mean estimation, order of magnitude from below",
          .source = "Girgis et al. 2021, Theorem 2",
          .formula =
              R"(a^2\min\{1,\tfrac{d}{n\varepsilon_0^2}\}\ (p<2),\quad a^2d^{1-2/p}\min\{1,\tfrac{d}{n\min\{\varepsilon_0,\varepsilon_0^2\}}\}\ (p\ge2))",
          .quantity = Quantity::risk,
          .side = Side::estimate,
          .standing = Standing::rate,
          .note = "the constant of the Omega(.) is taken as 1; norm left out means infinity; at p = 2 both lines "
                  "are stated and the larger is shown; step (d) of its proof assumes min{eps0, eps0^2} <= O(d)",
          .needs = {radius, dim, n, eps0},
          .takes = {norm},
          .rises = {radius, dim},
          .falls = {n, eps0},
          .remark = [](const Values<Rational>& x) -> std::string {
            const Rational& e = x[eps0];
            if ((e < 1 ? e * e : e) <= x[dim]) return "";
            return "min{eps0, eps0^2} is above dim, which step (d) of its proof assumes to be at most O(d)";
          },
          .evaluate = minimax_risk_order(),
      });
  add(out, {
               .id = "girgis2021-thm3",
               .title = "Risk with fewer than log2 d bits, as printed",
               .source = "Girgis et al. 2021, Theorem 3",
               .formula = R"(a^2\max\{1,d^{1-2/p}\})",
               .quantity = Quantity::risk,
               .side = Side::lower,
               .standing = Standing::unsound,
               .note = "true only for p = 2 and with >= for >: one private bit about one coordinate leaves "
                       "a^2 (d - 1) + a^2 coth^2(eps0/2)/n < a^2 d for p = infinity; use epsilary-few-bits",
               .needs = {radius, dim},
               .takes = {norm, bits},
               .rises = {radius, dim},
               .assumes = {too_few_bits()},
               .evaluate = risk_of_few_bits_as_printed(),
           });
}

void add_upper_bounds(std::vector<Bound>& out) {
  add(out, {
               .id = "girgis2021-thm4",
               .title = "Risk of private mean estimation, maximum norm",
               .source = "Girgis et al. 2021, Theorem 4, l_infinity",
               .formula = R"(\frac{a^2d^2}{n}\coth^2\frac{\varepsilon_0}{2},\quad b=\log_2 d+1)",
               .quantity = Quantity::risk,
               .proof = "messages",
               .needs = {radius, dim, n, eps0},
               .takes = {bits},
               .rises = {radius, dim},
               .falls = {n, eps0},
               .assumes = {bits_for_a_coordinate(or_theorem_3), bits_for_a_coordinate_and_a_sign()},
               .evaluate = risk_of_coordinates(),
           });
  add(out,
      {
          .id = "girgis2021-thm4",
          .title = "Risk of private mean estimation, norms 1 and 2",
          .source = "Girgis et al. 2021, Theorem 4, l_1 and l_2",
          .formula =
              R"(\frac{a^2d}{n}\coth^2\frac{\varepsilon_0}{2}\ (p=1),\quad \frac{6a^2d}{n}\coth^2\frac{\varepsilon_0}{2}\ (p=2))",
          .quantity = Quantity::risk,
          .standing = Standing::published,
          .note = "the text does not define the mechanisms R_1 and R_2 nor their decoders; for p = 1 "
                  "epsilary-mean-l1 proves it",
          .proof = "messages",
          .needs = {radius, dim, n, eps0, norm},
          .takes = {bits},
          .rises = {radius, dim},
          .falls = {n, eps0},
          .assumes = {norm_with_a_mechanism(), bits_for_a_coordinate(or_theorem_3)},
          .evaluate = risk_of_norms_1_and_2(),
      });
  Bound lemma{
      .id = "girgis2021-lem2",
      .title = "Variance of one message of R_infinity",
      .source = "Girgis et al. 2021, Lemma 2",
      .formula = R"(a^2d^2\coth^2\frac{\varepsilon_0}{2})",
      .quantity = Quantity::variance,
      .proof = "messages",
      .needs = {radius, dim, eps0},
      .rises = {radius, dim},
      .falls = {eps0},
      .evaluate = message_variance(),
  };
  add(out, lemma);
  lemma.id = "girgis2021-lem2-exact";
  lemma.title = "Variance of one message of R_infinity, exactly";
  lemma.formula = R"(a^2d^2\coth^2\frac{\varepsilon_0}{2}-\lVert x\rVert_2^2)";
  lemma.side = Side::exact;
  lemma.note = "Lemma 2 drops the last term; the message has constant length and mean x";
  lemma.needs.push_back(square);
  lemma.falls.push_back(square);
  lemma.assumes = {exactly("square <= dim radius^2, inside the ball",
                           [](const auto& x) { return x[square] <= x[dim] * x[radius] * x[radius]; })};
  lemma.evaluate = message_variance_exactly();
  add(out, lemma);
}

}  // namespace

std::span<const Bound> girgis2021_mean_estimation() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_lower_bounds(out);
    add_upper_bounds(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
