// What Python hands over, texts and plain containers, as the library's structs.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <epsilary/epsilary.hpp>
#include <string>
#include <utility>
#include <vector>

namespace epsilary_python {

using Given = std::vector<std::pair<std::string, std::string>>;

epsilary::Parameters parameters_of(const Given& given);
epsilary::Options options_of(const pybind11::dict& given);
epsilary::Repetition repetition_of(const pybind11::dict& given);
// (key, values, numbers): values are texts or an array of doubles; numbers an array, or None for one value.
epsilary::Columns columns_of(const pybind11::list& given, std::size_t points);
std::vector<epsilary::Mechanism> mechanisms_of(const pybind11::list& given);
epsilary::Sweep sweep_of(const pybind11::dict& given);
epsilary::Drawing drawing_of(const pybind11::dict& given);
epsilary::Training training_of(const pybind11::dict& given);

}  // namespace epsilary_python
