// From a spec to its table, and the backend that draws it: what reproduce and plot share.
#pragma once

#include <string>

#include "experiments/cli/command.hpp"
#include "experiments/spec.hpp"
#include "figures/draw.hpp"

namespace epsilary::experiments {
class Journal;
}

namespace epsilary::cli {

// A file (.toml), or else the id of a figure.
experiments::Spec spec_named(const std::string& name);

// How many evaluations a spec asks for, without laying its grids.
std::size_t evaluations_of(const experiments::Spec& spec);

// Every row of the spec, with the whole point in its columns: a bound that does not use a parameter is level in it.
experiments::Table compute_table(const experiments::Spec& spec, const Options& options, experiments::Journal* journal);

// Refuses an unknown backend, and Matplot++ in a program built without it.
drawing::Backend backend_given(const std::string& name);

}  // namespace epsilary::cli
