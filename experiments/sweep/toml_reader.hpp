// Reads a TOML table key by key and remembers where it is, so that every refusal names file, line and key.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweep/spec.hpp"
#include "experiments/sweep/toml.hpp"

namespace epsilary::experiments {

// Throws BadSpec.
toml::table parse_toml(std::string_view text, std::string_view file);

class Reader {
 public:
  Reader(const toml::table& table, std::string_view file) : table_(table), file_(file) {}

  std::string place(const toml::node* at = nullptr) const;  // file:line, of the table itself unless told
  [[noreturn]] void refuse(const toml::node* at, const std::string& what) const;
  void refuse_unknown_bound(const std::string& id, std::string_view key) const;

  // Every key must be one of these.
  void only(std::initializer_list<std::string_view> known) const;

  bool has(std::string_view key) const { return table_.contains(key); }
  std::string text(std::string_view key, bool required = true) const;
  std::vector<std::string> texts(std::string_view key) const;
  // One of a few words, the first when the key is absent.
  std::string choice(std::string_view key, std::initializer_list<std::string_view> words) const;
  // A number as text; empty when the key is absent.
  std::string number(std::string_view key) const;

  const toml::table& table(std::string_view key) const;
  std::vector<Reader> tables(std::string_view key) const;
  Reader sub(std::string_view key) const { return {table(key), file_}; }
  const toml::table& raw() const { return table_; }

  // The points that the axes of this table ask for, none of which is made.
  std::size_t count_points() const;
  // Each key a parameter, but for those named, in the order of the file: the last axis runs fastest.
  void add_axes(std::vector<Axis>& axes, std::initializer_list<std::string_view> but = {}) const;

 private:
  const toml::table& table_;
  std::string_view file_;
};

}  // namespace epsilary::experiments
