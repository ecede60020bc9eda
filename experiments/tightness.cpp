#include "experiments/tightness.hpp"

#include <algorithm>
#include <tuple>

#include "bounds/core/registry.hpp"
#include "experiments/order.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

constexpr std::string_view own_steps =
    "one posterior bound for all steps and the classical tail of their sum; each step's "
    "own posterior and the tail integrated";
constexpr std::string_view silent_steps =
    "every step as a full randomised response of its eps_i; one that is silent but with probability "
    "(1+e^eps_i)/(1+e^eps0)";
constexpr std::string_view all_at_once =
    "steps composed one after another, each at its worst; the labels of all slots looked at together";
constexpr std::string_view sum_of_losses =
    "Chernoff's bound on the sum of the steps' losses; the losses themselves composed";
constexpr std::string_view losses_themselves =
    "Renyi divergences converted to epsilon; the privacy losses of the steps themselves composed";
constexpr std::string_view remains = "what is left: no randomizer is known to attain it, and no proof to exclude it";
constexpr std::string_view data_remain = "what is left: no data are known to attain it, and no proof to exclude it";
constexpr std::string_view optimally = "strong composition of the T rounds; the optimal one";

const char* const shuffle_words = "n clients apply one eps0-LDP randomizer and the reports are shuffled";

std::vector<Protocol> make_protocols() {
  return {
      {"shuffle",
       shuffle_words,
       "--eps0 1 --n 10000 --delta 1e-6",
       {{"erlingsson2019-thm7", "balle2020-thm5.1",
         "amplification by subsampling in every swap step; overlapping mixtures with the swap as they are"},
        {"balle2020-thm5.1", "epsilary-shuffle-steps", own_steps},
        {"epsilary-shuffle-steps", "epsilary-shuffle-response-pld", sum_of_losses},
        {"epsilary-shuffle-response-pld", "epsilary-shuffle-lazy-pld", silent_steps},
        {"epsilary-shuffle-lazy", "epsilary-shuffle-lazy-pld", losses_themselves},
        {"epsilary-shuffle-lazy-pld", "feldman2021-clones", all_at_once},
        {"balle2019-hoeffding", "epsilary-blanket-joint",
         "the blanket's mass bounded once from above and once from below; by one value for both"},
        {"epsilary-blanket-joint", "feldman2021-clones",
         "Hoeffding's inequality for the privacy blanket; the exact law of the clones"},
        {"feldman2021-closed", "feldman2021-clones", "Chernoff bounds on the number of clones; the exact sum"},
        {"feldman2021-clones", "epsilary-lower-rr3", remains},
        {"feldman2021-clones", "epsilary-lower-rr", remains}},
       {},
       {Param::n}},  // the report of a further client can be added by whoever looks
      {"checkin-fixed",
       "each client picks one of m slots and checks in with probability p0 (Algorithm 1)",
       "--eps0 1 --m 10000 --p0 0.1 --delta 1e-6",
       {{"balle2020-thm3.2-simple", "balle2020-thm3.2", "constants rounded up for eps0 <= 1"},
        {"balle2020-thm3.2", "epsilary-fixed-posterior",
         "earlier slots taken to hold the record for sure; with probability at most p0"},
        {"epsilary-fixed-posterior", "epsilary-checkin-steps", own_steps},
        {"epsilary-checkin-steps", "epsilary-checkin-response-pld", sum_of_losses},
        {"epsilary-checkin-response-pld", "epsilary-checkin-lazy-pld", silent_steps},
        {"epsilary-checkin-lazy", "epsilary-checkin-lazy-pld", losses_themselves},
        {"epsilary-checkin-response-pld", "epsilary-checkin-clones", all_at_once},
        {"epsilary-checkin-clones", "epsilary-known-clones",
         "any population, even a client alone; at least n clients, who compete for the slots"},
        {"epsilary-checkin-lazy-pld", "epsilary-lower-rr3-fixed", remains},
        {"epsilary-checkin-clones", "epsilary-lower-rr3-fixed", remains},
        {"epsilary-checkin-clones", "epsilary-lower-rr-fixed", remains}}},
      {"checkin-averaged",
       "all n clients pick one of m bins and each bin averages its reports (Algorithm 2)",
       "--eps0 1 --n 100000 --m 1000 --delta 1e-6",
       {{"balle2020-thm4.1", "epsilary-averaged-loads",
         "McDiarmid's bound on the norm of the loads; Chernoff's on the sum of their squares"},
        {"epsilary-averaged-loads", "epsilary-averaged",
         "bins composed, their loads bounded with probability 1 - delta2; a post-processing of the shuffle of n "
         "reports"},
        {"epsilary-averaged", "epsilary-averaged-steps", own_steps},
        {"epsilary-averaged-steps", "epsilary-averaged-response-pld", sum_of_losses},
        {"epsilary-averaged-response-pld", "epsilary-averaged-lazy-pld", silent_steps},
        {"epsilary-averaged-lazy", "epsilary-averaged-lazy-pld", losses_themselves},
        {"epsilary-averaged-lazy-pld", "epsilary-averaged-clones", all_at_once},
        {"epsilary-averaged-clones", "epsilary-lower-rr3-averaged", remains},
        {"epsilary-averaged-clones", "epsilary-lower-rr-averaged", remains}}},
      {"checkin-sliding",
       "each client picks one of the m slots that follow its arrival (Algorithm 3)",
       "--eps0 1 --m 1000 --delta 1e-6",
       {{"balle2020-thm4.3-simple", "balle2020-thm4.3", "constants rounded up for eps0 <= 1"},
        {"balle2020-thm4.3", "epsilary-sliding-steps", own_steps},
        {"epsilary-sliding-steps", "epsilary-sliding-response-pld", sum_of_losses},
        {"epsilary-sliding-response-pld", "epsilary-sliding-lazy-pld", silent_steps},
        {"epsilary-sliding-lazy", "epsilary-sliding-lazy-pld", losses_themselves},
        {"epsilary-sliding-lazy-pld", "epsilary-sliding-clones", all_at_once},
        {"epsilary-sliding-clones", "epsilary-lower-rr3-sliding",
         "what is left: the upper bounds hold for a client that meets nobody, the lower one among m - 1 competitors"}}},
      {"shuffled-checkin",
       "each client checks in to a round with probability gamma; the reports are shuffled; T rounds",
       "--eps0 1 --n 100000 --gamma 0.001 --T 1000 --delta 1e-6",
       {{"checkin2022-thm2", "checkin2022-thm2-exact",
         "a Chernoff bound on the number of check-ins; the sum over every number of them"},
        {"checkin2022-thm2-exact", "epsilary-shuffled-checkin-rdp",
         "a Renyi bound of the shuffle for integer orders; the clones' divergence at any order"},
        {"epsilary-shuffled-checkin-rdp", "epsilary-shuffled-checkin-pld",
         "Renyi divergences converted to epsilon; the privacy losses themselves composed"},
        {"epsilary-shuffled-checkin-pld", "epsilary-lower-shuffled-checkin", remains}},
       {Param::gamma, Param::T},  // reports can be dropped, rounds overlooked
       {Param::n}},
      {"distributed-checkin",
       "as shuffled check-in, with Gaussian noise added by the clients to one sum",
       "--n 100000 --gamma 0.01 --multiplier 1 --T 1000 --delta 1e-6",
       {{"checkin2022-thm4", "epsilary-distributed-checkin-pld",
         "a Renyi bound on subsampling that holds for any mechanism, converted to epsilon; the losses of the "
         "subsampled "
         "Gaussian themselves composed"},
        {"epsilary-distributed-checkin-pld", "epsilary-lower-distributed-checkin", data_remain}}},
      {"cldp-sgd",
       "of n clients per_round report a compressed gradient in each of T rounds (CLDP-SGD)",
       "--eps0 1 --clients 60000 --per_round 10000 --T 100 --delta 1e-5",
       {{"girgis2021-thm1-privacy", "girgis2021-thm1-privacy-optimal", optimally},
        {"girgis2021-thm1-privacy-hoeffding", "girgis2021-thm1-privacy-joint",
         "the blanket's mass bounded once from above and once from below; by one value for both"},
        {"girgis2021-thm1-privacy-joint", "girgis2021-thm1-privacy-tight",
         "likelihood ratios to the blanket between e^-eps0 and e^eps0; between 1 and e^eps0"},
        {"girgis2021-thm1-privacy-tight", "girgis2021-thm1-privacy-tight-optimal", optimally},
        {"girgis2021-thm1-privacy-tight-optimal", "epsilary-cldp-sgd-pld",
         "(eps, delta) of a round by the privacy blanket; the privacy losses of the clones themselves composed"},
        {"epsilary-cldp-sgd-pld", "epsilary-lower-cldp-sgd", remains}},
       {Param::per_round, Param::T},  // messages can be dropped, rounds overlooked
       {Param::clients, Param::records}},
      {"dp-sgd",
       "batches drawn without replacement, Gaussian noise, T steps",
       "--n 60000 --batch 600 --sigma 2 --T 600 --delta 1e-6",
       {{"vandijk2022-composed-advanced", "vandijk2022-composed-rdp",
         "advanced composition of (eps, delta) per step; Renyi divergences added up"},
        {"vandijk2022-composed-rdp", "vandijk2022-composed",
         "Renyi divergences converted to epsilon; the privacy losses themselves composed"},
        {"vandijk2022-composed", "epsilary-lower-dp-sgd", data_remain}}},
  };
}

bool is_about_epsilon(const Bound& b) {
  return b.quantity == Quantity::epsilon && (b.side == Side::upper || b.side == Side::lower);
}

}  // namespace

const std::vector<Protocol>& protocols() {
  static const std::vector<Protocol> list = make_protocols();
  return list;
}

const Protocol* protocol_named(std::string_view name) {
  const auto found = std::ranges::find(protocols(), name, &Protocol::name);
  return found == protocols().end() ? nullptr : &*found;
}

std::vector<const Bound*> statements(const Protocol& protocol, const Point& point, std::vector<const Bound*>* lacking) {
  std::vector<const Bound*> chosen;
  std::vector<std::string_view> seen;
  for (const Bound* b : all()) {
    if (b->protocol != protocol.name || !is_about_epsilon(*b) || std::ranges::count(seen, b->id)) continue;
    seen.push_back(b->id);
    std::vector<const Bound*> forms = named(b->id);
    std::erase_if(forms, [](const Bound* f) { return !is_about_epsilon(*f); });
    if (const Bound* form = form_for(forms, point))
      chosen.push_back(form);
    else if (lacking)
      lacking->push_back(forms.front());
  }
  return chosen;
}

Ball best_value(const Row& row) { return capped(row.evaluation.answer()); }

namespace {

// The end that is printed.
double safe_end(const Row& row) {
  const Ball value = best_value(row);
  return row.bound->side == Side::lower ? value.lower() : value.upper();
}

}  // namespace

void loosest_first(std::vector<Row>& rows) {
  const auto rank = [](const Row& r) { return std::tuple(!has_number(r), !answers(r), r.bound->side); };
  const auto printed = [](const Row& r) {
    return r.bound->side == Side::lower ? r.evaluation.answer().value.lower() : r.evaluation.answer().value.upper();
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return has_number(a) && printed(a) > printed(b);
  });
}

const Row* tightest(const std::vector<Row>& rows, Side side) {
  const Row* best = nullptr;
  for (const Row& r : rows) {
    if (r.bound->side != side || !guarantees(r)) continue;
    if (!best || (side == Side::lower ? safe_end(r) > safe_end(*best) : safe_end(r) < safe_end(*best))) best = &r;
  }
  return best;
}

std::vector<Loss> losses(const Protocol& protocol, const std::vector<Row>& rows) {
  const auto find = [&](std::string_view id) -> const Row* {
    for (const Row& r : rows)
      if (r.bound->id == id && answers(r)) return &r;
    return nullptr;
  };
  std::vector<Loss> out;
  for (const Slack& s : protocol.chain) {
    const Row *loose = find(s.looser), *tight = find(s.tighter);
    if (!loose || !tight || !certainly(tight->evaluation.answer().value > 0)) continue;
    out.push_back({&s, loose->evaluation.answer().value / tight->evaluation.answer().value});
  }
  return out;
}

}  // namespace epsilary::experiments
