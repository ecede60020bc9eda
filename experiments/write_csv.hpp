// CSV made one record at a time: the bytes of write_table(to_table(records)), without the table.
#pragma once

#include "experiments/provenance.hpp"
#include "experiments/table.hpp"

namespace experiments {

std::string csv_cell(const std::string& text);
std::string csv_preamble(const Provenance& provenance);

class CsvWriter {
 public:
  // The bounds and the parameters given to them, which decide the columns.
  CsvWriter(const std::vector<const bounds::Bound*>& bounds, const std::vector<bounds::Param>& params);

  void add(const Record& record);
  std::string finish(const Provenance& provenance) const;

 private:
  const std::string& opening(const bounds::Bound& bound);
  void add_column(const std::string& name);

  std::vector<std::string> keys_, extras_;
  std::vector<std::pair<const bounds::Bound*, std::string>> openings_;
  std::string lines_;
  std::vector<std::size_t> tails_;  // where the last two cells of each line begin: a new column goes before them
};

}  // namespace experiments
