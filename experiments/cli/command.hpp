// A command of the program as data, and what the commands share: errors, output.
#pragma once

#include <epsilary/epsilary.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace epsilary::cli {

enum ExitCode { done = 0, could_not = 1, usage = 2, outside = 3, interrupted = 130 };

// What every command takes.
struct Flags {
  epsilary::Options options;
  std::string format, output;
  bool no_color = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> typed;  // of each parameter, in their order
};

// What an argument is completed to, beside its choices.
enum class Completes {
  nothing,
  bounds,
  figures,
  claims,
  protocols,
  all_protocols,
  parameters,
  trainings,
  quantities,
  papers,
  files
};

// A positional argument ("bound") or an option ("--for", "-o,--output").
struct Argument {
  std::string name, help;
  std::variant<std::string*, std::vector<std::string>*, bool*, int*> into;
  std::vector<std::string> choices = {};
  Completes completes = Completes::nothing;
  bool required = false;
  std::string group = {};
  std::pair<int, int> range = {0, 0};  // of an int
  bool open = false;                   // other words than the choices will do
};

struct Command {
  std::string name, description, footer;
  std::shared_ptr<Flags> flags;
  std::vector<Argument> arguments;  // beside those that all have
  bool asks = false;                // takes the parameters, and --adjacency and --view, which are part of the question
  std::function<int()> run;         // returns the exit code
  bool computes = true;             // takes digits, precision, patience, threads, a dry run
};

// -f, -o and their like; with `computes` --digits and its like, with `asks` those of the question too.
std::vector<Argument> shared_arguments(const Command& command);

Command list_command();
Command show_command();
Command eval_command();
Command solve_command();
Command compare_command();
Command sweep_command();
Command plot_command();
Command check_command();
Command tightness_command();
Command simulate_command();
Command audit_command();
Command reproduce_command();
Command compose_command();
Command train_command();
// Knows the others, and is the last of them.
Command completion_command(const std::vector<Command>& others);

// What was typed, parameter by parameter.
epsilary::Parameters parameters(const Flags& flags);
// As asked, or as the ending of the file says.
epsilary::Format format(const Flags& flags, epsilary::Format otherwise = epsilary::Format::text);
bool color(const Flags& flags);

// Work of hours must not find out at its end that its result has no place, or that it would replace its journal.
void refuse_unwritable(const std::string& output);
void refuse_same_file(const std::string& output, const std::string& journal);

// To the file asked for, or to standard output.
void print(const Flags& flags, const std::vector<std::string>& pieces);
inline void print(const Flags& flags, std::string bytes) { print(flags, std::vector{std::move(bytes)}); }
// Tells the notes of an answer; on a dry run prints its size and returns true.
bool is_dry_run(const Flags& flags, const epsilary::Answer& answer);
// done, or throws the problem of the answer.
int verdict(const epsilary::Answer& answer);

// Standard output could not be written: ends the program quietly where nobody reads it any more, or throws.
void refuse_output(int why);

// On standard error, which may be closed or full: nobody hears it then, and the work goes on. Words of over 200 letters
// are cut, and control characters are question marks.
void tell(const std::string& text);
void tell_as_it_is(std::string_view text);  // our own
void note(const std::string& text);
// "error: what" and the next step; returns the exit code.
int refuse(int code, const std::string& what, const std::string& next);
int refuse(const epsilary::Error& error);

std::string joined(const std::vector<std::string>& names, std::string_view between = ", ");

}  // namespace epsilary::cli
