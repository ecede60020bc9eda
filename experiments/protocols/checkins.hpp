// Who takes part when: the protocols in which clients come by themselves. Clients and slots are counted from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/protocols/random.hpp"

namespace epsilary::experiments {

inline constexpr std::uint32_t nobody = 0xFFFFFFFF;

// ---- random check-ins (Balle et al. 2020) ----------------------------------------------------------------

// Who is asked in each slot, a uniform one of those who came, or nobody: then the server makes a dummy update. How many
// came to each.
struct Window {
  std::vector<std::uint32_t> asked, came;
};

// Algorithm 1, fixed window: each of n clients, with probability p0, checks in to a uniform one of m slots.
Window fixed_window(std::uint32_t n, std::uint32_t m, double p0, Random& random);

// Section 4.2, sliding window: client j checks in to a uniform one of the slots j, ..., j + m - 1, and the server
// updates in the slots m - 1, ..., n - 1: those of the window are these n - m + 1.
Window sliding_window(std::uint32_t n, std::uint32_t m, Random& random);

// Algorithm 2, averaged updates: every client checks in to a uniform one of m bins. The bin of each client.
std::vector<std::uint32_t> averaged_bins(std::uint32_t n, std::uint32_t m, Random& random);
// How many came to each bin.
std::vector<std::uint32_t> loads(const std::vector<std::uint32_t>& bins, std::uint32_t m);

// ---- the shuffle, and its reduction to one swap ----------------------------------------------------------

// Algorithm 5: whose report stands at each of n places, a uniform permutation.
std::vector<std::uint32_t> shuffled(std::uint32_t n, Random& random);
// Algorithm 6: the first and a uniform one change places.
std::vector<std::uint32_t> swapped(std::uint32_t n, Random& random);

// ---- self check-in (Self check-in 2022) ------------------------------------------------------------------

// Each of n clients decides to take part with probability p, and who does drops out with probability `dropout`: those
// who are there in the end, in random order.
std::vector<std::uint32_t> checked_in(std::uint32_t n, double p, double dropout, Random& random);
// A round takes place if at least so many are there; otherwise it is aborted, and shows nothing but their number.
inline bool takes_place(const std::vector<std::uint32_t>& there, std::size_t quorum) { return there.size() >= quorum; }

// ---- CLDP-SGD (Girgis et al. 2021) -----------------------------------------------------------------------

// One message: which client, and about which of its records.
struct Sender {
  std::uint32_t client, record;
};
// Algorithm 1: the shuffler chooses k of m clients, each of them s of its r records; their messages, shuffled.
std::vector<Sender> chosen(std::uint32_t m, std::uint32_t r, std::uint32_t k, std::uint32_t s, Random& random);
// Remark 1: every client sends s messages, and of all of them the shuffler keeps k s.
std::vector<Sender> pooled(std::uint32_t m, std::uint32_t r, std::uint32_t k, std::uint32_t s, Random& random);

// ---- DP-SGD (van Dijk and Nguyen 2022) -------------------------------------------------------------------

// Algorithm 1, line 10: a uniform set of b of n records, drawn afresh in every round; or the n/b batches of an epoch as
// a partition, one after the other.
std::vector<std::uint32_t> fresh_batch(std::uint32_t n, std::uint32_t b, Random& random);
std::vector<std::vector<std::uint32_t>> partition_into_batches(std::uint32_t n, std::uint32_t b, Random& random);

}  // namespace epsilary::experiments
