// What the functions of the library share: from the words of its users to the rooms of the house, and back.
#pragma once

#include <atomic>
#include <epsilary/epsilary.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bounds/core/question.hpp"
#include "experiments/sweep/axis.hpp"
#include "experiments/sweep/run.hpp"
#include "experiments/tables/table.hpp"
#include "solvers/numbers/halt.hpp"

namespace epsilary {

const Statement& statement_of(const bounds::Bound& bound);
Result to_result(const experiments::Record& record);
std::vector<Result> to_results(const std::vector<experiments::Record>& records);

// How many points the texts ask for, before any of them is made.
std::size_t points_of(const Parameters& parameters);
// Refuses what is no parameter, given twice, or no value; and, unless any size will do, more than can be held.
// `whole`: that what is tied to others finds them.
std::vector<experiments::Axis> axes_of(const Parameters& parameters, bool any_size = false, bool whole = true);
// Every axis with more than one value.
std::vector<bounds::Param> varying(const std::vector<experiments::Axis>& axes);
Pairs values_at(const bounds::Point& point, const std::vector<bounds::Param>& params);
bounds::Param param_given(const std::string& key);
solvers::Decimal target_given(const Value& target);

bounds::Accuracy accuracy_of(const Options& options);
bounds::Asked asked_of(const Options& options);

// The forms of a statement; refuses an unknown id with a "did you mean".
std::vector<const bounds::Bound*> forms_named(std::string_view id);
// The form whose parameters are given; refuses with what is missing. Notes the parameters it does not use.
const bounds::Bound& form_given(const std::string& id, const bounds::Point& point, std::vector<std::string>& notes);

using experiments::largest_grid;
// Counts them into the answer, refuses more than can be held; true when counting is all that was asked for.
bool is_counted(const Options& options, std::size_t evaluations, epsilary::Answer& answer);
void refuse_too_many(std::size_t evaluations);

// Refuses every name that is not known: "unknown figure 'x'; did you mean y?".
void refuse_unknown(const std::string& kind, const std::vector<std::string>& names,
                    const std::vector<std::string>& known, const std::string& next);

// Ends the work of this thread soon after the flag is set, in words.
template <class Work>
auto stoppable(const std::atomic<bool>* stop, Work work) {
  const solvers::Haltable haltable(stop);
  try {
    return work();
  } catch (const solvers::Halted&) {
    throw Error(Problem::interrupted, "interrupted", "nothing was kept; ask again");
  }
}

// Runs them as the options say, stoppable.
void run_rows(std::vector<experiments::Row>& rows, const Options& options, experiments::Running running = {});

std::string joined(const std::vector<std::string>& names, std::string_view between = ", ");
std::string keys(const std::vector<bounds::Param>& params);
Error assumes(const bounds::Bound& bound, const std::string& broken);

}  // namespace epsilary
