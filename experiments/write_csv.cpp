#include "experiments/write_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace experiments {

using namespace bounds;

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_preamble(const Provenance& p) {
  std::string out = fmt::format("# epsilary {}, {} digits\n#", p.version, p.digits);
  for (const auto& [library, version] : p.libraries) out += fmt::format(" {} {}", library, version);
  return out + "\n";
}

CsvWriter::CsvWriter(const std::vector<const Bound*>& bounds, const std::vector<Param>& params) {
  for (const ParamInfo& p : bounds::params())
    if (std::ranges::count(params, p.param) && std::ranges::any_of(bounds, [&](const Bound* b) {
          return std::ranges::count(b->needs, p.param) || std::ranges::count(b->takes, p.param);
        }))
      keys_.emplace_back(p.key);
}

// What every line of a bound begins with.
const std::string& CsvWriter::opening(const Bound& b) {
  const auto known = std::ranges::find(openings_, &b, &decltype(openings_)::value_type::first);
  if (known != openings_.end()) return known->second;
  std::string text;
  for (const std::string_view cell : {b.id, b.protocol, name(b.quantity), name(b.side), name(b.standing)})
    text += csv_cell(std::string(cell)) + ",";
  return openings_.emplace_back(&b, std::move(text)).second;
}

void CsvWriter::add_column(const std::string& name) {
  extras_.push_back(name);
  std::string wider;
  wider.reserve(lines_.size() + tails_.size());
  std::size_t from = 0;
  for (std::size_t& tail : tails_) {
    wider.append(lines_, from, tail - from).append(",");
    from = std::exchange(tail, wider.size());
  }
  lines_ = wider.append(lines_, from);
}

void CsvWriter::add(const Record& r) {
  for (const auto& [name, value] : r.beside)
    if (!std::ranges::count(extras_, name)) add_column(name);
  lines_.append(opening(*r.bound)).append(r.status).append(",");
  auto given = r.params.begin();  // in the order of the keys
  for (const std::string& key : keys_) {
    if (given != r.params.end() && given->first == key) lines_.append((given++)->second);
    lines_ += ',';
  }
  lines_.append(r.value).append(",").append(r.lower).append(",").append(r.upper);
  lines_.append(r.certified ? ",true" : ",false").append(r.certified && is_guarantee(*r.bound) ? ",true," : ",false,");
  for (const std::string& name : extras_) {
    const auto it = std::ranges::find(r.beside, name, &Pairs::value_type::first);
    if (it != r.beside.end()) lines_ += it->second;
    lines_ += ',';
  }
  tails_.push_back(lines_.size());
  bool first = true;
  for (const auto& [key, value] : r.at) {
    lines_.append(first ? "" : " ").append(key).append("=").append(value);
    first = false;
  }
  lines_.append(",").append(csv_cell(r.note)).append("\n");
}

std::string CsvWriter::finish(const Provenance& provenance) const {
  std::string out = csv_preamble(provenance) + "bound,protocol,quantity,side,standing,status,";
  for (const std::string& key : keys_) out += key + ",";
  out += "value,lower,upper,certified,guarantee,";
  for (const std::string& name : extras_) out += name + ",";
  return out.append("at,note\n").append(lines_);
}

}  // namespace experiments
