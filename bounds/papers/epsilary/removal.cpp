// A noisy sum with and without one client, given the number of the others.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/removal_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

void add_given_k(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-removal-gaussian",
      .title = "Sum with noise of the same variance either way, given k other clients",
      .protocol = "distributed-sample-equal-noise",
      .source = "epsilary; the Gaussian under Poisson sampling, Mironov, Talwar and Zhang 2019",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j(e^{j(j-1)/(2k\sigma^2)}-1)\Big))",
      .quantity = Quantity::rdp,
      .note = count_hidden_note,
      .proof = "removal",
      .adjacency = Adjacency::remove,
      .view = View::count_hidden,
      .needs = {per_round, gamma, multiplier, lambda},
      .falls = {multiplier},
      .assumes = {assume::integer_order()},
      .evaluate = removal::divergence_given_others(),
  };
  list.push_back(form);
  add_rounds(list, form, removal::given_others());
  form.id = "epsilary-removal-client";
  form.title = "Sum of reports that carry their own noise, given k other clients, forward direction";
  form.protocol = "distributed-sample";
  form.source = "epsilary; (1-gamma) N(0, k sigma^2) + gamma N(1, (k+1) sigma^2) against N(0, k sigma^2)";
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j\Big(\big((\tfrac k{k+1})^j\tfrac{k+1}{k+1-j}\big)^{d/2}e^{j(j-1)/(2\sigma^2(k+1-j))}-1\Big)\Big))";
  form.needs.push_back(dim);
  form.assumes.push_back(assume::within<lambda, per_round>());
  form.evaluate = removal::forward_divergence_given_others_own_noise();
  list.push_back(form);
  list.back().side = Side::lower;
  list.back().note =
      "the divergence of one direction, which no bound on both can be below; epsilon after T rounds bounds both";
  form.title = "Sum of reports that carry their own noise over T rounds, given k other clients, both directions";
  form.assumes.push_back(assume::below_one<gamma>());
  form.assumes.push_back(exactly("per_round >= 2", [](const Values<Rational>& x) { return x[per_round] >= 2; }));
  add_rounds(list, form, removal::given_others_own_noise());
}

}  // namespace

std::span<const Bound> epsilary_removal() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_given_k(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
