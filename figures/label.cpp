#include "figures/label.hpp"

#include <array>
#include <utility>

namespace figures {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> letters{{{"\\varepsilon", "ε"},
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

std::string spelled(std::string text) {
  for (const auto& [name, letter] : letters)
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += letter.size())
      text.replace(at, name.size(), letter);
  return text;
}

}  // namespace

std::string gnuplot_label(std::string_view written) {
  const std::string text = spelled(std::string(written));
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

}  // namespace figures
