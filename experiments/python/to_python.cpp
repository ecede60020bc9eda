#include "experiments/python/to_python.hpp"

namespace py = pybind11;
namespace ep = epsilary;
using namespace py::literals;

namespace epsilary_python {

static py::object to_python(const std::optional<ep::Error>& e) {
  if (!e) return py::none();
  return py::make_tuple(static_cast<int>(e->problem), std::string(e->what()), e->next, e->parameter);
}

static py::dict to_python(const ep::Scale& s) {
  return py::dict("label"_a = s.label, "log"_a = s.logarithmic, "from"_a = s.from, "to"_a = s.to);
}

static py::dict to_python(const ep::Solution& s) {
  return py::dict("status"_a = s.status, "params"_a = to_python(s.params), "value"_a = text_or_none(s.value),
                  "tried"_a = s.tried, "bound_at_value"_a = s.bound_at_value, "beyond"_a = s.beyond,
                  "bound_beyond"_a = s.bound_beyond, "delta_total"_a = s.delta_total, "note"_a = s.note,
                  "problem"_a = to_python(s.problem));
}

static py::dict to_python(const ep::Line& l) {
  return py::dict("params"_a = to_python(l.params), "values"_a = to_python(l.values), "tightest"_a = l.tightest,
                  "ratio"_a = l.ratio, "contradiction"_a = l.contradiction, "guarantee"_a = l.guarantee);
}

static py::dict to_python(const ep::Analysis& x) {
  return py::dict("protocol"_a = x.protocol, "where"_a = to_python(x.where), "result"_a = to_python(x.result),
                  "ratio"_a = x.ratio);
}

static py::dict to_python(const ep::Sandwich& s) {
  return py::dict("protocol"_a = s.protocol, "where"_a = to_python(s.where), "lower"_a = text_or_none(s.lower),
                  "upper"_a = text_or_none(s.upper), "lower_by"_a = s.lower_by, "upper_by"_a = s.upper_by,
                  "words"_a = s.words);
}

static py::dict to_python(const ep::Loss& l) {
  return py::dict("protocol"_a = l.protocol, "where"_a = to_python(l.where), "factor"_a = l.factor,
                  "looser"_a = l.step.looser, "tighter"_a = l.step.tighter, "replaced"_a = l.step.replaced);
}

static py::dict to_python(const ep::Admission& x) {
  return py::dict("protocol"_a = x.protocol, "statement"_a = index_of(x.statement), "status"_a = x.status,
                  "value"_a = text_or_none(x.value), "note"_a = x.note);
}

static py::tuple to_python(const ep::Step& s) { return py::make_tuple(s.looser, s.tighter, s.replaced); }

static py::tuple to_python(const ep::Skipped& s) { return py::make_tuple(s.id, s.needs); }

static py::dict to_python(const ep::Parameter& p) {
  return py::dict("key"_a = p.key, "meaning"_a = p.meaning, "unit"_a = p.unit, "domain"_a = p.domain,
                  "example"_a = p.example);
}

static py::dict to_python(const ep::Statement& s) {
  return py::dict("id"_a = s.id, "title"_a = s.title, "paper"_a = s.paper, "source"_a = s.source,
                  "formula"_a = s.formula, "protocol"_a = s.protocol, "quantity"_a = s.quantity, "side"_a = s.side,
                  "standing"_a = s.standing, "worth"_a = s.worth, "note"_a = s.note, "proof_at"_a = s.proof,
                  "adjacency"_a = s.adjacency, "view"_a = s.view, "neighbours"_a = s.neighbours, "unit"_a = s.unit,
                  "needs"_a = s.needs, "takes"_a = s.takes, "rises"_a = s.rises, "falls"_a = s.falls,
                  "turns"_a = s.turns, "assumes"_a = s.assumes, "reliable"_a = s.reliable, "bracket"_a = s.bracket);
}

static py::dict to_python(const ep::Figure& f) {
  return py::dict("id"_a = f.id, "source"_a = f.source, "caption"_a = f.caption, "rows"_a = f.rows);
}

static py::dict to_python(const ep::Claim& c) {
  return py::dict("id"_a = c.id, "source"_a = c.source, "text"_a = c.text, "verdict"_a = c.verdict,
                  "because"_a = c.because);
}

static py::dict to_python(const ep::TrainingAbout& t) {
  return py::dict("id"_a = t.id, "source"_a = t.source, "caption"_a = t.caption, "seeds"_a = t.seeds,
                  "rounds"_a = t.rounds);
}

static py::dict to_python(const ep::Finding& f) {
  return py::dict("claim"_a = to_python(f.claim), "numbers"_a = to_python(f.numbers), "broken"_a = f.broken,
                  "marks"_a = f.marks);
}

static py::dict to_python(const ep::Simulated& s) {
  return py::dict("what"_a = s.what, "statement"_a = s.statement, "side"_a = s.side, "stated"_a = s.stated,
                  "simulated"_a = s.simulated, "low"_a = s.low, "high"_a = s.high, "agrees"_a = s.agrees);
}

static py::dict to_python(const ep::Audit::Compared& u) {
  return py::dict("bound"_a = u.bound, "value"_a = text_or_none(u.value), "below"_a = u.below);
}

static py::dict to_python(const ep::Curve& c) {
  constexpr const char* dashes[] = {"solid", "dashed", "dotted", "dashdot", "points"};
  return py::dict("x"_a = c.x, "y"_a = c.y, "faded"_a = c.faded, "label"_a = c.label,
                  "dash"_a = dashes[static_cast<int>(c.dash)], "color"_a = c.color, "width"_a = c.width);
}

static py::dict to_python(const ep::Band& b) {
  return py::dict("x"_a = b.x, "low"_a = b.low, "high"_a = b.high, "label"_a = b.label, "color"_a = b.color);
}

static py::dict to_python(const ep::Contour& c) { return py::dict("level"_a = c.level, "pieces"_a = c.pieces); }

static py::object to_python(const std::optional<ep::HeatMap>& map) {
  if (!map) return py::none();
  return py::dict("x"_a = map->x, "y"_a = map->y, "z"_a = map->z, "label"_a = map->label, "log"_a = map->logarithmic,
                  "from"_a = map->from, "to"_a = map->to, "categories"_a = map->categories,
                  "category_colors"_a = map->category_colors);
}

static py::dict to_python(const ep::Protocol& p);  // below: it has a list of its own

template <class T>
static py::list list_of(const std::vector<T>& items) {
  py::list out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) out[i] = to_python(items[i]);
  return out;
}

static py::dict to_python(const ep::Protocol& p) {
  return py::dict("name"_a = p.name, "words"_a = p.words, "example"_a = p.example, "chain"_a = list_of(p.chain));
}

template <class T>
static py::dict written(const T& a) {
  py::dict out = to_python(static_cast<const ep::Answer&>(a));
  out["text"] = ep::write(a, ep::Format::text);
  out["json"] = ep::write(a, ep::Format::json);
  return out;
}

py::object index_of(const ep::Statement* s) {
  return s ? py::object(py::int_(s - ep::statements().data())) : py::none();
}

py::object text_or_none(const ep::Number& x) { return x ? py::object(py::str(x.text())) : py::none(); }

py::dict to_python(const ep::Pairs& list) {
  py::dict out;
  for (const auto& [key, value] : list) out[py::str(key)] = value;
  return out;
}

py::tuple to_python(const ep::Result& r) {
  return py::make_tuple(index_of(r.statement), r.status, r.reason, text_or_none(r.value), text_or_none(r.lower),
                        text_or_none(r.upper), r.certified, r.answers, r.guarantee, to_python(r.params),
                        to_python(r.at), to_python(r.extras));
}

py::list to_python(const std::vector<ep::Result>& items) { return list_of(items); }
py::list to_python(const std::vector<ep::Parameter>& items) { return list_of(items); }
py::list to_python(const std::vector<ep::Statement>& items) { return list_of(items); }
py::list to_python(const std::vector<ep::Protocol>& items) { return list_of(items); }
py::list to_python(const std::vector<ep::Figure>& items) { return list_of(items); }
py::list to_python(const std::vector<ep::Claim>& items) { return list_of(items); }
py::list to_python(const std::vector<ep::TrainingAbout>& items) { return list_of(items); }

py::dict to_python(const ep::Answer& a) {
  return py::dict("notes"_a = a.notes, "problem"_a = to_python(a.problem), "digits"_a = a.digits,
                  "evaluations"_a = a.evaluations);
}

py::dict to_python(const ep::Evaluations& a) {
  py::dict out = written(a);
  out["rows"] = list_of(a.results);
  out["skipped"] = list_of(a.skipped);
  return out;
}

py::dict to_python(const ep::Composed& a) {
  py::dict out = to_python(static_cast<const ep::Answer&>(a));
  out["status"] = a.status;
  out["lower"] = text_or_none(a.lower);
  out["upper"] = text_or_none(a.upper);
  return out;
}

py::dict to_python(const ep::Solutions& a) {
  py::dict out = written(a);
  out["statement"] = index_of(a.statement);
  out["unknown"] = a.unknown;
  out["target"] = a.target;
  out["points"] = list_of(a.points);
  return out;
}

py::dict to_python(const ep::Comparison& a) {
  py::dict out = written(a);
  out["lines"] = list_of(a.lines);
  out["summary"] = a.summary;
  return out;
}

py::dict to_python(const ep::Tightness& a) {
  py::dict out = written(a);
  out["analyses"] = list_of(a.analyses);
  out["sandwiches"] = list_of(a.sandwiches);
  out["losses"] = list_of(a.losses);
  return out;
}

py::dict to_python(const ep::Design& a) {
  py::dict out = written(a);
  out["admissions"] = list_of(a.admissions);
  out["unknown"] = a.unknown;
  out["target"] = a.target;
  out["summary"] = a.summary;
  return out;
}

py::dict to_python(const ep::Findings& a) {
  py::dict out = written(a);
  out["findings"] = list_of(a.findings);
  return out;
}

py::dict to_python(const ep::Simulation& a) {
  py::dict out = written(a);
  out["protocol"] = a.protocol;
  out["where"] = to_python(a.where);
  out["runs"] = a.runs;
  out["confidence"] = a.confidence;
  out["rows"] = list_of(a.rows);
  return out;
}

py::dict to_python(const ep::Audit& a) {
  py::dict out = written(a);
  out["protocol"] = a.protocol;
  out["where"] = to_python(a.where);
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
  out["uppers"] = list_of(a.uppers);
  return out;
}

py::dict to_python(const ep::Trained& a) {
  py::dict out = written(a);
  out["spec"] = a.spec;
  out["origin"] = a.origin;
  out["columns"] = a.table.columns;
  out["rows"] = a.table.rows;
  return out;
}

py::dict to_python(const ep::Plan& a) {
  return py::dict("rows"_a = a.rows, "different"_a = a.different, "timed"_a = a.timed, "seconds"_a = a.seconds,
                  "notes"_a = a.notes);
}

py::dict to_python(const ep::Picture& p) {
  return py::dict("x"_a = to_python(p.x), "y"_a = to_python(p.y), "curves"_a = list_of(p.curves),
                  "bands"_a = list_of(p.bands), "map"_a = to_python(p.map), "contours"_a = list_of(p.contours),
                  "title"_a = p.title, "cells"_a = p.cells, "width"_a = p.width, "height"_a = p.height);
}

}  // namespace epsilary_python
