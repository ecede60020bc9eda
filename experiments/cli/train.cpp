// train: one of the papers' algorithms on images of digits, with its privacy; killed, it goes on where it was.
#include <fmt/format.h>

#include "experiments/cli/watch.hpp"

namespace epsilary::cli {
namespace {

struct Request {
  epsilary::Training training;
  bool no_journal = false;
};

std::string beside(const epsilary::TrainingState& s) {
  std::string out;
  if (s.accuracy) out += fmt::format("accuracy {:.2f} %, ", *s.accuracy);
  if (!s.epsilon.empty()) out += fmt::format("epsilon {}, ", s.epsilon);
  out += fmt::format("seed {}, ", s.seed);
  return s.sigma.empty() ? out : out + fmt::format("sigma {}, ", s.sigma);
}

int run(const Flags& flags, Request r) {
  if (r.training.spec.empty()) {
    print(flags, write(table(epsilary::trainings()), format(flags), flags.options.digits));
    return done;
  }
  if (!r.training.journal.empty() && r.no_journal)
    throw epsilary::Error(epsilary::Problem::usage, "--journal and --no-journal contradict each other",
                          "leave one of them out");
  refuse_unwritable(flags.output);
  refuse_same_file(flags.output, r.training.journal);
  if (r.training.journal.empty() && !r.no_journal && !flags.output.empty() && !flags.options.dry_run)
    r.training.journal = flags.output + ".journal";
  stop_on_signals();
  epsilary::Trained trained;
  {
    Progress progress;
    trained = epsilary::train(
        r.training, flags.options,
        {.progress = [&](const auto& s) { progress.show(s.done, s.total, "rounds", beside(s)); }, .stop = &stop_asked});
  }
  if (flags.options.dry_run) {
    print(flags, fmt::format("{} rounds\n", epsilary::grouped(trained.evaluations)));
    return done;
  }
  print(flags, write(trained, format(flags, epsilary::Format::csv)));
  return done;
}

}  // namespace

Command train_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  epsilary::Training& t = request->training;
  return {
      .name = "train",
      .description = "train a network privately on MNIST, with its accuracy over epsilon; goes on where it stopped",
      .footer =
          R"(The result is CSV unless -f or the ending of FILE says otherwise, the same bytes whatever the number of threads and
however often it was stopped. The images come from --data DIR, the four files of MNIST, gzipped or not;
experiments/learning/fetch-mnist DIR gets them. One seed of girgis2021-mnist-coordinate then takes a minute or two of
one core. Without a spec: what ships with the program.

Examples:
  epsilary train
  epsilary train girgis2021-mnist-coordinate --dry-run)",
      .flags = flags,
      .arguments = {{"spec", "a spec file (.toml) or the id of a training", &t.spec, {}, Completes::trainings},
                    {"--data", "the folder with the images", &t.data, {}, Completes::files},
                    {.name = "--seeds",
                     .help = "1, 2, ..., so many (default: as the spec says)",
                     .into = &t.seeds,
                     .range = {1, 1000}},
                    {"--journal",
                     "keep how far it is in this file (default: FILE.journal beside -o FILE)",
                     &t.journal,
                     {},
                     Completes::files},
                    {"--no-journal", "keep nothing", &request->no_journal}},
      .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
