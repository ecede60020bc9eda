#include "figures/report.hpp"

#include <algorithm>
#include <map>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/catalogue.hpp"
#include "experiments/tables/write.hpp"

namespace epsilary::drawing {
namespace {

using experiments::Finding;
using experiments::paper_of;

// Light and dark by what the reader's system prefers; one column on a phone. Pictures keep their white paper.
constexpr std::string_view style = R"css(
:root{color-scheme:light dark;--ink:#1d2430;--soft:#5b6575;--paper:#fbfbf8;--card:#fff;--rule:#dfe3e8;--link:#0060a8;
--good:#00704f;--some:#8a5a00;--bad:#b3261e;--none:#5b6575}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#a3adbb;--paper:#14171c;--card:#1c2027;--rule:#343a44;--link:#7cc0f5;
--good:#5fd3a8;--some:#f0b85a;--bad:#ff8a80;--none:#a3adbb}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main,header,footer{max-width:72rem;margin:0 auto;padding:0 1rem}h1{font-size:1.7rem;margin:2rem 0 .3rem}
h2{font-size:1.25rem;margin:2.5rem 0 .8rem;padding-top:.6rem;border-top:1px solid var(--rule)}h3{font-size:1rem;margin:0 0 .3rem}
p{margin:.3rem 0}a{color:var(--link)}nav a{margin-right:1rem;display:inline-block}.soft{color:var(--soft);font-size:.9rem}
figure{margin:0 0 1.5rem;background:var(--card);border:1px solid var(--rule);border-radius:8px;overflow:hidden;display:grid;
grid-template-columns:minmax(0,3fr) minmax(0,2fr)}figure>img{width:100%;height:auto;background:#fff;display:block;align-self:center}
figcaption{padding:1rem}
.claim{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:.8rem 1rem;margin:0 0 .8rem}
.verdict{font-weight:600}.holds{color:var(--good)}.conditions{color:var(--some)}.false,.broken{color:var(--bad)}.none{color:var(--none)}
code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}.numbers{font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;
padding:.35rem .6rem;border-bottom:1px solid var(--rule)}details{margin:.5rem 0}summary{cursor:pointer;font-weight:600}
@media(max-width:48rem){figure{grid-template-columns:minmax(0,1fr)}
table,tbody,tr,td{display:block;width:100%}thead{display:none}tr{border-bottom:1px solid var(--rule);padding:.4rem 0}td{border:0;padding:.1rem 0}}
footer{padding:2rem 1rem 3rem}
)css";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

std::string heading(const std::string& key) {
  static const std::map<std::string, std::string> names{
      {"balle2020", "Random check-ins and shuffling (Balle et al. 2020)"},
      {"checkin2022", "Self check-in (2022)"},
      {"girgis2021", "CLDP-SGD (Girgis et al. 2021)"},
      {"vandijk2022", "Gaussian differential privacy (van Dijk and Nguyen 2022)"},
      {"conversions", "Conversions"},
      {"regime", "Regimes: which bound wins where"},
      {"tightness", "Tightness"}};
  const auto it = names.find(key);
  return it == names.end() ? key : it->second;
}

std::string figure_html(const Shown& shown) {
  const auto& spec = *shown.spec;
  std::string out = "<figure id=\"" + escaped(spec.id) + "\"><img alt=\"" + escaped(spec.caption) +
                    "\" src=\"data:" + shown.type + ";base64," + base64(shown.image) + "\">\n<figcaption><h3>" +
                    escaped(spec.source) + "</h3><p>" + escaped(spec.caption) + "</p><p class=\"soft\">" +
                    escaped(shown.question) + "</p><p class=\"soft\">";
  for (const std::string& file : shown.files)
    out += "<a href=\"" + escaped(file) + "\">" + escaped(file.substr(file.rfind('.') + 1)) + "</a> ";
  return out + "<br><code>epsilary reproduce " + escaped(spec.id) + "</code></p></figcaption></figure>\n";
}

std::string figures_html(const std::vector<Shown>& figures) {
  std::string out, last;
  for (const Shown& shown : figures) {
    const std::string key = paper_of(shown.spec->id);
    if (key != last) out += "<h2 id=\"figures-" + escaped(key) + "\">" + escaped(heading(key)) + "</h2>\n";
    last = key;
    out += figure_html(shown);
  }
  return out;
}

std::string_view css_class(const Finding& finding) {
  if (!finding.broken.empty()) return "broken";
  const std::string& verdict = finding.claim->verdict;
  return verdict == "holds"                   ? "holds"
         : verdict == "holds with conditions" ? "conditions"
         : verdict == "false"                 ? "false"
                                              : "none";
}

std::string claims_html(const std::vector<Finding>& findings) {
  if (findings.empty()) return {};
  std::map<std::string, int> counts;
  for (const Finding& f : findings) ++counts[f.broken.empty() ? f.claim->verdict : "broken"];
  std::string out = "<h2 id=\"claims\">What the papers claim, and what we compute</h2>\n<p class=\"soft\">";
  for (const auto& [verdict, count] : counts) out += escaped(verdict) + ": " + std::to_string(count) + ". ";
  out +=
      "Every comparison behind a verdict is proved in ball arithmetic; the numbers are shown to five digits, brackets "
      "by both ends.</p>\n";
  for (const Finding& f : findings) {
    out += "<div class=\"claim\" id=\"" + escaped(f.claim->id) + "\"><p><span class=\"verdict " +
           std::string(css_class(f)) + "\">" + escaped(f.broken.empty() ? f.claim->verdict : "broken") +
           "</span> &middot; " + escaped(f.claim->text) + "</p><p class=\"soft\">" + escaped(f.claim->source) + "</p>";
    if (!f.numbers.empty()) {
      out += "<p class=\"numbers\">";
      for (const auto& [name, number] : f.numbers)
        out += escaped(name) + ": <strong>" + escaped(number) + "</strong>" +
               (&name == &f.numbers.back().first ? "" : "; ");
      out += "</p>";
    }
    if (!f.claim->because.empty()) out += "<p>" + escaped(f.claim->because) + "</p>";
    for (const std::string& mark : f.marks) out += "<p class=\"soft\">" + escaped(mark) + "</p>";
    for (const std::string& line : f.broken) out += "<p class=\"broken\">" + escaped(line) + "</p>";
    out += "</div>\n";
  }
  return out;
}

std::string standings_html() {
  std::map<std::string, std::string> rows;
  std::vector<std::string> order, seen;
  for (const bounds::Bound* b : bounds::all()) {
    if (std::ranges::count(seen, b->id)) continue;
    seen.emplace_back(b->id);
    const std::string key = paper_of(b->id);
    if (!rows.contains(key)) order.push_back(key);
    const std::string_view cls = bounds::is_guarantee(*b)                     ? "holds"
                                 : b->standing == bounds::Standing::unsound   ? "false"
                                 : b->standing == bounds::Standing::published ? "conditions"
                                                                              : "none";
    rows[key] += "<tr><td><code>" + escaped(b->id) + "</code></td><td><span class=\"verdict " + std::string(cls) +
                 "\">" + std::string(name(b->standing)) + "</span></td><td>" + escaped(b->title) +
                 "<br><span class=\"soft\">" + escaped(b->source) + "</span></td><td>" + escaped(b->note) +
                 "</td></tr>\n";
  }
  std::string out =
      "<h2 id=\"standings\">The standing of every statement</h2>\n<p class=\"soft\">proved and repaired are "
      "guarantees; published is quoted from the literature; unsound is kept to reproduce a paper.</p>\n";
  for (const std::string& key : order)
    out += "<details><summary>" + escaped(heading(key)) +
           "</summary><div class=\"wide\"><table><thead><tr><th>id</th><th>"
           "standing</th><th>statement</th><th>note</th></tr></thead><tbody>\n" +
           rows[key] + "</tbody></table></div></details>\n";
  return out;
}

}  // namespace

std::string report_page(const Report& report) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>epsilary: what the papers show, recomputed"
      "</title>\n<link rel=\"icon\" href=\"data:,\"><style>" +
      std::string(style) + "</style></head><body>\n";
  out +=
      "<header><h1>What the papers show, recomputed</h1><p class=\"soft\">Privacy-amplification bounds with proven "
      "digits: every value in the tables is rounded to its safe side. Faded curves are vacuous; dash-dotted ones, "
      "marked "
      "unsound, are no guarantees.</p><nav>";
  std::string last;
  for (const Shown& shown : report.figures) {
    const std::string key = paper_of(shown.spec->id);
    if (key != last) out += "<a href=\"#figures-" + escaped(key) + "\">" + escaped(heading(key)) + "</a>";
    last = key;
  }
  if (!report.findings.empty()) out += "<a href=\"#claims\">Claims</a>";
  out += "<a href=\"#standings\">Standings</a></nav></header>\n<main>\n";
  out += figures_html(report.figures);
  out += claims_html(report.findings) + standings_html() + "</main>\n<footer class=\"soft\">epsilary " +
         escaped(report.provenance.version) + ", source " + escaped(report.provenance.source) + ", " +
         std::to_string(report.provenance.digits) + " digits";
  for (const auto& [library, version] : report.provenance.libraries) out += ", " + escaped(library + " " + version);
  return out + "</footer></body></html>\n";
}

}  // namespace epsilary::drawing
