// The training run of Girgis et al. 2021, Section 6, epoch by epoch, from the formulas alone: what the statements and
// the recorded series are compared with.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bounds/theory/cldp/privacy.hpp"
#include "solvers/numbers/decimal.hpp"

namespace section6 {

using namespace epsilary::bounds;

// As printed: 80 epochs on MNIST, one record per client. One epoch is 60000/10000 = 6 steps; were each
// step called an epoch, steps_per_epoch would be 1.
struct TrainingRun {
  Decimal eps0 = 2, delta = Decimal("1e-5"), share = Decimal("0.5");
  long clients = 60000, per_round = 10000, epochs = 80, steps_per_epoch = 6;
};

struct LedgerRow {
  std::string_view variant;  // the shuffle bound, by the id of its statement
  long epoch, T;
  Ball shuffled, step;             // epsilon of one round before and after subsampling
  Ball strong, advanced, optimal;  // epsilon so far, by composition
};

template <class ShuffleBound>
void add(std::vector<LedgerRow>& rows, std::string_view variant, const TrainingRun& plan) {
  for (long epoch = 1; epoch <= plan.epochs; ++epoch) {
    const long T = epoch * plan.steps_per_epoch;
    const cldp::Run<Ball> run{Ball(plan.eps0.exact()), plan.clients, 1, plan.per_round, T, Ball(plan.delta.exact())};
    const Ball share(plan.share.exact()), rest = share * run.delta;
    const auto round = cldp::one_round<ShuffleBound>(run, cldp::log_round_delta(run, share));
    rows.push_back({variant, epoch, T, round.shuffled, round.step, cldp::Strong{}(round.step, run.T, rest),
                    cldp::Advanced{}(round.step, run.T, rest), cldp::Optimal{}(round.step, run.T, rest)});
  }
}

// Every bound the paper may have used, by the id of its statement.
struct Variant {
  std::string_view id;
  void (*add)(std::vector<LedgerRow>&, std::string_view, const TrainingRun&);
};
inline const Variant variants[] = {
    {"balle2019-stated", add<blanket::Stated>},
    {"balle2019-hoeffding", add<blanket::Hoeffding<blanket::Generic>>},
    {"balle2019-bennett", add<blanket::Bennett<blanket::Generic>>},
    {"epsilary-blanket-joint", add<blanket::Joint<blanket::Generic>>},
    {"epsilary-blanket-tight", add<blanket::Joint<blanket::GenericTight>>},
    {"balle2019-hoeffding-rr", add<blanket::Hoeffding<blanket::RandomisedResponse>>},
    {"balle2019-bennett-rr", add<blanket::Bennett<blanket::RandomisedResponse>>},
};

// Every variant, every epoch, in balls of the given precision.
inline std::vector<LedgerRow> section6_ledger(const TrainingRun& run = {}, long bits = 96) {
  const Ball::Precision scope(bits);
  std::vector<LedgerRow> rows;
  for (const Variant& v : variants) v.add(rows, v.id, run);
  return rows;
}

// The first epoch at which the epsilon of this column is proved to be at least the target; none if never.
inline std::optional<long> epoch_reaching(const std::vector<LedgerRow>& rows, std::string_view variant,
                                          Ball LedgerRow::*column, double target) {
  for (const LedgerRow& r : rows)
    if (r.variant == variant && certainly(r.*column >= Ball(target))) return r.epoch;
  return {};
}

// Whether the layers of Table 1 can have so many parameters, for some number of inputs of the fully
// connected layer and some choice of the layers that have a bias.
inline bool table1_allows(long parameters) {
  constexpr long weights = 16 * 8 * 8 + 32 * 4 * 4 * 16 + 32 * 10, units = 32;
  for (int with_bias = 0; with_bias < 16; ++with_bias) {
    long left = parameters - weights;
    const long biases[] = {16, 32, units, 10};
    for (int layer = 0; layer < 4; ++layer)
      if (with_bias >> layer & 1) left -= biases[layer];
    if (left > 0 && left % units == 0) return true;
  }
  return false;
}

}  // namespace section6
