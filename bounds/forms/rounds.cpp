#include "bounds/forms/rounds.hpp"

#include <string>
#include <utility>

namespace epsilary::bounds {
namespace {

using enum Param;

Bound divergence(Bound form, const RoundForms& rounds) {
  form.quantity = rounds.spends ? Quantity::rdp_approx : Quantity::rdp;
  form.needs.push_back(lambda);
  form.evaluate = rounds.one_round;
  return form;
}

Bound epsilon(Bound form, const RoundForms& rounds) {
  form.quantity = Quantity::epsilon;
  form.needs.insert(form.needs.end(), {T, delta});
  form.takes.push_back(lambda);
  if (rounds.spends) form.takes.push_back(share);
  form.rises.push_back(T);
  form.falls.push_back(delta);
  if (rounds.converts_optimally) {
    if (!form.note.empty()) form.note += "; ";
    form.note += "epsilon by the optimal conversion (asoodeh2021-optimal) instead of Lemma 2";
  }
  form.evaluate = rounds.after_rounds;
  return form;
}

}  // namespace

void add_forms(std::vector<Bound>& list, Bound form, const RoundForms& rounds) {
  list.push_back(divergence(form, rounds));
  list.push_back(epsilon(std::move(form), rounds));
}

void add_rounds(std::vector<Bound>& list, Bound form, const RoundForms& rounds) {
  std::erase(form.needs, lambda);
  list.push_back(epsilon(std::move(form), rounds));
}

Bound over_rounds(Bound form) {
  form.needs.insert(form.needs.end(), {T, delta});
  form.rises.push_back(T);
  form.falls.push_back(delta);
  return form;
}

}  // namespace epsilary::bounds
