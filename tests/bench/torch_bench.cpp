// The sum of an epoch's clipped gradients, 60000 examples and 26010 parameters on one thread: ours beside libtorch's.
// libtorch gets what is quickest there: examples in batches, each example's gradient of a convolution as one product of
// its patches and the derivatives behind it, and of a dense layer its norm alone.
//
//   build/release/tests/bench/torch_bench
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <vector>

#include "experiments/learning/clients.hpp"
#include "experiments/sweep/threads.hpp"
#include "tests/experiments/learning/strokes.hpp"

using namespace epsilary::learning;
namespace f = torch::nn::functional;
using torch::Tensor;

namespace {

constexpr std::int64_t examples = 60000;
constexpr double limit = 0.05;

// The network of 26010 parameters, in libtorch's order of indices: channels out, channels in, rows, columns.
class TorchNetwork {
 public:
  explicit TorchNetwork(const std::vector<float>& theta) {
    std::int64_t at = 0;
    const auto take = [&](std::vector<std::int64_t> shape) {
      const std::int64_t count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
      const Tensor out = torch::from_blob(const_cast<float*>(theta.data()) + at, shape).clone();
      at += count;
      return out;
    };
    first_ = take({8, 8, 1, 16}).permute({3, 2, 0, 1}).contiguous();
    first_bias_ = take({16});
    second_ = take({4, 4, 16, 32}).permute({3, 2, 0, 1}).contiguous();
    second_bias_ = take({32});
    hidden_ = take({512, 32}).t().contiguous();
    hidden_bias_ = take({32});
    output_ = take({32, 10}).t().contiguous();
    output_bias_ = take({10});
  }

  // The sum of the gradients, each scaled to a norm of at most `limit`, in our order of parameters.
  Tensor clipped_sum(const Tensor& images, const Tensor& labels) const {
    const std::int64_t count = images.size(0);
    Tensor a, b, c, d, in_b, in_c;  // what goes into the activations, and into the second convolution and hidden layer
    {
      a = f::conv2d(images, first_, f::Conv2dFuncOptions().bias(first_bias_).stride(2).padding(3)).requires_grad_();
      in_b = f::max_pool2d(torch::tanh(a), f::MaxPool2dFuncOptions(2).stride(1));
      b = f::conv2d(in_b, second_, f::Conv2dFuncOptions().bias(second_bias_).stride(2));
      in_c = f::max_pool2d(torch::tanh(b), f::MaxPool2dFuncOptions(2).stride(1)).permute({0, 2, 3, 1}).flatten(1);
      c = f::linear(in_c, hidden_, hidden_bias_);
      d = f::linear(torch::tanh(c), output_, output_bias_);
    }
    const Tensor loss = f::cross_entropy(d, labels, f::CrossEntropyFuncOptions().reduction(torch::kSum));
    const std::vector<Tensor> to = torch::autograd::grad({loss}, {a, b, c, d});
    const torch::NoGradGuard no_grad;
    const Tensor hidden = torch::tanh(c);

    const auto by_filter = [&](const Tensor& in, const Tensor& behind, std::int64_t size, std::int64_t padding) {
      const Tensor patches = f::unfold(in, f::UnfoldFuncOptions(size).stride(2).padding(padding));
      return torch::bmm(behind.flatten(2), patches.transpose(1, 2));  // channels out by channels in, rows, columns
    };
    const Tensor first = by_filter(images, to[0], 8, 3), second = by_filter(in_b, to[1], 4, 0);
    const Tensor first_bias = to[0].sum({2, 3}), second_bias = to[1].sum({2, 3});
    const auto square = [](const Tensor& x) { return x.flatten(1).square().sum(1); };
    const Tensor norm = torch::sqrt(square(first) + square(second) + square(first_bias) + square(second_bias) +
                                    square(to[2]) * (square(in_c) + 1) + square(to[3]) * (square(hidden) + 1));
    const Tensor factor = torch::clamp(limit / norm, {}, 1.0);
    const auto sum = [&](const Tensor& each) { return torch::mv(each.reshape({count, -1}).t(), factor); };
    const Tensor to_c = to[2] * factor.unsqueeze(1), to_d = to[3] * factor.unsqueeze(1);
    return torch::cat({sum(first).reshape({16, 1, 8, 8}).permute({2, 3, 1, 0}).flatten(), sum(first_bias),
                       sum(second).reshape({32, 16, 4, 4}).permute({2, 3, 1, 0}).flatten(), sum(second_bias),
                       torch::mm(in_c.t(), to_c).flatten(), to_c.sum(0), torch::mm(hidden.t(), to_d).flatten(),
                       to_d.sum(0)});
  }

 private:
  Tensor first_, first_bias_, second_, second_bias_, hidden_, hidden_bias_, output_, output_bias_;
};

template <class Work>
double cpu_seconds(Work work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

int main() {
  torch::set_num_threads(1);
  const Data data{learning_test::draw_digits(examples, 1), learning_test::draw_digits(8, 2), "digits"};
  const Network network = *network_named("26010");
  epsilary::experiments::Random random(3);
  const std::vector<float> theta = first_parameters(network, [&](std::size_t) { return 2 * random.uniform() - 1; });

  const TorchNetwork theirs(theta);
  const Tensor images =
      torch::from_blob(const_cast<std::uint8_t*>(data.train.images.data()), {examples, 1, 28, 28}, torch::kUInt8)
          .to(torch::kFloat32) /
      255;
  const Tensor labels = torch::from_blob(const_cast<std::uint8_t*>(data.train.labels.data()), {examples}, torch::kUInt8)
                            .to(torch::kInt64);
  Tensor their_sum;
  double least = INFINITY;
  for (const std::int64_t batch : {32, 128, 512, 2000}) {
    const double seconds = cpu_seconds([&] {
      their_sum = torch::zeros({static_cast<std::int64_t>(network.parameters)});
      for (std::int64_t from = 0; from < examples; from += batch) {
        const std::int64_t to = std::min(examples, from + batch);
        their_sum += theirs.clipped_sum(images.slice(0, from, to), labels.slice(0, from, to));
      }
    });
    std::printf("libtorch, batches of %lld: %.2f CPU s\n", static_cast<long long>(batch), seconds);
    least = std::min(least, seconds);
  }

  epsilary::experiments::with_threads(1, [&] {
    Clients clients(network, data);
    std::vector<std::uint32_t> all(examples);
    std::iota(all.begin(), all.end(), 0U);
    std::vector<float> sum(network.parameters);
    const double seconds = cpu_seconds([&] { clients.sum(theta, all, limit, sum); });
    const Tensor ours = torch::from_blob(sum.data(), {static_cast<std::int64_t>(sum.size())});
    std::printf("epsilary: %.2f CPU s, %.2f times the least of libtorch's; the two sums differ by %.1e of their norm\n",
                seconds, seconds / least, ((ours - their_sum).norm() / their_sum.norm()).item<double>());
  });
}
