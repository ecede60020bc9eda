// compose: segments of DP-SGD with noise, rate and length of their own, one after another.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

struct Request {
  std::vector<std::string> segments;
  std::string sampling = "poisson";
};

[[noreturn]] void refuse_segment(const std::string& text) {
  throw epsilary::Error(epsilary::Problem::usage, "'" + text + "' is not a segment",
                        "write multiplier:rate:steps, steps a whole number, for example 1.1:0.01:1000");
}

// "1.1:0.01:1000": noise over the clipping norm, sampling rate, steps. Without steps one, without a rate all records.
epsilary::Mechanism segment(const std::string& text, bool fixed_size) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  if (parts.size() > 3 || std::ranges::any_of(parts, &std::string::empty)) refuse_segment(text);
  epsilary::Mechanism out{.multiplier = parts[0], .fixed_size = fixed_size};
  if (parts.size() > 1) out.rate = parts[1];
  if (parts.size() < 3) return out;
  double steps = 0;  // also 1e6; whole numbers of this size are exact
  const char* const end = parts[2].data() + parts[2].size();
  const auto [last, error] = std::from_chars(parts[2].data(), end, steps);
  if (error != std::errc() || last != end || !(steps >= 0) || steps != std::floor(steps)) refuse_segment(text);
  if (steps > 1e9)
    throw epsilary::Error(epsilary::Problem::usage, "'" + text + "' has more than 1e9 steps", "take at most 1e9");
  out.times = static_cast<std::uint64_t>(steps);
  return out;
}

int run(const Flags& flags, const Request& r) {
  if (!flags.options.adjacency.empty() || !flags.options.view.empty())
    throw epsilary::Error(epsilary::Problem::usage, "compose does not take --adjacency or --view",
                          "--sampling says which neighbours are meant");
  std::vector<epsilary::Mechanism> mechanisms;
  for (const std::string& text : r.segments) mechanisms.push_back(segment(text, r.sampling == "fixed"));
  const auto answer = epsilary::compose(mechanisms, parameters(flags), flags.options);
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace

Command compose_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  return {.name = "compose",
          .description = "segments of DP-SGD with their own noise, rate and length, one after another",
          .footer = R"(Examples:
  epsilary compose 1.1:0.01:1000 --delta 1e-5
  epsilary compose 1.1:0.01:900 0.8:0.02:100 --delta 1e-5
  epsilary compose 4:0.01:900 2:0.02:50 50:1:1 --sampling fixed --delta 1e-6)",
          .flags = flags,
          .arguments = {{"segment",
                         "multiplier:rate:steps, noise over the clipping norm; 50:1:1 is a Gaussian release of all",
                         &request->segments,
                         {},
                         Completes::nothing,
                         true},
                        {"--sampling",
                         "poisson: a record is removed; fixed: batches of one size drawn afresh, a record is replaced",
                         &request->sampling,
                         {"poisson", "fixed"}}},
          .asks = true,
          .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
