#include "experiments/epsilary/inside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "bounds/core/registry.hpp"

namespace epsilary {

using namespace bounds;

Value::Value(double x) {
  char text[64];
  text_.assign(text, std::to_chars(text, text + sizeof text, x).ptr);
}

Number Number::none(std::string reason) {
  Number out;
  out.missing_ = std::move(reason);
  return out;
}

const std::string& Number::text() const {
  if (text_.empty()) throw Error(Problem::outside, missing_, "see whether there is a number before it is read");
  return text_;
}

double Number::as_double() const {
  const Ball::Precision bits(4000);
  const Ball exact(solvers::Decimal(text()).exact());
  double x = exact.midpoint();
  const auto is_safe = [&] {
    if (std::isinf(x)) return rounded_ == Rounded::up ? x > 0 : x < 0;
    return certainly(rounded_ == Rounded::up ? Ball(x) >= exact : Ball(x) <= exact);
  };
  const double towards = rounded_ == Rounded::up ? HUGE_VAL : -HUGE_VAL;
  while (!is_safe()) x = std::nextafter(x, towards);
  return x;
}

Result to_result(const experiments::Record& r) {
  const Statement& s = statement_of(*r.bound);
  Result out{.statement = &s, .status = r.status, .reason = whole_note(r)};
  if (r.value.empty()) {
    const std::string none = fmt::format("{} is {}{}{}", s.id, r.status, out.reason.empty() ? "" : ": ", out.reason);
    out.value = out.lower = out.upper = Number::none(none);
  } else {
    out.value = {r.value, r.bound->side == Side::lower ? Number::Rounded::down : Number::Rounded::up};
    out.lower = {r.lower, Number::Rounded::down};
    out.upper = {r.upper, Number::Rounded::up};
  }
  out.certified = r.certified;
  out.answers = r.answers;
  out.guarantee = r.guarantee;
  out.params = r.params;
  out.at = r.at;
  out.extras = r.beside;
  return out;
}

std::vector<Result> to_results(const std::vector<experiments::Record>& records) {
  std::vector<Result> out;
  out.reserve(records.size());
  for (const experiments::Record& r : records) out.push_back(to_result(r));
  return out;
}

Param param_given(const std::string& key) {
  if (const auto p = param_named(key)) return *p;
  std::vector<std::string> known;
  for (const ParamInfo& p : bounds::params()) known.emplace_back(p.key);
  throw Error(Problem::usage, fmt::format("unknown parameter '{}'{}", key, did_you_mean(key, known)),
              "see: epsilary list params");
}

namespace {

Error refused(const std::string& name, const experiments::BadValue& bad) {
  const ParamInfo& about = info(param_given(name));
  return {Problem::usage, fmt::format("{}: {}", name, bad.what()),
          bad.next.empty() ? fmt::format("{}; for example --{} {}", requirement(about), name, about.example) : bad.next,
          name};
}

}  // namespace

std::size_t points_of(const Parameters& given) {
  std::size_t points = 1;
  for (const auto& [name, value] : given) try {
      points = experiments::product(points, experiments::count_values(param_given(name), value.text()));
    } catch (const experiments::BadValue& bad) {
      throw refused(name, bad);
    }
  return points;
}

std::vector<experiments::Axis> axes_of(const Parameters& given, bool any_size, bool whole) {
  std::vector<experiments::Axis> list;
  for (const auto& [name, value] : given) {
    const Param param = param_given(name);
    std::vector<std::string> texts;
    for (const auto& [other, text] : given)
      if (other == name) texts.push_back(text.text());
    if (texts.size() > 1)
      throw Error(Problem::usage, fmt::format("{} is given {} times: {}", name, texts.size(), joined(texts)),
                  fmt::format("for several values write a list: --{} {}", name, joined(texts, ",")), name);
    if (!any_size) refuse_too_many(points_of(given));
    try {
      list.push_back(experiments::parse_axis(param, value.text()));
    } catch (const experiments::BadValue& bad) {
      throw refused(name, bad);
    }
  }
  if (whole) experiments::first_point(list);  // refuses a tie that cannot be made
  return list;
}

std::vector<Param> varying(const std::vector<experiments::Axis>& axes) {
  std::vector<Param> out;
  for (const experiments::Axis& axis : axes)
    if (axis.size() > 1) out.push_back(axis.param);
  return out;
}

Pairs values_at(const Point& point, const std::vector<Param>& params) {
  Pairs out;
  for (const Param p : params) out.emplace_back(key(p), point.text(p));
  return out;
}

solvers::Decimal target_given(const Value& target) {
  try {
    return solvers::Decimal(target.text());
  } catch (const solvers::BadNumber& bad) {
    throw Error(Problem::usage, fmt::format("target: {}", bad.what()), "for example --target 0.1", "target");
  }
}

Accuracy accuracy_of(const Options& o) {
  if (o.digits < 1 || o.digits > 10'000)
    throw Error(Problem::usage, fmt::format("digits must be from 1 to 10000 (got {})", o.digits), "for example 6");
  if (o.precision != "ball" && o.precision != "double" && o.precision != "mp50")
    throw Error(Problem::usage, fmt::format("unknown precision '{}'", o.precision), "choose ball, mp50 or double");
  if (o.patience < 1 || o.patience > 1'000'000)
    throw Error(Problem::usage, fmt::format("patience must be from 1 to 1000000 (got {})", o.patience),
                "10 allows ten times the usual work");
  return {.digits = o.digits,
          .number = o.precision == "double" ? bounds::NumberType::in_double
                    : o.precision == "mp50" ? bounds::NumberType::in_mp50
                                            : bounds::NumberType::in_ball,
          .patience = static_cast<double>(o.patience)};
}

Asked asked_of(const Options& o) {
  Asked out;
  for (const Adjacency a : {Adjacency::replace, Adjacency::remove})
    if (o.adjacency == name(a)) out.adjacency = a;
  for (const View v : {View::usual, View::count_hidden, View::told_steps})
    if (o.view == name(v)) out.view = v;
  if (!o.adjacency.empty() && !out.adjacency)
    throw Error(Problem::usage, fmt::format("unknown adjacency '{}'", o.adjacency), "choose replace or remove");
  if (!o.view.empty() && !out.view)
    throw Error(Problem::usage, fmt::format("unknown view '{}'", o.view), "choose usual, count-hidden or told-steps");
  return out;
}

std::vector<const Bound*> forms_named(std::string_view id) {
  std::vector<const Bound*> forms = named(id);
  if (forms.empty()) {
    std::vector<std::string> ids;
    for (const Bound* b : all()) ids.emplace_back(b->id);
    throw Error(Problem::usage, fmt::format("unknown bound '{}'{}", id, did_you_mean(id, ids, 3)),
                "see: epsilary list");
  }
  return forms;
}

const Bound& form_given(const std::string& id, const Point& point, std::vector<std::string>& notes) {
  const std::vector<const Bound*> forms = forms_named(id);
  const Bound* form = form_for(forms, point);
  if (!form) {
    std::vector<std::string> lacking, example;
    for (const Bound* b : forms) lacking.push_back(keys(missing(*b, point)));
    for (const Param p : missing(*forms.front(), point))
      example.push_back(fmt::format("--{} {}", key(p), info(p).example));
    throw Error(Problem::usage, fmt::format("{} needs {}", id, joined(lacking, ", or ")),
                fmt::format("add for example {}; see: epsilary show {}", joined(example, " "), id));
  }
  if (const std::vector<Param> left = unused(*form, point); !left.empty())
    notes.push_back(fmt::format("{} does not use {}", id, keys(left)));
  return *form;
}

void refuse_too_many(std::size_t evaluations) {
  if (evaluations > largest_grid)
    throw Error(Problem::usage, fmt::format("{} evaluations are more than {}", evaluations, largest_grid),
                "use fewer values in the lists and ranges");
}

bool is_counted(const Options& options, std::size_t evaluations, epsilary::Answer& answer) {
  refuse_too_many(evaluations);
  answer.digits = options.digits;
  answer.evaluations = evaluations;
  return options.dry_run;
}

void refuse_unknown(const std::string& kind, const std::vector<std::string>& names,
                    const std::vector<std::string>& known, const std::string& next) {
  for (const std::string& name : names)
    if (!std::ranges::count(known, name))
      throw Error(Problem::usage, fmt::format("unknown {} '{}'{}", kind, name, did_you_mean(name, known)), next);
}

void run_rows(std::vector<experiments::Row>& rows, const Options& options, experiments::Running running) {
  running.stop = options.stop;
  stoppable(options.stop, [&] { experiments::run(rows, accuracy_of(options), options.threads, running); });
}

std::string joined(const std::vector<std::string>& names, std::string_view between) {
  return fmt::format("{}", fmt::join(names, between));
}

std::string keys(const std::vector<Param>& list) {
  std::vector<std::string_view> names;
  for (const Param p : list) names.push_back(key(p));
  return fmt::format("{}", fmt::join(names, ", "));
}

Error assumes(const Bound& b, const std::string& broken) {
  return {Problem::outside, broken, fmt::format("{} assumes it; see: epsilary show {}", b.id, b.id)};
}

}  // namespace epsilary
