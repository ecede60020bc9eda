// The library's structs as tuples, dictionaries and arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <epsilary/epsilary.hpp>
#include <utility>
#include <vector>

namespace epsilary_python {

pybind11::object index_of(const epsilary::Statement* statement);  // in statements(), or None
pybind11::object text_or_none(const epsilary::Number& x);
pybind11::dict to_python(const epsilary::Pairs& pairs);

pybind11::tuple to_python(const epsilary::Result& result);

pybind11::list to_python(const std::vector<epsilary::Result>& results);
pybind11::list to_python(const std::vector<epsilary::Parameter>& parameters);
pybind11::list to_python(const std::vector<epsilary::Statement>& statements);
pybind11::list to_python(const std::vector<epsilary::Protocol>& protocols);
pybind11::list to_python(const std::vector<epsilary::Figure>& figures);
pybind11::list to_python(const std::vector<epsilary::Claim>& claims);
pybind11::list to_python(const std::vector<epsilary::TrainingAbout>& trainings);

// What every answer has; of those that can be written, also the text and the JSON.
pybind11::dict to_python(const epsilary::Answer& answer);
pybind11::dict to_python(const epsilary::Evaluations& answer);
pybind11::dict to_python(const epsilary::Composed& answer);
pybind11::dict to_python(const epsilary::Solutions& answer);
pybind11::dict to_python(const epsilary::Comparison& answer);
pybind11::dict to_python(const epsilary::Tightness& answer);
pybind11::dict to_python(const epsilary::Design& answer);
pybind11::dict to_python(const epsilary::Findings& answer);
pybind11::dict to_python(const epsilary::Simulation& answer);
pybind11::dict to_python(const epsilary::Audit& answer);
pybind11::dict to_python(const epsilary::Trained& answer);
pybind11::dict to_python(const epsilary::Plan& plan);
pybind11::dict to_python(const epsilary::Picture& picture);

// An array that owns the values.
template <class T>
pybind11::array_t<T> array_of(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const pybind11::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return pybind11::array_t<T>(static_cast<pybind11::ssize_t>(kept->size()), kept->data(), owner);
}

}  // namespace epsilary_python
