#include "bounds/theory/shuffle/blanket.hpp"

namespace epsilary::bounds::blanket {

template <Real R>
R log_delta(Inequality by, const R& eps, const Reports<R>& s) {
  using enum Inequality;
  switch (by) {
    case stated: return Stated{}(eps, s);
    case hoeffding: return Hoeffding<Generic>{}(eps, s);
    case bennett: return Bennett<Generic>{}(eps, s);
    case joint: return Joint<Generic>{}(eps, s);
    case joint_tight: return Joint<GenericTight>{}(eps, s);
    case bennett_tight: return Bennett<GenericTight>{}(eps, s);
    case hoeffding_response: return Hoeffding<RandomisedResponse>{}(eps, s);
    case bennett_response: return Bennett<RandomisedResponse>{}(eps, s);
    case hoeffding_laplace: return Hoeffding<Laplace>{}(eps, s);
    case bennett_laplace: break;
  }
  return Bennett<Laplace>{}(eps, s);
}

template double log_delta(Inequality, const double&, const Reports<double>&);
template mp50 log_delta(Inequality, const mp50&, const Reports<mp50>&);
template Ball log_delta(Inequality, const Ball&, const Reports<Ball>&);

template double epsilon(By, const Reports<double>&, const double&);
template mp50 epsilon(By, const Reports<mp50>&, const mp50&);
template Ball epsilon(By, const Reports<Ball>&, const Ball&);

}  // namespace epsilary::bounds::blanket
