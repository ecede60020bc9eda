// What the house knows about a statement: plain data and one formula, written once for every number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bounds/core/point.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::bounds {

enum class Quantity {
  epsilon,
  delta,
  rdp,
  risk,
  bits,
  count,
  variance,
  ratio,
  mu,
  sigma,
  error,
  rdp_approx,  // a Renyi divergence outside an event of the probability told beside it: no RDP bound
  limit,       // the largest value of a parameter that a hypothesis admits
};
enum class Side { upper, lower, exact, estimate };

// What the formula is worth, whatever the precision of its digits.
enum class Standing {
  proved,       // true as printed
  repaired,     // true after the change stated in the note
  published,    // quoted from the literature, not derived again
  unsound,      // not a guarantee as printed; kept to reproduce the paper
  rate,         // a rate with its constants dropped
  approximate,  // a limit or a heuristic
};

// Neighbouring data sets differ in one record, replaced by another or removed. A conversion or a composition holds for
// either; what is not about neighbours has none.
enum class Adjacency { replace, remove, none, either };

// What the adversary sees.
enum class View {
  usual,         // what the protocol shows; of check-ins to rounds, the number of them is public
  count_hidden,  // the number of check-ins stays hidden
  told_steps,    // also which steps used the record
};

std::string_view name(Quantity q);
std::string_view name(Side s);
std::string_view name(Standing s);
std::string_view name(Adjacency a);
std::string_view name(View v);

// A condition of a theorem: the words the user reads and the predicate that decides.
struct Hypothesis {
  std::string_view words;                            // a literal
  bool (*exact)(const Values<Rational>&) = nullptr;  // decided on the exact input, or
  Ball (*margin)(const Values<Ball>&) = nullptr;     // by proving the margin >= 0
  Ball (*limit)(const Values<Ball>&) = nullptr;      // the number at stake, told when the condition fails
};

template <class Lambda>
Hypothesis exactly(std::string_view words, Lambda) {
  return {words, [](const Values<Rational>& x) -> bool { return Lambda{}(x); }};
}
template <class Lambda>
Hypothesis provably(std::string_view words, Lambda) {
  return {words, nullptr, [](const Values<Ball>& x) -> Ball { return Lambda{}(x); }};
}

template <class R>
struct Named {
  std::string_view name;
  R value;
};
template <class R>
struct Chosen {
  Param param;
  R value;
};

// What a formula gives at a point.
template <Real R>
struct Answer {
  R value;
  std::optional<R> cap;                   // a ceiling that holds whatever the formula says
  std::optional<R> log_delta_total = {};  // log of the whole delta, where the statement spends more than delta
  std::vector<Named<R>> beside = {};      // further numbers of the statement: its step size, its rate
  std::vector<Chosen<R>> at = {};         // parameters the formula optimised
  bool within = false;                    // the whole delta is proved to be at most the delta asked
  std::string_view refused = {};          // why there is no number after all: what the statement needs and lacks here
};

template <Real R>
Answer<R> with_cap(R value, R cap) {
  return {.value = std::move(value), .cap = std::move(cap)};
}

template <Real R>
using Formula = Answer<R> (*)(const Values<R>&);

// A bracket is proved in balls alone; how narrow it should be is said, and what it may cost.
using BracketFormula = Answer<Ball> (*)(const Values<Ball>&, const Request&);

// A closed formula in every number type, or a bracket.
struct Evaluator {
  Formula<double> in_double = nullptr;
  Formula<mp50> in_mp50 = nullptr;
  Formula<Ball> in_ball = nullptr;
  BracketFormula bracket = nullptr;
};

// A function of the values and the request, which returns a ball or an Answer.
template <auto formula>
Evaluator bracketed() {
  return {.bracket = [](const Values<Ball>& x, const Request& r) { return Answer<Ball>{formula(x, r)}; }};
}

// Instantiates one generic lambda, which returns a number or an Answer, at every number type.
template <class Lambda>
Evaluator each_number(Lambda) {
  return {[](const Values<double>& x) { return Answer<double>{Lambda{}(x)}; },
          [](const Values<mp50>& x) { return Answer<mp50>{Lambda{}(x)}; },
          [](const Values<Ball>& x) { return Answer<Ball>{Lambda{}(x)}; }};
}

struct Bound {
  std::string id, title, protocol, source, formula;
  Quantity quantity = Quantity::epsilon;
  Side side = Side::upper;
  Standing standing = Standing::proved;
  std::string note = "";   // the erratum, in one sentence
  std::string proof = "";  // sections of PROOFS.md: of its proof, or of what refutes it
  Adjacency adjacency = Adjacency::replace;
  View view = View::usual;
  std::vector<Param> needs = {};
  std::vector<Param> takes = {};              // optional: used when given, chosen by the formula or left out otherwise
  std::vector<Param> rises = {}, falls = {};  // the value is monotone in these
  std::vector<Param> turns = {};              // falls in these until what is spent beside delta takes over
  std::vector<Hypothesis> assumes = {};
  std::string (*remark)(const Values<Rational>&) = nullptr;  // what every row has to say about its point
  std::string example = "";  // parameters of a call, where those of the vocabulary are far from its use
  double width = 0;  // where the value is a bracket: the relative width it is given to unless more digits are asked for
  Evaluator evaluate;
};

// The formula may be relied on. Whether a row of it is a guarantee is decided with its question (question.hpp).
inline bool is_guarantee(const Bound& b) { return b.standing == Standing::proved || b.standing == Standing::repaired; }

}  // namespace epsilary::bounds
