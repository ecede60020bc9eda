// The compiled part of the Python package: the functions of <epsilary/epsilary.hpp> with plain values in and out. What
// users see is written in Python, in epsilary/.
#include "experiments/python/from_python.hpp"
#include "experiments/python/runner.hpp"
#include "experiments/python/to_python.hpp"

namespace py = pybind11;
namespace ep = epsilary;
using namespace epsilary_python;

namespace {

// Calls a function of the library beside the interpreter.
template <class Work>
auto call(const py::dict& given, const py::object& progress, Work work) {
  ep::Options options = options_of(given);
  std::optional<decltype(work(options, ep::Watch{}))> out;
  run(
      [&](Leash& leash) {
        options.stop = &leash.stop;
        out.emplace(work(options, progress.is_none() ? ep::Watch{.stop = &leash.stop} : leash.watch()));
      },
      progress);
  return std::move(*out);
}

// A protocol run some times: `work` is ep::simulate or ep::audit.
template <class Work>
auto call_repeated(Work work, const std::string& protocol, const Given& given, const py::dict& often,
                   const py::dict& options, const py::object& progress) {
  const ep::Parameters parameters = parameters_of(given);
  const ep::Repetition repetition = repetition_of(often);
  return call(options, progress,
              [&](const ep::Options& o, const ep::Watch& w) { return work(protocol, parameters, repetition, o, w); });
}

// A refusal becomes the exception that epsilary/_errors.py makes of it.
void translate(std::exception_ptr p) {
  try {
    if (p) std::rethrow_exception(p);
  } catch (const ep::Error& e) {
    const py::object made = py::module_::import("epsilary._errors")
                                .attr("of")(static_cast<int>(e.problem), std::string(e.what()), e.next, e.parameter);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The compiled part of epsilary; use the functions of the package itself.";
  py::register_exception_translator(&translate);

  m.def("version", &ep::version);
  m.def("fingerprint", &ep::fingerprint);
  m.def("parameters", [] { return to_python(ep::parameters()); });
  m.def("statements", [] { return to_python(ep::statements()); });
  m.def("statements_with", [](const std::string& protocol, const std::string& paper, const std::string& quantity,
                              const std::string& word) {
    return to_python(ep::statements({protocol, paper, quantity, word}));
  });
  m.def("describe", [](const std::string& id) { return to_python(ep::describe(id)); });
  m.def("describe_text", [](const std::string& id) { return ep::write(ep::describe(id), ep::Format::text); });
  m.def("proof_text", [](const std::string& id) { return ep::proof_text(ep::describe(id).front()); });
  m.def("example", [](const std::string& id) { return ep::example(ep::describe(id).front()); });
  m.def("protocols", [] { return to_python(ep::protocols()); });
  m.def("figures", [] { return to_python(ep::figures()); });
  m.def("claims", [] { return to_python(ep::claims()); });
  m.def("trainings", [] { return to_python(ep::trainings()); });
  m.def("values", &ep::values);
  m.def("statuses", &ep::statuses);
  m.def("colors", &ep::colors);
  m.def("shades", &ep::shades);
  m.def("double_of", [](const std::string& text, bool up) {
    return ep::Number(text, up ? ep::Number::Rounded::up : ep::Number::Rounded::down).as_double();
  });

  m.def("evaluate", [](const std::string& id, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    return to_python(call(options, py::none(),
                          [&](const ep::Options& o, const ep::Watch&) { return ep::evaluate(id, parameters, o); }));
  });
  m.def("evaluate_all", [](const std::vector<std::string>& ids, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    return to_python(call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::evaluate_all(ids, parameters, o);
    }));
  });
  m.def("evaluate_points", [](const std::string& id, const py::list& given, std::size_t points, const py::dict& options,
                              const py::object& progress) {
    const ep::Columns columns = columns_of(given, points);
    return to_python(call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      return ep::evaluate_points(id, columns, o, w);
    }));
  });
  m.def("evaluate_doubles", [](const std::string& id, const py::list& given, std::size_t points,
                               const py::dict& options, const py::object& progress) {
    const ep::Columns columns = columns_of(given, points);
    ep::Doubles a = call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      return ep::evaluate_doubles(id, columns, o, w);
    });
    return py::make_tuple(index_of(a.statement), array_of(std::move(a.values)), array_of(std::move(a.status)));
  });

  m.def("solve", [](const std::string& id, const std::string& unknown, const std::string& target, const Given& given,
                    const py::dict& options) {
    const auto parameters = parameters_of(given);
    return to_python(call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::solve(id, unknown, target, parameters, o);
    }));
  });
  m.def("compare", [](const std::vector<std::string>& ids, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    return to_python(call(options, py::none(),
                          [&](const ep::Options& o, const ep::Watch&) { return ep::compare(ids, parameters, o); }));
  });
  m.def("tightness", [](const std::vector<std::string>& protocols, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    return to_python(call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::tightness(protocols, parameters, o);
    }));
  });
  m.def("design", [](const std::vector<std::string>& protocols, const std::string& unknown, const std::string& target,
                     const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    return to_python(call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::design(protocols, unknown, target, parameters, o);
    }));
  });
  m.def("compose", [](const py::list& given, const Given& at, const py::dict& options) {
    const auto mechanisms = mechanisms_of(given);
    const auto where = parameters_of(at);
    return to_python(call(options, py::none(),
                          [&](const ep::Options& o, const ep::Watch&) { return ep::compose(mechanisms, where, o); }));
  });

  m.def("sweep", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Sweep request = sweep_of(given);
    return to_python(
        call(options, progress, [&](const ep::Options& o, const ep::Watch& w) { return ep::sweep(request, o, w); }));
  });
  m.def("plan", [](const py::dict& given, const py::dict& options) {
    const ep::Sweep request = sweep_of(given);
    return to_python(
        call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) { return ep::plan(request, o); }));
  });
  m.def("check", [](const std::vector<std::string>& ids, const py::dict& options) {
    return to_python(
        call(options, py::none(), [&](const ep::Options& o, const ep::Watch& w) { return ep::check(ids, o, w); }));
  });
  m.def("draw", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Drawing drawing = drawing_of(given);
    return call(options, progress, [&](const ep::Options& o, const ep::Watch& w) { return ep::draw(drawing, o, w); })
        .file;
  });
  m.def("picture", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Drawing drawing = drawing_of(given);
    return to_python(
        call(options, progress, [&](const ep::Options& o, const ep::Watch& w) { return ep::picture(drawing, o, w); }));
  });
  m.def("simulate", [](const std::string& protocol, const Given& given, const py::dict& often, const py::dict& options,
                       const py::object& progress) {
    return to_python(call_repeated(ep::simulate, protocol, given, often, options, progress));
  });
  m.def("audit", [](const std::string& protocol, const Given& given, const py::dict& often, const py::dict& options,
                    const py::object& progress) {
    return to_python(call_repeated(ep::audit, protocol, given, often, options, progress));
  });
  m.def("train", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Training training = training_of(given);
    return to_python(call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      ep::TrainingWatch watch{.progress = {}, .stop = w.stop};
      if (w.progress) watch.progress = [&w](const ep::TrainingState& s) { w.progress(s.done, s.total); };
      return ep::train(training, o, watch);
    }));
  });
  m.def("reproduce", [](const std::vector<std::string>& ids, const std::string& folder, const py::dict& options,
                        const py::object& progress) {
    return to_python(call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      return ep::reproduce(ids, folder, "gnuplot", o, w);
    }));
  });
}
