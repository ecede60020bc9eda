#include <span>

#include "bounds/forms/notes.hpp"
#include "bounds/theory/cldp/convergence_formulas.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace cldp;

// With norm given, and for the maximum norm.
Bound second_moment_form(bool any_norm) {
  Bound form{
      .id = "epsilary-cldp-moment",
      .title = "Second moment of the averaged gradient, tight constants, maximum norm",
      .protocol = "cldp-sgd",
      .source = "epsilary; Girgis et al. 2021, Lemma 4 with Lemma 2",
      .formula = moment_formula,
      .quantity = Quantity::variance,
      .note =
          "c = 1: the mean of the sampled gradients is no longer than the longest, and the noise of each message "
          "has the variance of Lemma 2",
      .proof = "messages",
      .adjacency = Adjacency::none,
      .needs = {lipschitz, dim, per_round, eps0},
      .rises = {lipschitz, dim},
      .falls = {per_round, eps0},
      .evaluate = second_moment_tight(),
  };
  if (!any_norm) return form;
  form.title = "Second moment of the averaged gradient, tight constants";
  form.standing = Standing::published;
  form.note = constants_for_norms_1_and_2;
  form.needs.push_back(norm);
  form.assumes = {norm_with_a_mechanism()};
  return form;
}

}  // namespace

std::span<const Bound> epsilary_cldp_moment() {
  static const Bound list[] = {
      second_moment_form(false),
      second_moment_form(true),
  };
  return list;
}

}  // namespace epsilary::bounds
