#include "experiments/learning/network.hpp"

#include <algorithm>
#include <cmath>

namespace epsilary::learning {
namespace {

std::size_t at(const Volume& v, int row, int column) {
  return (static_cast<std::size_t>(row) * static_cast<std::size_t>(v.width) + static_cast<std::size_t>(column)) *
         static_cast<std::size_t>(v.channels);
}

// 2^x for |x| <= 126, to the last bits of a float: 2 to the nearest whole number by its bits, the rest by Taylor's sum.
[[gnu::always_inline]] inline void power_of_two(const Lanes& x, Lanes& out) {
  const Lanes shifted = x + 12582912.0F;  // 1.5 * 2^23: what is left is rounded to a whole number
  const Lanes whole = shifted - 12582912.0F, rest = (x - whole) * 0.69314718F;
  Lanes sum = rest * (1.0F / 5040) + 1.0F / 720;
  sum = sum * rest + 1.0F / 120;
  sum = sum * rest + 1.0F / 24;
  sum = sum * rest + 1.0F / 6;
  sum = sum * rest + 0.5F;
  sum = sum * rest + 1.0F;
  sum = sum * rest + 1.0F;
  const LaneBits exponent = (__builtin_convertvector(whole, LaneBits) + 127) << 23;
  Lanes scale;
  __builtin_memcpy(&scale, &exponent, sizeof scale);
  out = sum * scale;
}

[[gnu::always_inline]] inline void tanh_of(const Lanes& x, Lanes& out) {
  Lanes bounded = x > 10.0F ? Lanes{} + 10.0F : x;
  bounded = bounded < -10.0F ? Lanes{} - 10.0F : bounded;
  Lanes e;
  power_of_two(bounded * 2.8853901F, e);  // e^(2x)
  out = (e - 1.0F) / (e + 1.0F);
}

[[gnu::always_inline]] inline void activate(Activation activation, const Lanes& x, Lanes& out) {
  if (activation == Activation::relu)
    out = x > 0.0F ? x : Lanes{};
  else
    tanh_of(x, out);
}

// The derivative of the activation by what it gives.
[[gnu::always_inline]] inline void through(Activation activation, const Lanes& value, Lanes& derivative) {
  derivative =
      activation == Activation::relu ? (value > 0.0F ? derivative : Lanes{}) : derivative * (1.0F - value * value);
}

constexpr int group = 8;  // channels that are summed side by side, in registers

EPSILARY_FOR_EACH_PROCESSOR
void convolve(const Convolution& c, Activation activation, const float* theta, const Lanes* in, Lanes* out) {
  const int run = c.size * c.in.channels, channels = c.out.channels;
  for (int y = 0; y < c.out.height; ++y)
    for (int x = 0; x < c.out.width; ++x) {
      Lanes* to = out + at(c.out, y, x);
      for (int g = 0; g < channels; g += group) {
        Lanes sum[group];
        for (int k = 0; k < group; ++k) sum[k] = Lanes{} + theta[c.biases + static_cast<std::size_t>(g + k)];
        const float* w = theta + c.weights + g;
        for (int row = 0; row < c.size; ++row) {
          const Lanes* from = in + at(c.in, y * c.stride + row, x * c.stride);
          for (int i = 0; i < run; ++i, w += channels)
            for (int k = 0; k < group; ++k) sum[k] += from[i] * w[k];
        }
        for (int k = 0; k < group; ++k) activate(activation, sum[k], to[g + k]);
      }
    }
}

// From the derivatives by the outputs to those by the inputs, the border among them.
EPSILARY_FOR_EACH_PROCESSOR
void convolve_back(const Convolution& c, const float* theta, const Lanes* to_out, Lanes* to_in) {
  const int run = c.size * c.in.channels, channels = c.out.channels;
  std::fill(to_in, to_in + c.in.size(), Lanes{});
  for (int y = 0; y < c.out.height; ++y)
    for (int x = 0; x < c.out.width; ++x)
      for (int g = 0; g < channels; g += group) {
        Lanes d[group];
        for (int k = 0; k < group; ++k) d[k] = to_out[at(c.out, y, x) + static_cast<std::size_t>(g + k)];
        const float* w = theta + c.weights + g;
        for (int row = 0; row < c.size; ++row) {
          Lanes* into = to_in + at(c.in, y * c.stride + row, x * c.stride);
          for (int i = 0; i < run; ++i, w += channels) {
            Lanes sum = into[i];
            for (int k = 0; k < group; ++k) sum += d[k] * w[k];
            into[i] = sum;
          }
        }
      }
}

EPSILARY_FOR_EACH_PROCESSOR
void add_convolution(const Convolution& c, const Lanes* in, const Lanes* to_out, Lanes* gradients) {
  const int run = c.size * c.in.channels, channels = c.out.channels;
  for (int g = 0; g < channels; g += group) {
    Lanes* w = gradients + c.weights + g;
    for (int row = 0; row < c.size; ++row)
      for (int i = 0; i < run; ++i, w += channels) {
        Lanes sum[group];
        for (int k = 0; k < group; ++k) sum[k] = w[k];
        for (int y = 0; y < c.out.height; ++y) {
          const Lanes* from = in + at(c.in, y * c.stride + row, 0) + i;
          const Lanes* d = to_out + at(c.out, y, 0) + g;
          for (int x = 0; x < c.out.width; ++x, from += c.stride * c.in.channels, d += channels)
            for (int k = 0; k < group; ++k) sum[k] += *from * d[k];
        }
        for (int k = 0; k < group; ++k) w[k] = sum[k];
      }
    for (std::size_t p = 0; p < c.out.size(); p += static_cast<std::size_t>(channels))
      for (int k = 0; k < group; ++k)
        gradients[c.biases + static_cast<std::size_t>(g + k)] += to_out[p + static_cast<std::size_t>(g + k)];
  }
}

EPSILARY_FOR_EACH_PROCESSOR
void maximise(const Maximum& m, const Lanes* in, Lanes* out) {
  const std::size_t channels = static_cast<std::size_t>(m.in.channels);
  const std::size_t row = static_cast<std::size_t>(m.in.width) * channels;
  for (int y = 0; y < m.height; ++y)
    for (int x = 0; x < m.width; ++x) {
      const Lanes* from = in + at(m.in, y * m.stride, x * m.stride);
      Lanes* to = out + at(m.out, y + m.border, x + m.border);
      for (std::size_t k = 0; k < channels; ++k) {
        const Lanes above = from[k] < from[k + channels] ? from[k + channels] : from[k];
        const Lanes below = from[k + row] < from[k + row + channels] ? from[k + row + channels] : from[k + row];
        to[k] = above < below ? below : above;
      }
    }
}

// To the first of the four that is the largest.
EPSILARY_FOR_EACH_PROCESSOR
void maximise_back(const Maximum& m, Activation activation, const Lanes* in, const Lanes* out, const Lanes* to_out,
                   Lanes* to_in) {
  const std::size_t channels = static_cast<std::size_t>(m.in.channels);
  const std::size_t row = static_cast<std::size_t>(m.in.width) * channels;
  std::fill(to_in, to_in + m.in.size(), Lanes{});
  for (int y = 0; y < m.height; ++y)
    for (int x = 0; x < m.width; ++x) {
      const std::size_t from = at(m.in, y * m.stride, x * m.stride);
      const std::size_t to = at(m.out, y + m.border, x + m.border);
      for (std::size_t k = 0; k < channels; ++k) {
        Lanes left = to_out[to + k];
        for (const std::size_t place : {from + k, from + k + channels, from + k + row, from + k + row + channels}) {
          const LaneBits is_largest = in[place] == out[to + k];
          to_in[place] += is_largest ? left : Lanes{};
          left = is_largest ? Lanes{} : left;
        }
      }
    }
  for (std::size_t i = 0; i < m.in.size(); ++i) through(activation, in[i], to_in[i]);
}

EPSILARY_FOR_EACH_PROCESSOR
void multiply(const Dense& d, const float* theta, const Lanes* in, Lanes* out) {
  for (std::size_t o = 0; o < d.out; ++o) out[o] = Lanes{} + theta[d.biases + o];
  for (std::size_t i = 0; i < d.in; ++i)
    for (std::size_t o = 0; o < d.out; ++o) out[o] += in[i] * theta[d.weights + i * d.out + o];
}

EPSILARY_FOR_EACH_PROCESSOR
void multiply_back(const Dense& d, const float* theta, const Lanes* to_out, Lanes* to_in) {
  for (std::size_t i = 0; i < d.in; ++i) {
    Lanes sum{};
    for (std::size_t o = 0; o < d.out; ++o) sum += to_out[o] * theta[d.weights + i * d.out + o];
    to_in[i] = sum;
  }
}

EPSILARY_FOR_EACH_PROCESSOR
void add_dense(const Dense& d, const Lanes* in, const Lanes* to_out, Lanes* gradients) {
  for (std::size_t i = 0; i < d.in; ++i)
    for (std::size_t o = 0; o < d.out; ++o) gradients[d.weights + i * d.out + o] += in[i] * to_out[o];
  for (std::size_t o = 0; o < d.out; ++o) gradients[d.biases + o] += to_out[o];
}

EPSILARY_FOR_EACH_PROCESSOR
void activate_all(Activation activation, Lanes* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) activate(activation, values[i], values[i]);
}

EPSILARY_FOR_EACH_PROCESSOR
void activate_back(Activation activation, const Lanes* values, Lanes* derivatives, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) through(activation, values[i], derivatives[i]);
}

// Cross entropy of the softmax, one example at a time, and its derivatives by the outputs.
void lose(Work& work) {
  for (int lane = 0; lane < lanes; ++lane) {
    float largest = work.output[0][lane];
    int guess = 0;
    for (int c = 1; c < classes; ++c)
      if (work.output[static_cast<std::size_t>(c)][lane] > largest)
        largest = work.output[static_cast<std::size_t>(c)][lane], guess = c;
    float share[classes], sum = 0;
    for (int c = 0; c < classes; ++c) {
      share[c] = std::exp(work.output[static_cast<std::size_t>(c)][lane] - largest);
      sum += share[c];
    }
    const int label = work.label[lane];
    for (int c = 0; c < classes; ++c)
      work.to_output[static_cast<std::size_t>(c)][lane] = share[c] / sum - (c == label ? 1.0F : 0.0F);
    work.loss[lane] = std::log(sum) + largest - work.output[static_cast<std::size_t>(label)][lane];
    work.right[lane] = guess == label;
  }
}

// `before` and `after` rows and columns of zeros around what comes in.
Convolution convolution(Volume in, int before, int after, int size, int stride, int channels) {
  Convolution c{.in = in, .size = size, .stride = stride};
  c.in.height += before + after;
  c.in.width += before + after;
  c.out = {(c.in.height - size) / stride + 1, (c.in.width - size) / stride + 1, channels};
  return c;
}

Maximum maximum(Volume in, int stride, int before, int after) {
  Maximum m{.in = in, .height = (in.height - 2) / stride + 1, .width = (in.width - 2) / stride + 1, .stride = stride};
  m.border = before;
  m.out = {m.height + before + after, m.width + before + after, in.channels};
  return m;
}

}  // namespace

std::optional<Network> network_named(std::string_view reading, Activation activation) {
  const bool apart = reading == "13722";
  if (!apart && reading != "26010") return {};
  Network n{.activation = activation};
  const int stride = apart ? 2 : 1, before = apart ? 1 : 0, after = apart ? 2 : 0;
  n.first = convolution({image_side, image_side, 1}, 3, 3, 8, 2, 16);
  n.first_maximum = maximum(n.first.out, stride, before, after);
  n.second = convolution(n.first_maximum.out, 0, 0, 4, 2, 32);
  n.second_maximum = maximum(n.second.out, stride, 0, 0);
  n.hidden = {.in = n.second_maximum.out.size(), .out = 32};
  n.output = {.in = 32, .out = classes};
  std::size_t next = 0;
  for (Convolution* c : {&n.first, &n.second}) {
    c->weights = next;
    c->biases = next + c->fan_in() * static_cast<std::size_t>(c->out.channels);
    next = c->biases + static_cast<std::size_t>(c->out.channels);
  }
  for (Dense* d : {&n.hidden, &n.output}) {
    d->weights = next;
    d->biases = next + d->in * d->out;
    next = d->biases + d->out;
  }
  n.parameters = next;
  return n;
}

Work::Work(const Network& n)
    : image(n.first.in.size()),
      first(n.first.out.size()),
      first_maximum(n.second.in.size()),
      second(n.second.out.size()),
      second_maximum(n.hidden.in),
      hidden(n.hidden.out),
      output(n.output.out),
      to_first(first.size()),
      to_first_maximum(first_maximum.size()),
      to_second(second.size()),
      to_second_maximum(second_maximum.size()),
      to_hidden(hidden.size()),
      to_output(output.size()) {}

void load(const Network& network, const std::uint8_t* image, int label, int lane, Work& work) {
  const int border = (network.first.in.width - image_side) / 2;
  for (int y = 0; y < image_side; ++y) {
    Lanes* to = work.image.data() + at(network.first.in, y + border, border);
    for (int x = 0; x < image_side; ++x) to[x][lane] = static_cast<float>(*image++) / 255.0F;
  }
  work.label[lane] = label;
}

void forward(const Network& n, std::span<const float> theta, Work& w) {
  const float* t = theta.data();
  convolve(n.first, n.activation, t, w.image.data(), w.first.data());
  maximise(n.first_maximum, w.first.data(), w.first_maximum.data());
  convolve(n.second, n.activation, t, w.first_maximum.data(), w.second.data());
  maximise(n.second_maximum, w.second.data(), w.second_maximum.data());
  multiply(n.hidden, t, w.second_maximum.data(), w.hidden.data());
  activate_all(n.activation, w.hidden.data(), w.hidden.size());
  multiply(n.output, t, w.hidden.data(), w.output.data());
  lose(w);
}

Layer layer_of(const Network& n, std::size_t parameter) {
  return parameter < n.second.weights   ? Layer::first
         : parameter < n.hidden.weights ? Layer::second
         : parameter < n.output.weights ? Layer::hidden
                                        : Layer::output;
}

void backward(const Network& n, std::span<const float> theta, Layer back_to, Work& w) {
  const float* t = theta.data();
  if (back_to == Layer::output) return;
  multiply_back(n.output, t, w.to_output.data(), w.to_hidden.data());
  activate_back(n.activation, w.hidden.data(), w.to_hidden.data(), w.hidden.size());
  if (back_to == Layer::hidden) return;
  multiply_back(n.hidden, t, w.to_hidden.data(), w.to_second_maximum.data());
  maximise_back(n.second_maximum, n.activation, w.second.data(), w.second_maximum.data(), w.to_second_maximum.data(),
                w.to_second.data());
  if (back_to == Layer::second) return;
  convolve_back(n.second, t, w.to_second.data(), w.to_first_maximum.data());
  maximise_back(n.first_maximum, n.activation, w.first.data(), w.first_maximum.data(), w.to_first_maximum.data(),
                w.to_first.data());
}

namespace {

float derivative_of(const Convolution& c, const Rows& in, const Rows& to_out, std::size_t parameter, int lane) {
  const auto channels = static_cast<std::size_t>(c.out.channels);
  const bool is_bias = parameter >= c.biases;
  const std::size_t place = parameter - (is_bias ? c.biases : c.weights), channel = place % channels;
  const std::size_t tap = place / channels, run = static_cast<std::size_t>(c.size * c.in.channels);
  float sum = 0;
  for (int y = 0; y < c.out.height; ++y)
    for (int x = 0; x < c.out.width; ++x) {
      const float d = to_out[at(c.out, y, x) + channel][lane];
      sum += is_bias ? d : in[at(c.in, y * c.stride + static_cast<int>(tap / run), x * c.stride) + tap % run][lane] * d;
    }
  return sum;
}

float derivative_of(const Dense& d, const Rows& in, const Rows& to_out, std::size_t parameter, int lane) {
  if (parameter >= d.biases) return to_out[parameter - d.biases][lane];
  const std::size_t place = parameter - d.weights;
  return in[place / d.out][lane] * to_out[place % d.out][lane];
}

}  // namespace

float derivative(const Network& n, const Work& w, std::size_t parameter, int lane) {
  switch (layer_of(n, parameter)) {
    case Layer::first: return derivative_of(n.first, w.image, w.to_first, parameter, lane);
    case Layer::second: return derivative_of(n.second, w.first_maximum, w.to_second, parameter, lane);
    case Layer::hidden: return derivative_of(n.hidden, w.second_maximum, w.to_hidden, parameter, lane);
    case Layer::output: break;
  }
  return derivative_of(n.output, w.hidden, w.to_output, parameter, lane);
}

void add_gradients(const Network& n, const Work& w, Rows& gradients) {
  Lanes* g = gradients.data();
  add_convolution(n.first, w.image.data(), w.to_first.data(), g);
  add_convolution(n.second, w.first_maximum.data(), w.to_second.data(), g);
  add_dense(n.hidden, w.second_maximum.data(), w.to_hidden.data(), g);
  add_dense(n.output, w.hidden.data(), w.to_output.data(), g);
}

}  // namespace epsilary::learning
