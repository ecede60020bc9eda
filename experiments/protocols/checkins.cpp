#include "experiments/protocols/checkins.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace epsilary::experiments {
namespace {

std::vector<std::uint32_t> all_of(std::uint32_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// The one who is asked is chosen as they come: the i-th takes the place with probability 1/i.
void comes(std::uint32_t client, std::uint32_t slot, Window& window, Random& random) {
  if (random.below(++window.came[slot]) == 0) window.asked[slot] = client;
}
Window empty_window(std::uint32_t slots) {
  return {std::vector<std::uint32_t>(slots, nobody), std::vector<std::uint32_t>(slots)};
}

}  // namespace

Window fixed_window(std::uint32_t n, std::uint32_t m, double p0, Random& random) {
  Window window = empty_window(m);
  for (std::uint32_t j = 0; j < n; ++j)
    if (random.coin(p0)) comes(j, random.below(m), window, random);
  return window;
}

Window sliding_window(std::uint32_t n, std::uint32_t m, Random& random) {
  Window window = empty_window(n - m + 1);
  for (std::uint32_t j = 0; j < n; ++j) {
    const std::uint32_t slot = j + random.below(m);
    if (slot + 1 >= m && slot < n) comes(j, slot + 1 - m, window, random);
  }
  return window;
}

std::vector<std::uint32_t> averaged_bins(std::uint32_t n, std::uint32_t m, Random& random) {
  std::vector<std::uint32_t> bins(n);
  for (std::uint32_t& bin : bins) bin = random.below(m);
  return bins;
}

std::vector<std::uint32_t> loads(const std::vector<std::uint32_t>& bins, std::uint32_t m) {
  std::vector<std::uint32_t> out(m);
  for (const std::uint32_t bin : bins) ++out[bin];
  return out;
}

std::vector<std::uint32_t> shuffled(std::uint32_t n, Random& random) {
  std::vector<std::uint32_t> order = all_of(n);
  random.shuffle(std::span(order));
  return order;
}

std::vector<std::uint32_t> swapped(std::uint32_t n, Random& random) {
  std::vector<std::uint32_t> order = all_of(n);
  std::swap(order[0], order[random.below(n)]);
  return order;
}

std::vector<std::uint32_t> checked_in(std::uint32_t n, double p, double dropout, Random& random) {
  std::vector<std::uint32_t> there;
  for (std::uint32_t j = 0; j < n; ++j)
    if (random.coin(p) && !random.coin(dropout)) there.push_back(j);
  random.shuffle(std::span(there));
  return there;
}

std::vector<Sender> chosen(std::uint32_t m, std::uint32_t r, std::uint32_t k, std::uint32_t s, Random& random) {
  std::vector<std::uint32_t> clients = all_of(m), records = all_of(r);
  random.choose(std::span(clients), k);
  std::vector<Sender> messages;
  for (std::uint32_t i = 0; i < k; ++i) {
    random.choose(std::span(records), s);
    for (std::uint32_t j = 0; j < s; ++j) messages.push_back({clients[i], records[j]});
  }
  if (s > 1) random.shuffle(std::span(messages));  // with one message each they are in random order already
  return messages;
}

std::vector<Sender> pooled(std::uint32_t m, std::uint32_t r, std::uint32_t k, std::uint32_t s, Random& random) {
  std::vector<std::uint32_t> records = all_of(r);
  std::vector<Sender> messages;
  for (std::uint32_t client = 0; client < m; ++client) {
    random.choose(std::span(records), s);
    for (std::uint32_t j = 0; j < s; ++j) messages.push_back({client, records[j]});
  }
  random.choose(std::span(messages), std::size_t{k} * s);
  messages.resize(std::size_t{k} * s);
  return messages;
}

std::vector<std::uint32_t> fresh_batch(std::uint32_t n, std::uint32_t b, Random& random) {
  std::vector<std::uint32_t> records = all_of(n);
  random.choose(std::span(records), b);
  records.resize(b);
  return records;
}

std::vector<std::vector<std::uint32_t>> partition_into_batches(std::uint32_t n, std::uint32_t b, Random& random) {
  const std::vector<std::uint32_t> order = shuffled(n, random);
  std::vector<std::vector<std::uint32_t>> batches;
  for (std::size_t i = 0; i < order.size(); i += b)
    batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                         order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(order.size(), i + b)));
  return batches;
}

}  // namespace epsilary::experiments
