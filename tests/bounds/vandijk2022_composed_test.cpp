#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bounds/evaluate.hpp"
#include "bounds/registry.hpp"
#include "bounds/vandijk2022_gaussian.hpp"
#include "bounds/vandijk2022_laws.hpp"
#include "experiments/solve.hpp"
#include "tests/reference/reference.hpp"

using namespace bounds;
using namespace bounds::vandijk2022;

namespace {

Evaluation at(const std::string& id, const std::string& params) {
  const Point point = reference::parse_point(params);
  const Bound* form = form_for(named(id), point);
  REQUIRE_MESSAGE(form != nullptr, id << " " << params);
  return evaluate(*form, point);
}

Ball value(const std::string& id, const std::string& params) {
  const Evaluation e = at(id, params);
  REQUIRE_MESSAGE(e.certified, e.reason);
  return e.answer.value;
}

}  // namespace

TEST_CASE("values of the contour integral lie inside the brackets") {
  const std::string id = "vandijk2022-composed";
  for (const auto& [params, exact] : {
           std::pair{"q=0.01 sigma=1 T=1000 eps=0.5", "0.06139301505469833857"},
           {"q=0.01 sigma=1 T=1000 eps=2", "0.0000393118785587419355434"},
           {"q=0.1 sigma=4 T=200 eps=1", "0.00100568773405355923049"},
           {"q=0.001 sigma=1 T=10000 eps=0.2", "0.01117039898060556373429"},
           {"n=9375 batch=40 sigma=0.7 T=3000 eps=1", "0.06047094090165708488882"},
       }) {
    INFO(params);
    const Ball bracket = value(id, params);
    CHECK(bracket.contains(Ball(Decimal(exact).exact())));
    CHECK(bracket.upper() - bracket.lower() <= 1e-3 * bracket.upper());
  }
}

TEST_CASE("the practitioner's question has a bracket, in epochs or in steps") {
  const Ball epochs = value("vandijk2022-composed", "n=60000 batch=240 sigma=1.1 epochs=60 delta=1e-5");
  const Ball steps = value("vandijk2022-composed", "q=0.004 sigma=1.1 T=15000 delta=1e-5");
  CHECK(epochs.overlaps(steps));
  const Evaluation odd = at("vandijk2022-composed", "n=60000 batch=256 sigma=1.1 epochs=60.01 delta=1e-5");
  CHECK(odd.status == Status::outside);
  CHECK(odd.reason.find("change epochs or batch") != std::string::npos);
}

TEST_CASE("one step and full batches are the closed forms") {
  const Ball::Precision bits(64);
  CHECK(value("vandijk2022-composed", "q=0.01 sigma=0.5 T=1 eps=0.5")
            .overlaps(value("vandijk2022-subsampled", "q=0.01 mu=2 eps=0.5")));
  CHECK(value("vandijk2022-composed", "q=1 sigma=10 T=100 delta=1e-6")
            .overlaps(value("vandijk2022-gdp-epsilon", "mu=1 delta=1e-6")));
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
}

TEST_CASE("seven digits ask for a bracket of 1e-6, and more than the engine has is said to be unresolved") {
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
