#include "bounds/theory/shuffle/gaussian_formulas.hpp"

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/shuffled.hpp"
#include "bounds/theory/shuffle/gaussian_reports.hpp"

namespace epsilary::bounds::shuffled_gaussian {
namespace {

using enum Param;

struct AllReport {
  static constexpr Orders orders = Orders::integer;
  static constexpr double largest = 0x1p11;  // the power of a series costs the square of its length
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Shuffled<M> base{M(x[sigma]), M(order)};
    return {renyi::divergence<R>(base(count_of(x[n]), M(1)), order)};
  }
};

struct CheckIn {
  static constexpr Orders orders = Orders::integer;
  static constexpr double largest = 0x1p9;  // the same for every number of check-ins
  static constexpr bool sketched = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Shuffled<M> base{M(x[sigma]), M(order)};
    return {renyi::divergence<R>(shuffled::checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order), base), order)};
  }
};

}  // namespace

RoundForms all_report() { return rounds_of<AllReport>(); }
RoundForms check_in() { return rounds_of<CheckIn>(); }

}  // namespace epsilary::bounds::shuffled_gaussian
