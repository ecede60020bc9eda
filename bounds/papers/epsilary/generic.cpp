// The generic conversion of Self check-in 2022, Section 4.1, in valid forms.
#include "bounds/theory/checkin/generic.hpp"

#include <span>

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

// After T rounds at a whole delta, beta found too: any part of delta may go to the shuffles.
template <class Family, Real R>
Answer<R> with_best_beta(const Values<R>& x) {
  const auto parted = []<Real S>(const Values<S>& y, const S& part) {
    Values<S> out = y;
    out.set(beta, S(part * y[delta] / (y[T] * y[gamma])));
    return out;
  };
  const Values<double> nearby = in_double(x);
  double best = 0, least = HUGE_VAL;
  for (const double part : {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5}) {
    const Values<double> at = parted(nearby, part);
    if (!certainly(at[beta] < 1)) continue;
    if (const Answer<double> a = after_rounds<Family>(at); a.refused.empty() && a.value < least)
      best = part, least = a.value;
  }
  if (best == 0) return {.value = R(0), .refused = "a beta < 1 with T gamma beta < delta"};
  const Values<R> at = parted(x, short_decimal<R>(best));
  Answer<R> answer = after_rounds<Family>(at);
  answer.at.push_back({beta, at[beta]});
  return answer;
}

// The forms with beta given, and after T rounds with beta found.
template <class Family>
void add_valid(std::vector<Bound>& list, const Bound& form) {
  add_forms<Family>(list, form);
  Bound found = list.back();
  found.title += ", the whole delta given";
  std::erase(found.needs, beta);
  found.takes = {lambda};
  found.evaluate = each_number([](const auto& x) { return with_best_beta<Family>(x); });
  list.push_back(std::move(found));
}

const char* const shuffle_source =
    "epsilary; Section 4.1 of self check-in 2022 made valid, with Feldman, McMillan and Talwar 2021, Theorem 3.1, for "
    "each number of check-ins";

void add_generic(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-generic-a",
      .title = "Generic conversion of a subsampled shuffle, valid: randomised response for each number of check-ins",
      .protocol = "shuffled-checkin",
      .source = shuffle_source,
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\frac{\mathrm E[(1-\delta_K)m_{RR}(\varepsilon_K)]}{1-\gamma\beta}\Big);\quad\delta'=\delta+T\gamma\beta)",
      .standing = Standing::published,
      .note =
          "valid given the closed form of the shuffle, which is quoted; gamma beta more of delta is spent in each "
          "round",
      .proof = "approximate, response, mixture; the shuffle's epsilon from feldman2021-closed",
      .needs = {eps0, n, gamma, beta},
      .rises = {eps0},
  };
  add_valid<ModeA>(list, form);
  form.id = "epsilary-generic-b";
  form.proof = "subsampling, approximate, mixture; the shuffle's epsilon from feldman2021-closed";
  form.title = "Generic conversion of a subsampled shuffle, valid: the subsampled trade-off function";
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\frac{\mathrm E[x_K(\rho_K^\lambda-1)(1-\rho_K^{1-\lambda})]}{1-\gamma\beta}\Big),\ x=\tfrac{1-\beta}{1+e^{\varepsilon_s}},\ \rho=1+\tfrac Kn(e^{\varepsilon_s}-1);\quad\delta'=\delta+T\gamma\beta)";
  add_valid<ModeB>(list, form);
  form.id = "epsilary-generic-b-wang";
  form.standing = Standing::unsound;
  form.proof = "subsampling";
  form.title = "Generic conversion of a subsampled shuffle by Wang et al.";
  form.note =
      "needs one decomposition for three laws where the quoted theorem gives one for each pair; epsilary-generic-b, which "
      "needs only that, is smaller";
  form.formula = R"(\text{Wang et al. 2019 on randomised response at }\varepsilon_s(k)\text{, averaged over }K)";
  form.assumes = {exactly("lambda is an integer >= 2",
                          [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); })};
  add_valid<ModeWang>(list, form);
}

}  // namespace

std::span<const Bound> epsilary_generic() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_generic(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
