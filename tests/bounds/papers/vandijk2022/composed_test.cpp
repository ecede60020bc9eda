#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "bounds/core/double_walk.hpp"
#include "bounds/theory/dpsgd/laws.hpp"
#include "bounds/theory/dpsgd/moments.hpp"
#include "bounds/theory/gaussian.hpp"
#include "experiments/tightness/solve.hpp"
#include "solvers/losses/pair.hpp"
#include "solvers/numbers/functions.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using namespace epsilary::bounds::dpsgd;

namespace {

Ball value(const std::string& id, const std::string& params) { return at::proved(id, params, Accuracy{}.digits); }

// Every bracket contains the value of its row and is as narrow as it should be. Returns how many rows there are.
int check_brackets(const std::string& table, int digits, double width) {
  int rows = 0;
  for (const reference::Contained& row : reference::brackets(table)) {
    INFO(row.bound << " " << row.params);
    const Ball bracket = at::proved(row.bound, row.params, digits), x(Decimal(row.value).exact()),
               unit = x * Ball(power_of_ten(-row.digits));
    CHECK(certainly(bracket.lower_end() <= x + unit));
    CHECK(certainly(bracket.upper_end() >= x - unit));
    CHECK(bracket.upper() - bracket.lower() <= width * bracket.upper());
    ++rows;
  }
  return rows;
}

}  // namespace

TEST_CASE("values of the contour integral in sixty digits lie inside the brackets") {
  CHECK(check_brackets("dpsgd.csv", Accuracy{}.digits, 1e-3) == 14);
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
  for (const std::string words :
       {"14062.5", "14063", "batch = 250", "T in place of epochs", "fixed size", "replace-one"})
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
      epsilary::experiments::solve(*form_for(named("vandijk2022-composed"), whole), point, Param::sigma, Decimal(2), 4);
  REQUIRE(found.status == Inverted::found);
  const auto at_noise = [](const Decimal& x) {
    return value("vandijk2022-composed", "q=0.00426666666666666666666666666666 T=14063 delta=1e-5 sigma=" + x.text());
  };
  CHECK(certainly(at_noise(found.value) <= 2));
  CHECK(at_noise(found.beyond.value()).upper() > 2);
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
    const Ball eps = at::proved("vandijk2022-composed", params, 7);
    CHECK(eps.upper() - eps.lower() <= 1e-6 * eps.upper());
    CHECK(eps.upper() > 0);
  }
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
  CHECK(certainly(value("epsilary-lower-dp-sgd", "q=0.03 sigma=2 T=3000 delta=1e-6") > here));
  CHECK(certainly(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=4000 delta=1e-6") > here));
  CHECK(certainly(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2.5 T=3000 delta=1e-6") < here));
  CHECK(certainly(value("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=3000 delta=1e-5") < here));
  // A search sees the lower end of a rough bracket.
  const double rough = at::in_double("epsilary-lower-dp-sgd", "q=0.02 sigma=2 T=3000 delta=1e-6");
  CHECK(rough <= here.upper());
  CHECK(rough >= 0.98 * here.lower());
  CHECK(at::evaluated("epsilary-lower-dp-sgd", "q=0.5 sigma=0.01 T=2 delta=1e-3").reason ==
        "it needs 0.05 <= sigma <= 10000 (got sigma = 0.01)");
}

TEST_CASE("nothing happens between delta 1.1e-18 and 1.13e-18, and both are below the Renyi bound") {
  const std::string rest = "q=0.00033 sigma=4 T=10000 delta=";
  const Ball a = value("vandijk2022-composed", rest + "1.1e-18"), b = value("vandijk2022-composed", rest + "1.13e-18");
  CHECK(std::abs(a.midpoint() / b.midpoint() - 1) < 0.01);
  CHECK(certainly(a <= value("vandijk2022-composed-rdp", rest + "1.1e-18")));
  CHECK(certainly(b <= value("vandijk2022-composed-rdp", rest + "1.13e-18")));
  const Ball poisson = value("vandijk2022-poisson", rest + "1.1e-18");
  CHECK(std::abs(poisson.midpoint() / value("vandijk2022-poisson", rest + "1.13e-18").midpoint() - 1) < 0.01);
  CHECK(certainly(poisson <= value("vandijk2022-poisson-rdp", rest + "1.1e-18")));
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
    CHECK(certainly(eps <= renyi));
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

TEST_CASE(
    "N digits ask for a bracket of 10^(1-N), as far as the contour integral goes, and what is wider is said to be") {
  const std::string id = "vandijk2022-composed", params = "q=0.01 sigma=1 T=1000 delta=1e-6";
  // From a Bromwich integral in quadruple precision, sixteen digits.
  const Ball truth(Decimal("2.512844492213325").exact()), last = truth * Ball(power_of_ten(-15));
  for (const int digits : {6, 7, 8, 10, 12, 15}) {
    const Evaluation e = at::evaluated(id, params, digits);
    CAPTURE(digits);
    CHECK(e.status == Status::ok);
    REQUIRE(e.certified);
    const Ball& eps = e.answer().value;
    CHECK(certainly(eps.lower_end() <= truth + last));
    CHECK(certainly(eps.upper_end() >= truth - last));
    if (digits > 6) CHECK(is_narrow(eps, std::pow(10, 1 - digits)));
  }
  // A lattice has no twelve digits, and the bracket it has is given.
  const std::string rounds = "epsilary-cldp-sgd-pld", where = "eps0=1 clients=2000 per_round=500 T=20 delta=1e-5";
  const Evaluation wide = at::evaluated(rounds, where, 12);
  CHECK(wide.status == Status::wide);
  CHECK(wide.certified);
  CHECK(wide.reason == "proved, wider than asked");
  CHECK(wide.answer().value.overlaps(value(rounds, where)));
  CHECK(is_narrow(wide.answer().value, 2e-3));
}

TEST_CASE("a bracket has no value in double or in mp50, and says so") {
  const Point point = reference::parse_point("q=0.01 sigma=1 T=1000 delta=1e-6");
  const Bound& b = at::form("vandijk2022-composed", "q=0.01 sigma=1 T=1000 delta=1e-6");
  for (const auto& [number, word] : {std::pair{NumberType::in_mp50, "mp50"}, {NumberType::in_double, "double"}}) {
    const Evaluation e = evaluate(b, point, {.number = number});
    CHECK(e.status == Status::unresolved);
    CHECK_FALSE(e.has_number());
    CHECK(e.reason ==
          std::string("a bracket is proved in balls; it has no value in ") + word + " (leave the precision out)");
  }
  CHECK(DoubleWalk().evaluate(b, point).status == Status::unresolved);
}

TEST_CASE("rare batches far beyond what they lose: questions that took minutes have answers") {
  // From the same integral in mpmath, five digits and more.
  CHECK(
      value("vandijk2022-composed", "q=0.01 sigma=4 T=100 eps=1").contains(Ball(Decimal("1.5996517745e-92").exact())));
  const Ball rare = value("vandijk2022-composed", "q=0.001559 sigma=2.764 T=1915 eps=0.3817");
  CHECK(certainly(rare.lower_end() <= Ball(Decimal("7.51295245e-42").exact())));
  CHECK(certainly(rare.upper_end() >= Ball(Decimal("7.51295243e-42").exact())));
  CHECK(is_narrow(rare, 1e-3));
  // epsilon at delta and delta at that epsilon are one question
  const Ball eps = value("vandijk2022-composed", "q=0.0001407 sigma=2.31 T=1130 delta=7e-50");
  CHECK(is_narrow(eps, 1e-2));
  for (const bool up : {false, true}) {
    const std::string there = decimal(eps, 12, up ? Rounding::up : Rounding::down);
    const Ball delta = value("vandijk2022-composed", "q=0.0001407 sigma=2.31 T=1130 eps=" + there);
    CHECK(possibly(up ? delta <= Ball(Decimal("7e-50").exact()) : delta >= Ball(Decimal("7e-50").exact())));
  }
  // No bracket is narrow here, and there is one: below 1e-2000, above 0.
  const Evaluation far = at::evaluated("vandijk2022-composed", "q=1.4963e-5 sigma=12.82 T=472 eps=2.7", 6);
  CHECK(far.status == Status::wide);
  CHECK(certainly(far.answer().value.upper_end() < Ball(Decimal("1e-2000").exact())));
}

TEST_CASE("one step of Poisson sampling is its closed form") {
  for (const auto& [q, sigma, eps] : {std::tuple{0.0017123, 2.32918, 1.485}, {0.3, 0.7, 0.4}}) {
    const std::string where = "q=" + std::to_string(q) + " sigma=" + std::to_string(sigma) + " T=1";
    const Ball delta = at::proved("vandijk2022-poisson", where + " eps=" + std::to_string(eps), 6);
    CHECK(is_narrow(delta, 1e-6));
    const Ball::Precision bits(256);
    const Ball p(Decimal(std::to_string(q)).exact()), mu = 1 / Ball(Decimal(std::to_string(sigma)).exact()),
                                                      e(Decimal(std::to_string(eps)).exact());
    // The larger of both directions, each integrated beyond the place where the ratio passes e^eps.
    const Ball t = log1p(expm1(e) / p) / mu + mu / 2;
    const Ball removed = (1 - p) * normal_cdf(-t) + p * normal_cdf(mu - t) - exp(e) * normal_cdf(-t);
    CHECK(possibly(delta >= removed));
    if (certainly(-log1p(-p) < e)) CHECK(delta.overlaps(removed));
    const Ball back = at::proved("vandijk2022-poisson", where + " delta=" + decimal(delta, 9, Rounding::up), 6);
    CHECK(certainly(abs(back - e) < Ball(1e-5)));
  }
}

TEST_CASE("the noise that reaches epsilon 2 is found, and a little less does not reach it") {
  const Point point = reference::parse_point("q=0.004 T=1000 delta=1e-5");
  Point whole = point;
  whole.set(Param::sigma, Decimal(1));
  const Bound* bound = form_for(named("vandijk2022-composed"), whole);
  REQUIRE(bound != nullptr);
  const Inversion found = epsilary::experiments::solve(*bound, point, Param::sigma, Decimal(2), 3);
  REQUIRE(found.status == Inverted::found);
  CHECK(certainly(value("vandijk2022-composed", "q=0.004 T=1000 delta=1e-5 sigma=" + found.value.text()) <= 2));
  CHECK(value("vandijk2022-composed", "q=0.004 T=1000 delta=1e-5 sigma=" + found.beyond.value().text()).upper() > 2);
}

TEST_CASE("composed statements refuse what they cannot answer and say why") {
  const auto refusal = [](const std::string& params) { return at::refusal("vandijk2022-composed", params); };
  CHECK(refusal("n=100 batch=200 T=5 sigma=1 delta=1e-5").find("batch <= n") != std::string::npos);
  CHECK(refusal("n=100 batch=10 T=5 sigma=0 delta=1e-5").find("sigma > 0") != std::string::npos);
  CHECK(refusal("n=100 batch=10 T=5 sigma=0.001 delta=1e-5").find("0.05 <= sigma") != std::string::npos);
  CHECK(refusal("n=100 batch=10 T=5 sigma=1 delta=2").find("delta < 1") != std::string::npos);
  CHECK(refusal("q=0 T=5 sigma=1 delta=0.1").find("q >= 1e-8") != std::string::npos);
}
