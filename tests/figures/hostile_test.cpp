// Texts from somebody else in scripts, in pictures and on the page: they are shown, and nothing else happens.
#include <doctest/doctest.h>

#include <filesystem>

#include "experiments/sweep/spec.hpp"
#include "figures/draw.hpp"
#include "figures/gnuplot.hpp"
#include "figures/label.hpp"
#include "figures/report.hpp"

using namespace epsilary::drawing;

namespace {

const std::string hostile =
    "\"><script>alert(1)</script><img src=x onerror='alert(2)'>\n`touch canary`\n!touch canary\nEOD\n"
    "system('touch canary')\n' . system(\"touch canary\") . '\\";

Figure drawn_with(const std::string& text) {
  Figure f;
  f.x.label = f.y.label = text;
  f.curves.push_back({.x = {1, 2}, .y = {1, 2}, .faded = {false, false}, .label = text, .color = "#0072B2"});
  f.bands.push_back({.x = {1, 2}, .low = {1, 1}, .high = {2, 2}, .label = text, .color = "#0072B2"});
  return f;
}

}  // namespace

TEST_CASE("a label holds nothing that closes a quote or ends a line, whatever it is made of") {
  for (int first = 0; first < 256; ++first)
    for (const int second :
         std::initializer_list<int>{0, '\n', '\'', '"', '`', '\\', '{', '_', '^', '@', 0x80, 0xC2, 0xE2, 0xFF}) {
      const std::string label = gnuplot_label(std::string{static_cast<char>(first), static_cast<char>(second)});
      for (std::size_t i = 0; i < label.size(); ++i) {
        const auto c = static_cast<unsigned char>(label[i]);
        CHECK_FALSE((c < 0x20 || c == 0x7F || c == '\'' || c == '"' || c == '`'));
        if (c == '\\') {
          REQUIRE(i + 1 < label.size());
          CHECK(std::string_view("@&~{}").find(label[++i]) != std::string_view::npos);
        }
      }
    }
  CHECK(shown(std::string(100000, 'x')).size() < 210);
}

TEST_CASE("braces are those of exponents and indices; no text names a font or a size") {
  CHECK(gnuplot_label("e^{-ε_0}, f_{10}, {n}") == "e^{-ε_{0}}, f_{10}, \\{n\\}");
  CHECK(gnuplot_label("{/x<script>} {/=50 huge}") == "\\{/x<script>\\} \\{/=50 huge\\}");
  CHECK(gnuplot_label("a^{/x b}, a_{ /x b}, a^{b") == "a^{}\\{/x b\\}, a_{}\\{ /x b\\}, a^{}\\{b");
}

TEST_CASE("neither gnuplot nor Matplot++ runs what a label says") {
  const auto folder = std::filesystem::temp_directory_path() / "epsilary-hostile-test";
  std::filesystem::create_directories(folder);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder);  // where a canary would appear
  for (const Backend backend : {Backend::gnuplot, Backend::matplotpp}) {
    if (backend == Backend::matplotpp && !has_matplotpp()) continue;
    for (const char* name : {"a.svg", "a.png", "a.pdf"}) draw(drawn_with(hostile), folder / name, backend);
    CHECK(std::filesystem::file_size(folder / "a.svg") > 1000);
    CHECK_FALSE(std::filesystem::exists(folder / "canary"));
  }
  if (has_matplotpp())  // it pastes the name of the file into its script
    CHECK_THROWS_AS(draw(drawn_with("a"), folder / "a\"; system('touch canary'); \".svg", Backend::matplotpp),
                    std::runtime_error);
  draw(drawn_with("a"), folder / "a\"; system('touch canary'); \".svg");
  CHECK_FALSE(std::filesystem::exists(folder / "canary"));
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

TEST_CASE("numbers that no double holds are missing values in a script") {
  Figure f = drawn_with("a");
  f.curves[0].y = {HUGE_VAL, std::nan("")};
  const std::string script = gnuplot_script(f, ".svg");
  CHECK(script.find("inf") == std::string::npos);
  CHECK(script.find("1 NaN\n2 NaN\n") != std::string::npos);
}

TEST_CASE("the page shows hostile texts and nothing in them becomes an element") {
  epsilary::experiments::Spec s;
  s.id = s.source = s.caption = hostile;
  const epsilary::experiments::Claim claim{hostile, hostile, hostile, hostile, hostile, {}, {}, {}};
  const Report report{{{&s, hostile, "image/svg+xml", {hostile}}},
                      {{&claim, {{hostile, hostile}}, {hostile}, {hostile}}},
                      {hostile, hostile, 6, {{hostile, hostile}}}};
  const std::string page = report_page(report);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img src=x") == std::string::npos);
  CHECK(page.find("&lt;script&gt;") != std::string::npos);
  // Inside a tag a quote of ours is closed before anything of theirs: no attribute holds < or >.
  bool in_tag = false, in_quotes = false;
  for (const char c : page.substr(page.find("</style>"))) {
    if (!in_tag && c == '<')
      in_tag = true, in_quotes = false;
    else if (in_tag && c == '"')
      in_quotes = !in_quotes;
    else if (in_tag && c == '>') {
      CHECK_FALSE(in_quotes);
      in_tag = false;
    } else if (in_tag) {
      CHECK(c != '<');
    }
  }
}
