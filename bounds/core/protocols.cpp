#include "bounds/core/protocols.hpp"

#include <algorithm>

namespace epsilary::bounds {
namespace {

using enum Hiding;
using enum Rate;

constexpr Protocol protocols[] = {
    // The calculus.
    {.name = "any", .hiding = nobody},
    {.name = "composition", .hiding = nobody, .repeats_randomizer = true},
    {.name = "gaussian", .hiding = nobody},
    {.name = "lemma", .hiding = nobody},
    {.name = "randomizer", .hiding = nobody},
    {.name = "renyi", .hiding = nobody},
    {.name = "subsampling", .hiding = nobody},
    // A curator.
    {.name = "central-sgd", .hiding = nobody},
    {.name = "dp-sgd", .hiding = nobody, .rate = batch_of_n},
    {.name = "dp-sgd-batch", .hiding = nobody, .rate = batch_of_n},
    {.name = "dp-sgd-poisson", .hiding = nobody, .rate = batch_of_n, .neighbours = Adjacency::remove},
    {.name = "dp-sgd-shuffled", .hiding = nobody, .rate = batch_of_n},
    {.name = "dp-sgd-shuffled-batch", .hiding = nobody, .rate = batch_of_n},
    {.name = "dp-sgd-shuffled-two", .hiding = nobody, .rate = batch_of_n},
    {.name = "dp-sgd-step", .hiding = nobody, .rate = batch_of_n},
    // Random check-ins to slots.
    {.name = "checkin-epoch", .hiding = by_slots, .is_epoch = true},
    {.name = "checkin-epoch-once", .hiding = by_slots, .is_epoch = true},
    {.name = "checkin-fixed", .hiding = by_slots},
    {.name = "checkin-fixed-step", .hiding = by_slots, .slot_is_T = true},
    {.name = "checkin-sliding", .hiding = by_slots},
    {.name = "random-replacement", .hiding = by_slots},
    // Averages over those who are there, and shuffles of their reports.
    {.name = "averaged-given-loads"},
    {.name = "checkin-averaged"},
    {.name = "mean-estimation", .averages_vectors = true},
    {.name = "shuffle"},
    {.name = "shuffle-laplace"},
    {.name = "shuffle-limit"},
    {.name = "shuffle-rr"},
    {.name = "shuffle-step", .slot_is_T = true},
    {.name = "shuffled-sample", .rate = per_round_of_n},
    {.name = "cldp-sgd", .rate = per_round_of_records, .averages_vectors = true},
    {.name = "cldp-sgd-pooled", .rate = per_round_of_records},
    {.name = "cldp-sgd-round", .rate = per_round_of_records},
    {.name = "cldp-sgd-rr", .rate = per_round_of_records},
    {.name = "cldp-sgd-rr-round", .rate = per_round_of_records},
    // Check-ins to rounds.
    {.name = "self-checkin"},
    {.name = "shuffled-checkin", .shows_number = true},
    {.name = "distributed-checkin", .shows_number = true, .removal_hides_number = true},
    {.name = "distributed-checkin-equal-noise", .shows_number = true, .removal_hides_number = true},
    {.name = "distributed-sample", .removal_hides_number = true},
    {.name = "distributed-sample-equal-noise", .removal_hides_number = true},
};

}  // namespace

std::optional<Protocol> facts_of(std::string_view protocol) {
  const auto at = std::ranges::find(protocols, protocol, &Protocol::name);
  return at == std::end(protocols) ? std::nullopt : std::optional(*at);
}

}  // namespace epsilary::bounds
