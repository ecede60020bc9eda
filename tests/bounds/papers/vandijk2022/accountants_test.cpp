// The Renyi accountants of DP-SGD: moments, large orders, and what can be solved for.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "experiments/tightness/solve.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

TEST_CASE("Renyi moments of a subsampled step, to thirty digits") {
  for (const auto& [params, exact] : {std::pair{"q=0.01 mu=1 lambda=8", "0.00885073212962080935559865415685"},
                                      {"q=0.1 mu=0.5 lambda=32.5", "133378720634125036268348.648148"}}) {
    const Point point = reference::parse_point(params);
    const Bound* form = form_for(named("vandijk2022-composed-rdp"), point);
    const Evaluation e = evaluate(*form, point, {.digits = 32});
    REQUIRE_MESSAGE(e.certified, e.reason);
    const Ball::Precision bits(200);
    const Ball moment = e.answer().beside.front().value, wanted(Decimal(exact).exact());
    CHECK(certainly(abs(moment - wanted) <= wanted * Ball(1e-29)));
    CHECK(form->evaluate.in_double(Values<double>(point)).beside.front().value ==
          doctest::Approx(wanted.midpoint()).epsilon(1e-12));
  }
  // lambda = 2, Poisson: q^2 (e^{mu^2} - 1)
  CHECK(at::evaluated("vandijk2022-poisson-rdp", "q=0.01 mu=1 lambda=2").answer().beside.front().value.midpoint() ==
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
  const Inversion found = epsilary::experiments::solve(*form, point, Param::q, Decimal(1), 4);
  REQUIRE(found.status == Inverted::found);
  CHECK(certainly(at::proved("vandijk2022-poisson-rdp", "sigma=1 T=10000 delta=1e-6 q=" + found.value.text()) <= 1));
  CHECK(certainly(at::proved("vandijk2022-poisson-rdp", "sigma=1 T=10000 delta=1e-6 q=" + found.beyond.value().text()) >
                  1));
}

TEST_CASE("large orders stay in the range of double") {
  for (const std::string params : {"q=0.01 mu=1 lambda=300", "q=0.1 mu=2 lambda=1000", "q=0.0001 mu=0.1 lambda=5000"}) {
    INFO(params);
    const Point point = reference::parse_point(params);
    const Bound* form = form_for(named("vandijk2022-poisson-rdp"), point);
    const Evaluation plain = evaluate(*form, point, {.number = NumberType::in_double}), proved = evaluate(*form, point);
    REQUIRE(plain.status == Status::ok);
    REQUIRE(proved.certified);
    CHECK(plain.answer().value.midpoint() == doctest::Approx(proved.answer().value.midpoint()).epsilon(1e-12));
    // far beyond the explosion the second bump is all: log q^lambda + lambda (lambda - 1) mu^2/2, over lambda - 1
    const double lambda = from_rational<double>(point[Param::lambda].exact()),
                 q = from_rational<double>(point[Param::q].exact()),
                 mu = from_rational<double>(point[Param::mu].exact());
    CHECK(plain.answer().value.midpoint() ==
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
    CHECK(e.answer().value.midpoint() == doctest::Approx(other.answer().value.midpoint()).epsilon(1e-9));
  }
}
