#include "experiments/protocols/pairs.hpp"

#include <cmath>
#include <map>
#include <string_view>

#include "experiments/protocols/checkins.hpp"

namespace epsilary::experiments {

double Reports::likelihood(std::uint32_t value, double w) const {
  if (value == 0) return 1;
  const double e = std::exp(response.eps0), own = counts[value], zeros = counts[0];
  double slots = 0;
  for (const std::uint32_t count : counts) slots += count;
  return slots == 0 ? 1 : 1 - w + w / slots * (e * own + zeros / e + (slots - own - zeros));
}

namespace {

// Randomised response: the record is 1 on the data set and 2 on its neighbour, or 0 where there is no third value.
struct Response {
  RandomisedResponse response;
  std::uint32_t record(bool neighbour) const { return !neighbour ? 1 : response.k == 2 ? 0 : 2; }
  double loss(const Reports& seen, double w) const {
    return std::log(seen.likelihood(record(false), w) / seen.likelihood(record(true), w));
  }
};

std::string words_of(const Response& r) {
  return r.response.k == 2 ? "binary response, the record 1 or 0, all others 0"
                           : "ternary response, the record 1 or 2, all others 0";
}

Pair respond(std::uint32_t k, double eps0, std::string statement,
             const std::function<double(const Response&, bool, Random&)>& run) {
  const Response response{{k, eps0}};
  return {"krr:" + std::to_string(k), words_of(response), std::move(statement),
          [=](bool neighbour, Random& random) { return run(response, neighbour, random); }};
}
// By ternary and by binary response.
std::vector<Pair> respond_both(double eps0, std::string ternary, std::string binary,
                               const std::function<double(const Response&, bool, Random&)>& run) {
  return {respond(3, eps0, std::move(ternary), run), respond(2, eps0, std::move(binary), run)};
}

// Whoever is asked answers; a dummy update is an answer about 0.
double answers_of(const Response& r, const std::vector<std::uint32_t>& asked, std::uint32_t who, bool neighbour,
                  double w, Random& random) {
  Reports seen(r.response);
  for (const std::uint32_t client : asked) seen.add(client == who ? r.record(neighbour) : 0, random);
  return r.loss(seen, w);
}

// That of m slots one is given to a client who checks in with probability p0 among n who do alike.
double used_in_window(double n, double m, double p0) { return m / n * -std::expm1(n * std::log1p(-p0 / m)); }

std::vector<Pair> of_shuffle(const Setting& at) {
  return respond_both(at["eps0"], "epsilary-lower-rr3", "epsilary-lower-rr",
                      [n = at.count("n")](const Response& r, bool neighbour, Random& random) {
                        return answers_of(r, shuffled(n, random), 0, neighbour, 1, random);
                      });
}

// Without n the client is alone.
std::vector<Pair> of_fixed_window(const Setting& at) {
  const std::uint32_t n = at.has("n") ? at.count("n") : 1, m = at.count("m");
  const double p0 = at["p0"], w = m == 1 && p0 == 1 ? 1.0 / n : used_in_window(n, m, p0);
  return respond_both(at["eps0"], "epsilary-lower-rr3-fixed", "epsilary-lower-rr-fixed",
                      [=](const Response& r, bool neighbour, Random& random) {
                        return answers_of(r, fixed_window(n, m, p0, random).asked, 0, neighbour, w, random);
                      });
}

// Every bin shows the sum of its answers and how many they are.
std::vector<Pair> of_averaged(const Setting& at) {
  const std::uint32_t n = at.count("n"), m = at.count("m");
  return respond_both(at["eps0"], "epsilary-lower-rr3-averaged", "epsilary-lower-rr-averaged",
                      [=](const Response& r, bool neighbour, Random& random) {
                        std::vector<Reports> bins(m, Reports(r.response));
                        const std::vector<std::uint32_t> bin_of = averaged_bins(n, m, random);
                        for (std::uint32_t j = 0; j < n; ++j)
                          bins[bin_of[j]].add(j == 0 ? r.record(neighbour) : 0, random);
                        Reports seen(r.response);
                        for (const Reports& bin : bins)
                          for (std::size_t v = 0; v < bin.counts.size(); ++v) seen.counts[v] += bin.counts[v];
                        return r.loss(seen, 1);  // each answer is the record's alike
                      });
}

std::vector<Pair> of_epoch(const Setting& at) {
  const std::uint32_t n = at.count("n"), m = at.count("m");
  const double p0 = static_cast<double>(m) / n, w = n == 1 ? 1 : used_in_window(n, m, p0);
  return respond_both(at["eps0"], "epsilary-lower-epoch", "epsilary-lower-epoch",
                      [=](const Response& r, bool neighbour, Random& random) {
                        double loss = 0;
                        for (std::uint32_t repetition = 0; repetition < n / m; ++repetition)
                          loss += answers_of(r, fixed_window(n, m, p0, random).asked, 0, neighbour, w, random);
                        return loss;
                      });
}

// A client whose window lies inside: of the answers only those in its window tell anything of it. Without n it is
// alone, and its window a fixed one.
std::vector<Pair> of_sliding_window(const Setting& at) {
  const std::uint32_t m = at.count("m"), n = at.has("n") ? at.count("n") : 1;
  const double w = m == 1 || n == 1 ? 1 : -std::expm1(m * std::log1p(-1.0 / m));
  return respond_both(at["eps0"], "epsilary-lower-rr3-sliding", "epsilary-lower-rr-sliding",
                      [=](const Response& r, bool neighbour, Random& random) {
                        if (n == 1) return answers_of(r, fixed_window(1, m, 1, random).asked, 0, neighbour, w, random);
                        std::vector<std::uint32_t> asked = sliding_window(n, m, random).asked;
                        asked.resize(m);  // slots m - 1, ..., 2 m - 2: the window of client m - 1
                        return answers_of(r, asked, m - 1, neighbour, w, random);
                      });
}

std::vector<Pair> of_shuffled_checkin(const Setting& at) {
  const std::uint32_t n = at.count("n"), T = at.count("T");
  const double gamma = at["gamma"];
  return respond_both(at["eps0"], "epsilary-lower-shuffled-checkin-ternary", "epsilary-lower-shuffled-checkin",
                      [=](const Response& r, bool neighbour, Random& random) {
                        double loss = 0;
                        for (std::uint32_t round = 0; round < T; ++round) {
                          const auto there = checked_in(n, gamma, 0, random);
                          loss += answers_of(r, there, 0, neighbour, static_cast<double>(there.size()) / n, random);
                        }
                        return loss;
                      });
}

// log(1 - q + q N(shift, 1)/N(0, 1)) at y.
double shifted_with_probability(double q, double shift, double y) {
  return std::log1p(q * std::expm1(shift * y - shift * shift / 2));
}

std::vector<Pair> of_distributed_checkin(const Setting& at) {
  const std::uint32_t n = at.count("n"), T = at.count("T");
  const double gamma = at["gamma"], sigma = at["multiplier"];
  const std::size_t quorum = at.has("quorum") ? at.count("quorum") : 1;
  const auto run = [=](bool neighbour, Random& random) {
    double loss = 0;
    for (std::uint32_t round = 0; round < T; ++round) {
      const auto there = checked_in(n, gamma, 0, random);
      if (!takes_place(there, quorum)) continue;
      double sum = 0;
      for (const std::uint32_t client : there) sum += (client == 0 && !neighbour ? 1 : -1) + sigma * random.normal();
      const auto k = static_cast<double>(there.size());
      loss += shifted_with_probability(k / n, 2 / (sigma * std::sqrt(k)), (sum + k) / (sigma * std::sqrt(k)));
    }
    return loss;
  };
  return {{"gauss", "the record u or -u, all others -u, u of norm 1", "epsilary-lower-distributed-checkin", run}};
}

// The record is the first of the first client.
bool is_record(const Sender& s) { return s.client == 0 && s.record == 0; }

std::vector<Pair> of_cldp_sgd(const Setting& at, bool pool) {
  const std::uint32_t m = at.count("clients"), r = at.has("records") ? at.count("records") : 1,
                      k = at.count("per_round"), s = pool ? at.count("samples") : 1, T = at.count("T"),
                      d = at.has("dim") ? at.count("dim") : 1;
  const double q = static_cast<double>(k) * s / (static_cast<double>(m) * r), eps0 = at["eps0"];
  const auto senders = [=](Random& random) { return pool ? pooled(m, r, k, s, random) : chosen(m, r, k, s, random); };
  const std::string binary = pool ? "epsilary-lower-cldp-sgd-pooled" : "epsilary-lower-cldp-sgd";
  std::vector<Pair> pairs;
  if (!pool)
    pairs.push_back(respond(3, eps0, "epsilary-lower-cldp-sgd-ternary",
                            [=](const Response& response, bool neighbour, Random& random) {
                              double loss = 0;
                              for (std::uint32_t round = 0; round < T; ++round) {
                                Reports seen(response.response);
                                for (const Sender& sender : senders(random))
                                  seen.add(is_record(sender) ? response.record(neighbour) : 0, random);
                                loss += response.loss(seen, q);
                              }
                              return loss;
                            }));
  // R_infinity itself: signs are seen, the coordinates say nothing.
  const Response signs{{2, eps0}};
  const MaxNormMechanism mechanism{1, d, eps0};
  pairs.push_back({"rinf", "R_infinity, the record a vertex of the cube or the opposite one, all others the opposite",
                   binary, [=](bool neighbour, Random& random) {
                     double loss = 0;
                     for (std::uint32_t round = 0; round < T; ++round) {
                       Reports seen(signs.response);
                       for (const Sender& sender : senders(random)) {
                         const double side = is_record(sender) && !neighbour ? 1 : -1;
                         const auto z = mechanism.answer(mechanism.draw_coordinate(random), side, random);
                         ++seen.counts[z.plus ? 1 : 0];
                       }
                       loss += signs.loss(seen, q);
                     }
                     return loss;
                   }});
  return pairs;
}

std::vector<Pair> of_dp_sgd(const Setting& at) {
  const std::uint32_t n = at.count("n"), b = at.count("batch"), T = at.count("T");
  const double sigma = at["sigma"], q = static_cast<double>(b) / n;
  const auto run = [=](bool neighbour, Random& random) {
    double loss = 0;
    for (std::uint32_t round = 0; round < T; ++round) {
      double sum = 0;  // of gradients clipped to norm 1, along u
      for (const std::uint32_t record : fresh_batch(n, b, random)) sum += record == 0 && !neighbour ? 1 : -1;
      sum += 2 * sigma * random.normal();
      loss += shifted_with_probability(q, 1 / sigma, (sum + b) / (2 * sigma));
    }
    return loss;
  };
  return {{"gauss", "a linear loss, the record's gradient C u or -C u, all others -C u", "epsilary-lower-dp-sgd", run}};
}

}  // namespace

std::vector<Pair> pairs_of(const std::string& protocol, const Setting& at) {
  static const std::map<std::string_view, std::vector<Pair> (*)(const Setting&)> list{
      {"shuffle", of_shuffle},
      {"checkin-fixed", of_fixed_window},
      {"checkin-averaged", of_averaged},
      {"checkin-epoch", of_epoch},
      {"checkin-sliding", of_sliding_window},
      {"shuffled-checkin", of_shuffled_checkin},
      {"distributed-checkin", of_distributed_checkin},
      {"cldp-sgd", [](const Setting& s) { return of_cldp_sgd(s, false); }},
      {"cldp-sgd-pooled", [](const Setting& s) { return of_cldp_sgd(s, true); }},
      {"dp-sgd", of_dp_sgd}};
  return list.at(protocol)(at);
}

}  // namespace epsilary::experiments
