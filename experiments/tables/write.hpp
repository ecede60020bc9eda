// Results as bytes.
#pragma once

#include <string>
#include <vector>

#include "experiments/tables/provenance.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

using epsilary::Format;

// json: an object for each row, in the usual envelope.
std::string write_table(const Table& table, Format format, const Provenance& provenance);

// Results for people: grouped by quantity and, where asked, by protocol; the columns that matter, the reasons behind,
// and the question below.
struct Look {
  bool markdown = false, color = false, by_protocol = false;
};
std::string write_results_text(const std::vector<epsilary::Result>& results, const Look& look);

// What the statements call neighbours and in which units they take their noise, a line each, to stand below a table.
std::string question_lines(const std::vector<const epsilary::Statement*>& statements);
std::vector<std::string> question_sentences(const std::vector<const epsilary::Statement*>& statements);

// {"provenance": ..., "rows": [...]}: the shape is a contract.
std::string write_results_json(const std::vector<epsilary::Result>& results, int digits, const std::string& spec = {});
std::string write_report_json(int digits, const std::vector<Pairs>& rows, const std::vector<Pairs>& slack,
                              const std::vector<std::string>& summary);

}  // namespace epsilary::experiments
