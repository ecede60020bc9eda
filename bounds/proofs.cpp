#include "bounds/proofs.hpp"

#include <algorithm>

namespace bounds {
namespace {

struct Entry {
  std::string_view id;        // a whole id, or all that begin with it where it ends in '-'
  std::string_view sections;  // of PROOFS.md
};

constexpr Entry written_here[] = {
    {"mironov2017-response", "response"},
    {"epsilary-approximate-rdp", "approximate, response"},
    {"checkin2022-lem2", "conversion"},
    {"asoodeh2021-", "conversion"},
    {"wang2019-subsampling", "wang"},
    {"feldman2021-clones", "clones"},
    {"checkin2022-thm2", "mixture, association, truncation; the moment given K from girgis2021b-shuffle"},
    {"checkin2022-thm2-real", "order, mixture, association, truncation; the moment given K from girgis2021b-shuffle"},
    {"checkin2022-thm2-exact", "mixture, truncation; the moment given K from girgis2021b-shuffle"},
    {"checkin2022-thm2-exact-real", "order, mixture, truncation; the moment given K from girgis2021b-shuffle"},
    {"checkin2022-thm3", "lower"},
    {"checkin2022-thm3-sharp", "lower"},
    {"checkin2022-thm3-exact", "lower, truncation"},
    {"epsilary-subsampled-response", "lower, truncation"},
    {"epsilary-subsampled-clones", "clones, subsampling"},
    {"epsilary-shuffled-checkin-rdp", "clones, subsampling, mixture, population"},
    {"epsilary-shuffled-checkin-pld", "clones, subsampling, mixture, population"},
    {"epsilary-lower-shuffled-checkin", "lower, population"},
    {"epsilary-distributed-checkin-pld", "distributed, subsampling, mixture, population"},
    {"epsilary-lower-distributed-checkin", "distributed, opposite"},
    {"epsilary-cldp-sgd-pld", "chosen, clones, subsampling, population"},
    {"epsilary-lower-cldp-sgd", "chosen, lower"},
    {"epsilary-lower-dp-sgd", "opposite"},
    {"epsilary-lower-rr-mixed", "ones"},
    {"epsilary-checkin-moment", "association"},
    {"checkin2022-thm4", "distributed, wang, mixture, truncation"},
    {"checkin2022-thm4-real", "order, distributed, wang, mixture, truncation"},
    {"checkin2022-thm4-eq11", "distributed, association"},
    {"checkin2022-thm4-quorum", "distributed, wang, mixture"},
    {"checkin2022-thm4-dropout", "association, distributed"},
    {"checkin2022-thm4-removal", "removal"},
    {"checkin2022-thm4-removal-client", "removal"},
    {"epsilary-removal-", "removal"},
    {"checkin2022-dropout", "association"},
    {"epsilary-generic-a", "approximate, response, mixture; the shuffle's epsilon from feldman2021-closed"},
    {"epsilary-generic-b", "subsampling, approximate, mixture; the shuffle's epsilon from feldman2021-closed"},
    {"epsilary-shuffled-gaussian", "gaussian"},
    {"epsilary-shuffled-gaussian-checkin", "gaussian, mixture, truncation"},
    {"checkin2022-fig1-", "baselines"},
    {"checkin2022-sec5.1-", "baselines"},
};

// What refutes a statement, where that is written out.
constexpr Entry refuted_here[] = {
    {"checkin2022-lem3", "conversion"},         {"checkin2022-generic", "conversion"},
    {"checkin2022-thm2-printed", "mixture"},    {"checkin2022-thm2-exact-printed", "mixture"},
    {"checkin2022-thm4-printed", "mixture"},    {"checkin2022-thm4-eq11-printed", "mixture"},
    {"epsilary-generic-b-wang", "subsampling"}, {"checkin2022-sec5.1-printed-", "baselines"},
};

template <std::size_t N>
std::string_view find(const Entry (&list)[N], std::string_view id) {
  const auto it = std::ranges::find_if(
      list, [&](const Entry& e) { return e.id.ends_with('-') ? id.starts_with(e.id) : id == e.id; });
  return it == std::end(list) ? "" : it->sections;
}

}  // namespace

std::string proof_of(const Bound& b) {
  if (const auto sections = find(refuted_here, b.id); !sections.empty())
    return "none that holds; what is wrong: bounds/PROOFS.md, " + std::string(sections);
  if (const auto sections = find(written_here, b.id); !sections.empty())
    return "bounds/PROOFS.md, " + std::string(sections);
  switch (b.standing) {
    case Standing::unsound:
      return "none: it is not true as printed";
    case Standing::rate:
      return "of the rate, in the source; its constants are dropped there";
    case Standing::approximate:
      return "none: a limit or a heuristic";
    case Standing::proved:
    case Standing::repaired:
    case Standing::published:
      return b.source.starts_with("epsilary") ? "" : "in the source";
  }
  return "";
}

}  // namespace bounds
