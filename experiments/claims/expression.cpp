#include "experiments/claims/expression.hpp"

#include <algorithm>
#include <functional>

#include "solvers/numbers/decimal.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::experiments {
namespace {

using solvers::Ball, solvers::Truth;

// Two lists place by place; a list of one goes with every place of the other.
template <class Result, class F>
std::vector<Result> each_place(const Balls& a, const Balls& b, F f) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1)
    throw BadExpression("lists of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                        " values do not go together");
  std::vector<Result> out;
  const std::size_t size = a.empty() || b.empty() ? 0 : std::max(a.size(), b.size());
  for (std::size_t i = 0; i < size; ++i) out.push_back(f(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]));
  return out;
}

Balls map(Balls list, Ball (*f)(const Ball&)) {
  for (Ball& x : list) x = f(x);
  return list;
}

Balls fold(const Balls& list, Ball (*f)(const Ball&, const Ball&)) {
  Ball out = list.at(0);
  for (const Ball& x : list) out = f(out, x);
  return {out};
}

Balls call(std::string_view name, const Balls& x) {
  if (x.empty()) throw BadExpression("'" + std::string(name) + "' of an empty list");
  if (name == "sqrt") return map(x, [](const Ball& v) { return sqrt(v); });
  if (name == "log") return map(x, [](const Ball& v) { return log(v); });
  if (name == "log2") return map(x, [](const Ball& v) { return log(v) / log(Ball(2)); });
  if (name == "exp") return map(x, [](const Ball& v) { return exp(v); });
  if (name == "abs") return map(x, [](const Ball& v) { return abs(v); });
  if (name == "least") return fold(x, [](const Ball& a, const Ball& b) { return min(a, b); });
  if (name == "greatest") return fold(x, [](const Ball& a, const Ball& b) { return max(a, b); });
  throw BadExpression("unknown function '" + std::string(name) +
                      "'; there are sqrt, log, log2, exp, abs, least, greatest");
}

// Recursive descent; one method for each line of the grammar.
class Parser {
 public:
  Parser(std::string_view text, const Names& names) : text_(text), names_(names) {}

  // sum { (< | <= | > | >=) sum }
  Truth comparisons() {
    Balls left = sum();
    Truth all = Truth::when(true, false);
    bool any = false;
    for (std::string op; !(op = comparison()).empty(); any = true) {
      const Balls right = sum();
      for (const Truth one :
           each_place<Truth>(left, right, [&](const Ball&a, const Ball&b) { return compare(a, op, b); }))
        all = all && one;
      left = right;
    }
    if (!any) refuse("a comparison was expected");
    end();
    return all;
  }

  // sum { , sum }
  Balls whole() {
    Balls list = sum();
    while (take(',')) {
      const Balls more = sum();
      list.insert(list.end(), more.begin(), more.end());
    }
    end();
    return list;
  }

 private:
  // product { (+ | -) product }
  Balls sum() {
    Balls x = product();
    for (;;) {
      if (take('+'))
        x = each_place<Ball>(x, product(), [](const Ball& a, const Ball& b) { return a + b; });
      else if (take('-'))
        x = each_place<Ball>(x, product(), [](const Ball& a, const Ball& b) { return a - b; });
      else
        return x;
    }
  }

  // factor { (* | /) factor }
  Balls product() {
    Balls x = factor();
    for (;;) {
      if (take('*'))
        x = each_place<Ball>(x, factor(), [](const Ball& a, const Ball& b) { return a * b; });
      else if (take('/'))
        x = each_place<Ball>(x, factor(), [](const Ball& a, const Ball& b) { return a / b; });
      else
        return x;
    }
  }

  // - factor | number | name | name ( sum ) | ( sum )
  Balls factor() {
    if (++depth_ > 100) refuse("too many brackets");
    Balls x = unsigned_factor();
    --depth_;
    return x;
  }

  Balls unsigned_factor() {
    if (take('-')) return map(factor(), [](const Ball& v) { return -v; });
    if (take('(')) {
      Balls x = sum();
      if (!take(')')) refuse("')' was expected");
      return x;
    }
    skip_spaces();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      return {number()};
    const std::string_view name = word();
    if (name.empty()) refuse("a number or a name was expected");
    if (take('(')) {
      const Balls x = call(name, sum());
      if (!take(')')) refuse("')' was expected");
      return x;
    }
    const auto it = names_.find(name);
    if (it == names_.end()) refuse("nothing is called '" + std::string(name) + "'");
    return it->second;
  }

  Ball number() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '.' ||
                                  ((text_[end] == '-' || text_[end] == '+') && text_[end - 1] == 'e')))
      ++end;
    const std::string_view text = text_.substr(at_, end - at_);
    at_ = end;
    try {
      return Ball(solvers::Decimal(text).exact());
    } catch (const solvers::BadNumber& bad) {
      throw BadExpression(bad.what());
    }
  }

  std::string_view word() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    return name;
  }

  std::string comparison() {
    skip_spaces();
    for (const char* op : {"<=", ">=", "<", ">"})
      if (text_.substr(at_).starts_with(op)) {
        at_ += std::string_view(op).size();
        return op;
      }
    return {};
  }

  static Truth compare(const Ball& a, const std::string& op, const Ball& b) {
    return op == "<=" ? a <= b : op == "<" ? a < b : op == ">=" ? a >= b : a > b;
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void end() {
    skip_spaces();
    if (at_ < text_.size()) refuse("unexpected '" + std::string(text_.substr(at_)) + "'");
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw BadExpression("'" + std::string(text_) + "': " + what);
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Balls compute(std::string_view text, const Names& names) { return Parser(text, names).whole(); }

solvers::Truth decide(std::string_view text, const Names& names) { return Parser(text, names).comparisons(); }

}  // namespace epsilary::experiments
