#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/lower_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add_estimate(std::vector<Bound>& list) {
  Bound form = list.back();
  std::erase(form.rises, lambda);
  form.takes.clear();
  add_rounds(list, std::move(form), equal_data::given_sample());
  make_estimate(list.back());
}

}  // namespace

std::span<const Bound> epsilary_subsampled_response() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    list.push_back({
        .id = "epsilary-subsampled-response",
        .title = "k of n shuffled randomised responses on equal data, exactly",
        .protocol = "shuffled-sample",
        .source = "epsilary; the pair of the proof of Self check-in 2022, Theorem 3, given the number of check-ins",
        .formula = R"(\frac{1}{\lambda-1}\log\sum_m\mathrm{Bin}_{k,p}(m)(1+z)^\lambda)",
        .quantity = Quantity::rdp,
        .side = Side::lower,
        .proof = "lower, truncation",
        .needs = {eps0, n, per_round, lambda},
        .takes = {delta0},
        .rises = {eps0, lambda},
        .assumes = {assume::within<per_round, n>()},
        .evaluate = equal_data::divergence_given_sample(),
    });
    add_estimate(list);
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
