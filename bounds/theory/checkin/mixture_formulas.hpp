// Random check-ins and shuffling by overlapping mixtures (Balle et al. 2020): of pure randomizers, and of approximate
// ones, whose calls are replaced or clipped.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::checkin {

// Of pure randomizers, at a delta.
Evaluator fixed_window();
Evaluator fixed_window_simple();
Evaluator sliding_window();
Evaluator sliding_window_simple();
Evaluator weighted_slots();       // weights at most w
Evaluator swapped();              // a shuffle
Evaluator averaged_updates();     // delta and delta2 given
Evaluator averaged_best_split();  // their sum given
Evaluator averaged_loads();       // given the Euclidean norm of the loads

// A statement that spends delta in parts: the parts as given, and the parts found for a whole delta.
struct PartedForms {
  Evaluator parts_given, whole_given;
};
// Every call replaced at 8 eps0; how often calls are charged is told where there are two counts.
PartedForms replaced_in_fixed_window();
PartedForms replaced_in_fixed_window_conference();  // at a distance of delta0 each
PartedForms replaced_in_sliding_window();
PartedForms replaced_in_weighted_slots();
PartedForms replaced_in_shuffle();  // n calls
PartedForms replaced_in_shuffle_m_calls();
PartedForms replaced_in_averaged();  // n calls
PartedForms replaced_in_averaged_m_calls();
PartedForms replaced_given_loads();
// Theorem 4.1 with Chernoff's bound of the loads.
PartedForms averaged_chernoff_loads();

// At 2 eps0 every call, or two of them, clipped; at eps0 itself those on the changed record.
Evaluator clipped_calls_in_fixed_window();
Evaluator clipped_calls_in_sliding_window();
Evaluator two_calls_clipped();
Evaluator clipped_record_in_fixed_window();
Evaluator clipped_record_in_sliding_window();
Evaluator clipped_record_in_weighted_slots();

// One epoch of n/m repetitions: composed, or in closed form with the constant 12 or a looser one.
PartedForms epoch();
PartedForms epoch_closed();
PartedForms epoch_closed_loose();
Ball epoch_margin_eps0(const Values<Ball>& x);  // what its hypotheses leave
Ball epoch_margin_n(const Values<Ball>& x);

// The Euclidean norm of the loads of m bins: its exact quantile, or by Chernoff's bound on the squares.
Evaluator load_quantile();
Evaluator load_chernoff();

// One of n/m repetitions, simplified; and what its hypothesis leaves.
Evaluator one_repetition();
Ball one_repetition_margin(const Values<Ball>& x);

Evaluator fixed_window_posterior();  // with the sharper posterior
Evaluator steps_of_linear_posterior();
Evaluator admissible_local_delta();  // by whole repetitions of Lemma A.3, or as printed
Evaluator admissible_local_delta_printed();

// The posterior of the chosen slot, and the epsilon of a step, at a slot or along all of them.
Evaluator slot_posterior();
Evaluator slot_step();
Evaluator swap_posterior();
Evaluator swap_step();

}  // namespace epsilary::bounds::checkin
