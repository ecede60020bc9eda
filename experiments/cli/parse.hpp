// From the words that were typed to one command and its arguments.
#pragma once

#include "experiments/cli/command.hpp"

namespace epsilary::cli {

// Runs the command that is asked for, or prints the help; returns the exit code.
int parse_and_run(std::vector<Command>& commands, std::vector<std::string> words);

}  // namespace epsilary::cli
