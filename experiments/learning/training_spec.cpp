#include "experiments/learning/training_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <epsilary/epsilary.hpp>
#include <limits>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "experiments/sweep/toml_reader.hpp"
#include "solvers/numbers/decimal.hpp"

namespace epsilary::learning {
namespace {

using experiments::Reader;

struct Name {
  std::string_view word;
  Algorithm algorithm;
};
constexpr Name names[] = {
    {"cldp-sgd", Algorithm::cldp_sgd},
    {"shuffled-checkin", Algorithm::shuffled_checkin},
    {"distributed-checkin", Algorithm::distributed_checkin},
    {"checkin-fixed", Algorithm::checkin_fixed},
    {"checkin-averaged", Algorithm::checkin_averaged},
    {"checkin-sliding", Algorithm::checkin_sliding},
    {"sgd", Algorithm::sgd},
};

bool is_by_slots(Algorithm a) {
  return a == Algorithm::checkin_fixed || a == Algorithm::checkin_averaged || a == Algorithm::checkin_sliding;
}
bool is_by_rate(Algorithm a) { return a == Algorithm::shuffled_checkin || a == Algorithm::distributed_checkin; }

// The number of a key that must be there, within (or at) its ends.
double number(const Reader& in, const char* key, double above, double largest, bool also_at = false) {
  const std::string text = in.number(key);
  if (text.empty()) in.refuse(in.raw().get(key), fmt::format("'{}' is missing", key));
  const double x = std::strtod(text.c_str(), nullptr);
  if (!(also_at ? x >= above : x > above) || !(x <= largest))
    in.refuse(in.raw().get(key), fmt::format("{} must satisfy {} {} {} <= {:g} (got {})", key, above,
                                             also_at ? "<=" : "<", key, largest, text));
  return x;
}

std::uint32_t count(const Reader& in, const char* key, std::uint32_t largest) {
  const double x = number(in, key, 1, largest, true);
  if (x != std::floor(x)) in.refuse(in.raw().get(key), fmt::format("{} must be a whole number (got {})", key, x));
  return static_cast<std::uint32_t>(x);
}

void refuse_with(const Reader& in, std::initializer_list<const char*> keys, const std::string& word) {
  for (const char* key : keys)
    if (in.has(key)) in.refuse(in.raw().get(key), fmt::format("{} has no use for '{}'", word, key));
}

void read_clients(const Reader& in, const std::string& word, TrainingSpec& s) {
  constexpr std::uint32_t largest = 100'000'000;
  s.clients = count(in, "clients", largest);
  if (is_by_slots(s.algorithm)) {
    refuse_with(in, {"per_round", "gamma", "rounds"}, word);
    s.slots = count(in, "slots", largest);
    if (s.slots > s.clients)
      in.refuse(in.raw().get("slots"), fmt::format("slots must be at most clients (got {} of {})", s.slots, s.clients));
    if (s.algorithm == Algorithm::checkin_fixed)
      s.p0 = number(in, "p0", 0, 1);
    else
      refuse_with(in, {"p0"}, word);
    s.rounds = s.algorithm == Algorithm::checkin_sliding ? s.clients - s.slots + 1 : s.slots;
    return;
  }
  refuse_with(in, {"slots", "p0"}, word);
  s.rounds = count(in, "rounds", 1'000'000);
  if (is_by_rate(s.algorithm)) {
    refuse_with(in, {"per_round"}, word);
    s.gamma = number(in, "gamma", 0, 1);
    return;
  }
  refuse_with(in, {"gamma"}, word);
  s.per_round = count(in, "per_round", largest);
  if (s.per_round > s.clients)
    in.refuse(in.raw().get("per_round"),
              fmt::format("per_round must be at most clients (got {} of {})", s.per_round, s.clients));
}

// The least sigma, rounded up at its fifth decimal, that makes a Gaussian report (eps0, delta0)-DP.
std::string sigma_of(const Reader& in, const std::string& eps0, const std::string& delta0) {
  using solvers::Decimal, solvers::Rounding;
  bounds::Point point;
  point.set(bounds::Param::eps, Decimal(eps0));
  point.set(bounds::Param::delta, Decimal(delta0));
  const bounds::Bound* mu = bounds::form_for(bounds::named("vandijk2022-gdp-mu"), point);
  const bounds::Evaluation found = bounds::evaluate(*mu, point, {.digits = 12});
  if (!found.certified) in.refuse(in.raw().get("eps0"), "no Gaussian noise is known for this eps0 and delta0");
  const Decimal least(solvers::decimal(found.answer().value, 12, Rounding::down));
  const solvers::Rational sigma = solvers::Rational(1) / least.exact();
  const int before = static_cast<int>(std::floor(-std::log10(found.answer().value.midpoint())));  // the point
  return Decimal::round(sigma, std::max(1, before + 6), Rounding::up).text();
}

void read_protection(const Reader& in, const std::string& word, TrainingSpec& s) {
  s.sigmas = {""};
  if (s.algorithm == Algorithm::sgd) {
    refuse_with(in, {"clip", "limit", "eps0", "delta0", "sigma", "report", "delta", "accountant"}, word);
    return;
  }
  s.limit = number(in, "limit", 0, 1e6);
  const auto privacy = [&](const char* key, double largest) {
    number(in, key, 0, largest);
    return in.number(key);
  };
  s.delta = privacy("delta", 0.999999);
  if (s.algorithm == Algorithm::cldp_sgd) {
    refuse_with(in, {"delta0", "sigma", "report"}, word);
    s.clip = in.choice("clip", {"scaling", "coordinate"}) == "scaling" ? Clip::scaling : Clip::coordinate;
    s.eps0 = privacy("eps0", 100);
    return;
  }
  refuse_with(in, {"clip"}, word);
  s.clip = Clip::scaling;
  if (in.choice("report", {"gaussian", "half-space"}) == "half-space") {
    if (s.algorithm != Algorithm::shuffled_checkin)
      in.refuse(in.raw().get("report"), fmt::format("'half-space' is a report of shuffled-checkin, not of {}", word));
    refuse_with(in, {"delta0", "sigma"}, "a report by half spaces");
    s.report = Report::half_space;
    s.eps0 = privacy("eps0", 100);
    return;
  }
  if (in.has("eps0")) {
    if (in.has("sigma"))
      in.refuse(in.raw().get("sigma"), "give 'sigma', or 'eps0' and 'delta0', from which it follows");
    s.eps0 = privacy("eps0", 100);
    s.delta0 = privacy("delta0", 0.999999);
    s.sigmas = {sigma_of(in, s.eps0, s.delta0)};
    return;
  }
  refuse_with(in, {"delta0"}, "'sigma'");
  s.sigmas = in.texts("sigma");
  for (std::string& sigma : s.sigmas) {
    try {
      sigma = solvers::Decimal(sigma).text();
    } catch (const solvers::BadNumber& bad) {
      in.refuse(in.raw().get("sigma"), fmt::format("sigma: {}", bad.what()));
    }
    if (const double x = std::strtod(sigma.c_str(), nullptr); !(x > 0) || !(x <= 1e6))
      in.refuse(in.raw().get("sigma"), fmt::format("sigma must satisfy 0 < sigma <= 1e6 (got {})", sigma));
    if (std::ranges::count(s.sigmas, sigma) > 1)
      in.refuse(in.raw().get("sigma"), fmt::format("sigma {} is given twice", sigma));
  }
}

void read_rates(const Reader& in, TrainingSpec& s) {
  s.rates.push_back({0, number(in, "rate", 0, 1e30)});
  for (const Reader& later : in.tables("later")) {
    later.only({"after", "rate"});
    const Rate one{count(later, "after", 1'000'000), number(later, "rate", 0, 1e30)};
    if (one.after <= s.rates.back().after) later.refuse(nullptr, "later rates must come one after the other");
    s.rates.push_back(one);
  }
}

void read_accountants(const Reader& in, TrainingSpec& s) {
  for (const Reader& one : in.tables("accountant")) {
    Accountant a{one.text("bound"), {}};
    one.refuse_unknown_bound(a.bound, "bound");
    for (const auto& [key, node] : one.raw()) {
      if (key.str() == "bound") continue;
      a.parameters.emplace_back(key.str(), one.text(key.str()));
    }
    // What the run itself decides is not to be said otherwise.
    const auto own = account_of(s, s.sigmas.front(), s.rounds);
    for (const auto& [key, value] : a.parameters)
      if (std::ranges::any_of(own, [&](const auto& pair) { return pair.first == key; }))
        one.refuse(one.raw().get(key), fmt::format("'{}' follows from the run", key));
    const auto forms = describe(a.bound);
    const auto is_given = [&](const std::string& key) {
      const auto has = [&](const auto& list) {
        return std::ranges::any_of(list, [&](const auto& pair) { return pair.first == key; });
      };
      return has(own) || has(a.parameters);
    };
    if (std::ranges::none_of(forms, [&](const Statement& f) {
          return f.quantity == "epsilon" && std::ranges::all_of(f.needs, is_given);
        }))
      one.refuse(one.raw().get("bound"),
                 fmt::format("{} tells no epsilon of this run; see: epsilary show {}", a.bound, a.bound));
    if (std::ranges::count(s.accountants, a.bound, &Accountant::bound))
      one.refuse(one.raw().get("bound"), fmt::format("{} is named twice", a.bound));
    s.accountants.push_back(std::move(a));
  }
}

}  // namespace

double TrainingSpec::rate(std::uint32_t round) const {
  double now = 0;
  for (const Rate& r : rates)
    if (round > r.after) now = r.rate;
  return now;
}

TrainingSpec parse_training_spec(std::string_view text, std::string_view file) {
  const toml::table root = experiments::parse_toml(text, file);
  const Reader in(root, file);
  in.only({"id",    "source", "caption", "algorithm", "network", "activation", "clients", "per_round",
           "gamma", "slots",  "p0",      "clip",      "limit",   "report",     "eps0",    "delta0",
           "sigma", "delta",  "rate",    "later",     "rounds",  "every",      "seeds",   "accountant"});
  TrainingSpec s{.id = in.text("id"),
                 .source = in.text("source"),
                 .caption = in.text("caption", false),
                 .file = std::string(file)};
  if (s.id.empty() || s.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos)
    in.refuse(root.get("id"), "'id' names the files: lower-case letters, digits, '-', '_' and '.' only");
  const std::string word = in.text("algorithm");
  const auto named = std::ranges::find(names, word, &Name::word);
  if (named == std::end(names)) {
    std::vector<std::string> known;
    for (const Name& name : names) known.emplace_back(name.word);
    in.refuse(root.get("algorithm"), fmt::format("'algorithm' must be one of {}, not '{}'{}", fmt::join(known, ", "),
                                                 word, did_you_mean(word, known)));
  }
  s.algorithm = named->algorithm;
  const auto network =
      network_named(in.choice("network", {"26010", "13722"}),
                    in.choice("activation", {"tanh", "relu"}) == "relu" ? Activation::relu : Activation::tanh);
  s.network = *network;
  read_clients(in, word, s);
  read_protection(in, word, s);
  read_rates(in, s);
  s.every = count(in, "every", s.rounds);
  s.seeds = count(in, "seeds", 1000);
  read_accountants(in, s);
  return s;
}

std::vector<std::pair<std::string, std::string>> account_of(const TrainingSpec& s, const std::string& sigma,
                                                            std::uint32_t T) {
  std::vector<std::pair<std::string, std::string>> out{{"delta", s.delta}};
  const auto say = [&](const char* key, const std::string& value) {
    if (!value.empty()) out.emplace_back(key, value);
  };
  say("eps0", s.eps0);
  say("delta0", s.delta0);
  say("sigma", sigma);
  if (!sigma.empty()) say("multiplier", fmt::format("{}", 2 * std::strtod(sigma.c_str(), nullptr)));
  if (is_by_slots(s.algorithm)) {
    say("n", std::to_string(s.clients));
    say("m", std::to_string(s.slots));
    if (s.algorithm == Algorithm::checkin_fixed) say("p0", fmt::format("{}", s.p0));
    return out;
  }
  say("T", std::to_string(T));
  if (is_by_rate(s.algorithm)) {
    say("n", std::to_string(s.clients));
    say("gamma", fmt::format("{}", s.gamma));
  } else {
    say("clients", std::to_string(s.clients));
    say("per_round", std::to_string(s.per_round));
    say("dim", std::to_string(s.network.parameters));
    say("randomizer", "rinf");
  }
  return out;
}

}  // namespace epsilary::learning
