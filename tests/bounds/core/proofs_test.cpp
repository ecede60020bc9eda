// Whatever is proved or repaired names its proof, and the proof is there.
#include "bounds/core/proofs.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "bounds/core/registry.hpp"

using namespace epsilary::bounds;

namespace {

std::set<std::string> sections() {
  std::ifstream in(EPSILARY_SOURCE "/bounds/PROOFS.md");
  REQUIRE(in);
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("## ")) names.insert(line.substr(3));
  return names;
}

std::set<std::string> named_in(std::string_view proof) {
  std::set<std::string> names;
  std::istringstream words{std::string(proof.substr(0, proof.find(';')))};
  for (std::string name; std::getline(words >> std::ws, name, ',');) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("every statement that is proved or repaired names its proof, and every section it names is there") {
  const std::set<std::string> known = sections();
  CHECK(known.size() > 40);
  for (const Bound* b : all()) {
    INFO(b->id);
    const bool promised = b->standing == Standing::proved || b->standing == Standing::repaired;
    if (promised) CHECK_FALSE(b->proof.empty());
    CHECK_FALSE(b->formula.empty());
    CHECK_FALSE(proof_of(*b).empty());
    if (b->standing == Standing::unsound) CHECK(proof_of(*b).starts_with("none"));
    if (b->standing == Standing::repaired || b->standing == Standing::unsound) CHECK_FALSE(b->note.empty());
    for (const std::string& name : named_in(b->proof)) CHECK_MESSAGE(known.count(name), name);
  }
}

TEST_CASE("a section that a proof leans on is there too") {
  std::ifstream in(EPSILARY_SOURCE "/bounds/PROOFS.md");
  REQUIRE(in);
  const std::set<std::string> known = sections();
  // *name* with one word in small letters is a reference when a section of that name could be meant.
  for (const char* name :
       {"domination", "response",    "approximate", "composition", "conversion", "subsampling", "overlap", "posterior",
        "swap",       "silent",      "averaged",    "bins",        "clip",       "labels",      "clones",  "blanket",
        "mixture",    "association", "truncation",  "population",  "recursion",  "convex",      "pivot"})
    CHECK_MESSAGE(known.count(name), name);
}
