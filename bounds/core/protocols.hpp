// What is known of a protocol beside its name: what parameters that a statement does not take do to it.
#pragma once

#include <optional>
#include <string_view>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

// Who may stay away or drop out, and whether a guarantee suffers.
enum class Hiding {
  by_others,  // so many others report, and hide the record or add their noise: they must be there
  by_slots,   // the record hides in its own choice of a slot; others count where a statement knows how many they are
  nobody,     // a curator holds the records, or there are no users: nobody can stay away
};

// How a sampling rate is said beside q.
enum class Rate { none, batch_of_n, per_round_of_n, per_round_of_records };

struct Protocol {
  std::string_view name;
  Hiding hiding = Hiding::by_others;
  Rate rate = Rate::none;
  Adjacency neighbours = Adjacency::replace;  // of a question that says nothing of them
  bool shows_number = false;                  // of check-ins, unless it is said to be hidden
  bool removal_hides_number = false;          // what is known of removing a record has the number hidden
  bool averages_vectors = false;              // its error is in a norm
  bool is_epoch = false;                      // an epoch: n/m repetitions, each client in one of them by p0 = m/n
  bool slot_is_T = false;                     // T is the number of a slot, not of rounds
  bool repeats_randomizer = false;            // T uses of one eps0-DP mechanism, and nothing beside
};

// Nothing for a protocol without an entry: then every parameter that a statement does not take puts it outside.
std::optional<Protocol> facts_of(std::string_view protocol);

}  // namespace epsilary::bounds
