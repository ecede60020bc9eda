#include "experiments/papers/girgis2021/section6_ledger.hpp"

#include "bounds/theory/cldp/privacy.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

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
const Variant variants[] = {
    {"balle2019-stated", add<blanket::Stated>},
    {"balle2019-hoeffding", add<blanket::Hoeffding<blanket::Generic>>},
    {"balle2019-bennett", add<blanket::Bennett<blanket::Generic>>},
    {"epsilary-blanket-joint", add<blanket::Joint<blanket::Generic>>},
    {"epsilary-blanket-tight", add<blanket::Joint<blanket::GenericTight>>},
    {"balle2019-hoeffding-rr", add<blanket::Hoeffding<blanket::RandomisedResponse>>},
    {"balle2019-bennett-rr", add<blanket::Bennett<blanket::RandomisedResponse>>},
};

}  // namespace

std::vector<LedgerRow> section6_ledger(const TrainingRun& run, long bits) {
  const Ball::Precision scope(bits);
  std::vector<LedgerRow> rows;
  for (const Variant& v : variants) v.add(rows, v.id, run);
  return rows;
}

std::size_t section6_rows() { return std::size(variants) * static_cast<std::size_t>(TrainingRun{}.epochs); }

Table ledger_table(const std::vector<LedgerRow>& rows, int digits) {
  Table table{{"bound", "epoch", "T", "shuffled", "step", "strong", "advanced", "optimal"}, {}};
  for (const LedgerRow& r : rows) {
    table.rows.push_back({std::string(r.variant), std::to_string(r.epoch), std::to_string(r.T)});
    for (const Ball* x : {&r.shuffled, &r.step, &r.strong, &r.advanced, &r.optimal})
      table.rows.back().push_back(decimal(*x, digits, Rounding::up));
  }
  return table;
}

std::optional<long> epoch_reaching(const std::vector<LedgerRow>& rows, std::string_view variant,
                                   Ball LedgerRow::*column, double target) {
  for (const LedgerRow& r : rows)
    if (r.variant == variant && certainly(r.*column >= Ball(target))) return r.epoch;
  return {};
}

bool table1_allows(long parameters) {
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

}  // namespace epsilary::experiments
