#include "figures/label.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "solvers/numbers/decimal.hpp"

namespace epsilary::drawing {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> greek{{{"\\varepsilon", "ε"},
                                                                               {"\\epsilon", "ε"},
                                                                               {"\\delta", "δ"},
                                                                               {"\\Delta", "Δ"},
                                                                               {"\\gamma", "γ"},
                                                                               {"\\lambda", "λ"},
                                                                               {"\\sigma", "σ"},
                                                                               {"\\alpha", "α"},
                                                                               {"\\beta", "β"},
                                                                               {"\\mu", "μ"},
                                                                               {"\\rho", "ρ"},
                                                                               {"\\omega", "ω"},
                                                                               {"\\leq", "≤"},
                                                                               {"\\geq", "≥"},
                                                                               {"\\sqrt", "√"},
                                                                               {"\\times", "×"}}};

// A letter, a digit, or a byte of a letter beyond ASCII.
bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
}

// The bytes of the UTF-8 sequence that begins here; 0 where there is none.
std::size_t sequence(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const std::size_t size = byte < 0x80                   ? 1
                           : byte >= 0xC2 && byte < 0xE0 ? 2
                           : byte >= 0xE0 && byte < 0xF0 ? 3
                           : byte >= 0xF0 && byte < 0xF5 ? 4
                                                         : 0;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  return size;
}

}  // namespace

std::string spelled(std::string text) {
  for (const auto& [name, letter] : greek)
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += letter.size())
      text.replace(at, name.size(), letter);
  return text;
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::size_t breadth(std::string_view text) {
  return letters(text) - static_cast<std::size_t>(std::ranges::count_if(
                             text, [](char c) { return c == '^' || c == '_' || c == '{' || c == '}'; }));
}

std::vector<std::string> lines(std::string_view text, std::size_t room) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    const std::string_view part = text.substr(0, comma);
    if (!out.empty() && breadth(out.back()) + breadth(part) + 2 <= room)
      out.back() += ", " + std::string(part);
    else {
      if (!out.empty()) out.back() += ",";
      out.emplace_back(part);
    }
    text = comma == std::string_view::npos ? "" : text.substr(comma + 2);
  }
  return out;
}

std::string symbol(std::string_view key) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 24> symbols{
      {{"eps0", "ε_0"},       {"delta0", "δ_0"}, {"delta", "δ"},     {"delta1", "δ_1"},  {"delta2", "δ_2"},
       {"beta", "β"},         {"p0", "p_0"},     {"gamma", "γ"},     {"lambda", "λ"},    {"Delta", "Δ"},
       {"sigma", "σ"},        {"mu", "μ"},       {"eps", "ε"},       {"alpha", "α"},     {"rho", "ρ"},
       {"omega", "ω"},        {"dim", "d"},      {"epochs", "E"},    {"batch", "batch"}, {"per_round", "a round"},
       {"multiplier", "σ/C"}, {"group", "g"},    {"lipschitz", "L"}, {"radius", "R"}}};
  for (const auto& [name, written] : symbols)
    if (name == key) return std::string(written);
  return std::string(key);
}

std::string readable(std::string_view number) {
  std::string digits(number.substr(0, number.find('e')));
  const std::size_t e = number.find('e');
  std::int64_t exponent = e == std::string_view::npos ? 0 : std::atoll(std::string(number.substr(e + 1)).c_str());
  if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string::npos) return std::string(number);
  if (digits.find('.') == std::string::npos && exponent == 0) {
    const std::size_t last = digits.find_last_not_of('0');
    if (last == std::string::npos || last > 1 || digits.size() < last + 4) return digits;
    exponent = static_cast<std::int64_t>(digits.size() - last - 1);
    digits.resize(last + 1);
  }
  if (exponent == 0) return digits;
  return (digits == "1" ? "" : digits + "×") + "10^" + std::to_string(exponent);
}

std::string shorter(const std::string& decimal, bool up) {
  using solvers::Decimal, solvers::Rounding;
  try {
    return Decimal::round(Decimal(decimal).exact(), 4, up ? Rounding::up : Rounding::down).text();
  } catch (const solvers::BadNumber&) {
    return decimal;  // an exponent of six digits in somebody's table
  }
}

std::string shown(std::string_view text) {
  std::string out;
  for (int letters_left = 200; !text.empty(); --letters_left) {
    if (letters_left == 0) return out + "…";
    const std::size_t size = sequence(text);
    const unsigned char c = static_cast<unsigned char>(text[0]);
    const bool c1 = size == 2 && c == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;  // controls beyond ASCII
    if (size == 0)
      out += '?';
    else if (c < 0x20 || c == 0x7F || c1)
      out += ' ';
    else if (c == '\'')
      out += "’";
    else if (c == '"')
      out += "”";
    else if (c == '`')
      out += "‘";
    else if (c == '\\')
      out += "∖";
    else
      out += text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string gnuplot_label(std::string_view written) {
  const std::string text = shown(spelled(std::string(written)));
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '^' || c == '_') && i + 1 < text.size() && text[i + 1] != '{') {
      std::size_t end = i + 1;
      if (text[end] == '-') ++end;
      while (end < text.size() && is_letter(text[end])) ++end;
      out += c + ("{" + text.substr(i + 1, end - i - 1) + "}");
      i = end - 1;
    } else if (c == '@' || c == '&' || c == '~') {
      out += std::string("\\") + c;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace epsilary::drawing
