#include "solvers/sums/excess.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/losses/bracket.hpp"
#include "solvers/numbers/complex_ball.hpp"
#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {
namespace {

// The law in double: it chooses the contour and proves nothing.
struct Rough {
  std::vector<double> value, log_mass;
  double n;

  Rough(const FiniteLaw& law, double count) : n(count) {
    for (std::size_t k = 0; k < law.value.size(); ++k) {
      const double p = law.mass[k].midpoint();
      if (!(p > 0)) continue;
      value.push_back(law.value[k].midpoint());
      log_mass.push_back(std::log(p));
    }
  }
  double largest() const { return *std::ranges::max_element(value); }

  // log M and its first two derivatives.
  struct Cumulant {
    double value, slope, curvature;
  };
  Cumulant cumulant(double theta) const {
    double top = -HUGE_VAL;
    for (std::size_t k = 0; k < value.size(); ++k) top = std::max(top, log_mass[k] + theta * value[k]);
    double m0 = 0, m1 = 0, m2 = 0;
    for (std::size_t k = 0; k < value.size(); ++k) {
      const double w = std::exp(log_mass[k] + theta * value[k] - top);
      m0 += w, m1 += w * value[k], m2 += w * value[k] * value[k];
    }
    const double mean = m1 / m0;
    return {top + std::log(m0), mean, std::max(0.0, m2 / m0 - mean * mean)};
  }
  // Where M^n / theta^power is least.
  double saddle(double power) const {
    double low = -80 - std::log(largest()), high = std::log(700.0) - std::log(largest());
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2, theta = std::exp(middle);
      (n * cumulant(theta).slope * theta < power ? low : high) = middle;
    }
    return std::exp(low);
  }
};

bool is_never_positive(const FiniteLaw& law) {
  return std::ranges::all_of(law.value, [](const Ball& v) { return certainly(v <= Ball(0)); });
}

Ball moment(const FiniteLaw& law, const Ball& theta) {
  Ball sum(0);
  for (std::size_t k = 0; k < law.value.size(); ++k) sum += law.mass[k] * exp(theta * law.value[k]);
  return sum;
}

// All that n copies can add up to, one after another: the last value takes what the others leave.
class Enumeration {
 public:
  Enumeration(const FiniteLaw& law, std::uint64_t n) : law_(law), n_(n) {
    for (const Ball& p : law.mass) {
      auto& list = terms_.emplace_back(1, Ball(1));  // p^k / k!
      for (std::uint64_t k = 1; k <= n; ++k) list.push_back(list.back() * p / static_cast<std::int64_t>(k));
    }
  }
  Ball sum() {
    total_ = Ball(0);
    visit(0, n_, Ball(1), Ball(0));
    for (std::uint64_t k = 1; k <= n_; ++k) total_ *= Ball(k);
    return total_;
  }

 private:
  void visit(std::size_t at, std::uint64_t left, const Ball& weight, const Ball& reached) {
    if (at + 1 == law_.value.size()) {
      const Ball s = reached + Ball(left) * law_.value[at];
      if (possibly(s > 0)) total_ += weight * terms_[at][left] * max(Ball(0), s);
      return;
    }
    for (std::uint64_t k = 0; k <= left; ++k)
      visit(at + 1, left - k, weight * terms_[at][k], reached + Ball(k) * law_.value[at]);
  }
  const FiniteLaw& law_;
  std::uint64_t n_;
  std::vector<std::vector<Ball>> terms_;
  Ball total_;
};

double count_of_sums(double n, double values) {
  double count = 1;
  for (double k = 1; k < values; ++k) count *= (n + k) / k;
  return count;
}

// The line of integration, its points and what is added to the sum.
struct Contour {
  double theta, strip, step, noise;  // |Im t| < strip; points (j + 1/2) step; |N| <= noise
  double spread;                     // tilted standard deviation of the sum
  double points;                     // up to here, the rest is charged
};
constexpr int uniforms = 12;  // N is the sum of so many uniform noises
// Points where |phi|^n is below the first are not visited, and charged as the second: between them lies rounding.
constexpr double negligible = 45, charged = 44;

std::optional<Contour> plan(const Rough& rough, double width, double noise) {
  Contour c{};
  c.theta = rough.saddle(2);
  const auto k = rough.cumulant(c.theta);
  c.spread = std::sqrt(rough.n * k.curvature);
  if (!(c.spread > 0) || !std::isfinite(c.theta)) return {};
  c.strip = std::min(c.theta / 2, 2 / c.spread);
  const auto growth = [&](double theta) { return rough.n * (rough.cumulant(theta).value - k.value); };
  const double most = std::max({0.0, growth(c.theta + c.strip), growth(c.theta - c.strip)});
  c.step = 2 * M_PI * c.strip / (30 + most);
  c.noise = noise / c.theta;  // the bracket is about noise^2 / 4 wide
  const double wanted = std::log(width / 50 / (c.theta * c.theta * c.spread));
  double end = uniforms / c.noise;
  while (uniforms * std::log(uniforms / (end * c.noise)) - std::log(end) > wanted) end *= 1.1;
  c.points = std::ceil(end / c.step) + 1;
  return c;
}

class Integral {
 public:
  Integral(const FiniteLaw& law, const Contour& c, double n) : law_(law), c_(c), n_(n) {
    const Ball theta(c.theta);
    moment_ = moment(law, theta);
    for (std::size_t k = 0; k < law.value.size(); ++k)
      tilted_.push_back(law.mass[k] * exp(theta * law.value[k]) / moment_);
    double mean = 0;
    for (std::size_t k = 0; k < law.value.size(); ++k) mean += tilted_[k].midpoint() * law.value[k].midpoint();
    double farthest = 0;
    for (std::size_t k = 0; k < law.value.size(); ++k) {
      const double v = law.value[k].midpoint() - mean, w = tilted_[k].midpoint();
      rough_value_.push_back(v);
      rough_mass_.push_back(w);
      lipschitz_ += w * std::abs(v) * (1 + 1e-9);
      farthest = std::max(farthest, std::abs(v));
    }
    // Rounding of the values and of t v, of sine and cosine, and of the masses.
    slack_ = 1e-13 * static_cast<double>(law.value.size() + 4) + 1e-15 * farthest * c.points * c.step;
    below_ = std::exp(-negligible / n);
  }

  // Visits what counts; false when that is more work than allowed.
  bool run(double work) {
    const double each = 2000 + 600 * static_cast<double>(law_.value.size());  // in products of doubles
    for (double j = 0; j < c_.points; ++j) {
      work -= 10 * static_cast<double>(law_.value.size());
      const double size = rough_size((j + 0.5) * c_.step) + slack_;
      if (size < below_) {
        j += std::floor((below_ - size) / lipschitz_ / c_.step);
        continue;
      }
      work -= each;
      if (work < 0) return false;
      visit(j);
    }
    return true;
  }

  Ball bracket() const {
    const Ball theta(c_.theta), strip(c_.strip), step(c_.step), noise(c_.noise), n(n_), scale = power(moment_);
    const Ball last = (Ball(c_.points) - 1) * step;
    // Beyond the last point: |sinh u / u| <= cosh(Re u)/|u|.
    const Ball cosh = (exp(theta * noise / uniforms) + exp(-theta * noise / uniforms)) / 2;
    Ball fading(1);
    for (int i = 0; i < uniforms; ++i) fading *= cosh * Ball(uniforms) / (last * noise);
    const Ball beyond = scale * fading / (last * Ball::pi() * (uniforms + 1));
    const Ball skipped =
        scale * exp(theta * noise - Ball(charged)) * (step / (Ball::pi() * theta * theta) + 1 / (2 * theta));
    Ball lines(0);
    for (const Ball& line : {theta + strip, theta - strip}) lines += power(moment(law_, line)) / line;
    const Ball rule = lines * exp((theta + strip) * noise) / (2 * expm1(2 * Ball::pi() * strip / step));
    const Ball error = beyond + skipped + rule, factor = step / Ball::pi() * scale;
    // |e^{zb} - 2 + e^{-zb}| <= e^{b Re z} + 3, on all lines.
    const Ball with_bump = error * (1 + (exp((theta + strip) * noise) + 3) / 4);
    const Ball high = (factor * above_ + error).upper_end(), low = (factor * below_sum_ - with_bump).lower_end();
    return Ball::hull(max(Ball(0), low), high) / n;
  }

 private:
  Ball power(const Ball& x) const { return exp(Ball(n_) * log(x)); }

  double rough_size(double t) const {
    double re = 0, im = 0;
    for (std::size_t k = 0; k < rough_value_.size(); ++k) {
      re += rough_mass_[k] * std::cos(t * rough_value_[k]);
      im += rough_mass_[k] * std::sin(t * rough_value_[k]);
    }
    return std::sqrt(re * re + im * im);
  }

  void visit(double j) {
    const Ball t = (Ball(j) + ldexp(Ball(1), -1)) * Ball(c_.step);
    ComplexBall phi;
    for (std::size_t k = 0; k < law_.value.size(); ++k)
      phi += tilted_[k] * exp(ComplexBall(Ball(0), t * law_.value[k]));
    const ComplexBall z(Ball(c_.theta), t), u = z * Ball(c_.noise) / uniforms;
    const ComplexBall one = (exp(u) - exp(-u)) / 2 / u;
    const ComplexBall g = pow(phi, static_cast<std::uint64_t>(n_)) * pow(one, uniforms) / (z * z);
    above_ += g.real();
    // (s + b)_+ - 2 s_+ + (s - b)_+ = (b - |s|)_+
    const ComplexBall shift = exp(z * Ball(c_.noise)), bump = shift - ComplexBall(2) + ComplexBall(1) / shift;
    below_sum_ += (g - g * bump / 4).real();
  }

  const FiniteLaw& law_;
  Contour c_;
  double n_;
  Ball moment_, above_, below_sum_;
  std::vector<Ball> tilted_;
  std::vector<double> rough_value_, rough_mass_;
  double lipschitz_ = 0, slack_ = 0, below_ = 0;
};

}  // namespace

Ball chernoff_excess(const FiniteLaw& law, double n) {
  if (is_never_positive(law)) return Ball(0);
  const Rough rough(law, n);
  if (rough.value.empty() || !(rough.largest() > 0)) return Ball::indeterminate();
  const double theta = rough.saddle(1);
  return exp(Ball(n) * log(moment(law, Ball(theta)))) / (Ball::e() * Ball(theta) * Ball(n));
}

Ball mean_excess(const FiniteLaw& law, double n, double width, double work) {
  if (is_never_positive(law)) return Ball(0);
  const Ball::Precision bits(std::max(Ball::precision(), 128 + 2 * std::ilogb(n) + nearest_integer(-std::log2(width))));
  if (count_of_sums(n, static_cast<double>(law.value.size())) <= 20000)
    return Enumeration(law, static_cast<std::uint64_t>(n)).sum() / Ball(n);
  const Ball high = chernoff_excess(law, n);
  const Ball rough = Ball::hull(Ball(0), high.upper_end());
  // Where the sum can be exactly zero the noise costs its width and not the square of it.
  Ball best = rough;
  double noise = 1.5 * std::sqrt(width);
  for (int tries = 0; tries < 3 && !is_narrow(best, width); ++tries) {
    const auto contour = plan(Rough(law, n), width, std::min(0.3, noise));
    if (!contour) break;
    Integral integral(law, *contour, n);
    if (!integral.run(work / 3)) break;
    const Ball found = integral.bracket();
    if (!found.finite()) break;
    best = intersection(best, found);
    const double reached = 1 - (best.lower_end() / best.upper_end()).midpoint();
    noise *= 0.7 * width / std::max(reached, width);
  }
  return best;
}

}  // namespace epsilary::solvers
