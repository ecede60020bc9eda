// One epoch of random check-ins: Corollary 3.3 of Balle et al. 2020.
#include <span>

#include "bounds/theory/checkin/approximate.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

// Corollary 3.3 at the delta it keeps: the repetitions spend beta each.
template <Real R>
Spending<R> repeating(const Values<R>& x, const R& value) {
  R spent = log(x[n] / x[m] * x[beta]);
  return {Answer<R>{.value = value}, std::move(spent)};
}
struct Repeated {
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    return repeating(x, repeated(x[eps0], x[n], x[m], x[beta], x[delta]));
  }
  template <Real R>
  static bool admits(const Values<R>&) {
    return true;
  }
};
template <bool loose>
struct RepeatedClosed {
  template <Real R>
  static R constant() {
    return loose ? R(8 * (euler<R>() - 1)) : R(12);
  }
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    return repeating(x, repeated_closed(x[eps0], x[n], x[beta], x[delta], constant<R>()));
  }
  template <Real R>
  static bool admits(const Values<R>& x) {
    return certainly(closed_margin_eps0(x[eps0], x[n], x[m]) >= 0) &&
           certainly(closed_margin_n(x[eps0], x[n], x[m], x[beta]) >= 0) && certainly(-512 * log(x[beta]) - 1 >= 0);
  }
};

// With the part of delta for the repetitions that gives the least epsilon among those the statement admits.
template <class Statement, Real R>
Answer<R> with_best_beta(const Values<R>& x) {
  constexpr std::string_view lacks = "a part of delta at which its hypotheses on beta hold";
  const auto parted = []<Real S>(const Values<S>& y, const S& part) {
    Values<S> out = y;
    out.set(beta, S(part * y[delta] * y[m] / y[n]));
    out.set(delta, S((1 - part) * y[delta]));
    return out;
  };
  const auto found = split::searched(x, [&]<Real S>(const Values<S>& y) {
    return split::best_part([&](double part) {
      const Values<S> at = parted(y, S(part));
      return Statement::admits(at) ? to_double(Statement::at(at).answer.value) : HUGE_VAL;
    });
  });
  if (!found) return {.value = R(0), .refused = lacks};
  const Values<R> at = parted(x, from_rational<R>(split::typed(*found)));
  if (!Statement::admits(at)) return {.value = R(0), .refused = lacks};
  Answer<R> answer = Statement::at(at).answer;
  answer.log_delta_total = log(x[delta]);
  answer.within = true;  // the two parts add up to delta
  answer.at = {{delta, at[delta]}, {beta, at[beta]}};
  return answer;
}

Hypothesis slots_divide_users() {
  return exactly("m divides n", [](const auto& x) { return is_integer(x[n] / x[m]); });
}

std::vector<Hypothesis> closed_form_hypotheses() {
  return {slots_divide_users(),
          provably("eps0 <= (2/3) log(n / (8 sqrt(m)))",
                   [](const auto& x) { return closed_margin_eps0(x[eps0], x[n], x[m]); }),
          provably("n >= (e^eps0 - 1)^2 e^eps0 sqrt(m) log(1/beta)",
                   [](const auto& x) { return closed_margin_n(x[eps0], x[n], x[m], x[beta]); }),
          provably("log(1/beta) >= 1/512", [](const auto& x) { return -512 * log(x[beta]) - 1; })};
}

Bound epoch() {
  return {
      .id = "balle2020-cor3.3",
      .title = "One epoch of random check-ins, n/m repetitions composed",
      .protocol = "checkin-epoch",
      .source = "Balle et al. 2020, Corollary 3.3, equation (7)",
      .formula =
          R"(\varepsilon_1\sqrt{2\frac{n}{m}\log(1/\delta)}+\frac{n}{m}\varepsilon_1(e^{\varepsilon_1}-1),\ \varepsilon_1=\text{Theorem 3.2 at } p_0=\frac{m}{n},\beta;\quad \delta'=\frac{n}{m}\beta+\delta)",
      .standing = Standing::repaired,
      .note =
          "the whole delta is n beta/m + delta, not the delta of the statement; the last display of the "
          "proof has log(1/beta) for log(1/delta) and a root too long",
      .proof = "epoch, composition",
      .needs = {eps0, n, m, beta, delta},
      .rises = {eps0},
      .falls = {beta, delta},
      .assumes = {slots_divide_users()},
      .evaluate = each_number([](const auto& x) { return as_printed<Repeated>(x); }),
  };
}
Bound epoch_closed() {
  return {
      .id = "balle2020-cor3.3-closed",
      .title = "One epoch of random check-ins, closed form",
      .protocol = "checkin-epoch",
      .source = "Balle et al. 2020, Corollary 3.3, last display of the proof",
      .formula =
          R"(4(e^{\varepsilon_0}-1)\sqrt{\frac{e^{\varepsilon_0}\log(1/\beta)\log(1/\delta)}{n}}+\frac{12(e^{\varepsilon_0}-1)^2e^{\varepsilon_0}\log(1/\beta)}{n};\quad \delta'=\frac{n}{m}\beta+\delta)",
      .standing = Standing::repaired,
      .note =
          "12 is right under both printed hypotheses together; the proof derives eps1 <= 1/2 from the first "
          "alone, which does not give it",
      .proof = "epoch",
      .needs = {eps0, n, m, beta, delta},
      .rises = {eps0},
      .falls = {beta, delta},
      .assumes = closed_form_hypotheses(),
      .evaluate = each_number([](const auto& x) { return as_printed<RepeatedClosed<false>>(x); }),
  };
}
Bound epoch_closed_loose() {
  return {
      .id = "balle2020-cor3.3-closed-loose",
      .title = "One epoch of random check-ins, closed form with a constant that needs less",
      .protocol = "checkin-epoch",
      .source = "Balle et al. 2020, Corollary 3.3, with e^x - 1 <= (e - 1) x for eps1 <= 1",
      .formula =
          R"(4(e^{\varepsilon_0}-1)\sqrt{\frac{e^{\varepsilon_0}\log(1/\beta)\log(1/\delta)}{n}}+\frac{8(e-1)(e^{\varepsilon_0}-1)^2e^{\varepsilon_0}\log(1/\beta)}{n};\quad \delta'=\frac{n}{m}\beta+\delta)",
      .standing = Standing::repaired,
      .note = "8 (e - 1) = 13.7463 in place of 12: valid and not needed",
      .proof = "epoch",
      .needs = {eps0, n, m, beta, delta},
      .rises = {eps0},
      .falls = {beta, delta},
      .assumes = closed_form_hypotheses(),
      .evaluate = each_number([](const auto& x) { return as_printed<RepeatedClosed<true>>(x); }),
  };
}

template <class Statement>
Evaluator best_beta_of() {
  return each_number([](const auto& x) { return with_best_beta<Statement>(x); });
}

// The closed forms need m to divide n, and the first hypothesis does not depend on the parts.
Bound closed_of_whole(const Bound& printed, Evaluator evaluator) {
  Bound b = parts_found(printed, {eps0, n, m, delta}, evaluator);
  b.assumes = {closed_form_hypotheses()[0], closed_form_hypotheses()[1]};
  return b;
}
Bound epoch_of_whole() {
  Bound b = parts_found(epoch(), {eps0, n, m, delta}, best_beta_of<Repeated>());
  b.assumes = {slots_divide_users()};
  return b;
}

}  // namespace

std::span<const Bound> balle2020_epoch() {
  static const Bound list[] = {
      epoch(),
      epoch_of_whole(),
      epoch_closed(),
      closed_of_whole(epoch_closed(), best_beta_of<RepeatedClosed<false>>()),
      epoch_closed_loose(),
      closed_of_whole(epoch_closed_loose(), best_beta_of<RepeatedClosed<true>>()),
  };
  return list;
}

}  // namespace epsilary::bounds
