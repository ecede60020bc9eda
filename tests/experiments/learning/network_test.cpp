// The network against one written anew, in double and by definition, and its derivatives against differences of that.
#include "experiments/learning/network.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "experiments/protocols/random.hpp"
#include "tests/experiments/learning/strokes.hpp"

using namespace epsilary::learning;
using epsilary::experiments::Random;

namespace {

// [row][column][channel]
struct Cube {
  int height, width, channels;
  std::vector<double> x = std::vector<double>(static_cast<std::size_t>(height * width * channels));
  double& operator()(int r, int c, int k) { return x[static_cast<std::size_t>((r * width + c) * channels + k)]; }
  double at(int r, int c, int k) const {  // zero outside
    if (r < 0 || c < 0 || r >= height || c >= width) return 0;
    return x[static_cast<std::size_t>((r * width + c) * channels + k)];
  }
};

struct Reference {
  bool apart, relu;
  std::vector<double> theta;

  double bend(double x) const { return relu ? std::max(0.0, x) : std::tanh(x); }

  Cube convolve(const Cube& in, std::size_t& next, int size, int before, int side, int channels) const {
    Cube out{side, side, channels};
    const std::size_t weights = next, biases = next + static_cast<std::size_t>(size * size * in.channels * channels);
    next = biases + static_cast<std::size_t>(channels);
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (int k = 0; k < channels; ++k) {
          double sum = theta[biases + static_cast<std::size_t>(k)];
          for (int r = 0; r < size; ++r)
            for (int c = 0; c < size; ++c)
              for (int i = 0; i < in.channels; ++i)
                sum += theta[weights + static_cast<std::size_t>(((r * size + c) * in.channels + i) * channels + k)] *
                       in.at(2 * y + r - before, 2 * x + c - before, i);
          out(y, x, k) = bend(sum);
        }
    return out;
  }
  Cube largest(const Cube& in) const {
    const int stride = apart ? 2 : 1, side = (in.height - 2) / stride + 1;
    Cube out{side, side, in.channels};
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (int k = 0; k < in.channels; ++k)
          out(y, x, k) = std::max({in.at(y * stride, x * stride, k), in.at(y * stride + 1, x * stride, k),
                                   in.at(y * stride, x * stride + 1, k), in.at(y * stride + 1, x * stride + 1, k)});
    return out;
  }
  std::vector<double> multiply(const std::vector<double>& in, std::size_t& next, std::size_t units) const {
    std::vector<double> out(units);
    for (std::size_t o = 0; o < units; ++o) {
      out[o] = theta[next + in.size() * units + o];
      for (std::size_t i = 0; i < in.size(); ++i) out[o] += in[i] * theta[next + i * units + o];
    }
    next += (in.size() + 1) * units;
    return out;
  }
  double loss(const std::uint8_t* image, int label) const {
    Cube in{28, 28, 1};
    for (std::size_t i = 0; i < 784; ++i) in.x[i] = image[i] / 255.0;
    std::size_t next = 0;
    const Cube first = largest(convolve(in, next, 8, 3, 14, 16));
    const Cube second = largest(convolve(first, next, 4, apart ? 1 : 0, apart ? 4 : 5, 32));
    std::vector<double> hidden = multiply(second.x, next, 32);
    for (double& x : hidden) x = bend(x);
    const std::vector<double> out = multiply(hidden, next, 10);
    REQUIRE(next == theta.size());
    double sum = 0;
    for (const double x : out) sum += std::exp(x);
    return std::log(sum) - out[static_cast<std::size_t>(label)];
  }
};

std::vector<float> some_parameters(const Network& network, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> theta = first_parameters(network, [&](std::size_t) { return 2 * random.uniform() - 1; });
  for (const std::size_t bias : {network.first.biases, network.second.biases, network.hidden.biases})
    for (std::size_t j = bias; j < bias + 16; ++j) theta[j] = static_cast<float>(0.2 * random.uniform() - 0.1);
  return theta;
}

}  // namespace

TEST_CASE("both readings of Table 1 have the parameters they are named by, and a third has no network") {
  CHECK(network_named("26010")->parameters == 26010);
  CHECK(network_named("13722")->parameters == 13722);
  CHECK(!network_named("13170"));  // as the paper says: no reading gives it
}

TEST_CASE("losses and derivatives of every layer are those of a network written by definition") {
  const auto digits = learning_test::draw_digits(lanes, 3);
  for (const char* reading : {"26010", "13722"})
    for (const Activation activation : {Activation::tanh, Activation::relu}) {
      const Network network = *network_named(reading, activation);
      const std::vector<float> theta = some_parameters(network, 4);
      Reference reference{network.parameters == 13722, activation == Activation::relu, {theta.begin(), theta.end()}};
      Work work(network);
      for (int i = 0; i < lanes; ++i)
        load(network, digits.image(static_cast<std::size_t>(i)), digits.labels[static_cast<std::size_t>(i)], i, work);
      forward(network, theta, work);
      for (const std::size_t i : {0, 7})
        CHECK(static_cast<double>(work.loss[i]) ==
              doctest::Approx(reference.loss(digits.image(i), digits.labels[i])).epsilon(1e-5));
      backward(network, theta, Layer::first, work);
      Rows gradients(network.parameters);
      add_gradients(network, work, gradients);
      Random random(5);
      double largest = 0;
      const auto check = [&](std::size_t from, std::size_t to, int times) {
        for (int t = 0; t < times; ++t) {
          const std::size_t j = from + random.below(static_cast<std::uint32_t>(to - from));
          const std::size_t i = random.below(lanes);
          const double kept = reference.theta[j], step = 1e-5;
          reference.theta[j] = kept + step;
          const double up = reference.loss(digits.image(i), digits.labels[i]);
          reference.theta[j] = kept - step;
          const double down = reference.loss(digits.image(i), digits.labels[i]);
          reference.theta[j] = kept;
          const double difference = (up - down) / (2 * step), found = static_cast<double>(gradients[j][i]);
          CHECK_MESSAGE(std::abs(found - difference) < 1e-5 + 1e-4 * std::abs(difference), reading, " ", j, ": ", found,
                        " for ", difference);
          largest = std::max(largest, std::abs(difference));
          CHECK(derivative(network, work, j, static_cast<int>(i)) == doctest::Approx(found).epsilon(1e-6));
        }
      };
      check(network.first.weights, network.first.biases, 6);
      check(network.first.biases, network.second.weights, 3);
      check(network.second.weights, network.second.biases, 6);
      check(network.second.biases, network.hidden.weights, 3);
      check(network.hidden.weights, network.hidden.biases, 6);
      check(network.hidden.biases, network.output.weights, 3);
      check(network.output.weights, network.output.biases, 3);
      check(network.output.biases, network.parameters, 3);
      CHECK(largest > 1e-2);  // something was compared
    }
}

TEST_CASE("a derivative is the same however far back the others go") {
  const auto digits = learning_test::draw_digits(lanes, 6);
  const Network network = *network_named("26010");
  const std::vector<float> theta = some_parameters(network, 7);
  Work whole(network), part(network);
  for (int i = 0; i < lanes; ++i)
    for (Work* work : {&whole, &part})
      load(network, digits.image(static_cast<std::size_t>(i)), digits.labels[static_cast<std::size_t>(i)], i, *work);
  forward(network, theta, whole);
  forward(network, theta, part);
  backward(network, theta, Layer::first, whole);
  for (const std::size_t j : {network.second.weights + 100, network.hidden.weights + 7, network.output.biases + 3}) {
    backward(network, theta, layer_of(network, j), part);
    for (int i = 0; i < lanes; ++i) CHECK(derivative(network, part, j, i) == derivative(network, whole, j, i));
  }
}

TEST_CASE("an example has the same bits wherever it stands and whoever stands beside it") {
  const auto digits = learning_test::draw_digits(2 * lanes, 8);
  const Network network = *network_named("13722");
  const std::vector<float> theta = some_parameters(network, 9);
  Work first(network), second(network);
  for (int i = 0; i < lanes; ++i) {
    load(network, digits.image(static_cast<std::size_t>(i)), digits.labels[static_cast<std::size_t>(i)], i, first);
    const std::size_t other = i == 5 ? 2 : static_cast<std::size_t>(lanes + i);  // the third stands sixth
    load(network, digits.image(other), digits.labels[other], i, second);
  }
  Rows a(network.parameters), b(network.parameters);
  for (auto [work, gradients] : {std::pair(&first, &a), std::pair(&second, &b)}) {
    forward(network, theta, *work);
    backward(network, theta, Layer::first, *work);
    add_gradients(network, *work, *gradients);
  }
  CHECK(first.loss[2] == second.loss[5]);
  std::size_t different = 0;
  for (std::size_t j = 0; j < network.parameters; ++j) different += a[j][2] != b[j][5];
  CHECK(different == 0);
}
