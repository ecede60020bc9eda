#include "bounds/forms/words.hpp"

namespace epsilary::bounds {

Bound in_words(Bound form, const Words& words) {
  form.id = words.id;
  form.title = words.title;
  form.source = words.source;
  form.formula = words.formula;
  form.standing = words.standing;
  form.note = words.note;
  form.proof = words.proof;
  return form;
}

}  // namespace epsilary::bounds
