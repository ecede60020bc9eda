// The inequalities of the privacy blanket.
#pragma once

namespace epsilary::bounds::blanket {

// A randomizer and an inequality, by name.
enum class Inequality {
  stated,     // Theorem 5.3
  hoeffding,  // any randomizer
  bennett,
  joint,        // one gamma throughout
  joint_tight,  // and the tight range
  bennett_tight,
  hoeffding_response,  // randomised response
  bennett_response,
  hoeffding_laplace,  // Laplace noise on [0, 1]
  bennett_laplace,
};

// f.template operator()<inequality>() for the one given.
template <class F>
auto with(Inequality by, F f) {
  using enum Inequality;
  switch (by) {
    case stated: return f.template operator()<stated>();
    case hoeffding: return f.template operator()<hoeffding>();
    case bennett: return f.template operator()<bennett>();
    case joint: return f.template operator()<joint>();
    case joint_tight: return f.template operator()<joint_tight>();
    case bennett_tight: return f.template operator()<bennett_tight>();
    case hoeffding_response: return f.template operator()<hoeffding_response>();
    case bennett_response: return f.template operator()<bennett_response>();
    case hoeffding_laplace: return f.template operator()<hoeffding_laplace>();
    case bennett_laplace: break;
  }
  return f.template operator()<bennett_laplace>();
}

}  // namespace epsilary::bounds::blanket
