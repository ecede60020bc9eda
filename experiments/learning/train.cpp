#include "experiments/learning/train.hpp"

#include <fmt/format.h>

#include <cmath>
#include <epsilary/epsilary.hpp>

#include "experiments/learning/rounds.hpp"
#include "experiments/sweep/checksum.hpp"
#include "experiments/sweep/threads.hpp"

namespace epsilary::learning {

extern const char* const learning_fingerprint;  // made by CMake from the sources that train

namespace {

void refuse_diverged(const Mark& mark) {
  if (std::isfinite(mark.score.loss)) return;
  throw Error(Problem::could_not, fmt::format("the parameters are no longer numbers after {} rounds", mark.round),
              "take a smaller learning rate: 'rate' in the spec");
}

void refuse_few_images(const TrainingSpec& spec, const Data& data) {
  if (spec.clients >= data.train.size()) return;
  throw Error(
      Problem::usage,
      fmt::format("{}: {} clients are fewer than the {} images of the training set", spec.id, spec.clients,
                  data.train.size()),
      fmt::format("set clients = \"{}\" in the spec, or more: each then has an image drawn for it", data.train.size()));
}

}  // namespace

std::vector<std::uint32_t> marks_of(const TrainingSpec& spec) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t round = spec.every; round < spec.rounds; round += spec.every) out.push_back(round);
  out.push_back(spec.rounds);
  return out;
}

std::string fingerprint(const TrainingSpec& s, const Data& data) {
  std::string parts =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", learning_fingerprint, data.digest,
                  static_cast<int>(s.algorithm), s.network.parameters, static_cast<int>(s.network.activation),
                  s.clients, s.per_round, s.gamma, s.slots, s.p0, static_cast<int>(s.clip), s.limit,
                  static_cast<int>(s.report), s.eps0, s.delta0, s.rounds, s.every);
  for (const Rate& r : s.rates) parts += fmt::format(" {} {}", r.after, r.rate);
  return fmt::format("{:016x}", experiments::Checksum().add(parts).value());
}

std::vector<Curve> train(const TrainingSpec& spec, const Data& data, const Training& training) {
  refuse_few_images(spec, data);
  const std::vector<std::uint32_t> marks = marks_of(spec);
  const std::string name = fingerprint(spec, data);
  const std::size_t total = std::size_t{spec.rounds} * spec.sigmas.size() * spec.seeds;
  std::size_t done = 0;
  std::vector<Curve> curves;
  experiments::with_threads(training.threads, [&] {
    Clients clients(spec.network, data);
    for (const std::string& sigma : spec.sigmas)
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        Curve& curve = curves.emplace_back(Curve{sigma, seed, {}});
        const RunName run{name, sigma, seed};
        Checkpoint before;
        if (training.checkpoints) before = training.checkpoints->find(run);
        curve.marks = std::move(before.marks);
        const std::uint32_t last = curve.marks.empty() ? 0 : curve.marks.back().round;
        done += last;
        if (last == spec.rounds) continue;
        Run one(spec, sigma, seed, data, clients);
        if (last > 0) one.theta = std::move(before.theta);
        std::size_t next = curve.marks.size();
        for (std::uint32_t round = last + 1; round <= spec.rounds; ++round) {
          if (training.stop && *training.stop) throw Stopped{};
          one.step(round);
          ++done;
          if (round == marks[next]) {
            curve.marks.push_back({round, clients.test(one.theta)});
            refuse_diverged(curve.marks.back());
            if (training.checkpoints) training.checkpoints->keep(run, curve.marks.back(), one.theta);
            ++next;
          }
          if (training.progress) training.progress(curve, done, total);
        }
      }
  });
  return curves;
}

}  // namespace epsilary::learning
