// Reading a table by the names of its columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/figure.hpp"

namespace epsilary::drawing {

struct View {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const experiments::Spec& spec;
  const experiments::Table& table;
  std::size_t x, y;

  View(const experiments::Spec& s, const experiments::Table& t)
      : spec(s), table(t), x(column(s.figure.x.column)), y(column(s.figure.y.column)) {}

  // Where the figure is described, for refusals: file and line, or the id.
  const std::string& place() const { return spec.figure.place.empty() ? spec.id : spec.figure.place; }
  std::size_t column(const std::string& name) const;
  std::vector<const std::vector<std::string>*> rows_of(const std::string& bound) const;
  bool matches(const std::vector<std::string>& row, const experiments::Where& where) const;
  std::vector<std::string> distinct(std::size_t column) const;
  // The number in this column; nothing where the cell is empty. Throws BadSpec for a cell that is not a number.
  std::optional<double> number(const std::vector<std::string>& row, std::size_t column) const;
  // The same of the x axis, in its unit.
  std::optional<double> at(const std::vector<std::string>& row) const;
  // The row answers its question; a table that does not say is taken at its word.
  bool answers(const std::vector<std::string>& row) const;
  // Refuses rows that are about different questions: they cannot be ranked, nor be the two ends of one band.
  void refuse_mixed(const std::string& what, const std::vector<std::string>& bounds) const;
};

bool is_number(const std::string& text);
// Of a decimal; beyond the range of double, 0 or infinity.
double to_double(const std::string& text);
// Nothing where the text is empty.
std::optional<double> number_or_nothing(const std::string& text);

HeatMap map_of(const View& view, const experiments::MapLook& look);

}  // namespace epsilary::drawing
