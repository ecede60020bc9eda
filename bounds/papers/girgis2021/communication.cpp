#include <span>

#include "bounds/theory/cldp/communication_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace cldp;

Hypothesis clients_and_per_round() {
  return exactly("per_round <= clients, both given or neither", [](const auto& x) {
    return x.has(per_round) == x.has(clients) && (!x.has(clients) || x[per_round] <= x[clients]);
  });
}

void add_both_alphabets(std::vector<Bound>& out, Bound form) {
  form.protocol = "cldp-sgd";
  form.quantity = Quantity::bits;
  form.adjacency = Adjacency::none;
  form.takes = {clients, per_round, T};
  form.rises = {samples, T};
  form.assumes = {clients_and_per_round()};
  form.needs = {samples, bits};
  form.assumes.push_back(exactly("bits is an integer", [](const auto& x) { return is_integer(x[bits]); }));
  out.push_back(form);
  form.needs = {samples, dim};
  form.assumes.pop_back();
  out.push_back(std::move(form));
}

}  // namespace

std::span<const Bound> girgis2021_communication() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    out.push_back({
        .id = "girgis2021-thm1-bits",
        .title = "Bits of one message; on average per client and round with clients and per_round, in all with T",
        .protocol = "cldp-sgd",
        .source = "Girgis et al. 2021, Theorem 1, part 2",
        .formula = R"(\frac{k}{m}b,\quad b=\log_2 d+1 \text{ for } p\in\{1,\infty\},\ d(\log_2 e+1) \text{ otherwise})",
        .quantity = Quantity::bits,
        .standing = Standing::published,
        .note = "norm left out means infinity; for p = 2 Theorem 4 has d log e + 1 in the text at hand, which is less "
                "from d = 2 on, and no count of the messages is there",
        .adjacency = Adjacency::none,
        .needs = {dim},
        .takes = {norm, clients, per_round, T},
        .rises = {dim, T},
        .assumes = {clients_and_per_round()},
        .evaluate = message_bits(),
    });
    out.push_back({
        .id = "girgis2021-thm4-bits",
        .title = "Bits of one message for p = 2, as Theorem 4 prints them",
        .protocol = "cldp-sgd",
        .source = "Girgis et al. 2021, Theorem 4",
        .formula = R"(d\log_2 e+1)",
        .quantity = Quantity::bits,
        .standing = Standing::published,
        .note = "less than the d(log e + 1) of Theorem 1 (girgis2021-thm1-bits) from d = 2 on; the text at hand counts "
                "the messages of neither",
        .adjacency = Adjacency::none,
        .needs = {dim},
        .takes = {clients, per_round, T},
        .rises = {dim, T},
        .assumes = {clients_and_per_round()},
        .evaluate = message_bits_thm4(),
    });
    add_both_alphabets(out, {
                                .id = "girgis2021-thm1-bits-histogram",
                                .title = "Bits of several messages as a histogram",
                                .source = "Girgis et al. 2021, Section 5.3.2; Mayekar and Tyagi 2020",
                                .formula = R"(s\left(\log_2 e+\log_2\frac{s+B-1}{s}\right))",
                                .proof = "messages",
                                .evaluate = histogram_bits_at_most(),
                            });
    add_both_alphabets(out, {
                                .id = "girgis2021-thm1-bits-exact",
                                .title = "Bits of several messages as a histogram, counted exactly",
                                .source = "Girgis et al. 2021, Section 5.3.2",
                                .formula = R"(\log_2\binom{s+B-1}{s})",
                                .proof = "messages",
                                .evaluate = histogram_bits_exactly(),
                            });
    add_both_alphabets(out, {
                                .id = "girgis2021-thm1-bits-naive",
                                .title = "Bits of several messages, one after the other",
                                .source = "Girgis et al. 2021, Section 5.3.2",
                                .formula = R"(s\log_2 B)",
                                .proof = "messages",
                                .evaluate = bits_one_by_one(),
                            });
    out.push_back({
        .id = "girgis2021-sec6-saving",
        .title = "A gradient in full precision against one message of R_infinity",
        .protocol = "cldp-sgd",
        .source = "Girgis et al. 2021, Section 6",
        .formula = R"(\frac{32d}{\lceil\log_2 d\rceil+1})",
        .quantity = Quantity::ratio,
        .side = Side::exact,
        .note = "28096 at d = 13170, which does not follow from the layers of Table 1: without the fully connected "
                "layer's weights 3634 parameters are left, and no number of inputs and no choice of biases gives them",
        .proof = "messages",
        .adjacency = Adjacency::none,
        .needs = {dim},
        .evaluate = saving_of_a_message(),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
