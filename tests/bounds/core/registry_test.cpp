// The registry is made from the files of bounds/papers.
#include "bounds/core/registry.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "bounds/core/families.hpp"

using namespace epsilary::bounds;

namespace {

std::string folder(const NamedFamily& family) { return std::string(family.file.substr(0, family.file.find('/'))); }

}  // namespace

TEST_CASE("the ids of a folder begin with its name; literature holds the others") {
  std::set<std::string> folders;
  for (const NamedFamily& family : families()) folders.insert(folder(family));
  REQUIRE(folders.count("literature") == 1);
  REQUIRE(folders.size() >= 7);
  for (const NamedFamily& family : families())
    for (const Bound& b : family.statements()) {
      const std::string source(b.id.substr(0, b.id.find('-')));
      CAPTURE(family.file);
      CAPTURE(b.id);
      if (folder(family) == "literature")
        CHECK(folders.count(source) == 0);
      else
        CHECK(source == folder(family));
    }
}

TEST_CASE("every file of bounds/papers has statements, and all of them are in the registry") {
  std::size_t count = 0;
  for (const NamedFamily& family : families()) {
    CAPTURE(family.file);
    CHECK(!family.statements().empty());
    count += family.statements().size();
  }
  CHECK(count == all().size());
  CHECK(std::set<const Bound*>(all().begin(), all().end()).size() == count);
}
