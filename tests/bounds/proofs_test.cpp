// Every statement of the Renyi and check-in families, and every other one whose proof is written out here, says where
// that is, and the place exists.
#include "bounds/proofs.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "bounds/registry.hpp"

using namespace bounds;

namespace {

std::set<std::string> sections() {
  std::ifstream in(EPSILARY_SOURCE "/bounds/PROOFS.md");
  REQUIRE(in);
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("## ")) names.insert(line.substr(3));
  return names;
}

bool in_family(const Bound& b) {
  for (const char* protocol : {"renyi", "shuffled-checkin", "distributed-checkin", "subsampling"})
    if (b.protocol == protocol) return true;
  return b.id.starts_with("checkin2022-") || b.id.starts_with("feldman2021-") ||
         proof_of(b).find("PROOFS.md") != std::string::npos;
}

}  // namespace

TEST_CASE("every statement of the family points to its proof") {
  const std::set<std::string> known = sections();
  CHECK(known.size() > 10);
  std::set<std::string> used;
  for (const Bound* b : all()) {
    if (!in_family(*b)) continue;
    INFO(b->id);
    const std::string proof = proof_of(*b);
    CHECK(!proof.empty());
    CHECK(!b->formula.empty());
    if (b->standing == Standing::unsound) CHECK(proof.starts_with("none"));
    if (b->standing == Standing::repaired || b->standing == Standing::unsound) CHECK(!b->note.empty());
    constexpr std::string_view file = "bounds/PROOFS.md, ";
    const std::size_t at = proof.find(file);
    if (at == std::string::npos) continue;
    std::istringstream names(proof.substr(at + file.size(), proof.find(';', at) - at - file.size()));
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      CHECK_MESSAGE(known.count(name), name);
      used.insert(name);
    }
  }
  CHECK(used == known);  // no section is left over
}
