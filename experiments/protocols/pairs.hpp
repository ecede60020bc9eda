// The worst known pairs of neighbouring data sets: the protocol is run on either, and an adversary who
// knows both looks at what it shows. They are those of the proofs of the lower bounds (bounds/PROOFS.md: witness,
// lower, chosen, ternary, opposite), whose likelihood ratios are known.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/protocols/mechanisms.hpp"

namespace epsilary::experiments {

// Parameters by their keys.
class Setting {
 public:
  explicit Setting(std::map<std::string, double> numbers) : numbers_(std::move(numbers)) {}
  bool has(const std::string& key) const { return numbers_.contains(key); }
  double operator[](const std::string& key) const { return numbers_.at(key); }
  std::uint32_t count(const std::string& key) const { return static_cast<std::uint32_t>(numbers_.at(key)); }

 private:
  std::map<std::string, double> numbers_;
};

struct Pair {
  std::string randomizer;  // krr:2, krr:3, rinf; gauss
  std::string words;       // who holds what
  std::string statement;   // the lower bound that says what this pair costs
  // Runs the protocol once, on the data set or on its neighbour: log(P/Q) of what the adversary sees, P being the law
  // on the data set and Q that on the neighbour.
  std::function<double(bool neighbour, Random&)> run;
};
// Of a protocol of tightness/protocols.toml; empty when there are none.
std::vector<Pair> pairs_of(const std::string& protocol, const Setting& at);

// Reports of k-RR in `slots` places, one of which is the record's with probability w, nobody knows which; all others
// hold 0. The likelihood of these reports if the record is `value`, over that if it were 0 as well.
struct Reports {
  RandomisedResponse response;
  std::vector<std::uint32_t> counts;  // of each value

  explicit Reports(const RandomisedResponse& r) : response(r), counts(r.k) {}
  void add(std::uint32_t value, Random& random) { ++counts[response.sample(value, random)]; }
  double likelihood(std::uint32_t value, double w) const;
};

}  // namespace epsilary::experiments
