// Any bytes are either a table or are refused with file and line; a table that is written reads back as itself.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "experiments/tables/read_table.hpp"
#include "experiments/tables/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace epsilary::experiments;
  Table table;
  try {
    table = parse_table({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
  } catch (const BadTable& bad) {
    if (!std::string_view(bad.what()).starts_with("fuzz.csv:")) std::abort();
    return 0;
  }
  for (const auto& row : table.rows)
    if (row.size() != table.columns.size()) std::abort();
  const Table again = parse_table(write_table(table, epsilary::Format::csv, {}), "written.csv");
  if (again.columns != table.columns || again.rows != table.rows) std::abort();
  return 0;
}
