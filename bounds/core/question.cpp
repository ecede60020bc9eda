#include "bounds/core/question.hpp"

#include <algorithm>
#include <array>
#include <bitset>

#include "bounds/core/protocols.hpp"
#include "bounds/core/units.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

// A statement about what neighbours can be told apart by.
bool is_private(const Bound& b) {
  constexpr std::array about{Quantity::epsilon, Quantity::delta,      Quantity::rdp,
                             Quantity::mu,      Quantity::rdp_approx, Quantity::error};
  return std::ranges::count(about, b.quantity) > 0;
}
// It promises that they can be told apart no better; the error of a test is promised from below.
bool promises(const Bound& b) {
  return is_private(b) && b.side != (b.quantity == Quantity::error ? Side::upper : Side::lower);
}
bool refutes(const Bound& b) { return is_private(b) && !promises(b); }

bool is_about_randomizers(const Bound& b) { return uses(b, eps0) || uses(b, steps); }

bool lists(const Bound& b, Param p) { return std::ranges::count(b.needs, p) > 0 || std::ranges::count(b.takes, p) > 0; }

// Its proof rests on this section of PROOFS.md.
bool rests_on(const Bound& b, std::string_view section) {
  const std::string sections = ", " + b.proof + ",";
  return sections.find(", " + std::string(section) + ",") != std::string::npos;
}

// A user who is not there changes what it says. The record that hides in a slot of its own choice is as safe whoever
// else comes, and safer if it does not come itself; but that may leave less to be seen.
bool suffers_absence(const Bound& b) {
  const std::optional<Protocol> facts = facts_of(b.protocol);
  if (!facts || facts->hiding == Hiding::by_others) return true;
  if (facts->hiding == Hiding::nobody || !promises(b)) return facts->hiding != Hiding::nobody;
  const bool counts_clients = std::ranges::count(b.needs, n) > 0 && !facts->is_epoch;
  return counts_clients || rests_on(b, "known");
}
bool has_users(const Bound& b) {
  const std::optional<Protocol> facts = facts_of(b.protocol);
  return !facts || facts->hiding != Hiding::nobody;
}

// Its steps are mechanisms that are run one after the other, and not rounds with 1, 2, ... reports.
bool composes_steps(const Bound& b) { return uses(b, steps) && !has_users(b); }

// Whether giving a parameter can take from what a statement assumes that does not take the parameter.
struct Spoiler {
  Param param;
  std::string_view needs;  // what the statement assumes of it, in words
  bool (*concerns)(const Bound&);
  bool (*spoils)(const Bound&, const Rational& x, const Point&);
  bool also_listed = false;  // also where the statement takes the parameter
};

constexpr auto above_one = [](const Bound&, const Rational& x, const Point&) { return x > 1; };
constexpr auto below_one = [](const Bound&, const Rational& x, const Point&) { return x < 1; };
constexpr auto above_zero = [](const Bound&, const Rational& x, const Point&) { return x > 0; };
constexpr auto always = [](const Bound&, const Rational&, const Point&) { return true; };

constexpr auto is_of_both = [](const Bound& b) { return uses(b, sigma) || uses(b, multiplier); };
constexpr auto is_of_mu = [](const Bound& b) { return is_private(b) && uses(b, mu) && !is_of_both(b); };
constexpr auto twice = [](const Bound&, const Rational&, const Point& p) { return p.has(sigma) && p.has(multiplier); };

// The rate of DP-SGD is said as q or as batch of n, that of CLDP-SGD as q or as per_round of all records. Said in both
// ways it must be the same, as a statement takes one of them.
constexpr std::string_view one_rate = "one sampling rate, said as q or by its parts, or both alike";
constexpr auto has_rate = [](const Bound& b) {
  const std::optional<Protocol> facts = facts_of(b.protocol);
  return is_private(b) && facts && facts->rate != Rate::none;
};
constexpr auto rate_differs = [](const Bound& b, const Rational&, const Point& p) {
  const Rate rate = facts_of(b.protocol)->rate;
  const Param part = rate == Rate::batch_of_n ? batch : per_round,
              of = rate == Rate::per_round_of_records ? clients : n;
  if (!p.has(q) || !p.has(part) || !p.has(of)) return false;
  const Rational each = rate == Rate::per_round_of_records && p.has(records) ? p[records].exact() : Rational(1);
  return !(p[q].exact() * p[of].exact() * each == p[part].exact());
};
// What is exact is a promise and refutes better ones, so nothing may be given that makes the truth smaller.
constexpr auto is_exact = [](const Bound& b) { return is_private(b) && b.side == Side::exact; };
constexpr auto is_exact_of_all = [](const Bound& b) {
  const std::optional<Protocol> facts = facts_of(b.protocol);
  return is_exact(b) && facts && facts->rate == Rate::none;
};
constexpr auto is_exact_of_one = [](const Bound& b) { return is_exact_of_all(b) && !has_users(b); };
// A user who may stay away, by a parameter that the statement does not take.
constexpr auto wants_all = [](const Bound& b) { return is_private(b) && suffers_absence(b); };

const Spoiler spoilers[] = {
    {delta0, "delta0 = 0, a pure randomizer",
     [](const Bound& b) { return is_about_randomizers(b) && b.quantity != Quantity::limit; }, above_zero},
    {group, "group = 1, one record", promises, above_one},
    // A promise about one round says nothing of more; what is known of one round can be seen in more of them.
    {T, "T = 1, one round", [](const Bound& b) { return promises(b) && !uses(b, epochs) && !composes_steps(b); },
     above_one},
    {T, "T = the number of steps", [](const Bound& b) { return promises(b) && composes_steps(b); },
     [](const Bound&, const Rational& x, const Point& p) {
       return !(x == Rational(static_cast<std::int64_t>(p.steps().size())));
     }},
    {epochs, "one step, no epochs", [](const Bound& b) { return promises(b) && !uses(b, T); }, always},
    {epochs, "T or epochs, not both", [](const Bound& b) { return promises(b) && uses(b, T); }, always},
    // Others who are counted on to hide a report must be there; in a noisy sum those who drop out take their noise with
    // them; and what refutes at one rate need not at a lower one. What is sent costs no more bits.
    {dropout, "dropout = 0, reports that are all sent",
     [](const Bound& b) { return suffers_absence(b) && b.quantity != Quantity::bits && b.quantity != Quantity::limit; },
     above_zero},
    {p0, "p0 = 1, every client checking in",
     [](const Bound& b) {
       const std::optional<Protocol> facts = facts_of(b.protocol);
       return wants_all(b) && !(facts && facts->is_epoch);
     },
     below_one},
    {gamma, "gamma = 1, every client in every round", wants_all, below_one},
    {p0, "p0 = m/n, as an epoch has it",
     [](const Bound& b) {
       const std::optional<Protocol> facts = facts_of(b.protocol);
       return is_private(b) && facts && facts->is_epoch;
     },
     [](const Bound&, const Rational& x, const Point& p) {
       return !p.has(m) || !p.has(n) || !(x * p[n].exact() == p[m].exact());
     }},
    // A round that is not held shows less than one that is.
    {quorum, "quorum = 1, rounds of any size", [](const Bound& b) { return refutes(b) && uses(b, gamma); }, above_one},
    {samples, "samples = 1, one message of a client", [](const Bound& b) { return promises(b) && has_users(b); },
     above_one},
    {sigma_hat, "the same noise in every epoch", [](const Bound& b) { return is_private(b) && uses(b, sigma); },
     [](const Bound& b, const Rational& x, const Point& point) {
       const Point own = in_own_units(b, point);
       if (!own.has(sigma) || x == own[sigma].exact()) return false;
       return b.side == Side::exact || promises(b) == (x < own[sigma].exact());
     }},
    {delta, "no delta: it is the epsilon of delta = 0",
     [](const Bound& b) { return is_exact(b) && b.quantity == Quantity::epsilon; }, always},
    {q, "q = 1, every record in every step", is_exact_of_all, below_one},
    {batch, "batch = n, every record in every step", is_exact_of_all,
     [](const Bound&, const Rational& x, const Point& p) { return !p.has(n) || !(p[n].exact() == x); }},
    {gamma, "gamma = 1, nobody who stays away", is_exact_of_one, below_one},
    {p0, "p0 = 1, nobody who stays away", is_exact_of_one, below_one},
    {dropout, "dropout = 0, nobody who stays away", is_exact_of_one, above_zero},
    {per_round, "every client in every round, no per_round", is_exact_of_one, always},
    {omega, "zero-concentrated privacy at every order, no omega",
     [](const Bound& b) { return promises(b) && uses(b, rho); }, always},
    {norm, "the maximum norm, no norm",
     [](const Bound& b) {
       const std::optional<Protocol> facts = facts_of(b.protocol);
       return facts && facts->averages_vectors && uses(b, dim) &&
              (b.quantity == Quantity::risk || b.quantity == Quantity::variance);
     },
     always},
    {sigma, "sigma or multiplier, not both", is_of_both, twice, true},
    {multiplier, "sigma or multiplier, not both", is_of_both, twice, true},
    {q, one_rate, has_rate, rate_differs},
    {batch, one_rate, has_rate, rate_differs},
    {per_round, one_rate, has_rate, rate_differs},
    // mu and the noise are two ways to say how far apart two normal laws are.
    {mu, "sigma or mu, not both", [](const Bound& b) { return is_private(b) && is_of_both(b) && !uses(b, mu); },
     always},
    {sigma, "mu or sigma, not both", is_of_mu, always},
    {multiplier, "mu or multiplier, not both", is_of_mu, always},
};

// What is known of one randomizer alone says nothing of others: what all eps0-LDP randomizers together cannot beat, it
// may. From above eps0 is enough.
bool knows_other_randomizers(const Bound& b) {
  return (refutes(b) || is_exact(b)) && is_about_randomizers(b) && !uses(b, randomizer);
}

const std::bitset<param_count>& may_spoil() {
  static const std::bitset<param_count> list = [] {
    std::bitset<param_count> out;
    for (const Spoiler& s : spoilers) out.set(static_cast<std::size_t>(s.param));
    return out;
  }();
  return list;
}

View usual_view(std::string_view protocol, Adjacency adjacency) {
  const std::optional<Protocol> facts = facts_of(protocol);
  return facts && facts->removal_hides_number && adjacency == Adjacency::remove ? View::count_hidden : View::usual;
}

std::string_view in_words(Adjacency a) {
  return a == Adjacency::replace ? "replacing one record" : a == Adjacency::remove ? "removing one record" : "";
}
std::string_view in_words(View v, std::string_view protocol) {
  switch (v) {
    case View::count_hidden: return "the number of check-ins hidden";
    case View::told_steps: return "the adversary told which steps used the record";
    case View::usual: break;
  }
  const std::optional<Protocol> facts = facts_of(protocol);
  return facts && facts->shows_number ? "the number of check-ins public" : "";
}
std::string in_words(Adjacency a, View v, std::string_view protocol) {
  const std::string_view neighbours = in_words(a), seen = in_words(v, protocol);
  return std::string(neighbours) + (neighbours.empty() || seen.empty() ? "" : ", ") + std::string(seen);
}

}  // namespace

Adjacency usual_adjacency(std::string_view protocol) {
  const std::optional<Protocol> facts = facts_of(protocol);
  return facts ? facts->neighbours : Adjacency::replace;
}

Known known_to(const Bound& b) {
  if (uses(b, steps)) return Known::steps;
  if (uses(b, eps0)) return Known::eps0;
  if (uses(b, sigma) || uses(b, multiplier) || uses(b, mu)) return Known::gaussian;
  if (uses(b, rdp)) return Known::divergence;
  return uses(b, rho) ? Known::concentrated : Known::nothing;
}

Subject subject(const Bound& b) { return {b.quantity, b.protocol, b.adjacency, b.view, known_to(b)}; }

std::string neighbours(const Bound& b) {
  if (b.adjacency == Adjacency::none) return {};
  return b.adjacency == Adjacency::either ? "of either kind" : in_words(b.adjacency, b.view, b.protocol);
}

std::string other_question(const Bound& b, const Asked& asked) {
  if (b.adjacency == Adjacency::none) return {};
  const Adjacency wanted = asked.adjacency.value_or(usual_adjacency(b.protocol));
  const View seen = asked.view.value_or(usual_view(b.protocol, wanted));
  if ((b.adjacency == Adjacency::either || b.adjacency == wanted) && b.view == seen) return {};
  return "another question: " + in_words(b.adjacency, b.view, b.protocol) +
         " (asked: " + in_words(wanted, seen, b.protocol) + ")";
}

Asked asked_by(const std::vector<const Bound*>& bounds, Asked asked) {
  const Bound* first = nullptr;
  for (const Bound* b : bounds) {
    if (b->adjacency != Adjacency::replace && b->adjacency != Adjacency::remove) continue;
    if (!first) first = b;
    if (b->adjacency != first->adjacency || b->view != first->view) return asked;
  }
  if (!first || (asked.adjacency && *asked.adjacency != first->adjacency)) return asked;
  if (!asked.adjacency) asked.adjacency = first->adjacency;
  if (!asked.view) asked.view = first->view;
  return asked;
}

std::string spoiled_hypothesis(const Bound& b, const Point& point) {
  if (point.has(randomizer) && knows_other_randomizers(b))
    return "it needs a randomizer of its own choice (got randomizer = " + point.text(randomizer) + ")";
  for (const auto& [param, value] : point.given()) {
    if (!uses(b, param) && !facts_of(b.protocol))
      return "it needs no " + std::string(key(param)) + ", as nothing is known of its protocol, " + b.protocol +
             " (got " + std::string(key(param)) + " = " + value->text() + ")";
    if (!may_spoil()[static_cast<std::size_t>(param)]) continue;  // sweeps pass here at every point
    for (const Spoiler& s : spoilers) {
      if (s.param != param || (lists(b, param) && !s.also_listed) || !s.concerns(b)) continue;
      if (s.spoils(b, value->exact(), point))
        return "it needs " + std::string(s.needs) + " (got " + std::string(key(param)) + " = " + value->text() + ")";
    }
  }
  return {};
}

bool matters(const Bound& b, Param p) {
  if ((p == randomizer && knows_other_randomizers(b)) || !facts_of(b.protocol)) return true;
  return uses(b, p) || std::ranges::any_of(spoilers, [&](const Spoiler& s) { return s.param == p && s.concerns(b); });
}

std::vector<Param> unused(const Bound& b, const Point& point) {
  std::vector<Param> out;
  for (const auto& given : point.given())
    if (!matters(b, given.param)) out.push_back(given.param);
  for (const Param p : {steps, randomizer})
    if (point.has(p) && !matters(b, p)) out.push_back(p);
  return out;
}

Evaluation evaluate(const Bound& bound, const Question& question, const Accuracy& accuracy) {
  if (std::string other = other_question(bound, question.asked);
      !other.empty() && (question.asked.adjacency || question.asked.view)) {
    Evaluation e;
    e.status = Status::outside;
    e.reason = std::move(other);
    return e;
  }
  return evaluate(bound, question.point, accuracy);
}

bool answers(const Bound& b, const Evaluation& e, const Asked& asked) {
  return has_value(e.status) && e.within && other_question(b, asked).empty();
}

bool guarantees(const Bound& b, const Evaluation& e, const Asked& asked) {
  return e.certified && is_guarantee(b) && answers(b, e, asked);
}

}  // namespace epsilary::bounds
