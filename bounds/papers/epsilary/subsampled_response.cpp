#include <span>

#include "bounds/papers/divergence_estimate.hpp"
#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/lower.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

struct ExactGiven {
  static constexpr Orders orders = Orders::real;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::divergence<R>(max(given_moment(x, order), given_moment(x, R(1 - order))), order)};
  }
};

template <class Family>
void add_rounds(std::vector<Bound>& list) {
  Bound form = list.back();
  std::erase(form.needs, lambda);
  std::erase(form.rises, lambda);
  form.takes.clear();
  std::vector<Bound> forms;
  add_forms<Family>(forms, std::move(form));
  make_estimate(forms.back());
  list.push_back(std::move(forms.back()));
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
        .assumes = {exactly("per_round <= n", [](const auto& x) { return x[per_round] <= x[n]; })},
        .evaluate = each_number([]<Real R>(const Values<R>& x) {
          return both_directions<R>(given_moment(x, x[lambda]), given_moment(x, x.complement(lambda)), x[lambda]);
        }),
    });
    add_rounds<ExactGiven>(list);
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
