// Truth: what is known of a statement about balls. It holds at every point of them, or fails at every point, or
// neither is known. It does not convert to bool: whoever branches says which doubt he can live with.
#pragma once

#include <concepts>

namespace epsilary::solvers {

class Truth {
 public:
  static Truth when(bool always, bool never) { return Truth(always, never); }

  // True only when the statement holds at every point.
  friend bool certainly(Truth t) { return t.always_; }
  // False only when the statement fails at every point.
  friend bool possibly(Truth t) { return !t.never_; }
  friend bool undecided(Truth t) { return !t.always_ && !t.never_; }

  friend Truth operator!(Truth t) { return {t.never_, t.always_}; }
  friend Truth operator&&(Truth a, Truth b) { return {a.always_ && b.always_, a.never_ || b.never_}; }
  friend Truth operator||(Truth a, Truth b) { return {a.always_ || b.always_, a.never_ && b.never_}; }

 private:
  Truth(bool always, bool never) : always_(always), never_(never) {}
  bool always_, never_;
};

// Numbers that are one point leave no doubt. Templates, so that nothing is made a bool to fit.
template <class B>
requires std::same_as<B, bool>
bool certainly(B statement) { return statement; }
template <class B>
requires std::same_as<B, bool>
bool possibly(B statement) { return statement; }
template <class B>
requires std::same_as<B, bool>
bool undecided(B) { return false; }

}  // namespace epsilary::solvers
