// Random check-ins by clients who all check in: small protocols with every choice, winner and output written out.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "tests/bounds/at.hpp"

namespace {

using Holders = std::vector<int>;  // of every slot: which client, or -1 for nobody
using Law = std::map<Holders, double>;

// Who holds which slot: `windows[i]` are the slots that client i may pick, each alike, if it checks in.
Law holders(int slots, const std::vector<std::vector<int>>& windows, double p0) {
  Law law;
  std::vector<std::vector<int>> picked(static_cast<std::size_t>(slots));
  const auto award = [&](auto&& self, std::size_t slot, Holders& held, double chance) -> void {
    if (slot == picked.size()) {
      law[held] += chance;
      return;
    }
    const auto& who = picked[slot];
    if (who.empty()) held.push_back(-1), self(self, slot + 1, held, chance), held.pop_back();
    for (const int client : who)
      held.push_back(client), self(self, slot + 1, held, chance / static_cast<double>(who.size())), held.pop_back();
  };
  const auto pick = [&](auto&& self, std::size_t client, double chance) -> void {
    if (client == windows.size()) {
      Holders held;
      award(award, 0, held, chance);
      return;
    }
    if (p0 < 1) self(self, client + 1, chance * (1 - p0));
    for (const int slot : windows[client]) {
      auto& there = picked[static_cast<std::size_t>(slot)];
      there.push_back(static_cast<int>(client));
      self(self, client + 1, chance * p0 / static_cast<double>(windows[client].size()));
      there.pop_back();
    }
  };
  pick(pick, 0, 1);
  return law;
}

// One of two answers: whether the record is in a set that depends on the slot and on the answers before, told truly
// with e/(e+1). Records 0 and 1 of client `own` are compared, the others and the dummy hold what they hold.
struct Attack {
  std::vector<unsigned> sets;  // of every prefix of answers, by which records are in it
  std::vector<int> records;    // of every client; the last is the dummy's
};
double excess(const Law& law, int slots, int own, const Attack& a, double eps0, double eps) {
  const double right = 1 / (1 + std::exp(-eps0)), c = std::exp(eps);
  double sum = 0;
  for (unsigned seen = 0; seen < (1U << slots); ++seen) {
    double p[2] = {0, 0};
    for (const auto& [held, chance] : law)
      for (int b = 0; b < 2; ++b) {
        double likely = chance;
        for (int i = 0; i < slots; ++i) {
          const unsigned before = seen & ((1U << i) - 1), answer = seen >> i & 1;
          const int who = held[static_cast<std::size_t>(i)];
          const int record = who == own ? b : who < 0 ? a.records.back() : a.records[static_cast<std::size_t>(who)];
          const unsigned inside = a.sets[(1U << i) - 1 + before] >> record & 1;
          likely *= inside == answer ? right : 1 - right;
        }
        p[b] += likely;
      }
    sum += std::max(0.0, p[1] - c * p[0]);
  }
  return sum;
}

// The largest that attacks drawn at random and made worse step by step come to.
double worst(const Law& law, int slots, int clients, int own, double eps0, double eps, std::mt19937_64& random) {
  const auto draw = [&](int below) { return std::uniform_int_distribution<int>(0, below - 1)(random); };
  double most = 0;
  for (int start = 0; start < 3; ++start) {
    Attack a{std::vector<unsigned>((1U << slots) - 1), std::vector<int>(static_cast<std::size_t>(clients) + 1)};
    for (unsigned& set : a.sets) set = 1U + static_cast<unsigned>(draw(7));
    for (int& record : a.records) record = draw(3);
    double best = excess(law, slots, own, a, eps0, eps);
    for (int step = 0; step < 60; ++step) {
      Attack next = a;
      if (draw(2))
        next.sets[static_cast<std::size_t>(draw(static_cast<int>(next.sets.size())))] = static_cast<unsigned>(draw(8));
      else
        next.records[static_cast<std::size_t>(draw(clients + 1))] = draw(3);
      if (const double now = excess(law, slots, own, next, eps0, eps); now >= best) best = now, a = next;
    }
    most = std::max(most, best);
  }
  return most;
}

std::string text(double x) { return epsilary::solvers::Decimal::nearest(x, 12).text(); }

}  // namespace

TEST_CASE("small fixed windows of known clients, written out, are below every bound that knows them") {
  std::mt19937_64 random(31);
  for (const auto& [slots, clients] : {std::pair{2, 2}, {2, 3}, {3, 3}, {2, 4}, {3, 2}})
    for (const double p0 : {1.0, 0.4})
      for (const double eps0 : {0.5, 2.0}) {
        std::vector<int> all;
        for (int i = 0; i < slots; ++i) all.push_back(i);
        const Law law = holders(slots, std::vector<std::vector<int>>(static_cast<std::size_t>(clients), all), p0);
        const double eps = 0.2 * eps0 * p0;
        const double truth = worst(law, slots, clients, 0, eps0, eps, random);
        const std::string where = "eps0=" + text(eps0) + " m=" + std::to_string(slots) +
                                  " n=" + std::to_string(clients) + " p0=" + text(p0) + " eps=" + text(eps);
        CAPTURE(where);
        CHECK(truth > 0);
        for (const char* id : {"epsilary-known-blanket", "epsilary-known-supremum", "epsilary-known-clones"})
          CHECK(truth <= at::proved(id, where, 6).upper() * (1 + 1e-9));
      }
}

TEST_CASE("small sliding windows of known clients, written out, are below every bound that knows them") {
  std::mt19937_64 random(32);
  for (const auto& [window, clients] : {std::pair{2, 3}, {2, 4}, {3, 5}}) {
    // The server listens to slots that are in `window` windows, from the last slot of the first client on.
    const int slots = clients - window + 1;
    std::vector<std::vector<int>> windows;
    for (int client = 0; client < clients; ++client) {
      windows.emplace_back();
      for (int i = 0; i < window; ++i) windows.back().push_back(client + i - window + 1);
    }
    // Who picks a slot that is not listened to is as good as absent.
    Law law;
    {
      std::vector<std::vector<int>> shifted = windows;
      for (auto& w : shifted)
        for (int& slot : w) slot = slot < 0 || slot >= slots ? slots : slot;
      for (const auto& [held, chance] : holders(slots + 1, shifted, 1)) {
        Holders listened(held.begin(), held.end() - 1);
        law[listened] += chance;
      }
    }
    for (const double eps0 : {0.5, 2.0})
      for (int own = 0; own < clients; own += clients / 2) {
        const double eps = 0.3 * eps0, truth = worst(law, slots, clients, own, eps0, eps, random);
        const std::string where = "eps0=" + text(eps0) + " m=" + std::to_string(window) +
                                  " n=" + std::to_string(clients) + " eps=" + text(eps);
        CAPTURE(where);
        CAPTURE(own);
        for (const char* id :
             {"epsilary-sliding-known-blanket", "epsilary-sliding-known-supremum", "epsilary-sliding-supremum"})
          CHECK(truth <= at::proved(id, where, 6).upper() * (1 + 1e-9));
      }
  }
}

TEST_CASE("known clients: lower <= supremum <= blanket, never above a population that is not known") {
  struct Row {
    const char *lower, *supremum, *blanket, *alone;
    std::string where;
  };
  for (const char* eps0 : {"0.5", "1", "3"})
    for (const Row& row : {Row{"epsilary-lower-rr3-fixed", "epsilary-known-supremum", "epsilary-known-blanket",
                               "epsilary-checkin-blanket", " m=300 n=300 p0=1"},
                           Row{"epsilary-lower-rr3-fixed", "epsilary-known-supremum", "epsilary-known-blanket",
                               "epsilary-checkin-blanket", " m=300 n=30000 p0=0.1"},
                           Row{"epsilary-lower-rr3-sliding", "epsilary-sliding-known-supremum",
                               "epsilary-sliding-known-blanket", "epsilary-sliding-blanket", " m=300 n=1000"}}) {
      const std::string where = std::string("eps0=") + eps0 + row.where + " delta=1e-6";
      CAPTURE(where);
      const double lower = at::number(row.lower, where), supremum = at::proved(row.supremum, where, 6).upper(),
                   blanket = at::number(row.blanket, where), alone = at::number(row.alone, where);
      CHECK(lower <= supremum);
      CHECK(supremum <= blanket);
      CHECK(blanket <= alone * (1 + 1e-9));
    }
  // All slots in use: nothing is lost.
  const std::string many = "eps0=1 m=1000 n=100000 p0=1 delta=1e-6";
  CHECK(at::proved("epsilary-known-supremum", many, 6).upper() <= 1.002 * at::number("epsilary-lower-rr3-fixed", many));
}

TEST_CASE("the delta at the epsilon of a known population is the delta it was asked for, also a tiny one") {
  struct Row {
    const char *id, *where, *delta;
  };
  for (const Row& row : {Row{"epsilary-known-blanket", "eps0=1 m=1000 n=1000 p0=0.5", "1e-30"},
                         Row{"epsilary-known-clones", "eps0=1.486 m=1411 n=86071 p0=1", "1e-7"},
                         Row{"epsilary-sliding-known-blanket", "eps0=1 m=1000 n=100000", "1e-30"},
                         Row{"epsilary-known-blanket", "eps0=1 m=100 n=1000 p0=0.5", "1e-6"}}) {
    CAPTURE(row.id);
    CAPTURE(row.where);
    const epsilary::bounds::Ball eps = at::proved(row.id, std::string(row.where) + " delta=" + row.delta, 12);
    const std::string at_eps =
        std::string(row.where) + " eps=" + epsilary::bounds::Decimal::nearest(eps.upper(), 12).text();
    CHECK(at::proved(row.id, at_eps, 12).upper() <= 1.01 * std::stod(row.delta));
  }
  // Where hardly anybody else is there: one slot, a million clients, of whom one is in it.
  CHECK(at::number("epsilary-known-clones", "eps0=1 m=1 n=1000000 p0=1 eps=0.95") < 2e-6);
  CHECK(at::proved("epsilary-known-supremum", "eps0=1 m=1 n=3 p0=0.5 eps=0.424", 6).upper() <=
        at::number("epsilary-known-blanket", "eps0=1 m=1 n=3 p0=0.5 eps=0.424") * (1 + 1e-6));
  // Below 2 m - 1 clients a slot of the window may have fewer competitors: one slot is heard here, and the record is in
  // it and picked with probability 3/8.
  const epsilary::bounds::Ball small = at::proved("epsilary-sliding-known-supremum", "eps0=2 m=2 n=2 eps=0", 6);
  CHECK(small.lower() <= 3.0 / 8 * std::tanh(1.0));
  CHECK(small.upper() >= 3.0 / 8 * std::tanh(1.0));
}

TEST_CASE(
    "dropouts: none is the shuffle itself, all but oneself leave one report; more leak more; messages are rounds") {
  const std::string rest = " n=500 delta=1e-5";
  CHECK(at::number("epsilary-shuffle-dropout", "eps0=1 dropout=0" + rest) ==
        doctest::Approx(at::number("epsilary-shuffle-blanket", "eps0=1" + rest)).epsilon(1e-12));
  double before = 0;
  for (const char* absent : {"0", "0.1", "0.5", "0.99", "0.999999999"}) {
    const double now = at::number("epsilary-shuffle-dropout", "eps0=1 n=500 eps=0.2 dropout=" + std::string(absent));
    CHECK(now > before);
    before = now;
  }
  CHECK(before == doctest::Approx((std::exp(1.0) - std::exp(0.2)) / (1 + std::exp(1.0))).epsilon(1e-5));
  // Fewer who are sure to be there hide as well as more who may fail.
  CHECK(at::number("epsilary-shuffle-dropout", "eps0=1 dropout=0.2" + rest) >=
        at::number("epsilary-shuffle-blanket", "eps0=1 n=401 delta=1e-5"));
  CHECK(at::proved("epsilary-shuffle-messages", "eps0=1 samples=3" + rest, 6).upper() ==
        at::proved("epsilary-shuffle-best-pld", "eps0=1 T=3" + rest, 6).upper());
  CHECK(at::refusal("epsilary-shuffle-blanket", "eps0=1 dropout=0.2" + rest) ==
        "dropout = 0, reports that are all sent");
  CHECK(at::refusal("epsilary-shuffle-best", "eps0=1 samples=2" + rest) == "samples = 1, one message of a client");
}
