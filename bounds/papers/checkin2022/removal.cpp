#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/removal_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

Hypothesis somebody_else() {
  return exactly("n > quorum", [](const Values<Rational>& x) { return x[n] > x[quorum]; });
}
Hypothesis somebody_checks_in() {
  return exactly("gamma > 0; at gamma = 0 P(K' >= quorum) = 0", [](const Values<Rational>& x) { return x[gamma] > 0; });
}

void add_checkin(std::vector<Bound>& list) {
  Bound form{
      .id = "checkin2022-thm4-removal",
      .title = "Distributed check-in under removal, noise of the same variance either way",
      .protocol = "distributed-checkin-equal-noise",
      .source = "epsilary; Self check-in 2022, Remark 4 (its Appendix B is not in the text)",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\mathrm E\Big[\sum_{j=2}^\lambda\tbinom\lambda j(1-\gamma)^{\lambda-j}\gamma^j(e^{j(j-1)/(2K'\sigma^2)}-1)\,\Big|\,K'\ge k_0\Big]\Big);\quad\delta'=\delta+T\,\mathrm P(K'<k_0))",
      .note = count_hidden_note,
      .proof = "removal, truncation",
      .adjacency = Adjacency::remove,
      .view = View::count_hidden,
      .needs = {n, gamma, multiplier, quorum},
      .falls = {multiplier},
      .assumes = {assume::integer_order(), assume::countable_clients(), somebody_else(), somebody_checks_in()},
  };
  add_forms(list, form, removal::of_check_ins());
  form.id = "checkin2022-thm4-removal-client";
  form.title = "Distributed check-in under removal, each client adding its own noise";
  form.protocol = "distributed-checkin";
  form.source = "epsilary; Self check-in 2022, Remark 4, with the noise the clients really add";
  form.formula =
      R"(\text{as checkin2022-thm4-removal with }\left(\left(\tfrac{k}{k+1}\right)^j\tfrac{k+1}{k+1-j}\right)^{d/2}e^{j(j-1)/(2\sigma^2(k+1-j))}\text{ and the bound }\tbinom\lambda2(1-\gamma)^{-1-\lambda}\gamma^2(\mathrm E R^2-1)\text{ on the other direction})";
  form.note =
      "the variance tells in every dimension whether the client takes part; orders above the quorum, which counts the "
      "other clients, are infinite";
  form.needs.push_back(dim);
  form.assumes.push_back(assume::within<lambda, quorum>());
  form.assumes.push_back(exactly("quorum >= 2", [](const Values<Rational>& x) { return x[quorum] >= 2; }));
  form.assumes.push_back(assume::below_one<gamma>());
  add_forms(list, form, removal::of_check_ins_own_noise());
}

}  // namespace

std::span<const Bound> checkin2022_removal() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_checkin(out);
    out.push_back({
        .id = "checkin2022-dropout",
        .title = "Rate of check-in after dropout",
        .protocol = "shuffled-checkin",
        .source = "Self check-in 2022, Section 3",
        .formula = R"(\gamma(1-p'))",
        .quantity = Quantity::ratio,
        .side = Side::exact,
        .note = "if all clients drop out at this one rate, independently of their data: then they check in at the rate "
                "given here, and for shuffled check-in the one before dropout is safe too; not for a noisy sum "
                "(checkin2022-thm4-dropout), and not where clients differ",
        .proof = "association",
        .adjacency = Adjacency::none,
        .needs = {gamma, dropout},
        .rises = {gamma},
        .falls = {dropout},
        .evaluate = each_number([]<Real R>(const Values<R>& x) { return R(x[gamma] * x.complement(dropout)); }),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
