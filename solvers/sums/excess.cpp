#include "solvers/sums/excess.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "solvers/numbers/complex_ball.hpp"
#include "solvers/numbers/real.hpp"
#include "solvers/search/bracket.hpp"

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

constexpr long double long_unit = std::numeric_limits<long double>::epsilon() / 2;
using Complex = std::complex<long double>;

class Integral {
 public:
  // `quick`: the points are visited in long doubles, with their errors bounded.
  Integral(const FiniteLaw& law, const Contour& c, double n, bool quick) : law_(law), c_(c), n_(n), quick_(quick) {
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
    for (std::size_t k = 0; quick_ && k < law.value.size(); ++k) {
      long_value_.push_back(nearest(law.value[k]));
      long_mass_.push_back(nearest(tilted_[k]));
      mass_error_ += long_mass_.back().error;
      angle_ += long_mass_.back().value * std::abs(long_value_.back().value);
      angle_error_ += long_mass_.back().value * long_value_.back().error;
    }
    // Rounding of the values and of t v, of sine and cosine, and of the masses.
    slack_ = 1e-13 * static_cast<double>(law.value.size() + 4) + 1e-15 * farthest * c.points * c.step;
    below_ = std::exp(-negligible / n);
  }

  // Visits what counts; false when that is more work than allowed.
  bool run(double work) {
    const double each = (2000 + 600 * static_cast<double>(law_.value.size())) / (quick_ ? 10 : 1);  // in products
    for (double j = 0; j < c_.points; ++j) {
      work -= 10 * static_cast<double>(law_.value.size());
      const double size = rough_size((j + 0.5) * c_.step) + slack_;
      if (size < below_) {
        j += std::floor((below_ - size) / lipschitz_ / c_.step);
        continue;
      }
      work -= each;
      if (work < 0) return false;
      quick_ ? visit_quickly(j) : visit(j);
    }
    return true;
  }

  // Of the sum over the points, relative to it.
  double rounding() const { return static_cast<double>(sum_error_ / std::abs(sum_above_)); }

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
    const Ball off = within(sum_error_);
    const Ball above = quick_ ? exactly(sum_above_) + off : above_;
    const Ball below = quick_ ? exactly(sum_below_) + off : below_sum_;
    const Ball high = (factor * above + error).upper_end(), low = (factor * below - with_bump).lower_end();
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

  // The same in long doubles. phi is off, relatively, by its masses and angles; its n-th power by n times that and 4
  // units for each of the products of repeated squaring, which the power multiplies too.
  void visit_quickly(double j) {
    const long double t = (static_cast<long double>(j) + 0.5L) * static_cast<long double>(c_.step);
    long double re = 0, im = 0;
    for (std::size_t k = 0; k < long_value_.size(); ++k) {
      const long double angle = t * long_value_[k].value;
      re += long_mass_[k].value * std::cos(angle);
      im += long_mass_[k].value * std::sin(angle);
    }
    const Complex phi(re, im);
    const auto outcomes = static_cast<long double>(long_value_.size());
    const long double phi_error =
        (mass_error_ + t * angle_error_ + long_unit * (2 * outcomes + 8 + 4 * t * angle_)) / std::abs(phi);
    const Complex z(static_cast<long double>(c_.theta), t), u = z * static_cast<long double>(c_.noise) / 12.0L;
    static_assert(uniforms == 12);
    const Complex one = (std::exp(u) - std::exp(-u)) / 2.0L / u;
    // Of sinh(u)/u: the exponentials' rounding, which u divides, and that of u itself, which it does not.
    const long double one_error =
        16 * long_unit * (1 + std::exp(std::abs(u.real())) * (1 + 1 / std::abs(u)) / std::abs(one));
    const Complex g = power_of(phi, static_cast<std::uint64_t>(n_)) * power_of(one, uniforms) / (z * z);
    const long double rate = 1.01L * (static_cast<long double>(n_) * (phi_error + 8 * long_unit) +
                                      uniforms * (one_error + 8 * long_unit) + 32 * long_unit);
    const long double off = rate * (1 + rate);  // e^x - 1 <= x + x^2 to x = 1
    const Complex shift = std::exp(z * static_cast<long double>(c_.noise)), bump = shift - 2.0L + 1.0L / shift;
    const long double size = std::abs(g), most = std::exp(z.real() * static_cast<long double>(c_.noise)) + 3;
    sum_above_ += g.real();
    sum_below_ += (g - g * bump / 4.0L).real();
    // A point is off by this, and each sum by a unit more.
    sum_error_ += size * (off > 0.5L ? HUGE_VAL : off) * (1 + most) * 1.01L +
                  32 * long_unit *
                      (size * (1 + most) * (1 + std::abs(z) * static_cast<long double>(c_.noise)) +
                       std::abs(sum_above_) + std::abs(sum_below_));
  }
  static Complex power_of(Complex x, std::uint64_t n) {
    Complex out(1);
    for (; n > 0; n /= 2) {
      if (n % 2) out *= x;
      x *= x;
    }
    return out;
  }

  struct Near {
    long double value, error;
  };
  static Near nearest(const Ball& x) {
    const double high = x.midpoint(), low = (x - Ball(high)).midpoint();
    const long double value = static_cast<long double>(high) + static_cast<long double>(low);
    const double error = abs(x - Ball(high) - Ball(low)).upper();
    return {value, static_cast<long double>(error) + long_unit * std::abs(value)};
  }
  static Ball exactly(long double x) {
    int exponent = 0;
    const long double m = std::frexp(x, &exponent);
    const double high = static_cast<double>(m), low = static_cast<double>(m - static_cast<long double>(high));
    return ldexp(Ball(high) + Ball(low), exponent);
  }
  static Ball within(long double error) {
    if (error == 0) return Ball(0);
    if (!std::isfinite(error)) return Ball::indeterminate();
    return Ball::hull(-exactly(error), exactly(error));
  }

  const FiniteLaw& law_;
  Contour c_;
  double n_;
  bool quick_;
  std::vector<Near> long_value_, long_mass_;
  long double mass_error_ = 0, angle_ = 0, angle_error_ = 0;
  long double sum_above_ = 0, sum_below_ = 0, sum_error_ = 0;
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
    // In long doubles, which are off by n units, and in balls where that counts.
    Ball found = Ball::indeterminate();
    for (const bool quick : {true, false}) {
      Integral integral(law, *contour, n, quick);
      if (!integral.run(work / 3)) break;
      if (quick && !(integral.rounding() < width / 8)) continue;
      found = integral.bracket();
      break;
    }
    if (!found.finite()) break;
    best = intersection(best, found);
    const double reached = 1 - (best.lower_end() / best.upper_end()).midpoint();
    noise *= 0.7 * width / std::max(reached, width);
  }
  return best;
}

}  // namespace epsilary::solvers
