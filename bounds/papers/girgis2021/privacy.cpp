#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bounds/theory/cldp/privacy_formulas.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace cldp;
using blanket::Inequality;

const char* const step_formula =
    R"(\bar\varepsilon=\log(1+q(e^{\tilde\varepsilon}-1)),\quad \bar\delta=q\tilde\delta,\ q=\frac{k}{mr})";
const char* const strong_formula =
    R"(\sqrt{2T\log(1/\delta')}\bar\varepsilon+T\bar\varepsilon(e^{\bar\varepsilon}-1),\ \bar\varepsilon=\log(1+q(e^{\tilde\varepsilon}-1)),\ \delta=qT\tilde\delta+\delta')";
const char* const optimal_formula =
    R"(\text{Kairouz et al.'s exact composition of } T \text{ rounds of } \bar\varepsilon=\log(1+q(e^{\tilde\varepsilon}-1)),\ \delta=qT\tilde\delta+\delta')";

// One round, T rounds by strong composition, and T rounds by the optimal one.
void add(std::vector<Bound>& out, Inequality by, const std::string& name, const std::string& words) {
  const bool response = name.ends_with("rr");  // the paper's mechanism for the largest norm, not any randomizer
  const Bound common{
      .protocol = response ? "cldp-sgd-rr" : "cldp-sgd",
      .note =
          "for one message per chosen client; with more, an unchosen client can change several messages: "
          "girgis2021-remark1 has another sampling",
      .proof = "chosen, blanket, subsampling, composition",
      .takes = {records},
      .rises = {eps0},
      .falls = {clients, delta},
      .assumes = {drawn_from_the_clients()},
  };
  Bound step = common;
  step.id = "girgis2021-lem3-" + name;
  step.protocol = response ? "cldp-sgd-rr-round" : "cldp-sgd-round";
  step.title = "One round of CLDP-SGD, " + words;
  step.source = "Girgis et al. 2021, Lemma 3, with an explicit shuffle bound";
  step.formula = step_formula;
  step.needs = {eps0, clients, per_round, delta};
  step.evaluate = round_by(by);
  out.push_back(step);

  Bound strong = common;
  const std::string id = "girgis2021-thm1-privacy" + (name == "stated" ? "" : "-" + name);
  strong.id = id;
  strong.title = "CLDP-SGD by strong composition, " + words;
  strong.source = "Girgis et al. 2021, Theorem 1, part 1, with the explicit chain of Section 6";
  strong.formula = strong_formula;
  strong.needs = {eps0, clients, per_round, T, delta};
  strong.takes.push_back(share);
  strong.rises.push_back(T);
  strong.evaluate = strong_rounds_by(by);
  out.push_back(strong);

  Bound optimal = strong;
  optimal.id = id + "-optimal";
  optimal.title = "CLDP-SGD by optimal composition, " + words;
  optimal.source = "Girgis et al. 2021, Theorem 1, part 1; Kairouz, Oh and Viswanath 2015, Theorem 3.3";
  optimal.formula = optimal_formula;
  optimal.evaluate = optimal_rounds_by(by);
  out.push_back(optimal);
}

// The sampling of Remark 1: every client sends `samples` messages, about as many of its records, and the shuffler keeps
// per_round times samples of all of them.
void add_pooled(std::vector<Bound>& out, Inequality by, const std::string& id, const std::string& words) {
  out.push_back({
      .id = id,
      .title = "CLDP-SGD with several messages of a client, by strong composition, " + words,
      .protocol = "cldp-sgd-pooled",
      .source = "Girgis et al. 2021, Remark 1, with the explicit chain of Section 6",
      .formula = std::string(strong_formula) + R"(,\ q=\frac{ks}{mr})",
      .note =
          "every client sends samples messages and the shuffler keeps per_round times samples of them, as in Remark "
          "1; not for Algorithm 1 itself with s > 1, where an unchosen client takes several messages with it",
      .proof = "pooled, blanket, subsampling, composition",
      .needs = {eps0, clients, records, per_round, samples, T, delta},
      .takes = {share},
      .rises = {eps0, T},
      .falls = {clients, records, delta},
      .assumes = {drawn_from_the_clients(), samples_of_the_records()},
      .example = "--eps0 1 --clients 10000 --records 10 --per_round 1000 --samples 2 --T 100 --delta 1e-6",
      .evaluate = strong_rounds_by(by),
  });
}

// A statement in q and n, and the same in clients and per_round.
void add_both(std::vector<Bound>& out, Bound form, std::vector<Param> through_clients) {
  out.push_back(form);
  form.needs = std::move(through_clients);
  form.takes = {records};
  form.assumes.push_back(drawn_from_the_clients());
  out.push_back(std::move(form));
}

void add_rates(std::vector<Bound>& out) {
  Hypothesis moderate_eps0 = provably("eps0 <= log(q n/log(1/delta))/2, q n = per_round",
                                      [](const Values<Ball>& x) { return largest_eps0_at(x) - x[eps0]; });
  moderate_eps0.limit = largest_eps0_at;
  add_both(
      out,
      {
          .id = "girgis2021-lem3",
          .title = "One round of CLDP-SGD, order of magnitude",
          .protocol = "cldp-sgd-round",
          .source = "Girgis et al. 2021, Lemma 3",
          .formula =
              R"(\log(1+q(e^{\tilde\varepsilon}-1)),\ \tilde\varepsilon=\min\{\varepsilon_0,1\}e^{\varepsilon_0}\sqrt{\frac{\log(1/\delta)}{qn}})",
          .side = Side::estimate,
          .standing = Standing::rate,
          .note = "the constant of the O(.) is taken as 1; the printed step has epsilon-bar on both sides, "
                  "epsilon-tilde on the right is meant",
          .needs = {eps0, q, n, delta},
          .rises = {eps0},
          .assumes = {moderate_eps0},
          .evaluate = round_order(),
      },
      {eps0, clients, per_round, delta});
  add_both(out,
           {
               .id = "girgis2021-lem3-limit",
               .title = "The largest eps0 that Lemma 3 admits",
               .protocol = "cldp-sgd-round",
               .source = "Girgis et al. 2021, Lemma 3",
               .formula = R"(\frac12\log\frac{qn}{\log(1/\delta)})",
               .quantity = Quantity::limit,
               .side = Side::lower,
               .standing = Standing::published,
               .note = "a limit of the hypothesis of Lemma 3 on eps0, no epsilon; negative where it admits none",
               .adjacency = Adjacency::none,
               .needs = {q, n, delta},
               .rises = {delta},
               .evaluate = largest_eps0(),
           },
           {per_round, delta});
  add_both(out,
           {
               .id = "girgis2021-thm1-privacy-rate",
               .title = "CLDP-SGD, order of magnitude",
               .protocol = "cldp-sgd",
               .source = "Girgis et al. 2021, Theorem 1, (5)",
               .formula = R"(\varepsilon_0\sqrt{\frac{qT\log(2qT/\delta)\log(2/\delta)}{n}})",
               .side = Side::estimate,
               .standing = Standing::rate,
               .note = "for eps0 = O(1), with the constant of the O(.) taken as 1; the text cites it as (49)",
               .needs = {eps0, q, n, T, delta},
               .rises = {eps0, T},
               .assumes = {exactly("2 q T > delta",
                                   [](const Values<Rational>& x) { return 2 * rate_of(x) * x[T] > x[delta]; })},
               .evaluate = rounds_order(),
           },
           {eps0, clients, per_round, T, delta});
}

}  // namespace

std::span<const Bound> girgis2021_privacy() {
  static const std::vector<Bound> list = [] {
    using enum Inequality;
    std::vector<Bound> out;
    add(out, stated, "stated", "closed blanket bound");
    add(out, hoeffding, "hoeffding", "Hoeffding's blanket bound");
    add(out, bennett, "bennett", "Bennett's blanket bound");
    add(out, joint, "joint", "blanket bound with one gamma");
    add(out, joint_tight, "tight", "blanket bound with one gamma and the tight range");
    add(out, hoeffding_response, "rr", "Hoeffding's blanket bound of R_infinity");
    add(out, bennett_response, "bennett-rr", "Bennett's blanket bound of R_infinity");
    add_pooled(out, stated, "girgis2021-remark1", "closed blanket bound");
    add_pooled(out, joint_tight, "girgis2021-remark1-tight", "blanket bound with one gamma and the tight range");
    add_rates(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
