#include <span>

#include "bounds/accounting.hpp"
#include "bounds/checkin2022_distributed.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace checkin2022;

template <Real R>
Moment<R> ideal(const Values<R>& x, const R& order, const Moment<R>& k) {
  using M = Moment<R>;
  return removal_moment(M(order), chance_of<M>(x, gamma), k, IdealNoise<M>{M(x[multiplier])});
}
// The larger of both directions.
template <Real R>
Moment<R> client(const Values<R>& x, const R& order, const Moment<R>& k) {
  using M = Moment<R>;
  const ClientNoise<M> noise{M(x[multiplier]), M(x[dim])};
  const Chance<M> rate = chance_of<M>(x, gamma);
  return max(removal_moment(M(order), rate, k, noise), removal_moment_reverse(M(order), rate, k, noise));
}

// The mean over the number of other clients, given that it reaches the quorum.
template <Real R, class F>
Round<R> over_the_others(const Values<R>& x, const R& order, F moment) {
  using M = Moment<R>;
  const M others = M(x[n]) - 1;
  const double least = count_of(x[quorum]);
  const Chance<M> rate = chance_of<M>(x, gamma);
  const M m1 = quorum_mean(others, rate, M(0), least, [&](double k, const M&) { return moment(x, order, M(k)); });
  return {renyi::divergence<R>(m1, order)};
}
// The probability that fewer of them check in.
template <Real R>
R too_few_others(const Values<R>& x) {
  using M = Moment<R>;
  const M below = below_quorum(M(M(x[n]) - 1), chance_of<M>(x, gamma), count_of(x[quorum]));
  if constexpr (std::same_as<R, double>)
    return below.value();
  else
    return below;
}
constexpr std::string_view enough_others = "T P(K' < quorum) < delta, K' the number of other clients";

struct Removal {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  static constexpr std::string_view lacks = enough_others;
  template <Real R>
  static R spent(const Values<R>& x) {
    return too_few_others(x);
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return over_the_others(x, order, [](const auto&... a) { return ideal<R>(a...); });
  }
};

struct RemovalClient {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  static constexpr std::string_view lacks = enough_others;
  template <Real R>
  static R spent(const Values<R>& x) {
    return too_few_others(x);
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    if constexpr (std::same_as<R, double>)  // beyond the quorum the divergence is infinite; only a search comes here
      if (order > x[quorum]) return {std::numeric_limits<double>::infinity()};
    return over_the_others(x, order, [](const auto&... a) { return client<R>(a...); });
  }
};

struct GivenOthers {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::divergence<R>(ideal(x, order, Moment<R>(x[per_round])), order)};
  }
};

struct GivenOthersClient {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    if constexpr (std::same_as<R, double>)  // infinite; only a search comes here
      if (order > x[per_round]) return {std::numeric_limits<double>::infinity()};
    return {renyi::divergence<R>(client(x, order, Moment<R>(x[per_round])), order)};
  }
};

// The form over T rounds of a statement whose form for one order, which has more to tell, is already there.
template <class Family>
void add_rounds(std::vector<Bound>& list, Bound form) {
  std::erase(form.needs, lambda);
  std::vector<Bound> forms;
  add_forms<Family>(forms, std::move(form));
  list.push_back(std::move(forms.back()));
}

Hypothesis integer_order() {
  return exactly("lambda is an integer >= 2",
                 [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); });
}
Hypothesis somebody_else() {
  return exactly("n > quorum", [](const auto& x) { return x[n] > x[quorum]; });
}
Hypothesis somebody_checks_in() {
  return exactly("gamma > 0; at gamma = 0 P(K' >= quorum) = 0", [](const auto& x) { return x[gamma] > 0; });
}

template <Real R>
Answer<R> with_moment(const Moment<R>& m1, const R& order) {
  Answer<R> answer{.value = renyi::divergence<R>(m1, order)};
  if constexpr (std::same_as<R, double>)
    answer.beside.push_back({"moment", m1.value()});
  else
    answer.beside.push_back({"moment", m1});
  return answer;
}

const char* const output_note =
    "the output is the sum, or the sum over a public constant, and K is hidden; a quorum counts the other clients";

void add_checkin(std::vector<Bound>& list) {
  Bound form{
      .id = "checkin2022-thm4-removal",
      .title = "Distributed check-in under removal, noise of the same variance either way",
      .protocol = "distributed-checkin-equal-noise",
      .source = "epsilary; Self check-in 2022, Remark 4 (its Appendix B is not in the text)",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\mathrm E\Big[\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j(e^{j(j-1)/(2K'\sigma^2)}-1)\,\Big|\,K'\ge k_0\Big]\Big);\quad\delta'=\delta+T\,\mathrm P(K'<k_0))",
      .note = output_note,
      .proof = "removal, truncation",
      .adjacency = Adjacency::remove,
      .view = View::count_hidden,
      .needs = {n, gamma, multiplier, quorum},
      .falls = {multiplier},
      .assumes = {integer_order(), somebody_else(), somebody_checks_in()},
  };
  add_forms<Removal>(list, form);
  form.id = "checkin2022-thm4-removal-client";
  form.title = "Distributed check-in under removal, each client adding its own noise";
  form.protocol = "distributed-checkin";
  form.source = "epsilary; Self check-in 2022, Remark 4, with the noise the clients really add";
  form.formula =
      R"(\text{as checkin2022-thm4-removal with }\left(\left(\tfrac{k}{k+1}\right)^j\tfrac{k+1}{k+1-j}\right)^{d/2}e^{j(j-1)/(2\sigma^2(k+1-j))}\text{ and the bound }\tbinom\lambda2(1-\gamma)^{-1-\lambda}\gamma^2(\mathrm E R^2-1)\text{ on the other direction})";
  form.note =
      "the variance tells in every dimension whether the client takes part; orders above the quorum, which counts the "
      "other clients, are infinite";
  form.needs.push_back(dim);
  form.assumes.push_back(
      exactly("lambda <= quorum", [](const auto& x) { return !x.has(lambda) || x[lambda] <= x[quorum]; }));
  form.assumes.push_back(exactly("quorum >= 2", [](const auto& x) { return x[quorum] >= 2; }));
  form.assumes.push_back(exactly("gamma < 1", [](const auto& x) { return x[gamma] < 1; }));
  add_forms<RemovalClient>(list, form);
}

void add_given_k(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-removal-gaussian",
      .title = "Sum with noise of the same variance either way, given k other clients",
      .protocol = "distributed-sample-equal-noise",
      .source = "epsilary; the Gaussian under Poisson sampling, Mironov, Talwar and Zhang 2019",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j(e^{j(j-1)/(2k\sigma^2)}-1)\Big))",
      .quantity = Quantity::rdp,
      .note = output_note,
      .proof = "removal",
      .adjacency = Adjacency::remove,
      .view = View::count_hidden,
      .needs = {per_round, gamma, multiplier, lambda},
      .falls = {multiplier},
      .assumes = {integer_order()},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        return with_moment<R>(ideal(x, x[lambda], Moment<R>(x[per_round])), x[lambda]);
      }),
  };
  list.push_back(form);
  add_rounds<GivenOthers>(list, form);
  form.id = "epsilary-removal-client";
  form.title = "Sum of reports that carry their own noise, given k other clients, forward direction";
  form.protocol = "distributed-sample";
  form.source = "epsilary; (1-gamma) N(0, k sigma^2) + gamma N(1, (k+1) sigma^2) against N(0, k sigma^2)";
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j\Big(\big((\tfrac k{k+1})^j\tfrac{k+1}{k+1-j}\big)^{d/2}e^{j(j-1)/(2\sigma^2(k+1-j))}-1\Big)\Big))";
  form.needs.push_back(dim);
  form.assumes.push_back(
      exactly("lambda <= per_round", [](const auto& x) { return !x.has(lambda) || x[lambda] <= x[per_round]; }));
  form.evaluate = each_number([]<Real R>(const Values<R>& x) {
    using M = Moment<R>;
    const M m1 = removal_moment(M(x[lambda]), chance_of<M>(x, gamma), M(x[per_round]),
                                ClientNoise<M>{M(x[multiplier]), M(x[dim])});
    return with_moment<R>(m1, x[lambda]);
  });
  list.push_back(form);
  list.back().side = Side::lower;
  list.back().note =
      "the divergence of one direction, which no bound on both can be below; epsilon after T rounds bounds both";
  form.title = "Sum of reports that carry their own noise over T rounds, given k other clients, both directions";
  form.assumes.push_back(exactly("gamma < 1", [](const auto& x) { return x[gamma] < 1; }));
  form.assumes.push_back(exactly("per_round >= 2", [](const auto& x) { return x[per_round] >= 2; }));
  add_rounds<GivenOthersClient>(list, form);
}

}  // namespace

std::span<const Bound> checkin2022_removal() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_checkin(out);
    add_given_k(out);
    out.push_back({
        .id = "checkin2022-dropout",
        .title = "Rate of check-in after dropout",
        .protocol = "shuffled-checkin",
        .source = "Self check-in 2022, Section 3",
        .formula = R"(\gamma(1-p'))",
        .quantity = Quantity::ratio,
        .side = Side::exact,
        .note = "if clients drop out independently of their data; the rate before dropout is a safe one for shuffled "
                "check-in "
                "and not for a noisy sum (checkin2022-thm4-dropout)",
        .proof = "association",
        .adjacency = Adjacency::none,
        .needs = {gamma, dropout},
        .rises = {gamma},
        .falls = {dropout},
        .evaluate = each_number([]<Real R>(const Values<R>& x) { return R(x[gamma] * x.complement(dropout)); }),
    });
    return out;
  }();
  return list;
}

}  // namespace bounds
