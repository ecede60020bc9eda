// A noisy sum with and without one client, given the number of the others.
#include "bounds/theory/checkin/removal.hpp"

#include <span>

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

// The form over T rounds of a statement whose form for one order, which has more to tell, is already there.
template <class Family>
void add_rounds(std::vector<Bound>& list, Bound form) {
  std::erase(form.needs, lambda);
  std::vector<Bound> forms;
  add_forms<Family>(forms, std::move(form));
  list.push_back(std::move(forms.back()));
}

template <Real R>
Answer<R> with_moment(const Moment<R>& m1, const R& order) {
  Answer<R> answer{.value = renyi::divergence<R>(m1, order)};
  answer.beside.push_back({"moment", plain<R>(m1)});
  return answer;
}

void add_given_k(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-removal-gaussian",
      .title = "Sum with noise of the same variance either way, given k other clients",
      .protocol = "distributed-sample-equal-noise",
      .source = "epsilary; the Gaussian under Poisson sampling, Mironov, Talwar and Zhang 2019",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j(e^{j(j-1)/(2k\sigma^2)}-1)\Big))",
      .quantity = Quantity::rdp,
      .note = output_note,
      .proof = "removal",
      .adjacency = Adjacency::remove,
      .view = View::count_hidden,
      .needs = {per_round, gamma, multiplier, lambda},
      .falls = {multiplier},
      .assumes = {integer_order()},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        return with_moment<R>(ideal(x, x[lambda], Moment<R>(x[per_round])), x[lambda]);
      }),
  };
  list.push_back(form);
  add_rounds<GivenOthers>(list, form);
  form.id = "epsilary-removal-client";
  form.title = "Sum of reports that carry their own noise, given k other clients, forward direction";
  form.protocol = "distributed-sample";
  form.source = "epsilary; (1-gamma) N(0, k sigma^2) + gamma N(1, (k+1) sigma^2) against N(0, k sigma^2)";
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j\Big(\big((\tfrac k{k+1})^j\tfrac{k+1}{k+1-j}\big)^{d/2}e^{j(j-1)/(2\sigma^2(k+1-j))}-1\Big)\Big))";
  form.needs.push_back(dim);
  form.assumes.push_back(
      exactly("lambda <= per_round", [](const auto& x) { return !x.has(lambda) || x[lambda] <= x[per_round]; }));
  form.evaluate = each_number([]<Real R>(const Values<R>& x) {
    using M = Moment<R>;
    const M m1 = removal_moment(M(x[lambda]), chance_of<M>(x, gamma), M(x[per_round]),
                                ClientNoise<M>{M(x[multiplier]), M(x[dim])});
    return with_moment<R>(m1, x[lambda]);
  });
  list.push_back(form);
  list.back().side = Side::lower;
  list.back().note =
      "the divergence of one direction, which no bound on both can be below; epsilon after T rounds bounds both";
  form.title = "Sum of reports that carry their own noise over T rounds, given k other clients, both directions";
  form.assumes.push_back(exactly("gamma < 1", [](const auto& x) { return x[gamma] < 1; }));
  form.assumes.push_back(exactly("per_round >= 2", [](const auto& x) { return x[per_round] >= 2; }));
  add_rounds<GivenOthersClient>(list, form);
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
