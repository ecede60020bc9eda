// Results as bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/provenance.hpp"
#include "experiments/table.hpp"

namespace epsilary::experiments {

enum class Format { text, csv, json, md };
std::optional<Format> format_named(std::string_view name);

// A table in any format but json, which has objects where a table has columns.
std::string write_table(const Table& table, Format format, const Provenance& provenance);

// Records for people: grouped by quantity, the columns that matter, the reasons behind, and the question below.
std::string write_records_text(const std::vector<Record>& records, bool markdown, bool color);

// What the statements call neighbours and in which units they take their noise, a line each, to stand below a table.
std::string question_lines(const std::vector<const bounds::Bound*>& bounds);
std::vector<std::string> question_sentences(const std::vector<const bounds::Bound*>& bounds);

// {"provenance": ..., "rows": [...]}: the shape is a contract.
std::string write_records_json(const std::vector<Record>& records, const Provenance& provenance);

// Writes beside the file and then renames, so that the file is either the old one or the whole new one.
// Throws std::runtime_error with the reason.
void write_file(const std::filesystem::path& path, const std::vector<std::string>& pieces);
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  write_file(path, std::vector{std::string(bytes)});
}

}  // namespace epsilary::experiments
