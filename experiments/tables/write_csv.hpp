// CSV made one record at a time: the bytes of write_table(to_table(to_results(records))), without the table.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/tables/provenance.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

std::string csv_cell(const std::string& text);
std::string csv_preamble(const Provenance& provenance);

class CsvWriter {
 public:
  // The parameters that are given have a column each.
  explicit CsvWriter(const std::vector<bounds::Param>& params);

  void add(const Record& record);
  // The whole in pieces, the first of them the header; nothing can be added afterwards.
  std::vector<std::string> finish(const Provenance& provenance);

 private:
  const std::string& opening(const bounds::Bound& bound);
  void add_column(const std::string& name);

  std::vector<std::string> keys_, extras_;
  std::vector<std::pair<const bounds::Bound*, std::string>> openings_;
  // Lines in blocks, which never move. The last two cells of a line begin at its tail: a new column goes before them.
  struct Block {
    std::string lines;
    std::vector<std::uint32_t> tails;
  };
  std::vector<Block> blocks_;
};

}  // namespace epsilary::experiments
