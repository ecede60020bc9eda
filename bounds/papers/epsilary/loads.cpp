#include "bounds/theory/checkin/loads.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "bounds/theory/checkin/approximate.hpp"

namespace epsilary::bounds {

namespace {

// The weights of the sums of squares, bins added one by one.
template <class N>
std::map<std::int64_t, N> square_weights(std::int64_t n, std::int64_t m) {
  using Weights = std::vector<std::map<std::int64_t, N>>;  // [users][sum of squares]
  const auto size = static_cast<std::size_t>(n) + 1;
  Weights now(size);
  now[0][0] = N(1);
  for (std::int64_t bin = 0; bin < m; ++bin) {
    Weights next(size);
    for (std::size_t b = 0; b < size; ++b)
      for (const auto& [s, weight] : now[b]) {
        N share = weight;
        for (std::size_t l = 0; b + l < size; ++l) {
          if (l > 0) share = share / N(static_cast<int>(l));
          N& sum = next[b + l][s + static_cast<std::int64_t>(l * l)];
          sum = sum + share;
        }
      }
    now = std::move(next);
  }
  return now.back();
}

// The largest sum of squares that is reached or exceeded with more than this share of all weight.
template <class N>
std::int64_t quantile(const std::map<std::int64_t, N>& all, const N& share) {
  N total(0), tail(0);
  for (const auto& [s, weight] : all) total = total + weight;
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    tail = tail + at->second;
    if (tail > share * total) return at->first;
  }
  return 0;
}

}  // namespace

// In double, whose rounding is far below 1e-11; exactly where delta is that close to a jump.
std::int64_t loads::exact_square(std::int64_t n, std::int64_t m, const Rational& delta) {
  const std::map<std::int64_t, double> all = square_weights<double>(n, m);
  const double share = from_rational<double>(delta);
  const std::int64_t above = quantile(all, share * (1 - 1e-11));
  return above == quantile(all, share * (1 + 1e-11)) ? above : quantile(square_weights<Rational>(n, m), delta);
}

namespace {

using enum Param;

const char* const chernoff_formula =
    R"(\sqrt t:\ m\,e^{B+1-\mu-(B+1)\log((B+1)/\mu)}+2e^{-rt}\left(\mathbb{E}e^{r\min(Y,B)^2}\right)^m=\delta,\ Y\sim\mathrm{Poisson}(\mu),\ \mu=n/m)";

// Theorem A.5 at the delta it keeps; the loads spend delta2 beside.
struct AveragedWithLoads {
  static constexpr std::string_view lacks = "room in delta for the loads";
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R norm_ = loads::chernoff_norm(x[n], x[m], x[delta2]);
    Answer<R> answer = with_cap(checkin::averaged_given_load(x[eps0], x[n], norm_, x[delta]), x[eps0]);
    answer.beside = {{"load", norm_}};
    return {answer, log(x[delta2])};
  }
};

Bound averaged_with_loads() {
  return {
      .id = "epsilary-averaged-loads",
      .title = "Random check-ins with averaged updates, Theorem 4.1 with the sharper bound of the loads",
      .protocol = "checkin-averaged",
      .source = "epsilary; Balle et al. 2020, Theorem A.5 with the loads of epsilary-loads-chernoff",
      .formula = R"(\text{Theorem A.5 at the norm exceeded with probability }\delta_2;\quad\delta'=\delta+\delta_2)",
      .note = "still above epsilary-averaged, which needs no bound of the loads",
      .proof = "bins, loads",
      .needs = {eps0, n, m, delta, delta2},
      .rises = {eps0},
      .falls = {n, delta, delta2},
      .evaluate = checkin::printed<AveragedWithLoads>(),
  };
}

Bound averaged_of_whole() {
  Bound b = parts_found(averaged_with_loads(), {eps0, n, m, delta}, checkin::best_delta2_of<AveragedWithLoads>());
  b.falls = {n, delta};
  return b;
}

Hypothesis few_per_bin() {
  return exactly("n <= 10^6 m, as the sum over one bin has about 100 sqrt(n/m) terms; balle2020-lemA.6 has none",
                 [](const auto& x) { return x[n] <= 1000000 * x[m]; });
}
Bound with_few_per_bin(Bound b) {
  b.assumes = {few_per_bin()};
  return b;
}

}  // namespace

std::span<const Bound> epsilary_loads() {
  static const Bound list[] = {
      {
          .id = "epsilary-loads-exact",
          .title = "Euclidean norm of the loads, its exact quantile",
          .protocol = "checkin-averaged",
          .source = "epsilary; all ways to fill the bins counted, in place of Lemma A.6 of Balle et al. 2020",
          .formula = R"(\min\{v:\Pr(\|L\|_2>v)\le\delta\})",
          .quantity = Quantity::count,
          .proof = "loads",
          .adjacency = Adjacency::none,
          .needs = {n, m, delta},
          .rises = {n},
          .falls = {delta},
          .assumes = {exactly("n <= 40 and m <= 40; for more use epsilary-loads-chernoff",
                              [](const auto& x) { return x[n] <= 40 && x[m] <= 40; })},
          .evaluate = each_number([]<Real R>(const Values<R>& x) -> R {
            const Rational share =
                x.is_exact(delta) ? x.exact(delta) : Decimal::nearest(to_double(x[delta]), 17).exact();
            return sqrt(
                R(loads::exact_square(nearest_integer(to_double(x[n])), nearest_integer(to_double(x[m])), share)));
          }),
      },
      {
          .id = "epsilary-loads-chernoff",
          .title = "Euclidean norm of the loads, by Chernoff's bound on the squares",
          .protocol = "checkin-averaged",
          .source = "epsilary; Poisson loads cut at B, in place of Lemma A.6 of Balle et al. 2020",
          .formula = chernoff_formula,
          .quantity = Quantity::count,
          .proof = "loads",
          .adjacency = Adjacency::none,
          .needs = {n, m, delta},
          .rises = {n},  // in delta it rises a little where B jumps
          .assumes = {few_per_bin()},
          .evaluate = each_number([](const auto& x) { return loads::chernoff_norm(x[n], x[m], x[delta]); }),
      },
      with_few_per_bin(averaged_with_loads()),
      with_few_per_bin(averaged_of_whole()),
  };
  return list;
}

}  // namespace epsilary::bounds
