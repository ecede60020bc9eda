// draw: one figure, from a spec, or from a table without computing anything again; and all of them on a page.
#include "figures/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiments/claims/claims.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/sweep/catalogue.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/tables/read_table.hpp"
#include "experiments/tables/write.hpp"
#include "figures/gnuplot.hpp"
#include "figures/plain.hpp"
#include "figures/report.hpp"
#include "figures/tex.hpp"

namespace epsilary {
namespace {

namespace fs = std::filesystem;
using experiments::Spec;

// Refuses an unknown backend, and Matplot++ in a program built without it.
drawing::Backend backend_given(const std::string& name) {
  const auto backend = drawing::backend_named(name);
  if (!backend) throw Error(Problem::usage, fmt::format("unknown backend '{}'", name), "choose gnuplot or matplotpp");
  if (*backend == drawing::Backend::matplotpp && !drawing::has_matplotpp())
    throw Error(Problem::could_not, "this program was built without Matplot++",
                "install Matplot++ where CMake finds it and build again, or use the default backend, gnuplot");
  return *backend;
}

// A table made by reproduce is called after its figure; another one is drawn plainly.
Spec spec_for(const Drawing& drawing, const Table& table) {
  if (!drawing.like.empty()) return spec_named(drawing.like);
  const std::string stem = fs::path(drawing.what).stem().string();
  if (drawing.x.empty())
    for (const Spec& spec : experiments::catalogue())
      if (spec.id == stem) return spec;
  return drawing::plain_spec(table, drawing);
}

void note(const Watch& watch, const std::string& text) {
  if (watch.note) watch.note(text);
}

struct Chosen {
  std::vector<const Spec*> specs;
  std::vector<const experiments::Claim*> claims;  // of the papers whose figures are drawn
};

Chosen chosen(const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const Figure& figure : figures()) known.push_back(figure.id);
  refuse_unknown("figure", ids, known, "see: epsilary list figures");
  Chosen out;
  for (const Spec& spec : experiments::catalogue())
    if (ids.empty() || std::ranges::count(ids, spec.id)) out.specs.push_back(&spec);
  const auto is_of_its_paper = [](const experiments::Claim& claim) {
    return [&claim](const std::string& id) { return experiments::paper_of(id) == experiments::paper_of(claim.id); };
  };
  for (const experiments::Claim& claim : experiments::claims())
    if (ids.empty() || std::ranges::any_of(ids, is_of_its_paper(claim))) out.claims.push_back(&claim);
  return out;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The legend of a picture in TeX is laid out for a column of text.
drawing::Figure in_column(drawing::Figure figure) {
  drawing::set_size(figure, drawing::Size::column);
  return figure;
}

// What neighbours are, and in which units the noise is, of every curve.
std::string question_of(const experiments::Spec& spec) {
  std::vector<const Statement*> drawn;
  for (const experiments::Row& row : rows_of(spec)) drawn.push_back(&statement_of(*row.bound));
  std::string out;
  for (const std::string& sentence : experiments::question_sentences(drawn))
    out += (out.empty() ? "" : " ") + sentence + ".";
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

drawing::Shown reproduce_one(const Spec& spec, const fs::path& folder, drawing::Backend backend,
                             experiments::Journal& journal, const Options& options, const Watch& watch) {
  const Table table = compute_table(spec, options, &journal, watch);
  const auto file = [&](const char* extension) { return folder / (spec.id + extension); };
  write_file(file(".csv"), {write(table, Format::csv, options.digits, spec.id)});
  const drawing::Figure figure = drawing::compose(spec, table);
  write_file(file(".gp"), {drawing::gnuplot_script(figure, ".svg", spec.id + ".svg")});
  write_file(file(".tex"), {drawing::tex_picture(in_column(figure))});
  try {
    const solvers::Haltable haltable(watch.stop);
    for (const char* extension : {".svg", ".png", ".pdf"}) drawing::draw(figure, file(extension), backend);
  } catch (const solvers::Halted&) {
    throw experiments::Stopped();
  }
  note(watch, fmt::format("{}: {} rows, {}", spec.id, table.rows.size(), file(".svg").string()));
  // A map has thousands of cells: its PNG is the smaller picture.
  const bool as_png = figure.map.has_value();
  drawing::Shown shown{
      &spec, read(file(as_png ? ".png" : ".svg")), as_png ? "image/png" : "image/svg+xml", {}, question_of(spec)};
  for (const char* extension : {".csv", ".svg", ".png", ".pdf", ".tex", ".gp"})
    shown.files.push_back(spec.id + extension);
  return shown;
}

constexpr std::array<std::string_view, 5> extensions{".svg", ".png", ".pdf", ".tex", ".gp"};

struct Drawable {
  Spec spec;
  Table table;
};
// The table and how it is drawn; nothing where counting is all that was asked for.
std::optional<Drawable> drawable(const Drawing& drawing, const Options& options, const Watch& watch,
                                 epsilary::Answer& answer) {
  if (drawing.what.ends_with(".csv")) {
    Table table = experiments::read_table(drawing.what);
    Spec spec = spec_for(drawing, table);
    return Drawable{std::move(spec), std::move(table)};
  }
  Spec spec = spec_named(drawing.what);
  if (is_counted(options, evaluations_of(spec), answer)) return {};
  Table table = compute_table(spec, options, nullptr, watch);
  return Drawable{std::move(spec), std::move(table)};
}

}  // namespace

Drawn draw(const Drawing& drawing, const Options& options, const Watch& watch) {
  const drawing::Backend backend = backend_given(drawing.backend);
  const auto size = drawing::size_named(drawing.width);
  if (!size && !drawing.width.empty())
    throw Error(Problem::usage, fmt::format("unknown width '{}'", drawing.width), "choose page or column");
  if (const std::string extension = fs::path(drawing.file).extension().string();
      !drawing.file.empty() && !std::ranges::count(extensions, extension))
    throw drawing::no_picture_format(extension);
  Drawn out;
  const std::optional<Drawable> it = drawable(drawing, options, watch, out);
  if (!it) return out;
  const auto& [spec, table] = *it;
  out.rows = table.rows.size();
  out.file = drawing.file.empty() ? spec.id + ".svg" : drawing.file;
  try {
    drawing::Figure figure = drawing::compose(spec, table);
    const std::string extension = fs::path(out.file).extension().string();
    drawing::set_size(figure, size.value_or(extension == ".tex" ? drawing::Size::column : drawing::Size::page));
    if (extension == ".gp")
      write_file(out.file, {drawing::gnuplot_script(figure, ".svg", spec.id + ".svg")});
    else if (extension == ".tex")
      write_file(out.file, {drawing::tex_picture(figure)});
    else
      stoppable(watch.stop, [&] { drawing::draw(figure, out.file, backend); });
  } catch (const experiments::BadSpec& bad) {
    throw Error(Problem::usage, bad.what(), "the table must have the columns that the figure names");
  }
  return out;
}

Picture picture(const Drawing& drawing, const Options& options, const Watch& watch) {
  epsilary::Answer counted;
  const std::optional<Drawable> it = drawable(drawing, options, watch, counted);
  if (!it) return {};
  try {
    return drawing::compose(it->spec, it->table);
  } catch (const experiments::BadSpec& bad) {
    throw Error(Problem::usage, bad.what(), "the table must have the columns that the figure names");
  }
}

const std::vector<std::string>& colors() {
  static const std::vector<std::string> list(drawing::palette.begin(), drawing::palette.end());
  return list;
}
const std::vector<std::string>& shades() {
  static const std::vector<std::string> list(drawing::shades.begin(), drawing::shades.end());
  return list;
}

Answer reproduce(const std::vector<std::string>& ids, const std::string& where, const std::string& backend_name,
                 const Options& options, const Watch& watch) {
  const Chosen wanted = chosen(ids);
  std::size_t evaluations = 0;
  for (const Spec* spec : wanted.specs) evaluations += evaluations_of(*spec);
  Answer out;
  if (is_counted(options, evaluations, out)) return out;
  const fs::path folder = where;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(Problem::could_not, fmt::format("cannot make the folder {}: {}", where, error.message()),
                "name another with -o FOLDER");
  drawing::Report report{.provenance = experiments::provenance(options.digits)};
  try {
    experiments::Journal journal(folder / "journal.sqlite", accuracy_of(options));
    const drawing::Backend backend = backend_given(backend_name);
    for (const Spec* spec : wanted.specs)
      report.figures.push_back(reproduce_one(*spec, folder, backend, journal, options, watch));
    report.findings = experiments::examine(wanted.claims, options.threads, watch.stop, folder / "journal.sqlite");
  } catch (const experiments::BadJournal& bad) {
    throw Error(Problem::could_not, bad.what(), "make room, or name another folder with -o FOLDER");
  } catch (const experiments::Stopped&) {
    throw Error(Problem::interrupted,
                fmt::format("interrupted after {} of {} figures", report.figures.size(), wanted.specs.size()),
                fmt::format("{} has what was computed; the same command goes on from there",
                            (folder / "journal.sqlite").string()));
  }
  write_file(folder / "index.html", {drawing::report_page(report)});
  note(watch, fmt::format("{} claims, {}", report.findings.size(), (folder / "index.html").string()));
  return out;
}

}  // namespace epsilary
