#include <span>

#include "bounds/theory/cldp/mean_estimation_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace cldp;

void add(std::vector<Bound>& out, Bound form) {
  form.protocol = "mean-estimation";
  form.adjacency = Adjacency::none;
  out.push_back(std::move(form));
}

}  // namespace

std::span<const Bound> epsilary_mean_estimation() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, {
                 .id = "epsilary-few-bits",
                 .title = "Risk with fewer than log2 d bits",
                 .source = "epsilary; in place of Girgis et al. 2021, Theorem 3",
                 .formula = R"(a^2(d-2^b+1)^{1-2/p}\ (p\ge2),\quad a^2\max\{d^{1-2/p},1-\tfrac{2^b-1}{d}\}\ (p\le2))",
                 .quantity = Quantity::risk,
                 .side = Side::lower,
                 .note = "for mechanisms common to all clients and decoders that average decoded messages, private or "
                         "not; norm left out means infinity",
                 .proof = "messages",
                 .needs = {radius, dim, bits},
                 .takes = {norm},
                 .rises = {radius},
                 .falls = {bits},
                 .assumes = {too_few_bits()},
                 .evaluate = risk_of_few_bits(),
             });
    add(out,
        {
            .id = "epsilary-mean-l1",
            .title = "Risk of private mean estimation, norm 1, by rows of a Hadamard matrix",
            .source = "epsilary; for Girgis et al. 2021, Theorem 4, l_1",
            .formula = R"(\frac{a^2d}{n}\coth^2\frac{\varepsilon_0}{2},\quad b=\lceil\log_2 d\rceil+1)",
            .quantity = Quantity::risk,
            .note = "one private bit about a random row: unbiased, and every decoded vector has squared length "
                    "a^2 d coth^2(eps0/2)",
            .proof = "messages",
            .needs = {radius, dim, n, eps0, norm},
            .takes = {bits},
            .rises = {radius, dim},
            .falls = {n, eps0},
            .assumes = {exactly("norm is 1", [](const auto& x) { return x[norm] <= 1; }), bits_for_a_row_and_a_sign()},
            .example = "--radius 1 --dim 10 --n 1000000 --eps0 0.5 --norm 1",
            .evaluate = risk_of_hadamard_rows(),
        });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
