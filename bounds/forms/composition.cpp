#include "bounds/forms/composition.hpp"

namespace epsilary::bounds::composed {

using enum Param;

void add_equal(std::vector<Bound>& list, Rule rule, Bound form) {
  form.needs = {eps0, T, delta};
  form.rises = {eps0, T};
  form.falls = {delta};
  form.evaluate = by(rule).pure;
  list.push_back(form);
  form.title += ", approximate mechanisms";
  form.needs = {eps0, delta0, T, delta};
  form.takes = {share};
  form.rises.push_back(delta0);
  form.evaluate = by(rule).approximate;
  list.push_back(form);
}

void add_both(std::vector<Bound>& list, Rule rule, Bound form) {
  add_equal(list, rule, form);
  form.needs = {steps, delta};
  form.falls = {delta};
  form.evaluate = by(rule).pure;
  list.push_back(form);
}

}  // namespace epsilary::bounds::composed
