// The network of Girgis et al. 2021, Table 1: two convolutions with tanh, each followed by a maximum over 2 x 2, a
// layer of 32 units and one of 10. The table leaves padding and the stride of the maxima open; two readings make sense.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "experiments/learning/lanes.hpp"

namespace epsilary::learning {

// Rows, columns and channels of what a layer takes or gives, channels running fastest.
struct Volume {
  int height = 1, width = 1, channels = 1;
  std::size_t size() const {
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  }
};

// A square filter; the input has zeros around it already.
struct Convolution {
  Volume in, out;
  int size = 1, stride = 1;
  std::size_t weights = 0,
              biases = 0;  // where they begin: weights by row, column, channel in and, fastest, channel out
  std::size_t fan_in() const { return static_cast<std::size_t>(size * size * in.channels); }
};

// The largest of 2 x 2, of each channel, written `border` rows and columns inside the output.
struct Maximum {
  Volume in, out;
  int height = 0, width = 0, stride = 1, border = 0;  // of the maxima themselves
};

struct Dense {
  std::size_t in = 0, out = 0, weights = 0, biases = 0;
};

enum class Activation { tanh, relu };

struct Network {
  Convolution first, second;
  Maximum first_maximum, second_maximum;
  Dense hidden, output;
  std::size_t parameters = 0;
  Activation activation = Activation::tanh;
};

inline constexpr int image_side = 28, classes = 10;

// "26010": the second convolution without padding, maxima one step apart, as in the public code the paper refers to.
// "13722": both convolutions padded to half the size, maxima two steps apart. Each is named by its parameters.
std::optional<Network> network_named(std::string_view reading, Activation activation = Activation::tanh);

// Uniform weights of Glorot and Bengio, biases 0: uniform(j) is the j-th of them in [-1, 1).
template <class Uniform>
std::vector<float> first_parameters(const Network& network, Uniform uniform) {
  std::vector<float> theta(network.parameters, 0.0F);
  const auto fill = [&](std::size_t from, std::size_t count, double fan_in, double fan_out) {
    for (std::size_t j = from; j < from + count; ++j)
      theta[j] = static_cast<float>(uniform(j) * __builtin_sqrt(6 / (fan_in + fan_out)));
  };
  for (const Convolution* c : {&network.first, &network.second})
    fill(c->weights, c->biases - c->weights, static_cast<double>(c->fan_in()),
         static_cast<double>(c->size * c->size * c->out.channels));
  for (const Dense* d : {&network.hidden, &network.output})
    fill(d->weights, d->biases - d->weights, static_cast<double>(d->in), static_cast<double>(d->out));
  return theta;
}

// What the layers hold for eight examples: values forwards, derivatives of the loss backwards.
struct Work {
  explicit Work(const Network& network);

  Rows image, first, first_maximum, second, second_maximum, hidden, output;
  Rows to_first, to_first_maximum, to_second, to_second_maximum, to_hidden, to_output;
  std::int32_t label[lanes] = {};
  float loss[lanes] = {};
  bool right[lanes] = {};
};

// One image of 28 x 28 bytes, 0 to 255, and its label into a place of the block.
void load(const Network& network, const std::uint8_t* image, int label, int lane, Work& work);

// Fills losses and whether the largest output is the label's.
void forward(const Network& network, std::span<const float> theta, Work& work);

// How far back the derivatives are carried: a derivative by a parameter of a layer needs those of the layers behind it.
enum class Layer { first, second, hidden, output };
Layer layer_of(const Network& network, std::size_t parameter);
void backward(const Network& network, std::span<const float> theta, Layer back_to, Work& work);

// After backward: the derivative of one example's loss by one parameter.
float derivative(const Network& network, const Work& work, std::size_t parameter, int lane);
// After backward to the first layer: adds all of them, a row of eight examples for each parameter.
void add_gradients(const Network& network, const Work& work, Rows& gradients);

}  // namespace epsilary::learning
