// Who takes part when, against the law that comes from writing down every course of a small protocol.
#include "experiments/protocols/checkins.hpp"

#include <algorithm>
#include <set>

#include "tests/experiments/protocols/counts.hpp"

using namespace epsilary::experiments;
using protocols_test::check_law;

namespace {

using Asked = std::vector<std::uint32_t>;

// All ways in which a uniform one of those who came is asked in each slot.
void ask(const std::vector<std::vector<std::uint32_t>>& came, double probability, Asked so_far,
         std::map<Asked, double>& law) {
  const std::size_t slot = so_far.size();
  if (slot == came.size()) {
    law[so_far] += probability;
    return;
  }
  so_far.push_back(nobody);
  if (came[slot].empty()) return ask(came, probability, so_far, law);
  for (const std::uint32_t client : came[slot]) {
    so_far.back() = client;
    ask(came, probability / static_cast<double>(came[slot].size()), so_far, law);
  }
}

// All choices of clients j, ..., each a slot of choices(j) with its probability; slots beyond the last are none.
template <class Choices>
void choose(std::uint32_t j, std::uint32_t n, const Choices& choices, std::vector<std::vector<std::uint32_t>> came,
            double probability, std::map<Asked, double>& law) {
  if (j == n) return ask(came, probability, {}, law);
  for (const auto& [slot, p] : choices(j)) {
    auto next = came;
    if (slot < came.size()) next[slot].push_back(j);
    choose(j + 1, n, choices, next, probability * p, law);
  }
}

constexpr std::size_t away = 1000;

}  // namespace

TEST_CASE("a fixed window asks whom Algorithm 1 asks: three clients, two slots, every course written down") {
  const double p0 = 0.7;
  std::map<Asked, double> law;
  choose(
      0, 3,
      [&](std::uint32_t) {
        return std::vector<std::pair<std::size_t, double>>{{away, 1 - p0}, {0, p0 / 2}, {1, p0 / 2}};
      },
      std::vector<std::vector<std::uint32_t>>(2), 1, law);
  std::map<Asked, int> seen;
  Random random(1);
  for (int i = 0; i < 40000; ++i) ++seen[fixed_window(3, 2, p0, random).asked];
  check_law(seen, law);
}

TEST_CASE("a sliding window asks whom Section 4.2 asks: five clients, windows of three slots") {
  std::map<Asked, double> law;
  choose(
      0, 5,
      [](std::uint32_t j) {
        std::vector<std::pair<std::size_t, double>> out;
        for (std::uint32_t slot = j; slot < j + 3; ++slot)
          out.emplace_back(slot >= 2 && slot < 5 ? slot - 2 : away, 1.0 / 3);
        return out;
      },
      std::vector<std::vector<std::uint32_t>>(3), 1, law);
  std::map<Asked, int> seen;
  Random random(2);
  for (int i = 0; i < 60000; ++i) ++seen[sliding_window(5, 3, random).asked];
  check_law(seen, law);
}

TEST_CASE("those who came are counted, and who is asked is one of them") {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Window window = fixed_window(20, 7, 0.6, random);
    std::uint32_t all = 0;
    for (std::size_t slot = 0; slot < 7; ++slot) {
      CHECK((window.asked[slot] == nobody) == (window.came[slot] == 0));
      all += window.came[slot];
    }
    CHECK(all <= 20);
    std::set<std::uint32_t> once;
    for (const std::uint32_t client : window.asked)
      if (client != nobody) CHECK(once.insert(client).second);  // a client comes to one slot at most
  }
}

TEST_CASE("bins: every client in one, uniformly, and the loads add up") {
  Random random(4);
  std::map<std::vector<std::uint32_t>, int> seen;
  std::map<std::vector<std::uint32_t>, double> law;
  for (std::uint32_t a = 0; a < 3; ++a)
    for (std::uint32_t b = 0; b < 3; ++b) {
      std::vector<std::uint32_t> load(3);
      ++load[a], ++load[b];
      law[load] += 1.0 / 9;
    }
  for (int i = 0; i < 20000; ++i) ++seen[loads(averaged_bins(2, 3, random), 3)];
  check_law(seen, law);
}

TEST_CASE("the reduction: one swap after a random order of the others is a shuffle") {
  Random random(5);
  std::map<std::vector<std::uint32_t>, int> shuffles, reduced;
  std::map<std::vector<std::uint32_t>, double> law, swaps;
  std::vector<std::uint32_t> order{0, 1, 2, 3};
  do law[order] = 1.0 / 24;
  while (std::ranges::next_permutation(order).found);
  for (int i = 0; i < 30000; ++i) {
    ++shuffles[shuffled(4, random)];
    std::vector<std::uint32_t> others{1, 2, 3}, out;
    random.shuffle(std::span(others));
    for (const std::uint32_t place : swapped(4, random)) out.push_back(place == 0 ? 0 : others[place - 1]);
    ++reduced[out];
  }
  check_law(shuffles, law);
  check_law(reduced, law);
  // The swap by itself: the first with any, itself among them.
  std::map<std::vector<std::uint32_t>, int> seen;
  for (int i = 0; i < 10000; ++i) ++seen[swapped(3, random)];
  check_law(seen, {{{0, 1, 2}, 1.0 / 3}, {{1, 0, 2}, 1.0 / 3}, {{2, 1, 0}, 1.0 / 3}});
}

TEST_CASE("self check-in: every set of clients at its own probability, in random order; who drops out is not there") {
  Random random(6);
  const double p = 0.8, dropout = 0.25, rate = 0.6;
  std::map<std::vector<std::uint32_t>, int> seen;
  std::map<std::vector<std::uint32_t>, double> law;
  const double out = 1 - rate;
  law[{}] = out * out * out;
  for (std::uint32_t a = 0; a < 3; ++a) law[{a}] = rate * out * out;
  for (std::uint32_t a = 0; a < 3; ++a)
    for (std::uint32_t b = 0; b < 3; ++b)
      if (a != b) law[{a, b}] = rate * rate * out / 2;
  std::vector<std::uint32_t> all{0, 1, 2};
  do law[all] = rate * rate * rate / 6;
  while (std::ranges::next_permutation(all).found);
  for (int i = 0; i < 40000; ++i) ++seen[checked_in(3, p, dropout, random)];
  check_law(seen, law);
  CHECK(takes_place({4, 5}, 2));
  CHECK(!takes_place({4, 5}, 3));
}

TEST_CASE("CLDP-SGD chooses clients and records uniformly; pooled messages are kept uniformly") {
  Random random(7);
  using Message = std::pair<std::uint32_t, std::uint32_t>;
  std::map<std::vector<Message>, int> seen, kept;
  std::map<std::vector<Message>, double> law, pool;
  for (std::uint32_t a = 0; a < 3; ++a)
    for (std::uint32_t b = 0; b < 3; ++b)
      if (a != b)
        for (std::uint32_t r = 0; r < 2; ++r)
          for (std::uint32_t s = 0; s < 2; ++s) law[{{a, r}, {b, s}}] = 1.0 / 24;
  // Two clients with two of two records each: of four messages two are kept, in order.
  for (std::uint32_t x = 0; x < 4; ++x)
    for (std::uint32_t y = 0; y < 4; ++y)
      if (x != y) pool[{{x / 2, x % 2}, {y / 2, y % 2}}] = 1.0 / 12;
  const auto as_key = [](const std::vector<Sender>& senders) {
    std::vector<Message> key;
    for (const Sender& s : senders) key.emplace_back(s.client, s.record);
    return key;
  };
  for (int i = 0; i < 24000; ++i) {
    ++seen[as_key(chosen(3, 2, 2, 1, random))];
    ++kept[as_key(pooled(2, 2, 1, 2, random))];
  }
  check_law(seen, law);
  check_law(kept, pool);
}

TEST_CASE("batches: a uniform set, drawn afresh; or an epoch that uses every record once") {
  Random random(8);
  std::map<std::set<std::uint32_t>, int> seen;
  std::map<std::set<std::uint32_t>, double> law;
  for (std::uint32_t a = 0; a < 5; ++a)
    for (std::uint32_t b = 0; b < a; ++b) law[{a, b}] = 0.1;
  for (int i = 0; i < 10000; ++i) {
    const auto batch = fresh_batch(5, 2, random);
    ++seen[{batch.begin(), batch.end()}];
  }
  check_law(seen, law);
  std::multiset<std::uint32_t> used;
  const auto batches = partition_into_batches(12, 4, random);
  CHECK(batches.size() == 3);
  for (const auto& batch : batches) used.insert(batch.begin(), batch.end());
  CHECK(used.size() == 12);
  CHECK(std::set<std::uint32_t>(used.begin(), used.end()).size() == 12);
}
