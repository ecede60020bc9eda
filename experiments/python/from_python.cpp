#include "experiments/python/from_python.hpp"

namespace py = pybind11;
namespace ep = epsilary;

namespace epsilary_python {

namespace {

// Fields that are left out stay as the library has them.
template <class T>
void read(const py::dict& given, const char* name, T& field) {
  if (given.contains(name)) field = given[name].cast<T>();
}

}  // namespace

ep::Parameters parameters_of(const Given& given) {
  ep::Parameters out;
  for (const auto& [key, text] : given) out.emplace_back(key, text);
  return out;
}

ep::Options options_of(const py::dict& given) {
  ep::Options out;
  read(given, "digits", out.digits);
  read(given, "precision", out.precision);
  read(given, "patience", out.patience);
  read(given, "threads", out.threads);
  read(given, "adjacency", out.adjacency);
  read(given, "view", out.view);
  return out;
}

ep::Repetition repetition_of(const py::dict& given) {
  ep::Repetition out;
  if (const auto runs = given["runs"].cast<std::string>(); !runs.empty()) out.runs = runs;
  out.seed = given["seed"].cast<std::uint64_t>();
  out.confidence = given["confidence"].cast<std::string>();
  return out;
}

ep::Columns columns_of(const py::list& given, std::size_t points) {
  ep::Columns out{.columns = {}, .points = points};
  for (const py::handle& item : given) {
    const auto [key, values, at] = item.cast<std::tuple<std::string, py::object, py::object>>();
    ep::Column column{.key = key, .values = {}};
    if (py::isinstance<py::array>(values)) {
      const auto doubles = values.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
      column.values.reserve(static_cast<std::size_t>(doubles.size()));
      for (py::ssize_t i = 0; i < doubles.size(); ++i) column.values.emplace_back(doubles.data()[i]);
    } else {
      for (const std::string& text : values.cast<std::vector<std::string>>()) column.values.emplace_back(text);
    }
    if (!at.is_none()) {
      const auto numbers = at.cast<py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>>();
      column.at.assign(numbers.data(), numbers.data() + numbers.size());
    }
    out.columns.push_back(std::move(column));
  }
  return out;
}

std::vector<ep::Mechanism> mechanisms_of(const py::list& given) {
  std::vector<ep::Mechanism> out;
  for (const py::handle& item : given) {
    const auto d = item.cast<py::dict>();
    ep::Mechanism x;
    if (d.contains("p")) {
      for (const std::string& text : d["p"].cast<std::vector<std::string>>()) x.p.emplace_back(text);
      for (const std::string& text : d["q"].cast<std::vector<std::string>>()) x.q.emplace_back(text);
      x.weights = d["weights"].cast<bool>();
      x.one_way = d["one_way"].cast<bool>();
    } else {
      x.multiplier = d["multiplier"].cast<std::string>();
      x.rate = d["rate"].cast<std::string>();
      read(d, "fixed_size", x.fixed_size);
    }
    x.times = d["times"].cast<std::uint64_t>();
    out.push_back(std::move(x));
  }
  return out;
}

ep::Sweep sweep_of(const py::dict& given) {
  ep::Sweep out;
  out.spec = given["spec"].cast<std::string>();
  out.toml = given["toml"].cast<std::string>();
  out.bounds = given["bounds"].cast<std::vector<std::string>>();
  out.parameters = parameters_of(given["parameters"].cast<Given>());
  out.journal = given["journal"].cast<std::string>();
  out.any_size = given["any_size"].cast<bool>();
  return out;
}

ep::Drawing drawing_of(const py::dict& given) {
  ep::Drawing out;
  read(given, "what", out.what);
  read(given, "file", out.file);
  read(given, "backend", out.backend);
  read(given, "like", out.like);
  read(given, "x", out.x);
  read(given, "y", out.y);
  read(given, "colors", out.colors);
  read(given, "log_x", out.log_x);
  read(given, "log_y", out.log_y);
  return out;
}

ep::Training training_of(const py::dict& given) {
  ep::Training out;
  out.spec = given["spec"].cast<std::string>();
  out.toml = given["toml"].cast<std::string>();
  out.data = given["data"].cast<std::string>();
  out.journal = given["journal"].cast<std::string>();
  out.seeds = given["seeds"].cast<int>();
  return out;
}

}  // namespace epsilary_python
