#include "experiments/tables/write_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace epsilary::experiments {

using namespace bounds;

namespace {
constexpr std::size_t block_size = 1 << 20, line_size = 512;  // a longer line makes its block longer
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.starts_with('#')) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_preamble(const Provenance& p) {
  std::string out = fmt::format("# epsilary {}, source {}, {} digits{}{}\n#", p.version, p.source, p.digits,
                                p.spec.empty() ? "" : ", spec ", p.spec);
  for (const auto& [library, version] : p.libraries) out += fmt::format(" {} {}", library, version);
  return out + "\n";
}

CsvWriter::CsvWriter(const std::vector<Param>& params) {
  for (const ParamInfo& p : bounds::params())
    if (std::ranges::count(params, p.param)) keys_.emplace_back(p.key);
}

// What every line of a bound begins with.
const std::string& CsvWriter::opening(const Bound& b) {
  const auto known = std::ranges::find(openings_, &b, &decltype(openings_)::value_type::first);
  if (known != openings_.end()) return known->second;
  std::string text;
  for (const std::string_view cell : {std::string_view(b.id), std::string_view(b.protocol), name(b.quantity),
                                      name(b.side), name(b.standing), name(b.adjacency), name(b.view)})
    text += csv_cell(std::string(cell)) + ",";
  text += csv_cell(unit(b)) + ",";
  return openings_.emplace_back(&b, std::move(text)).second;
}

void CsvWriter::add_column(const std::string& name) {
  extras_.push_back(name);
  for (auto& [lines, tails] : blocks_) {
    std::string wider;
    wider.reserve(lines.size() + tails.size());
    std::size_t from = 0;
    for (std::uint32_t& tail : tails) {
      wider.append(lines, from, tail - from).append(",");
      from = std::exchange(tail, static_cast<std::uint32_t>(wider.size()));
    }
    lines = wider.append(lines, from);
  }
}

void CsvWriter::add(const Record& r) {
  for (const auto& [name, value] : r.beside)
    if (!std::ranges::count(extras_, name)) add_column(name);
  if (blocks_.empty() || blocks_.back().lines.size() > block_size - line_size) {
    blocks_.emplace_back().lines.reserve(block_size);
    blocks_.back().tails.reserve(block_size / line_size);
  }
  auto& [lines, tails] = blocks_.back();
  lines.append(opening(*r.bound)).append(r.status) += ',';
  auto given = r.params.begin();  // in the order of the keys
  for (const std::string& key : keys_) {
    if (given != r.params.end() && given->first == key) lines.append((given++)->second);
    lines += ',';
  }
  (lines.append(r.value) += ',').append(r.lower) += ',';
  lines.append(r.upper).append(r.certified ? ",true" : ",false");
  lines.append(r.answers ? ",true" : ",false").append(r.guarantee ? ",true," : ",false,");
  for (const std::string& name : extras_) {
    const auto it = std::ranges::find(r.beside, name, &Pairs::value_type::first);
    if (it != r.beside.end()) lines.append(it->second);
    lines += ',';
  }
  tails.push_back(static_cast<std::uint32_t>(lines.size()));
  for (std::size_t i = 0; i < r.at.size(); ++i)
    lines.append(i ? " " : "").append(r.at[i].first).append("=").append(r.at[i].second);
  lines += ',';
  if (!r.note.empty() || !r.other.empty() || !r.unused.empty()) lines.append(csv_cell(whole_note(r)));
  lines += '\n';
}

std::vector<std::string> CsvWriter::finish(const Provenance& provenance) {
  std::vector<std::string> pieces{csv_preamble(provenance) +
                                  fmt::format("{}\n", fmt::join(row_columns(keys_, extras_), ","))};
  for (Block& block : blocks_) pieces.push_back(std::move(block.lines));
  blocks_.clear();
  return pieces;
}

}  // namespace epsilary::experiments
