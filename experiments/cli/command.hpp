// What the commands share: options, errors, output.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/axis.hpp"
#include "experiments/write.hpp"

namespace epsilary::cli {

enum ExitCode { done = 0, could_not = 1, usage = 2, outside = 3, check_failed = 4, unresolved = 5, interrupted = 130 };

// An error as the user reads it: what is wrong, and on a second line what to do next.
struct Refusal : std::runtime_error {
  Refusal(ExitCode exit, const std::string& what, std::string next_step)
      : std::runtime_error(what), code(exit), next(std::move(next_step)) {}
  ExitCode code;
  std::string next;
};

struct Options {
  int digits = 6;
  std::string precision = "ball", format, output;
  int threads = 0;
  bool dry_run = false, no_color = false;
  std::map<bounds::Param, std::vector<std::string>> params;  // as typed, once for each time they were given
  std::string adjacency, view;                               // as typed; empty: left out
};

// Adds --digits, -f, -o and their like; and, where wanted, a flag for every parameter of the vocabulary.
void add_common_options(CLI::App& command, Options& options);
void add_parameter_options(CLI::App& command, Options& options);
// --adjacency and --view, which are part of the question.
void add_question_options(CLI::App& command, Options& options);

// Refuses what CLI11 left over, with a "did you mean".
void refuse_extras(const CLI::App& command);

std::vector<experiments::Axis> axes(const Options& options);
bounds::Accuracy accuracy(const Options& options);
bounds::Asked asked(const Options& options);
// As asked, or as the ending of the file says.
experiments::Format format(const Options& options, experiments::Format otherwise = experiments::Format::text);
bool color(const Options& options);

// To the file asked for, or to standard output.
void print(const Options& options, const std::vector<std::string>& pieces);
inline void print(const Options& options, std::string bytes) { print(options, std::vector{std::move(bytes)}); }
// On standard error, which may be closed or full: nobody hears it then, and the work goes on. Words of over 200 letters
// are cut.
void tell(const std::string& text);
void note(const std::string& text);
// "error: what" and the next step; returns the exit code.
int refuse(int code, const std::string& what, const std::string& next);

// The forms of a statement; refuses an unknown id with a "did you mean".
std::vector<const bounds::Bound*> forms_named(const std::string& id);
// The form whose parameters are given; refuses with what is missing. Notes the parameters it does not use.
const bounds::Bound& form_given(const std::string& id, const bounds::Point& point);

// Refuses a grid too large to hold.
void refuse_too_many(std::size_t evaluations);
// The same, or prints its size on a dry run (and returns true).
bool is_dry_run(const Options& options, std::size_t evaluations);

std::string quoted_list(const std::vector<std::string>& names, std::string_view between = ", ");
std::string keys(const std::vector<bounds::Param>& params);

// Each command adds itself to the program; running it sets the exit code.
void add_list(CLI::App& app, int& code);
void add_show(CLI::App& app, int& code);
void add_eval(CLI::App& app, int& code);
void add_solve(CLI::App& app, int& code);
void add_compare(CLI::App& app, int& code);
void add_sweep(CLI::App& app, int& code);
void add_plot(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_tightness(CLI::App& app, int& code);
void add_reproduce(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);

}  // namespace epsilary::cli
