#include "bounds/theory/checkin/rounds_formulas.hpp"

#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/checkin/divergences.hpp"
#include "bounds/theory/checkin/rounds.hpp"
#include "bounds/theory/checkin/ternary.hpp"
#include "bounds/theory/cldp/setting.hpp"
#include "bounds/theory/shuffle/clones.hpp"

namespace epsilary::bounds::rounds {
namespace {

using enum Param;

template <Hiding hiding>
Ball checkin_clones(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  return composed(
      x,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::shuffled_clones(x[eps0], check_ins(x), r, hiding), log_mass);
      },
      request);
}
Ball checkin_response(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  const auto laws = [&](Resolution r, double log_mass) {
    r.counts /= 4;
    return sided_laws(checkin::shuffled_response(x[eps0], check_ins(x), r), log_mass);
  };
  return composed_both_ways(x, laws, request);
}
double least(const Values<Ball>& x) { return x.has(quorum) ? x[quorum].midpoint() : 1; }
// How far apart the two laws of a sum are in a round: given K the record is used with probability K/n, and by Jensen's
// inequality E (K/n) 2/(multiplier sqrt(K)) <= 2 sqrt(gamma/n)/multiplier.
Ball distance_of_sums(const Values<Ball>& x) {
  return gaussian_distance(Ball(2 * sqrt(x[gamma] / x[n]) / x[multiplier]));
}
Ball gaussian_composed(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  if (const auto known = by_distance(x, distance_of_sums(x))) return *known;
  return composed(
      x,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::distributed_gaussian(x[multiplier], check_ins(x), least(x), r), log_mass);
      },
      request);
}
Ball opposite_composed(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  if (const auto known = by_distance(x, distance_of_sums(x))) return *known;
  return composed_both_ways(
      x,
      [&](const Resolution& r, double log_mass) {
        return sided_laws(checkin::distributed_opposite(x[multiplier], check_ins(x), least(x), r), log_mass);
      },
      request);
}

// One round exactly: sum over k of P(K = k) r delta_k(log(1 + (e^eps - 1)/r)), r = k/n.
template <Real R>
Answer<R> one_round_delta(const Values<R>& x) {
  using M = Moment<R>;
  const M size(x[n]);
  const R excess = expm1(x[eps]) * x[n];
  if (certainly(x[gamma] <= 0) || x.at_least(eps, eps0)) return {R(0)};
  const Chance<M> each = chance_of<M>(x, gamma);
  const auto rate = [&](double k) { return M(M(k) / size); };
  const M sum = binomial_mean(
      Binomial<M>{size, each.yes, each.no}, 1.0, M(1),
      [&](double k) {
        return M(rate(k) * clones::LabelledSlots<R>{R(k), x[eps0], R(1)}(R(log1p(excess / R(k)))).delta);
      },
      [&](double k, const M&) { return rate(k); }, [&](double, double b) { return rate(b); });
  return {plain<R>(sum)};
}

// A record is used with probability per_round samples/(clients records).
checkin::Reports sample(const Values<Ball>& x) {
  return checkin::chosen(cldp::messages(x).midpoint(), cldp::population(x).midpoint());
}

// The law of one number of messages costs little: it may be fine.
Resolution finer(Resolution r) {
  r.counts /= 4;
  r.cells /= 2;
  return r;
}

template <Hiding hiding>
Ball sample_clones(const Values<Ball>& x, const Request& request) {
  return composed(
      x,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::shuffled_clones(x[eps0], sample(x), finer(r), hiding), log_mass);
      },
      request);
}
Ball sample_response(const Values<Ball>& x, const Request& request) {
  const auto laws = [&](const Resolution& r, double log_mass) {
    return sided_laws(checkin::shuffled_response(x[eps0], sample(x), finer(r)), log_mass);
  };
  return composed_both_ways(x, laws, request);
}

Ball gaussian_reports(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  if (const auto known = by_distance(x, gaussian_distance(Ball(x[gamma] / x[sigma])))) return *known;
  return composed(
      x,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::separate_gaussian(1 / x[sigma], check_ins(x), r), log_mass);
      },
      request);
}

// A share of delta for the losses of a randomizer that is pure at 2 eps0, the rest for T n gamma expected calls at
// distance delta0 each.
Answer<Ball> clipped_reports(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return {Ball(0)};
  const Ball kept = (x.has(share) ? x[share] : Ball(0.5)) * x[delta];
  Values<Ball> pure = x;
  pure.set(eps0, 2 * x[eps0]);
  pure.set(delta, kept);
  const Ball value = composed(
      pure,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::shuffled_clones(pure[eps0], check_ins(x), r, Hiding::blanket), log_mass);
      },
      request);
  if (!value.finite()) return {value};
  const auto cost = checkin::log_approximation_cost(Ball(x[T] * x[n] * x[gamma]), value, x[delta0]);
  Answer<Ball> answer{.value = value, .log_delta_total = cost ? log_add(Ball(log(kept)), *cost) : log(kept)};
  answer.within = certainly(*answer.log_delta_total <= log(x[delta]));
  if (!answer.within && !x.has(share)) return {.value = Ball(0), .refused = checkin::room_for_delta0};
  if (!x.has(share)) answer.at = {{share, Ball(0.5)}};
  return answer;
}

Ball ternary_composed(const Values<Ball>& x, const checkin::Reports& reports, const Request& request) {
  return composed(
      x,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::shuffled_ternary(x[eps0], reports, r), log_mass);
      },
      request, Side::lower);
}
Ball checkin_ternary(const Values<Ball>& x, const Request& request) {
  return x[gamma].is_zero() ? Ball(0) : ternary_composed(x, check_ins(x), request);
}
Ball sample_ternary(const Values<Ball>& x, const Request& request) { return ternary_composed(x, sample(x), request); }

}  // namespace

Evaluator composed_checkins(Hiding hiding) {
  return hiding == Hiding::clones ? refined<checkin_clones<Hiding::clones>>()
                                  : refined<checkin_clones<Hiding::blanket>>();
}
Evaluator composed_binary_checkins() { return refined<checkin_response>(); }
Evaluator composed_ternary_checkins() { return refined<checkin_ternary>(); }
Evaluator one_round_of_checkins() {
  return each_number([](const auto& x) { return one_round_delta(x); });
}

Evaluator composed_samples(Hiding hiding) {
  return hiding == Hiding::clones ? refined<sample_clones<Hiding::clones>>()
                                  : refined<sample_clones<Hiding::blanket>>();
}
Evaluator composed_binary_samples() { return refined<sample_response>(); }
Evaluator composed_ternary_samples() { return refined<sample_ternary>(); }

Evaluator composed_gaussian_reports() { return refined<gaussian_reports>(); }
Evaluator composed_clipped_reports() { return refined<clipped_reports>(); }

Evaluator composed_noisy_sums() { return refined<gaussian_composed>(); }
Evaluator composed_opposite_sums() { return refined<opposite_composed>(); }

Evaluator divergence_of_checkins(Hiding hiding) {
  return hiding == Hiding::clones ? refined<clones_divergence<Hiding::clones>>()
                                  : refined<clones_divergence<Hiding::blanket>>();
}
Evaluator checkins_by_divergence(Hiding hiding) {
  return hiding == Hiding::clones ? refined<clones_divergence_after_rounds<Hiding::clones>>()
                                  : refined<clones_divergence_after_rounds<Hiding::blanket>>();
}
Evaluator binary_checkins_by_divergence() { return refined<response_divergence_after_rounds>(); }

}  // namespace epsilary::bounds::rounds
