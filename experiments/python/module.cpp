// The compiled part of the Python package: the functions of <epsilary/epsilary.hpp> with plain values in and out. What
// users see is written in Python, in epsilary/.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <epsilary/epsilary.hpp>

#include "experiments/python/runner.hpp"

namespace py = pybind11;
namespace ep = epsilary;
using epsilary_python::Leash;

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

ep::Parameters parameters_of(const Given& given) {
  ep::Parameters out;
  for (const auto& [key, text] : given) out.emplace_back(key, text);
  return out;
}

ep::Options options_of(const py::dict& given) {
  ep::Options out;
  const auto read = [&](const char* name, auto& field) {
    if (given.contains(name)) field = given[name].cast<std::decay_t<decltype(field)>>();
  };
  read("digits", out.digits);
  read("precision", out.precision);
  read("patience", out.patience);
  read("threads", out.threads);
  read("adjacency", out.adjacency);
  read("view", out.view);
  return out;
}

// Calls a function of the library beside the interpreter.
template <class Work>
auto call(const py::dict& given, const py::object& progress, Work work) {
  ep::Options options = options_of(given);
  std::optional<decltype(work(options, ep::Watch{}))> out;
  epsilary_python::run(
      [&](Leash& leash) {
        options.stop = &leash.stop;
        out.emplace(work(options, progress.is_none() ? ep::Watch{.stop = &leash.stop} : leash.watch()));
      },
      progress);
  return std::move(*out);
}

ep::Repetition repetition_of(const py::dict& given) {
  ep::Repetition out;
  if (const auto runs = given["runs"].cast<std::string>(); !runs.empty()) out.runs = runs;
  out.seed = given["seed"].cast<std::uint64_t>();
  out.confidence = given["confidence"].cast<std::string>();
  return out;
}

// A protocol run some times: `work` is ep::simulate or ep::audit.
template <class Work>
auto call_repeated(Work work, const std::string& protocol, const Given& given, const py::dict& often,
                   const py::dict& options, const py::object& progress) {
  const ep::Parameters parameters = parameters_of(given);
  const ep::Repetition repetition = repetition_of(often);
  return call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
    return work(protocol, parameters, repetition, o, w);
  });
}

// ---- from the library's structs to tuples and dictionaries ----------------------------------------------------------

py::object text_or_none(const ep::Number& x) { return x ? py::object(py::str(x.text())) : py::none(); }

py::object pairs(const ep::Pairs& list) {
  py::dict out;
  for (const auto& [key, value] : list) out[py::str(key)] = value;
  return out;
}

py::object index_of(const ep::Statement* s) {
  return s ? py::object(py::int_(s - ep::statements().data())) : py::none();
}

py::tuple row(const ep::Result& r) {
  return py::make_tuple(index_of(r.statement), r.status, r.reason, text_or_none(r.value), text_or_none(r.lower),
                        text_or_none(r.upper), r.certified, r.answers, r.guarantee, pairs(r.params), pairs(r.at),
                        pairs(r.extras));
}

py::list rows(const std::vector<ep::Result>& results) {
  py::list out(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) out[i] = row(results[i]);
  return out;
}

py::object problem(const std::optional<ep::Error>& e) {
  if (!e) return py::none();
  return py::make_tuple(static_cast<int>(e->problem), std::string(e->what()), e->next, e->parameter);
}

template <class T>
py::dict answer(const T& a) {
  using namespace py::literals;
  return py::dict("notes"_a = a.notes, "problem"_a = problem(a.problem), "digits"_a = a.digits,
                  "evaluations"_a = a.evaluations);
}

template <class T>
py::dict written(const T& a) {
  py::dict out = answer(a);
  out["text"] = ep::write(a, ep::Format::text);
  out["json"] = ep::write(a, ep::Format::json);
  return out;
}

py::dict statement(const ep::Statement& s) {
  using namespace py::literals;
  return py::dict("id"_a = s.id, "title"_a = s.title, "paper"_a = s.paper, "source"_a = s.source,
                  "formula"_a = s.formula, "protocol"_a = s.protocol, "quantity"_a = s.quantity, "side"_a = s.side,
                  "standing"_a = s.standing, "worth"_a = s.worth, "note"_a = s.note, "proof_at"_a = s.proof,
                  "adjacency"_a = s.adjacency, "view"_a = s.view, "neighbours"_a = s.neighbours, "unit"_a = s.unit,
                  "needs"_a = s.needs, "takes"_a = s.takes, "rises"_a = s.rises, "falls"_a = s.falls,
                  "turns"_a = s.turns, "assumes"_a = s.assumes, "reliable"_a = s.reliable, "bracket"_a = s.bracket);
}

py::dict claim(const ep::Claim& c) {
  using namespace py::literals;
  return py::dict("id"_a = c.id, "source"_a = c.source, "text"_a = c.text, "verdict"_a = c.verdict,
                  "because"_a = c.because);
}

// ---- columns --------------------------------------------------------------------------------------------------------

// (key, values, numbers): values are texts or an array of doubles; numbers an array, or None for one value.
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

template <class T>
py::array_t<T> array(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
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
  const auto read = [&](const char* name, auto& field) {
    if (given.contains(name)) field = given[name].cast<std::decay_t<decltype(field)>>();
  };
  read("what", out.what);
  read("file", out.file);
  read("backend", out.backend);
  read("like", out.like);
  read("x", out.x);
  read("y", out.y);
  read("colors", out.colors);
  read("log_x", out.log_x);
  read("log_y", out.log_y);
  return out;
}

py::dict scale(const ep::Scale& s) {
  using namespace py::literals;
  return py::dict("label"_a = s.label, "log"_a = s.logarithmic, "from"_a = s.from, "to"_a = s.to);
}

py::dict picture(const ep::Picture& p) {
  using namespace py::literals;
  py::list curves, bands, contours;
  constexpr const char* dashes[] = {"solid", "dashed", "dotted", "dashdot", "points"};
  for (const ep::Curve& c : p.curves)
    curves.append(py::dict("x"_a = c.x, "y"_a = c.y, "faded"_a = c.faded, "label"_a = c.label,
                           "dash"_a = dashes[static_cast<int>(c.dash)], "color"_a = c.color, "width"_a = c.width));
  for (const ep::Band& b : p.bands)
    bands.append(py::dict("x"_a = b.x, "low"_a = b.low, "high"_a = b.high, "label"_a = b.label, "color"_a = b.color));
  for (const ep::Contour& c : p.contours) contours.append(py::dict("level"_a = c.level, "pieces"_a = c.pieces));
  py::object map = py::none();
  if (p.map)
    map = py::dict("x"_a = p.map->x, "y"_a = p.map->y, "z"_a = p.map->z, "label"_a = p.map->label,
                   "log"_a = p.map->logarithmic, "from"_a = p.map->from, "to"_a = p.map->to,
                   "categories"_a = p.map->categories, "category_colors"_a = p.map->category_colors);
  return py::dict("x"_a = scale(p.x), "y"_a = scale(p.y), "curves"_a = curves, "bands"_a = bands, "map"_a = map,
                  "contours"_a = contours, "title"_a = p.title, "cells"_a = p.cells, "width"_a = p.width,
                  "height"_a = p.height);
}

// A refusal becomes the exception that epsilary/_errors.py makes of it.
void translate(std::exception_ptr p) {
  try {
    if (p) std::rethrow_exception(p);
  } catch (const ep::Error& e) {
    const py::object made =
        py::module_::import("epsilary._errors")
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
  m.def("parameters", [] {
    py::list out;
    for (const ep::Parameter& p : ep::parameters()) {
      using namespace py::literals;
      out.append(py::dict("key"_a = p.key, "meaning"_a = p.meaning, "unit"_a = p.unit, "domain"_a = p.domain,
                          "example"_a = p.example));
    }
    return out;
  });
  m.def("statements", [] {
    py::list out;
    for (const ep::Statement& s : ep::statements()) out.append(statement(s));
    return out;
  });
  m.def("statements_with", [](const std::string& protocol, const std::string& paper, const std::string& quantity,
                              const std::string& word) {
    py::list out;
    for (const ep::Statement& s : ep::statements({protocol, paper, quantity, word})) out.append(statement(s));
    return out;
  });
  m.def("describe", [](const std::string& id) {
    py::list out;
    for (const ep::Statement& s : ep::describe(id)) out.append(statement(s));
    return out;
  });
  m.def("describe_text", [](const std::string& id) { return ep::write(ep::describe(id), ep::Format::text); });
  m.def("proof_text", [](const std::string& id) { return ep::proof_text(ep::describe(id).front()); });
  m.def("example", [](const std::string& id) { return ep::example(ep::describe(id).front()); });
  m.def("protocols", [] {
    py::list out;
    for (const ep::Protocol& p : ep::protocols()) {
      using namespace py::literals;
      py::list chain;
      for (const ep::Step& s : p.chain) chain.append(py::make_tuple(s.looser, s.tighter, s.replaced));
      out.append(py::dict("name"_a = p.name, "words"_a = p.words, "example"_a = p.example, "chain"_a = chain));
    }
    return out;
  });
  m.def("figures", [] {
    py::list out;
    for (const ep::Figure& f : ep::figures()) {
      using namespace py::literals;
      out.append(py::dict("id"_a = f.id, "source"_a = f.source, "caption"_a = f.caption, "rows"_a = f.rows));
    }
    return out;
  });
  m.def("claims", [] {
    py::list out;
    for (const ep::Claim& c : ep::claims()) out.append(claim(c));
    return out;
  });
  m.def("values", &ep::values);
  m.def("statuses", &ep::statuses);
  m.def("colors", &ep::colors);
  m.def("shades", &ep::shades);
  m.def("double_of", [](const std::string& text, bool up) {
    return ep::Number(text, up ? ep::Number::Rounded::up : ep::Number::Rounded::down).as_double();
  });

  m.def("evaluate", [](const std::string& id, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    return row(call(options, py::none(),
                    [&](const ep::Options& o, const ep::Watch&) { return ep::evaluate(id, parameters, o); }));
  });
  m.def("evaluate_all", [](const std::vector<std::string>& ids, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    const ep::Evaluations a = call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::evaluate_all(ids, parameters, o);
    });
    py::dict out = written(a);
    out["rows"] = rows(a.results);
    py::list skipped;
    for (const ep::Skipped& s : a.skipped) skipped.append(py::make_tuple(s.id, s.needs));
    out["skipped"] = skipped;
    return out;
  });
  m.def("evaluate_points", [](const std::string& id, const py::list& given, std::size_t points, const py::dict& options,
                              const py::object& progress) {
    const ep::Columns columns = columns_of(given, points);
    return rows(call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      return ep::evaluate_points(id, columns, o, w);
    }));
  });
  m.def("evaluate_doubles", [](const std::string& id, const py::list& given, std::size_t points,
                               const py::dict& options, const py::object& progress) {
    const ep::Columns columns = columns_of(given, points);
    ep::Doubles a = call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      return ep::evaluate_doubles(id, columns, o, w);
    });
    return py::make_tuple(index_of(a.statement), array(std::move(a.values)), array(std::move(a.status)));
  });

  m.def("solve", [](const std::string& id, const std::string& unknown, const std::string& target, const Given& given,
                    const py::dict& options) {
    const auto parameters = parameters_of(given);
    const ep::Solutions a = call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::solve(id, unknown, target, parameters, o);
    });
    py::dict out = written(a);
    out["statement"] = index_of(a.statement);
    out["unknown"] = a.unknown;
    out["target"] = a.target;
    py::list points;
    for (const ep::Solution& s : a.points) {
      using namespace py::literals;
      points.append(py::dict("status"_a = s.status, "params"_a = pairs(s.params), "value"_a = text_or_none(s.value),
                             "tried"_a = s.tried, "bound_at_value"_a = s.bound_at_value, "beyond"_a = s.beyond,
                             "bound_beyond"_a = s.bound_beyond, "delta_total"_a = s.delta_total, "note"_a = s.note,
                             "problem"_a = problem(s.problem)));
    }
    out["points"] = points;
    return out;
  });
  m.def("compare", [](const std::vector<std::string>& ids, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    const ep::Comparison a = call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::compare(ids, parameters, o);
    });
    py::dict out = written(a);
    py::list lines;
    for (const ep::Line& l : a.lines) {
      using namespace py::literals;
      lines.append(py::dict("params"_a = pairs(l.params), "values"_a = pairs(l.values), "tightest"_a = l.tightest,
                            "ratio"_a = l.ratio, "contradiction"_a = l.contradiction, "guarantee"_a = l.guarantee));
    }
    out["lines"] = lines;
    out["summary"] = a.summary;
    return out;
  });
  m.def("tightness", [](const std::vector<std::string>& protocols, const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    const ep::Tightness a = call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::tightness(protocols, parameters, o);
    });
    using namespace py::literals;
    py::dict out = written(a);
    py::list analyses, sandwiches, losses;
    for (const ep::Analysis& x : a.analyses)
      analyses.append(py::dict("protocol"_a = x.protocol, "where"_a = pairs(x.where), "result"_a = row(x.result),
                               "ratio"_a = x.ratio));
    for (const ep::Sandwich& s : a.sandwiches)
      sandwiches.append(py::dict("protocol"_a = s.protocol, "where"_a = pairs(s.where),
                                 "lower"_a = text_or_none(s.lower), "upper"_a = text_or_none(s.upper),
                                 "lower_by"_a = s.lower_by, "upper_by"_a = s.upper_by, "words"_a = s.words));
    for (const ep::Loss& l : a.losses)
      losses.append(py::dict("protocol"_a = l.protocol, "where"_a = pairs(l.where), "factor"_a = l.factor,
                             "looser"_a = l.step.looser, "tighter"_a = l.step.tighter, "replaced"_a = l.step.replaced));
    out["analyses"] = analyses;
    out["sandwiches"] = sandwiches;
    out["losses"] = losses;
    return out;
  });
  m.def("design", [](const std::vector<std::string>& protocols, const std::string& unknown, const std::string& target,
                     const Given& given, const py::dict& options) {
    const auto parameters = parameters_of(given);
    const ep::Design a = call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::design(protocols, unknown, target, parameters, o);
    });
    using namespace py::literals;
    py::dict out = written(a);
    py::list admissions;
    for (const ep::Admission& x : a.admissions)
      admissions.append(py::dict("protocol"_a = x.protocol, "statement"_a = index_of(x.statement),
                                 "status"_a = x.status, "value"_a = text_or_none(x.value), "note"_a = x.note));
    out["admissions"] = admissions;
    out["unknown"] = a.unknown;
    out["target"] = a.target;
    out["summary"] = a.summary;
    return out;
  });
  m.def("compose", [](const py::list& given, const Given& at, const py::dict& options) {
    std::vector<ep::Mechanism> mechanisms;
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
        x.fixed_size = d.contains("fixed_size") && d["fixed_size"].cast<bool>();
      }
      x.times = d["times"].cast<std::uint64_t>();
      mechanisms.push_back(std::move(x));
    }
    const auto where = parameters_of(at);
    const ep::Composed a = call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) {
      return ep::compose(mechanisms, where, o);
    });
    py::dict out = answer(a);
    out["status"] = a.status;
    out["lower"] = text_or_none(a.lower);
    out["upper"] = text_or_none(a.upper);
    return out;
  });

  m.def("sweep", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Sweep request = sweep_of(given);
    return rows(call(options, progress,
                     [&](const ep::Options& o, const ep::Watch& w) { return ep::sweep(request, o, w); }));
  });
  m.def("plan", [](const py::dict& given, const py::dict& options) {
    const ep::Sweep request = sweep_of(given);
    const ep::Plan a =
        call(options, py::none(), [&](const ep::Options& o, const ep::Watch&) { return ep::plan(request, o); });
    using namespace py::literals;
    return py::dict("rows"_a = a.rows, "different"_a = a.different, "timed"_a = a.timed, "seconds"_a = a.seconds,
                    "notes"_a = a.notes);
  });
  m.def("check", [](const std::vector<std::string>& ids, const py::dict& options) {
    const ep::Findings a = call(
        options, py::none(), [&](const ep::Options& o, const ep::Watch& w) { return ep::check(ids, o, w); });
    using namespace py::literals;
    py::dict out = written(a);
    py::list findings;
    for (const ep::Finding& f : a.findings)
      findings.append(py::dict("claim"_a = claim(f.claim), "numbers"_a = pairs(f.numbers), "broken"_a = f.broken,
                               "marks"_a = f.marks));
    out["findings"] = findings;
    return out;
  });
  m.def("draw", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Drawing drawing = drawing_of(given);
    const ep::Drawn a = call(options, progress,
                             [&](const ep::Options& o, const ep::Watch& w) { return ep::draw(drawing, o, w); });
    return a.file;
  });
  m.def("picture", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    const ep::Drawing drawing = drawing_of(given);
    return picture(call(options, progress,
                        [&](const ep::Options& o, const ep::Watch& w) { return ep::picture(drawing, o, w); }));
  });
  m.def("simulate", [](const std::string& protocol, const Given& given, const py::dict& often, const py::dict& options,
                       const py::object& progress) {
    const ep::Simulation a = call_repeated(ep::simulate, protocol, given, often, options, progress);
    using namespace py::literals;
    py::dict out = written(a);
    py::list seen;
    for (const ep::Simulated& s : a.rows)
      seen.append(py::dict("what"_a = s.what, "statement"_a = s.statement, "side"_a = s.side, "stated"_a = s.stated,
                           "simulated"_a = s.simulated, "low"_a = s.low, "high"_a = s.high, "agrees"_a = s.agrees));
    out["protocol"] = a.protocol;
    out["where"] = pairs(a.where);
    out["runs"] = a.runs;
    out["confidence"] = a.confidence;
    out["rows"] = seen;
    return out;
  });
  m.def("audit", [](const std::string& protocol, const Given& given, const py::dict& often, const py::dict& options,
                    const py::object& progress) {
    const ep::Audit a = call_repeated(ep::audit, protocol, given, often, options, progress);
    using namespace py::literals;
    py::dict out = written(a);
    py::list uppers;
    for (const ep::Audit::Compared& u : a.uppers)
      uppers.append(py::dict("bound"_a = u.bound, "value"_a = text_or_none(u.value), "below"_a = u.below));
    out["protocol"] = a.protocol;
    out["where"] = pairs(a.where);
    out["data"] = a.data;
    out["randomizer"] = a.randomizer;
    out["runs"] = a.runs;
    out["hits"] = a.hits;
    out["misses"] = a.misses;
    out["confidence"] = a.confidence;
    out["measured"] = text_or_none(a.measured);
    out["attained"] = text_or_none(a.attained);
    out["attained_by"] = a.attained_by;
    out["share"] = a.share;
    out["lower"] = text_or_none(a.lower);
    out["upper"] = text_or_none(a.upper);
    out["lower_by"] = a.lower_by;
    out["upper_by"] = a.upper_by;
    out["uppers"] = uppers;
    return out;
  });
  m.def("train", [](const py::dict& given, const py::dict& options, const py::object& progress) {
    ep::Training training;
    training.spec = given["spec"].cast<std::string>();
    training.toml = given["toml"].cast<std::string>();
    training.data = given["data"].cast<std::string>();
    training.journal = given["journal"].cast<std::string>();
    training.seeds = given["seeds"].cast<int>();
    const ep::Trained a = call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      ep::TrainingWatch watch{.progress = {}, .stop = w.stop};
      if (w.progress) watch.progress = [&w](const ep::TrainingState& s) { w.progress(s.done, s.total); };
      return ep::train(training, o, watch);
    });
    py::dict out = written(a);
    out["spec"] = a.spec;
    out["origin"] = a.origin;
    out["columns"] = a.table.columns;
    out["rows"] = a.table.rows;
    return out;
  });
  m.def("trainings", [] {
    using namespace py::literals;
    py::list out;
    for (const ep::TrainingAbout& t : ep::trainings())
      out.append(py::dict("id"_a = t.id, "source"_a = t.source, "caption"_a = t.caption, "seeds"_a = t.seeds,
                          "rounds"_a = t.rounds));
    return out;
  });
  m.def("reproduce", [](const std::vector<std::string>& ids, const std::string& folder, const py::dict& options,
                        const py::object& progress) {
    const ep::Answer a = call(options, progress, [&](const ep::Options& o, const ep::Watch& w) {
      return ep::reproduce(ids, folder, "gnuplot", o, w);
    });
    return answer(a);
  });
}
