// How tight the analyses of a protocol are: every bound on its epsilon from the loosest to the tightest, what no
// analysis can beat, and which step of a proof loses which factor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/rows/row.hpp"

namespace epsilary::experiments {

// Two analyses of one protocol, and what the second does in place of the first.
struct Slack {
  std::string looser, tighter, replaced;
};

struct Protocol {
  std::string name, words, example;
  std::vector<Slack> chain;
  // In these its epsilon is monotone whatever the analysis, because one run is a post-processing of the other: what is
  // proved at one value holds on its whole side.
  std::vector<bounds::Param> rises = {}, falls = {};
  std::vector<std::string> slow = {};  // statements that take seconds a point: a design question leaves them out
};

// Throws BadSpec with file and line.
std::vector<Protocol> parse_protocols(std::string_view toml, std::string_view file);

// Those of tightness/protocols.toml, which ship with the program.
const std::vector<Protocol>& protocols();
const Protocol* protocol_named(std::string_view name);

// The statements on the protocol's epsilon, from above or below, in the form that the point allows; `lacking` gets
// those that need more than the point has.
std::vector<const bounds::Bound*> statements(const Protocol& protocol, const bounds::Point& point,
                                             std::vector<const bounds::Bound*>* lacking = nullptr);

// What the bound says with its ceiling applied, so that no bound is worse than the trivial one.
bounds::Ball best_value(const Row& row);

// Upper bounds from the loosest to the tightest, then lower bounds from the tightest on: the values fall. Rows about
// another question or delta come after those that answer, and rows without a number last.
void loosest_first(std::vector<Row>& rows);

// The tightest guarantee of a side; nothing when there is none.
const Row* tightest(const std::vector<Row>& rows, bounds::Side side);

// One link of the chain with numbers at both ends.
struct Loss {
  const Slack* slack;
  bounds::Ball factor;
};
std::vector<Loss> losses(const Protocol& protocol, const std::vector<Row>& rows);

}  // namespace epsilary::experiments
