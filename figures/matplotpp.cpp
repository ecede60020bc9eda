// Matplot++ is itself a front end to gnuplot, with traps: see the comments.
#include "figures/matplotpp.hpp"

#include <matplot/matplot.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "figures/draw.hpp"
#include "figures/label.hpp"
#include "figures/table_view.hpp"

namespace epsilary::drawing {
namespace {

using Color = std::array<float, 4>;  // transparency, red, green, blue; the overload with three numbers is ignored

Color color_of(const std::string& hex, float transparency = 0) {
  const auto part = [&](std::size_t at) {
    return static_cast<float>(std::stoi(hex.substr(at, 2), nullptr, 16)) / 255.f;
  };
  return {transparency, part(1), part(3), part(5)};
}

const char* line_style(Dash d) {
  return d == Dash::dashed     ? "--"
         : d == Dash::dotted   ? ":"
         : d == Dash::dash_dot ? "-."
         : d == Dash::points   ? "."
                               : "-";
}

// The points of a curve that are faded, or that are not; a gap where the other kind lies.
std::vector<double> only(const Curve& c, bool faded) {
  std::vector<double> y = c.y;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool joint = faded && ((i + 1 < y.size() && c.faded[i + 1]) || (i > 0 && c.faded[i - 1]));
    if (c.faded[i] != faded && !joint) y[i] = std::nan("");
  }
  return y;
}

// In PDF Matplot++ leaves out the size, and the page would be gnuplot's own; it is put into the command that names the
// terminal. A hundredth of an inch for each pixel, as in our own scripts.
class SizedGnuplot : public matplot::backend::gnuplot {
 public:
  SizedGnuplot(unsigned width, unsigned height) : width_(width), height_(height) {}

  void run_command(const std::string& command) override {
    if (!command.starts_with("set terminal pdf")) return gnuplot::run_command(command);
    const std::size_t options = std::min(command.find(' ', 13), command.size());  // after its name, pdf or pdfcairo
    char sized[64];
    std::snprintf(sized, sizeof sized, "set terminal pdfcairo size %.2fin,%.2fin", width_ / 100., height_ / 100.);
    gnuplot::run_command(sized + command.substr(options));
  }

 private:
  unsigned width_, height_;
};

class Canvas {
 public:
  explicit Canvas(const Figure& f) : figure_(f), plot_(matplot::figure(true)) {  // quiet: no window
    plot_->backend(std::make_shared<SizedGnuplot>(f.width, f.height));
    plot_->size(f.width, f.height);
    plot_->font("DejaVu Sans");
    axes_ = plot_->current_axes();
    axes_->hold(matplot::on);
  }

  void save(const std::filesystem::path& out) {
    if (figure_.map) add_map(*figure_.map);
    for (const Band& band : figure_.bands) add_band(band);
    for (const bool faded : {true, false})
      for (const Curve& curve : figure_.curves) add_curve(curve, faded);
    if (!figure_.map) set_axes();
    if (!figure_.map && !figure_.title.empty()) axes_->title(gnuplot_label(figure_.title));
    axes_->x_axis().label(gnuplot_label(figure_.x.label));
    axes_->y_axis().label(gnuplot_label(figure_.y.label));
    if (!names_.empty()) {
      axes_->legend(names_);
      if (!figure_.map) place_legend();
    }
    if (!plot_->save(out.string()))
      throw Error(Problem::could_not, "Matplot++ could not save " + out.string(),
                  "leave the backend out: gnuplot draws it");
    plot_->backend(nullptr);  // save() returns before the file is written; closing the pipe waits for it
  }

 private:
  void add_curve(const Curve& c, bool faded) {
    if (!std::ranges::count(c.faded, faded)) return;
    const auto line = axes_->plot(c.x, only(c, faded), std::string_view(line_style(c.dash)));
    line->line_width(static_cast<float>(c.width));
    line->color(color_of(c.color, faded ? 0.75f : 0.f));
    if (c.dash == Dash::points) line->marker_size(6);
    names_.push_back(faded ? "" : gnuplot_label(c.label));
  }

  // Along the upper end and back along the lower one.
  void add_band(const Band& b) {
    std::vector<double> x = b.x, y = b.high;
    for (std::size_t i = b.x.size(); i-- > 0;) {
      x.push_back(x[i]);
      y.push_back(b.low[i]);
    }
    const auto area = axes_->fill(x, y);
    area->color(color_of(b.color, 0.7f));
    names_.push_back(gnuplot_label(b.label));
  }

  // An image has square cells, so the axes count the cells and their ticks tell the values.
  void add_map(const HeatMap& m) {
    std::vector<std::vector<double>> cells(m.y.size(), std::vector<double>(m.x.size(), std::nan("")));
    for (std::size_t i = 0; i < m.x.size(); ++i)
      for (std::size_t j = 0; j < m.y.size(); ++j)
        if (const auto& z = m.z[i * m.y.size() + j]) {
          double shown = *z;
          if (m.from) shown = std::max(shown, *m.from);
          if (m.to) shown = std::min(shown, *m.to);
          cells[j][i] = m.logarithmic ? std::log10(shown) : shown;
        }
    axes_->image(cells, true);
    axes_->y_axis().reverse(false);
    std::vector<std::vector<double>> map;
    const auto add_shade = [&](const std::string& hex) {
      const Color c = color_of(hex);
      map.push_back({c[1], c[2], c[3]});
    };
    if (m.categories.empty())
      for (const std::string_view shade : shades) add_shade(std::string(shade));
    for (const std::string& shade : m.category_colors) add_shade(shade);
    axes_->colormap(map);
    axes_->color_box(true);
    std::string names = m.logarithmic ? "log_{10} of " + m.label : m.label;
    for (std::size_t c = 0; c < m.categories.size(); ++c)
      names += (c ? ", " : "") + std::to_string(c) + " " + m.categories[c];
    axes_->title(gnuplot_label(names));
    for (const Contour& contour : figure_.contours) add_contour(contour, m);
    label_cells(axes_->x_axis(), m.x, figure_.x.logarithmic);
    label_cells(axes_->y_axis(), m.y, figure_.y.logarithmic);
  }

  void add_contour(const Contour& contour, const HeatMap& m) {
    for (const auto& [x0, y0, x1, y1] : contour.pieces) {
      const auto line = axes_->plot(
          std::vector<double>{cell_of(x0, m.x, figure_.x.logarithmic), cell_of(x1, m.x, figure_.x.logarithmic)},
          std::vector<double>{cell_of(y0, m.y, figure_.y.logarithmic), cell_of(y1, m.y, figure_.y.logarithmic)});
      line->color(Color{0, 1, 1, 1});
      line->line_width(2);
    }
  }

  // Where a value lies among the cells, which count from 1.
  static double cell_of(double value, const std::vector<double>& at, bool logarithmic) {
    const auto scaled = [&](double v) { return logarithmic ? std::log(v) : v; };
    std::size_t i = 0;
    while (i + 2 < at.size() && at[i + 1] < value) ++i;
    return static_cast<double>(i) + 1 + (scaled(value) - scaled(at[i])) / (scaled(at[i + 1]) - scaled(at[i]));
  }

  static void label_cells(matplot::axis_type& axis, const std::vector<double>& at, bool logarithmic) {
    std::vector<double> places;
    std::vector<std::string> labels;
    const std::size_t step = std::max<std::size_t>(1, (at.size() - 1) / 6);
    for (std::size_t i = 0; i < at.size(); i += step) {
      places.push_back(static_cast<double>(i + 1));
      char text[32];
      std::snprintf(text, sizeof text, logarithmic ? "%.1e" : "%.3g", at[i]);
      labels.emplace_back(text);
    }
    axis.tick_values(places);
    axis.ticklabels(labels);
  }

  // Beside the data, where the axes leave it room; the margins being fixed, "outside" alone would cover them.
  void place_legend() {
    axes_->position({0.1f, 0.13f, 0.5f, 0.82f});
    const auto& legend = axes_->legend();
    const auto x = axes_->x_axis().limits(), y = axes_->y_axis().limits();
    const auto along = [](const std::array<double, 2>& ends, double share, bool logarithmic) {
      return logarithmic ? ends[0] * std::pow(ends[1] / ends[0], share) : ends[0] + share * (ends[1] - ends[0]);
    };
    legend->position({static_cast<float>(along(x, 1.04, figure_.x.logarithmic)),
                      static_cast<float>(along(y, 0.5, figure_.y.logarithmic))});
    legend->horizontal_location(matplot::legend::horizontal_alignment::left);
    legend->vertical_location(matplot::legend::vertical_alignment::center);
    legend->box(false);
  }

  // The ends of an axis: as the figure says, or as its data are; whole decades of a logarithmic y.
  std::array<double, 2> ends(const Axis& look, bool is_x) const {
    double low = HUGE_VAL, high = -HUGE_VAL;
    const auto take = [&](const std::vector<double>& values) {
      for (const double v : values)
        if (v > 0 || !look.logarithmic) low = std::min(low, v), high = std::max(high, v);
    };
    for (const Curve& c : figure_.curves) take(is_x ? c.x : c.y);
    for (const Band& b : figure_.bands) {
      take(is_x ? b.x : b.low);
      take(is_x ? b.x : b.high);
    }
    if (!is_x && look.logarithmic)
      low = std::pow(10, std::floor(std::log10(low))), high = std::pow(10, std::ceil(std::log10(high)));
    if (look.from) low = *look.from;
    if (look.to) high = *look.to;
    return {low, high};
  }

  void set_axes() {
    using Scale = matplot::axis_type::axis_scale;
    for (const auto& [axis, look] :
         {std::pair{&axes_->x_axis(), &figure_.x}, std::pair{&axes_->y_axis(), &figure_.y}}) {
      if (look->logarithmic) {
        axis->scale(Scale::log);
        axis->tick_label_format("10^{%T}");
      }
      axis->limits(ends(*look, look == &figure_.x));
    }
    axes_->grid(true);
  }

  const Figure& figure_;
  matplot::figure_handle plot_;
  matplot::axes_handle axes_;
  std::vector<std::string> names_;
};

bool gnuplot_in_path() {
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  while (!folders.empty()) {
    const std::size_t end = folders.find(':');
    if (access((std::filesystem::path(folders.substr(0, end)) / "gnuplot").c_str(), X_OK) == 0) return true;
    if (end == std::string_view::npos) break;
    folders.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

bool has_matplotpp() { return true; }

void draw_with_matplotpp(const Figure& figure, const std::filesystem::path& out) {
  // It pastes the name of the file into its script.
  for (const char c : out.string())
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\'' || c == '`' || c == '\\')
      throw Error(Problem::could_not,
                  "Matplot++ cannot write a file of this name: " + shown(out.string()) +
                      " has quotes, backslashes or control characters",
                  "name another file");
  if (!gnuplot_in_path())  // it would write into a pipe that nobody reads
    throw Error(Problem::could_not, "gnuplot cannot be run: it is not in PATH",
                "install it (on Debian: apt-get install gnuplot-nox)");
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);  // should gnuplot die, an error is better than the end of the program
  try {
    Canvas(figure).save(out);
  } catch (...) {
    sigaction(SIGPIPE, &before, nullptr);
    throw;
  }
  sigaction(SIGPIPE, &before, nullptr);
}

}  // namespace epsilary::drawing
