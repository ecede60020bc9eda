#include "solvers/sums/integrate.hpp"

#include <algorithm>
#include <map>

namespace epsilary::solvers {

Ball integrate(const Integrand& f, const Ball& a, const Ball& b) {
  acb_t from, to, sum;
  acb_init(from);
  acb_init(to);
  acb_init(sum);
  acb_set_arb(from, a.arb());
  acb_set_arb(to, b.arb());
  mag_t tolerance;
  mag_init(tolerance);
  struct Counted {
    const Integrand& f;
    double calls;
  } counted{f, 0};
  const auto call = [](acb_ptr value, const acb_t t, void* integrand, slong order, slong bits) {
    Counted& c = *static_cast<Counted*>(integrand);
    ++c.calls;
    c.f(value, t, order != 0, bits);
    return 0;
  };
  // No exception may pass through Arb: it is told how often it may call, and returns a wider ball where that is not
  // enough.
  const double per_call = 16 * Ball::costs().function, bits = static_cast<double>(Ball::precision());
  acb_calc_integrate_opt_t options;
  acb_calc_integrate_opt_init(options);
  options->eval_limit = static_cast<slong>(std::clamp(work_left() / per_call, 1.0, 1000 * bits + bits * bits));
  acb_calc_integrate(sum, call, &counted, from, to, Ball::precision(), tolerance, options, Ball::precision());
  Ball result;
  acb_get_real(result.arb(), sum);
  mag_clear(tolerance);
  acb_clear(from);
  acb_clear(to);
  acb_clear(sum);
  spend(per_call * counted.calls);
  return result;
}

std::shared_ptr<const GaussRule> gauss_rule(int n) {
  constexpr std::size_t most = 64;  // rules that a thread remembers
  thread_local std::map<std::pair<int, std::int64_t>, std::shared_ptr<const GaussRule>> known;
  const std::pair<int, std::int64_t> asked{n, Ball::precision()};
  if (const auto at = known.find(asked); at != known.end()) return at->second;
  const Uncounted table;
  GaussRule rule;
  rule.node.resize(static_cast<std::size_t>(n));
  rule.weight.resize(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < rule.node.size(); ++k)
    arb_hypgeom_legendre_p_ui_root(rule.node[k].arb(), rule.weight[k].arb(), static_cast<ulong>(n), k,
                                   Ball::precision());
  if (known.size() >= most) known.clear();
  return known[asked] = std::make_shared<const GaussRule>(std::move(rule));
}

Ball gauss_error(int n, const Ball& r) { return 8 * pow(r, Ball(-2 * n)) / (1 - 1 / (r * r)); }

}  // namespace epsilary::solvers
