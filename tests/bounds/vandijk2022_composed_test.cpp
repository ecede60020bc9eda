#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>
#include <tuple>

#include "bounds/evaluate.hpp"
#include "bounds/registry.hpp"
#include "bounds/vandijk2022_gaussian.hpp"
#include "bounds/vandijk2022_laws.hpp"
#include "bounds/vandijk2022_moments.hpp"
#include "experiments/solve.hpp"
#include "solvers/pld.hpp"
#include "tests/reference/reference.hpp"

using namespace bounds;
using namespace bounds::vandijk2022;

namespace {

Evaluation at(const std::string& id, const std::string& params, int digits = Accuracy{}.digits) {
  const Point point = reference::parse_point(params);
  const Bound* form = form_for(named(id), point);
  REQUIRE_MESSAGE(form != nullptr, id << " " << params);
  return evaluate(*form, point, {.digits = digits});
}

Ball value(const std::string& id, const std::string& params) {
  const Evaluation e = at(id, params);
  REQUIRE_MESSAGE(e.certified, e.reason);
  return e.answer.value;
}

// Every bracket contains the value of its row and is as narrow as it should be. Returns how many rows there are.
int check_brackets(const std::string& table, int digits, double width) {
  int rows = 0;
  for (const reference::Contained& row : reference::brackets(table)) {
    INFO(row.bound << " " << row.params);
    const Evaluation e = at(row.bound, row.params, digits);
    REQUIRE_MESSAGE(e.certified, e.reason);
    const Ball bracket = e.answer.value, x(Decimal(row.value).exact()), unit = x * Ball(power_of_ten(-row.digits));
    CHECK(bracket.lower_end() <= x + unit);
    CHECK(bracket.upper_end() >= x - unit);
    CHECK(bracket.upper() - bracket.lower() <= width * bracket.upper());
    ++rows;
  }
  return rows;
}

}  // namespace

TEST_CASE("values of the contour integral in sixty digits lie inside the brackets") {
  CHECK(check_brackets("dpsgd.csv", Accuracy{}.digits, 1e-3) == 12);
}

TEST_CASE("the practitioner's question has a bracket, in epochs or in steps") {
  const Ball epochs = value("vandijk2022-composed", "n=60000 batch=240 sigma=1.1 epochs=60 delta=1e-5");
  const Ball steps = value("vandijk2022-composed", "q=0.004 sigma=1.1 T=15000 delta=1e-5");
  CHECK(epochs.overlaps(steps));
}

TEST_CASE("a broken number of steps is charged whole, and the row says so and what to change") {
  const std::string asked = "n=60000 batch=256 sigma=1.1 epochs=60 delta=1e-5";  // 14062.5 steps
  for (const std::string id : {"vandijk2022-composed", "vandijk2022-poisson", "vandijk2022-composed-rdp",
                               "vandijk2022-poisson-rdp", "vandijk2022-composed-advanced"}) {
    INFO(id);
    const Ball charged = value(id, asked), whole = value(id, "n=60000 batch=256 sigma=1.1 T=14063 delta=1e-5"),
               fewer = value(id, "n=60000 batch=256 sigma=1.1 T=14000 delta=1e-5");
    CHECK(charged.overlaps(whole));
    CHECK(charged.upper() > fewer.upper());
  }
  const auto remark = [](const std::string& params) {
    const Point point = reference::parse_point(params);
    return form_for(named("vandijk2022-composed"), point)->remark(Values<Rational>(point));
  };
  const std::string said = remark(asked);
  for (const std::string words : {"14062.5", "14063", "--batch 250", "--T", "fixed size", "replace-one"})
    CHECK_MESSAGE(said.find(words) != std::string::npos, said);
  CHECK(remark("n=60000 batch=250 sigma=1.1 epochs=60 delta=1e-5").find("charged") == std::string::npos);
  // less than one step is one step
  CHECK(value("vandijk2022-composed", "n=1000 batch=100 sigma=1 epochs=0.01 delta=1e-5")
            .overlaps(value("vandijk2022-subsampled", "q=0.1 mu=1 delta=1e-5")));
}

TEST_CASE("the noise for epsilon 2 is found for a broken number of steps too") {
  const Point point = reference::parse_point("n=60000 batch=256 epochs=60 delta=1e-5");
  Point whole = point;
  whole.set(Param::sigma, Decimal(1));
  const Inversion found =
      experiments::solve(*form_for(named("vandijk2022-composed"), whole), point, Param::sigma, Decimal(2), 4);
  REQUIRE(found.status == Inverted::found);
  const auto at_noise = [](const Decimal& x) {
    return value("vandijk2022-composed", "q=0.00426666666666666666666666666666 T=14063 delta=1e-5 sigma=" + x.text());
  };
  CHECK(at_noise(found.value) <= 2);
  CHECK(at_noise(found.beyond.value()).upper() > 2);
}

namespace {

// The same integral in plain double: Simpson's rule over t, the trapezoidal rule along the line. No lattice, no proof.
double integral(double p, double mu, double T, double eps, double c) {
  using Complex = std::complex<double>;
  const double atom = (1 - p) * std::erf(mu / std::sqrt(8.0)), h = 0.04 * c, step = 0.004;
  double sum = 0;
  for (int k = 0; k < 4000; ++k) {
    const Complex z(c, h * k);
    Complex moment = atom;
    for (int i = 0; i <= 3000; ++i) {
      const double t = mu / 2 + i * step, l = std::log1p(p * std::expm1(mu * t - mu * mu / 2));
      const double weight = (i == 0 || i == 3000 ? 1 : i % 2 ? 4 : 2) * step / 3 / std::sqrt(2 * M_PI);
      moment += weight * std::exp(-t * t / 2) * (std::exp((1.0 + z) * l) + std::exp(-z * l));
    }
    const Complex term = std::exp(T * std::log(moment) - z * eps) / (z * (z + 1.0));
    sum += (k ? 1 : 0.5) * term.real();
    if (std::abs(term) < 1e-12 * std::abs(sum)) break;
  }
  return sum * h / M_PI;
}

}  // namespace

TEST_CASE("lattice, contour and a plain double integral agree") {
  for (const auto& [p, sigma, T, eps, c] :
       {std::tuple{0.01, 1.0, 1000.0, 1.0, 5.0}, {0.02, 2.0, 3000.0, 2.0, 6.0}, {0.2, 1.5, 100.0, 6.0, 1.2}}) {
    const Ball rate(p), mu = 1 / Ball(sigma);
    const Bracket lattice = composed_delta({{subsampled_gaussian(rate, mu), T}}, Ball(eps), {.width = 1e-4});
    const Ball contour = contour_delta(subsampled_gaussian_moments(rate, mu, T), Ball(eps), {.width = 1e-9});
    INFO(p << " " << sigma << " " << T << " " << lattice.lower << " " << lattice.upper << " " << contour.midpoint());
    REQUIRE(contour.finite());
    CHECK(contour.lower() <= lattice.upper);
    CHECK(lattice.lower <= contour.upper());
    CHECK(contour.upper() - contour.lower() <= 1e-9 * contour.upper());
    CHECK(std::abs(integral(p, 1 / sigma, T, eps, c) / contour.midpoint() - 1) < 1e-8);
  }
}

TEST_CASE("the contour integral holds the reference values alone, and so do both directions of Poisson sampling") {
  for (const auto& [params, exact] : {
           std::pair{"q=0.01 sigma=1 T=1000 eps=0.5", "0.06139301505469833857"},
           {"q=0.01 sigma=1 T=1000 eps=2", "0.0000393118785587419355434"},
           {"q=0.1 sigma=4 T=200 eps=1", "0.00100568773405355923049"},
           {"q=0.001 sigma=1 T=10000 eps=0.2", "0.01117039898060556373429"},
       }) {
    const Ball bracket = value("vandijk2022-composed-contour", params);
    CHECK(bracket.contains(Ball(Decimal(exact).exact())));
    CHECK(bracket.upper() - bracket.lower() <= 1e-6 * bracket.upper());
  }
  for (const auto& [law, moments] :
       {std::pair{&poisson_removed, &poisson_removed_moments}, std::pair{&poisson_added, &poisson_added_moments}}) {
    const Bracket lattice = composed_epsilon({{law(Ball(0.02), Ball(0.5)), 2000}}, Ball(1e-8));
    const Ball contour = contour_epsilon(moments(Ball(0.02), Ball(0.5), 2000), Ball(1e-8));
    REQUIRE(contour.finite());
    CHECK(contour.lower() <= lattice.upper);
    CHECK(lattice.lower <= contour.upper());
  }
}

TEST_CASE("a millionth on request, from small noise to large, from rare batches to half the data, down to 1e-30") {
  for (const std::string params :
       {"q=0.01 sigma=0.5 T=1000 delta=1e-30", "q=0.0001 sigma=10 T=1000000 delta=1e-12",
        "q=0.0001 sigma=1 T=100000 delta=1e-12", "q=0.5 sigma=3 T=10000 delta=1e-3",
        "q=0.0001 sigma=3 T=30 delta=1e-12", "q=0.5 sigma=0.5 T=1000000 delta=1e-30", "q=0.01 sigma=10 T=2 delta=1e-12",
        "q=1 sigma=10 T=1000000 delta=1e-30", "q=0.001 sigma=0.5 T=1 delta=1e-30", "q=0.0001 sigma=1 T=5 delta=1e-6"}) {
    INFO(params);
    const Point point = reference::parse_point(params);
    const Evaluation e = evaluate(*form_for(named("vandijk2022-composed"), point), point, {.digits = 7});
    REQUIRE_MESSAGE(e.certified, e.reason);
    CHECK(e.answer.value.upper() - e.answer.value.lower() <= 1e-6 * e.answer.value.upper());
    CHECK(e.answer.value.upper() > 0);
  }
}

TEST_CASE("few rare losses beside many small ones: a millionth by the divided contour, inside what the lattice gave") {
  // brackets of the lattice alone, which takes some seconds for each
  for (const auto& [p, sigma, T, delta, lower, upper] : {std::tuple{1e-4, 1.0, 10.0, 1e-12, 0.0468055, 0.0468300},
                                                         {1e-4, 1.0, 30.0, 1e-12, 0.0558957, 0.0559253},
                                                         {1e-4, 1.0, 100.0, 1e-12, 0.0675041, 0.0675421},
                                                         {1e-4, 1.0, 30.0, 1e-30, 2.13738, 2.13865},
                                                         {1e-4, 0.5, 30.0, 1e-30, 14.5332, 14.5358},
                                                         {1e-4, 0.7, 2.0, 1e-30, 6.81260, 6.81522}}) {
    INFO(p << " " << sigma << " " << T << " " << delta);
    const Ball::Precision bits(128);
    const Ball eps =
        contour_epsilon(subsampled_gaussian_moments(Ball(p), 1 / Ball(sigma), T), Ball(delta), {.width = 0.9e-6});
    REQUIRE(eps.finite());
    CHECK(eps.upper() - eps.lower() <= 1e-6 * eps.upper());
    CHECK(lower <= eps.lower());
    CHECK(eps.upper() <= upper);
  }
  // The two directions of Poisson sampling are divided at other places.
  for (const auto& [law, moments] :
       {std::pair{&poisson_removed, &poisson_removed_moments}, std::pair{&poisson_added, &poisson_added_moments}}) {
    const Bracket lattice = composed_epsilon({{law(Ball(1e-3), Ball(1)), 20}}, Ball(1e-8), {.width = 3e-3});
    const Ball contour = contour_epsilon(moments(Ball(1e-3), Ball(1), 20), Ball(1e-8), {.width = 1e-5});
    INFO(lattice.lower << " " << lattice.upper << " " << contour.midpoint());
    REQUIRE(contour.finite());
    CHECK(contour.lower() <= lattice.upper);
    CHECK(lattice.lower <= contour.upper());
  }
}

TEST_CASE("two and three steps by plain integration over the last one, and by the contour") {
  // E delta_1(eps - X) over the losses X of one step more, in double
  const double p = 0.01, mu = 1, atom = (1 - p) * std::erf(mu / std::sqrt(8.0));
  const auto any_sign = [](const auto& right, double eps) {  // by the symmetry of the pair
    return eps >= 0 ? right(eps) : -std::expm1(eps) + std::exp(eps) * right(-eps);
  };
  const auto above = [](double x) { return std::erfc(x / std::sqrt(2.0)) / 2; };
  const auto one = [&](double eps) {
    const auto right = [&](double e) {
      const double t = std::log1p(std::expm1(e) / p) / mu + mu / 2;
      return (1 - p) * above(t) + p * above(t - mu) - std::exp(e) * above(t);
    };
    return any_sign(right, eps);
  };
  const auto step = [&](const auto& delta, double eps) {
    const auto right = [&](double e) {
      double sum = atom * delta(e);
      const int n = 200;
      const auto part = [&](double from, double to) {  // Simpson's rule, broken where X = eps
        const double h = (to - from) / n;
        for (int i = 0; i <= n; ++i) {
          const double s = from + i * h, t = mu / 2 + s, l = std::log1p(p * std::expm1(mu * s));
          const double weight = (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * h / 3;
          sum += weight * std::exp(-t * t / 2) / std::sqrt(2 * M_PI) * (std::exp(l) * delta(e - l) + delta(e + l));
        }
      };
      const double turn = std::log1p(std::expm1(e) / p) / mu;
      part(0, turn / 2);
      part(turn / 2, turn);
      part(turn, 14);
      return sum;
    };
    return any_sign(right, eps);
  };
  const auto two = [&](double eps) { return step(one, eps); };
  const auto found = [&](double T, double eps) {
    const Ball::Precision bits(128);
    const Ball delta = contour_delta(subsampled_gaussian_moments(Ball(p), Ball(mu), T), Ball(eps), {.width = 1e-4});
    REQUIRE(delta.finite());
    CHECK(delta.upper() - delta.lower() <= 1e-4 * delta.upper());
    return delta.midpoint();
  };
  CHECK(found(2, 0.3) == doctest::Approx(two(0.3)).epsilon(1e-4));
  CHECK(found(3, 0.3) == doctest::Approx(step(two, 0.3)).epsilon(1e-4));
}

TEST_CASE(
    "two and three steps of rare batches: seven digits pair by pair, where neither lattice nor contour has them") {
  CHECK(check_brackets("few_steps.csv", 7, 1e-6) == 2);
}

TEST_CASE("one step and full batches are the closed forms") {
  const Ball::Precision bits(64);
  CHECK(value("vandijk2022-composed", "q=0.01 sigma=0.5 T=1 eps=0.5")
            .overlaps(value("vandijk2022-subsampled", "q=0.01 mu=2 eps=0.5")));
  CHECK(value("vandijk2022-composed", "q=1 sigma=10 T=100 delta=1e-6")
            .overlaps(value("vandijk2022-gdp-epsilon", "mu=1 delta=1e-6")));
}

TEST_CASE("one, two and three steps of opposite gradients by plain integration, in both directions") {
  const auto above = [](double x) { return std::erfc(x / std::sqrt(2.0)) / 2; };
  for (const auto& [q, mu, eps] : {std::tuple{0.1, 1.0, 0.1}, {0.7, 0.5, 0.6}}) {
    // H_a of one step, from where the likelihood ratio passes a; and of one step more.
    const auto one = [&, q = q, mu = mu](double a, bool back) {
      const double level = ((back ? 1 / a : a) - (1 - q)) / q, t = level > 0 ? std::log(level) / mu + mu / 2 : -40;
      const double plain = back ? above(-t) : above(t),
                   mixed = (1 - q) * plain + q * (back ? above(mu - t) : above(t - mu));
      return back ? plain - a * mixed : mixed - a * plain;
    };
    const auto more = [&, q = q, mu = mu](const auto& delta, double a, bool back, double h) {
      double sum = 0;
      for (double t = -10; t < 12; t += h) {
        const double plain = h * std::exp(-t * t / 2) / std::sqrt(2 * M_PI),
                     ratio = 1 + q * std::expm1(mu * t - mu * mu / 2);
        sum += back ? plain * delta(a * ratio, back) : plain * ratio * delta(a / ratio, back);
      }
      return sum;
    };
    const auto two = [&](double a, bool back) { return more(one, a, back, 0.02); };
    const auto three = [&](double a, bool back) { return more(two, a, back, 0.05); };
    const auto larger = [&, eps = eps](const auto& delta) {
      return std::max(delta(std::exp(eps), false), delta(std::exp(eps), true));
    };
    const std::string where =
        "q=" + std::to_string(q) + " sigma=" + std::to_string(1 / mu) + " eps=" + std::to_string(eps);
    for (const auto& [T, exact] : {std::pair{1, larger(one)}, {2, larger(two)}, {3, larger(three)}}) {
      const Ball found = value("epsilary-lower-dp-sgd", where + " T=" + std::to_string(T));
      INFO(where << " T=" << T << " " << found.lower() << " " << found.upper() << " " << exact);
      CHECK(found.lower() <= exact * (1 + 1e-6));
      CHECK(found.upper() >= exact * (1 - 1e-6));
    }
  }
}

TEST_CASE("the lower bound of DP-SGD: full batches are Gaussian, no steps lose nothing, and it rises and falls") {
  CHECK(value("epsilary-lower-dp-sgd", "q=1 sigma=10 T=100 delta=1e-6")
            .overlaps(value("vandijk2022-gdp-epsilon", "mu=1 delta=1e-6")));
  CHECK(value("epsilary-lower-dp-sgd", "q=0.1 sigma=1 T=0 delta=1e-6").is_zero());
  CHECK(value("epsilary-lower-dp-sgd", "n=100 batch=10 sigma=1 T=0 eps=1").is_zero());
  CHECK(value("epsilary-lower-dp-sgd", "n=60000 batch=240 sigma=1.1 epochs=60 delta=1e-5")
            .overlaps(value("epsilary-lower-dp-sgd", "q=0.004 sigma=1.1 T=15000 delta=1e-5")));
  // It is the pair by which Poisson sampling is accounted, with other neighbours and another unit of noise.
  CHECK(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=3000 delta=1e-6")
            .overlaps(value("vandijk2022-poisson", "q=0.02 sigma=2 T=3000 delta=1e-6")));
  const Ball here = value("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=3000 delta=1e-6");
  CHECK(value("epsilary-lower-dp-sgd", "q=0.03 sigma=2 T=3000 delta=1e-6") > here);
  CHECK(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=4000 delta=1e-6") > here);
  CHECK(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2.5 T=3000 delta=1e-6") < here);
  CHECK(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=3000 delta=1e-5") < here);
  // In double it is the lower end of a rough bracket, and safe where a search leaves the range of the noise.
  const auto in_double = [](const std::string& params) {
    const Point point = reference::parse_point(params);
    return form_for(named("epsilary-lower-dp-sgd"), point)->evaluate.in_double(Values<double>(point)).value;
  };
  CHECK(in_double("q=0.02 sigma=2 T=3000 delta=1e-6") <= here.upper());
  CHECK(in_double("q=0.02 sigma=2 T=3000 delta=1e-6") >= 0.98 * here.lower());
  CHECK(in_double("q=0.5 sigma=20000 T=10 delta=1e-9") == 0);
  CHECK(in_double("q=1 sigma=0.01 T=2 delta=1e-3") == in_double("q=1 sigma=0.05 T=2 delta=1e-3"));
  CHECK(at("epsilary-lower-dp-sgd", "q=0.5 sigma=0.01 T=2 delta=1e-3").reason ==
        "it needs 0.05 <= sigma <= 10000 (got --sigma 0.01)");
}

TEST_CASE("nothing happens between delta 1.1e-18 and 1.13e-18, and both are below the Renyi bound") {
  const std::string rest = "q=0.00033 sigma=4 T=10000 delta=";
  const Ball a = value("vandijk2022-composed", rest + "1.1e-18"), b = value("vandijk2022-composed", rest + "1.13e-18");
  CHECK(std::abs(a.midpoint() / b.midpoint() - 1) < 0.01);
  CHECK(a <= value("vandijk2022-composed-rdp", rest + "1.1e-18"));
  CHECK(b <= value("vandijk2022-composed-rdp", rest + "1.13e-18"));
  const Ball poisson = value("vandijk2022-poisson", rest + "1.1e-18");
  CHECK(std::abs(poisson.midpoint() / value("vandijk2022-poisson", rest + "1.13e-18").midpoint() - 1) < 0.01);
  CHECK(poisson <= value("vandijk2022-poisson-rdp", rest + "1.1e-18"));
}

TEST_CASE("accountants nest: composed below Renyi below advanced composition, and below the told adversary") {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 6; ++i) {
    const int batch = 10 + static_cast<int>(90 * unit(random)), T = 200 + static_cast<int>(3000 * unit(random));
    const double sigma = 0.7 + 3 * unit(random);
    const std::string common =
        "n=1000 batch=" + std::to_string(batch) + " sigma=" + std::to_string(sigma) + " T=" + std::to_string(T);
    INFO(common);
    const Ball eps = value("vandijk2022-composed", common + " delta=1e-6");
    const Ball renyi = value("vandijk2022-composed-rdp", common + " delta=1e-6");
    CHECK(eps <= renyi);
    CHECK(renyi.upper() <= value("vandijk2022-composed-advanced", common + " delta=1e-6").lower());
    const double at_eps = std::round(eps.midpoint() * 500) / 1000;
    const std::string asked = common + " eps=" + std::to_string(at_eps);
    CHECK(value("vandijk2022-composed", asked).lower() <= value("vandijk2022-a1", asked).upper());
  }
}

TEST_CASE("Poisson accounting agrees with what others compute") {
  const Ball eps = value("vandijk2022-poisson", "q=0.001 sigma=1 T=100000 delta=1e-6");
  CHECK(eps.lower() > 1.85096);  // inside the error-bounded interval of a Fourier accountant
  CHECK(eps.upper() < 1.87114);
  const Ball renyi = value("vandijk2022-poisson-rdp", "q=0.001 sigma=1 T=100000 delta=1e-6");
  CHECK(renyi.midpoint() < 2.0040455923811);  // the best integer order
  CHECK(renyi.midpoint() > 2.003);
  CHECK(value("vandijk2022-poisson-rdp", "q=0.001 sigma=1 T=100000 delta=1e-6 lambda=12").midpoint() ==
        doctest::Approx(2.004045592381049).epsilon(1e-12));
  // the central limit theorem for the same is an underestimate: 1.83571
  CHECK(1.83571 < eps.lower());
}

TEST_CASE("Renyi moments of a subsampled step, to thirty digits") {
  for (const auto& [params, exact] : {std::pair{"q=0.01 mu=1 lambda=8", "0.00885073212962080935559865415685"},
                                      {"q=0.1 mu=0.5 lambda=32.5", "133378720634125036268348.648148"}}) {
    const Point point = reference::parse_point(params);
    const Bound* form = form_for(named("vandijk2022-composed-rdp"), point);
    const Evaluation e = evaluate(*form, point, {.digits = 32});
    REQUIRE_MESSAGE(e.certified, e.reason);
    const Ball::Precision bits(200);
    const Ball moment = e.answer.beside.front().value, wanted(Decimal(exact).exact());
    CHECK(abs(moment - wanted) <= wanted * Ball(1e-29));
    CHECK(form->evaluate.in_double(Values<double>(point)).beside.front().value ==
          doctest::Approx(wanted.midpoint()).epsilon(1e-12));
  }
  // lambda = 2, Poisson: q^2 (e^{mu^2} - 1)
  CHECK(at("vandijk2022-poisson-rdp", "q=0.01 mu=1 lambda=2").answer.beside.front().value.midpoint() ==
        doctest::Approx(1e-4 * std::expm1(1.0)).epsilon(1e-12));
}

TEST_CASE("Renyi accounting is monotone on nearby values, so it can be solved for") {
  std::mt19937 random(41);
  std::uniform_real_distribution<double> unit;
  const auto decimal_text = [](double x) { return Decimal::nearest(x, 12).text(); };
  for (const std::string id : {"vandijk2022-poisson-rdp", "vandijk2022-composed-rdp"}) {
    const Bound* form = form_for(named(id), reference::parse_point("q=0.01 sigma=1 T=1 delta=0.1"));
    const auto epsilon = [&](double q, double sigma, double T, double delta) {
      return form->evaluate
          .in_double(Values<double>(reference::parse_point("q=" + decimal_text(q) + " sigma=" + decimal_text(sigma) +
                                                           " T=" + decimal_text(T) + " delta=" + decimal_text(delta))))
          .value;
    };
    for (int i = 0; i < (id == "vandijk2022-poisson-rdp" ? 150 : 30); ++i) {
      const double q = std::pow(10, -4 + 3.9 * unit(random)), sigma = std::exp(-0.7 + 3 * unit(random)),
                   T = std::floor(std::exp(11 * unit(random))) + 1, delta = std::pow(10, -2 - 28 * unit(random));
      const double near = 1 + std::pow(10, -2 - 4 * unit(random)), least = 1 - 1e-11;
      INFO(id << " q " << q << " sigma " << sigma << " T " << T << " delta " << delta << " near " << near);
      const double here = epsilon(q, sigma, T, delta);
      CHECK(std::isfinite(here));
      CHECK(epsilon(q * near, sigma, T, delta) >= here * least);
      CHECK(epsilon(q, sigma, T + 1, delta) >= here * least);
      CHECK(epsilon(q, sigma * near, T, delta) * least <= here);
      CHECK(epsilon(q, sigma, T, delta * near) * least <= here);
    }
    for (const Param p : {Param::q, Param::T}) CHECK(std::ranges::count(form->rises, p) == 1);
    for (const Param p : {Param::sigma, Param::delta}) CHECK(std::ranges::count(form->falls, p) == 1);
  }
  const Point point = reference::parse_point("sigma=1 T=10000 delta=1e-6");
  const Bound* form =
      form_for(named("vandijk2022-poisson-rdp"), reference::parse_point("q=0.01 sigma=1 T=1 delta=0.1"));
  const Inversion found = experiments::solve(*form, point, Param::q, Decimal(1), 4);
  REQUIRE(found.status == Inverted::found);
  CHECK(value("vandijk2022-poisson-rdp", "sigma=1 T=10000 delta=1e-6 q=" + found.value.text()) <= 1);
  CHECK(value("vandijk2022-poisson-rdp", "sigma=1 T=10000 delta=1e-6 q=" + found.beyond.value().text()) > 1);
}

TEST_CASE("large orders stay in the range of double") {
  for (const std::string params : {"q=0.01 mu=1 lambda=300", "q=0.1 mu=2 lambda=1000", "q=0.0001 mu=0.1 lambda=5000"}) {
    INFO(params);
    const Point point = reference::parse_point(params);
    const Bound* form = form_for(named("vandijk2022-poisson-rdp"), point);
    const Evaluation plain = evaluate(*form, point, {.number = Number::in_double}), proved = evaluate(*form, point);
    REQUIRE(plain.status == Status::ok);
    REQUIRE(proved.certified);
    CHECK(plain.answer.value.midpoint() == doctest::Approx(proved.answer.value.midpoint()).epsilon(1e-12));
    // far beyond the explosion the second bump is all: log q^lambda + lambda (lambda - 1) mu^2/2, over lambda - 1
    const double lambda = from_rational<double>(point[Param::lambda].exact()),
                 q = from_rational<double>(point[Param::q].exact()),
                 mu = from_rational<double>(point[Param::mu].exact());
    CHECK(plain.answer.value.midpoint() ==
          doctest::Approx((lambda * std::log(q) + lambda * (lambda - 1) * mu * mu / 2) / (lambda - 1)).epsilon(0.01));
  }
}

TEST_CASE("fixed-size batches have digits at large orders too") {
  for (const std::string params : {"q=0.1 mu=2 lambda=300", "q=0.1 mu=2 lambda=1000"}) {
    INFO(params);
    const Point point = reference::parse_point(params);
    const Evaluation e = evaluate(*form_for(named("vandijk2022-composed-rdp"), point), point);
    REQUIRE_MESSAGE(e.certified, e.reason);
    // far beyond the explosion it is the bump of Poisson sampling
    const Evaluation other = evaluate(*form_for(named("vandijk2022-poisson-rdp"), point), point);
    CHECK(e.answer.value.midpoint() == doctest::Approx(other.answer.value.midpoint()).epsilon(1e-9));
  }
}

TEST_CASE("a curve of many epsilons comes from one composition") {
  const std::vector<Repeated> laws{{subsampled_gaussian(Ball(0.01), Ball(1)), 1000}};
  std::vector<double> eps;
  for (int i = 0; i < 40; ++i) eps.push_back(1 + 0.05 * i);
  const std::vector<Bracket> curve = composed_profile(laws, Ball(1e-4), eps);
  for (std::size_t i = 0; i < eps.size(); ++i) {
    CHECK(curve[i].lower <= curve[i].upper);
    CHECK(curve[i].upper <= 1.1 * curve[i].lower);
    if (i > 0) CHECK(curve[i].lower <= curve[i - 1].upper);
  }
  const std::vector<Ball> line = contour_profile(subsampled_gaussian_moments(Ball(0.01), Ball(1), 1000), eps);
  for (std::size_t i = 0; i < eps.size(); ++i) {
    INFO(eps[i]);
    REQUIRE(line[i].finite());
    CHECK(line[i].lower() <= curve[i].upper);
    CHECK(curve[i].lower <= line[i].upper());
    CHECK(line[i].upper() - line[i].lower() <= 1e-5 * line[i].upper());
  }
}

TEST_CASE("seven digits ask for a bracket of 1e-6, and more than it has is said to be unresolved") {
  const Point point = reference::parse_point("q=0.01 sigma=2 T=1000 delta=1e-12");
  const Bound* bound = form_for(named("vandijk2022-composed"), point);
  const Evaluation e = evaluate(*bound, point, {.digits = 7});
  REQUIRE(e.certified);
  CHECK(e.answer.value.upper() - e.answer.value.lower() <= 1e-6 * e.answer.value.upper());
  CHECK(evaluate(*bound, point).answer.value.contains(e.answer.value));
  CHECK(evaluate(*bound, point, {.digits = 12}).status == Status::unresolved);
}

TEST_CASE("the noise that reaches epsilon 2 is found, and a little less does not reach it") {
  const Point point = reference::parse_point("q=0.004 T=1000 delta=1e-5");
  Point whole = point;
  whole.set(Param::sigma, Decimal(1));
  const Bound* bound = form_for(named("vandijk2022-composed"), whole);
  REQUIRE(bound != nullptr);
  const Inversion found = experiments::solve(*bound, point, Param::sigma, Decimal(2), 3);
  REQUIRE(found.status == Inverted::found);
  CHECK(value("vandijk2022-composed", "q=0.004 T=1000 delta=1e-5 sigma=" + found.value.text()) <= 2);
  CHECK(value("vandijk2022-composed", "q=0.004 T=1000 delta=1e-5 sigma=" + found.beyond.value().text()).upper() > 2);
}

TEST_CASE("composed statements refuse what they cannot answer and say why") {
  const auto refusal = [](const std::string& params) { return at("vandijk2022-composed", params).reason; };
  CHECK(refusal("n=100 batch=200 T=5 sigma=1 delta=1e-5").find("batch <= n") != std::string::npos);
  CHECK(refusal("n=100 batch=10 T=5 sigma=0 delta=1e-5").find("sigma > 0") != std::string::npos);
  CHECK(refusal("n=100 batch=10 T=5 sigma=0.001 delta=1e-5").find("0.05 <= sigma") != std::string::npos);
  CHECK(refusal("n=100 batch=10 T=5 sigma=1 delta=2").find("delta < 1") != std::string::npos);
  CHECK(refusal("q=0 T=5 sigma=1 delta=0.1").find("q >= 1e-8") != std::string::npos);
}
