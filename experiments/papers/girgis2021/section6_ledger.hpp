// The training run of Girgis et al. 2021, Section 6, epoch by epoch, under every bound the paper may have used.
// It reports accuracies at eps = 5 and eps = 10 without saying which bound, nor at which epoch.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

inline constexpr std::string_view section6_id = "girgis2021-section6";
inline constexpr std::string_view section6_source = "Girgis et al. 2021, Section 6 (a table)";

// As printed: 80 epochs on MNIST, one record per client. One epoch is 60000/10000 = 6 steps; were each
// step called an epoch, steps_per_epoch would be 1.
struct TrainingRun {
  bounds::Decimal eps0 = 2, delta = bounds::Decimal("1e-5"), share = bounds::Decimal("0.5");
  long clients = 60000, per_round = 10000, epochs = 80, steps_per_epoch = 6;
};

struct LedgerRow {
  std::string_view variant;  // the shuffle bound, by the id of its statement
  long epoch, T;
  bounds::Ball shuffled, step;             // epsilon of one round before and after subsampling
  bounds::Ball strong, advanced, optimal;  // epsilon so far, by composition
};

// Every variant, every epoch, in balls of the given precision.
std::vector<LedgerRow> section6_ledger(const TrainingRun& run = {}, long bits = 96);

// The rows of the ledger as printed, without computing them.
std::size_t section6_rows();

Table ledger_table(const std::vector<LedgerRow>& rows, int digits);

// The first epoch at which the epsilon of this column is proved to be at least the target; none if never.
std::optional<long> epoch_reaching(const std::vector<LedgerRow>& rows, std::string_view variant,
                                   bounds::Ball LedgerRow::*column, double target);

// Whether the layers of Table 1 can have so many parameters, for some number of inputs of the fully
// connected layer and some choice of the layers that have a bias.
bool table1_allows(long parameters);

}  // namespace epsilary::experiments
