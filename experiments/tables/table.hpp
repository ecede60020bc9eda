// Rows as text: every number rounded to its safe side, in named columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bounds/core/double_walk.hpp"
#include "experiments/rows/row.hpp"

namespace epsilary::experiments {

using epsilary::Pairs;
using epsilary::Table;

// Everything there is to say of one row, ready to print.
struct Record {
  const bounds::Bound* bound = nullptr;
  std::string status;
  std::string value;         // the safe end for its side; empty when there is none
  std::string lower, upper;  // where certified, they enclose the exact value of the formula
  bool certified = false;
  bool within = true;  // what it spends is within the delta asked
  Pairs params;        // what was given and matters; in a sweep all that was given
  Pairs at;            // what the formula chose
  Pairs beside;        // capped, delta_total and log_delta_total, and further numbers of the statement
  std::string note;    // of the statement at this point
  // As a row of the question asked:
  bool answers = false, guarantee = false;
  std::string other;   // why it is about another question
  std::string unused;  // what is given and cannot matter
};

// "a=1 b=2".
std::string join(const Pairs& pairs);

// The note with what the row has to say of the question.
std::string whole_note(const Record& record);

Record describe(const Row& row, int digits);

// Sets what depends on the question: whether the record answers it, and whether it is a guarantee.
void judge(const bounds::Asked& asked, Record& record);

// In place, so that a sweep can use the memory of one record for many.
void describe(const bounds::Bound& bound, const bounds::Point& point, const bounds::Evaluation& evaluation, int digits,
              Record& out);
void describe(const bounds::Bound& bound, const bounds::Point& point, const bounds::DoubleEvaluation& evaluation,
              int digits, Record& out);

// The same with both ends of every number, written "lower..upper", for those who go on computing with them; and the
// value of such a record, or the number of that name beside it, indeterminate when there is none.
void describe_ends(const bounds::Bound& bound, const bounds::Point& point, const bounds::Evaluation& evaluation,
                   int digits, Record& out);
bounds::Ball number_of(const Record& record, const std::string& column);

// Sets the bound and the parameters that are given and used, which is what a record is known by.
void name_cell(const bounds::Bound& bound, const bounds::Point& point, Record& out);

// Sets the whole point: a bound that does not use a parameter is level in it.
void name_point(const bounds::Point& point, Record& out);

// "sigma over twice the clipping norm": in which units the statement takes its noise; empty without noise.
std::string unit(const bounds::Bound& bound);

// The columns of rows that give these parameters and have these numbers beside their value.
std::vector<std::string> row_columns(const std::vector<std::string>& keys, const std::vector<std::string>& extras);

Table to_table(const std::vector<epsilary::Result>& results);

// Rows of the same named columns, but for those left out.
Table table_of(const std::vector<Pairs>& rows, const std::vector<std::string>& but = {});

}  // namespace epsilary::experiments
