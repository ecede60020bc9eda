#include "experiments/learning/clients.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace epsilary::learning {
namespace {

constexpr std::size_t chunk_size = 64;  // clients whose reports are summed by one thread, in order

std::size_t chunks_of(std::size_t count) { return (count + chunk_size - 1) / chunk_size; }

template <class Body>
void for_each_chunk(std::size_t count, Body body) {
  oneapi::tbb::parallel_for(std::size_t{0}, chunks_of(count), [&](std::size_t chunk) {
    body(chunk, chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size));
  });
}

EPSILARY_FOR_EACH_PROCESSOR
void greatest(const Lanes* rows, std::size_t count, Lanes& out) {
  Lanes most{};
  for (std::size_t j = 0; j < count; ++j) {
    const Lanes size = rows[j] < 0.0F ? -rows[j] : rows[j];
    most = size > most ? size : most;
  }
  out = most;
}

// Squares in float, some hundred at a time, and their sums in double.
EPSILARY_FOR_EACH_PROCESSOR
void squares(const Lanes* rows, std::size_t count, double* out) {
  std::fill(out, out + lanes, 0.0);
  for (std::size_t from = 0; from < count; from += 256) {
    Lanes sum{};
    const std::size_t to = from + 256 < count ? from + 256 : count;
    for (std::size_t j = from; j < to; ++j) sum += rows[j] * rows[j];
    for (int lane = 0; lane < lanes; ++lane) out[lane] += static_cast<double>(sum[lane]);
  }
}

// Adds the eight of each row, one after the other, each times its factor.
EPSILARY_FOR_EACH_PROCESSOR
void add_rows(const Lanes* rows, std::size_t count, const Lanes& factors, float* out) {
  for (std::size_t j = 0; j < count; ++j) {
    const Lanes scaled = rows[j] * factors;
    float sum = out[j];
    for (int lane = 0; lane < lanes; ++lane) sum += scaled[lane];
    out[j] = sum;
  }
}

}  // namespace

Clients::Clients(const Network& network, const Data& data)
    : network_(network), data_(data), desks_([&network] { return Desk(network); }) {}

void Clients::load_block(const Examples& examples, std::span<const std::uint32_t> which, Work& work) const {
  for (std::size_t i = 0; i < which.size(); ++i)
    load(network_, examples.image(which[i]), examples.labels[which[i]], static_cast<int>(i), work);
}

void Clients::derivatives(std::span<const float> theta, std::span<const Asked> asked, std::span<float> out) {
  // Side by side stand those whose coordinates lie in the same layer: the derivatives go back no further than needed.
  std::vector<std::uint32_t> order(asked.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return asked[i].coordinate; });
  for_each_chunk(asked.size(), [&](std::size_t, std::size_t from, std::size_t to) {
    Work& work = desks_.local().work;
    for (std::size_t block = from; block < to; block += lanes) {
      const std::size_t count = std::min<std::size_t>(lanes, to - block);
      std::uint32_t examples[lanes];
      for (std::size_t i = 0; i < count; ++i) examples[i] = asked[order[block + i]].example;
      load_block(data_.train, {examples, count}, work);
      forward(network_, theta, work);
      backward(network_, theta, layer_of(network_, asked[order[block]].coordinate), work);
      for (std::size_t i = 0; i < count; ++i)
        out[order[block + i]] = derivative(network_, work, asked[order[block + i]].coordinate, static_cast<int>(i));
    }
  });
}

void Clients::scaled_derivatives(std::span<const float> theta, std::span<const Asked> asked, float limit,
                                 std::span<float> out) {
  for_each_chunk(asked.size(), [&](std::size_t, std::size_t from, std::size_t to) {
    Desk& desk = desks_.local();
    for (std::size_t block = from; block < to; block += lanes) {
      const std::size_t count = std::min<std::size_t>(lanes, to - block);
      std::uint32_t examples[lanes];
      for (std::size_t i = 0; i < count; ++i) examples[i] = asked[block + i].example;
      load_block(data_.train, {examples, count}, desk.work);
      forward(network_, theta, desk.work);
      backward(network_, theta, Layer::first, desk.work);
      desk.gradients.clear();
      add_gradients(network_, desk.work, desk.gradients);
      Lanes norms;
      greatest(desk.gradients.data(), desk.gradients.size(), norms);
      for (std::size_t i = 0; i < count; ++i) {
        const float value = desk.gradients[asked[block + i].coordinate][i], norm = norms[i];
        out[block + i] = norm > limit ? std::clamp(value * (limit / norm), -limit, limit) : value;
      }
    }
  });
}

template <class Chunk>
void Clients::sum_chunks(std::size_t count, std::span<float> out, Chunk chunk) {
  const std::size_t width = network_.parameters;
  std::vector<float> sums(chunks_of(count) * width, 0.0F);
  for_each_chunk(count, [&](std::size_t number, std::size_t from, std::size_t to) {
    Desk& desk = desks_.local();
    const std::span<float> sum(sums.data() + number * width, width);
    for (std::size_t block = from; block < to; block += lanes)
      chunk(desk, block, std::min<std::size_t>(lanes, to - block), sum);
  });
  std::ranges::fill(out, 0.0F);
  for (std::size_t from = 0; from < sums.size(); from += width)
    for (std::size_t j = 0; j < width; ++j) out[j] += sums[from + j];
}

void Clients::sum(std::span<const float> theta, std::span<const std::uint32_t> examples, double limit,
                  std::span<float> out) {
  sum_chunks(examples.size(), out, [&](Desk& desk, std::size_t block, std::size_t count, std::span<float> sum) {
    load_block(data_.train, examples.subspan(block, count), desk.work);
    forward(network_, theta, desk.work);
    backward(network_, theta, Layer::first, desk.work);
    desk.gradients.clear();
    add_gradients(network_, desk.work, desk.gradients);
    Lanes factors{};
    double norms[lanes] = {};
    if (limit > 0) squares(desk.gradients.data(), desk.gradients.size(), norms);
    for (std::size_t i = 0; i < count; ++i)
      factors[i] = limit > 0 ? static_cast<float>(std::min(1.0, limit / std::sqrt(norms[i]))) : 1.0F;
    add_rows(desk.gradients.data(), desk.gradients.size(), factors, sum.data());
  });
}

void Clients::sum_reports(std::span<const float> theta, std::span<const std::uint32_t> examples,
                          const Reporting& report, std::span<float> out) {
  sum_chunks(examples.size(), out, [&](Desk& desk, std::size_t block, std::size_t count, std::span<float> sum) {
    load_block(data_.train, examples.subspan(block, count), desk.work);
    forward(network_, theta, desk.work);
    backward(network_, theta, Layer::first, desk.work);
    desk.gradients.clear();
    add_gradients(network_, desk.work, desk.gradients);
    std::vector<float> own(network_.parameters);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < own.size(); ++j) own[j] = desk.gradients[j][i];
      report(block + i, own, sum);
    }
  });
}

Score Clients::test(std::span<const float> theta) {
  const std::size_t count = data_.test.size();
  std::vector<std::size_t> right(chunks_of(count));
  std::vector<double> losses(chunks_of(count));
  for_each_chunk(count, [&](std::size_t chunk, std::size_t from, std::size_t to) {
    Work& work = desks_.local().work;
    for (std::size_t block = from; block < to; block += lanes) {
      const std::size_t here = std::min<std::size_t>(lanes, to - block);
      std::uint32_t which[lanes];
      std::iota(which, which + here, static_cast<std::uint32_t>(block));
      load_block(data_.test, {which, here}, work);
      forward(network_, theta, work);
      for (std::size_t i = 0; i < here; ++i) {
        right[chunk] += work.right[i];
        losses[chunk] += static_cast<double>(work.loss[i]);
      }
    }
  });
  const auto all = static_cast<double>(count);
  return {static_cast<double>(std::accumulate(right.begin(), right.end(), std::size_t{0})) / all,
          std::accumulate(losses.begin(), losses.end(), 0.0) / all};
}

}  // namespace epsilary::learning
