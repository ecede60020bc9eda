// A round of shuffled reports of ternary response, a pair that it attains: all other records are 0, the one in question
// is 1 under P and 2 under Q.
#pragma once

#include "bounds/theory/checkin/laws.hpp"

namespace epsilary::bounds::checkin {

// Of k reports a show 1 and b show 2, with probability 1/(e^{eps0}+2) each where the record does not report. It is in
// one of them with probability k/population: P and Q over that law are 1 + (1/population)((e - 1/e) a + (1 - 1/e)(b -
// k)), and the same with a and b exchanged: a symmetric pair.
SymmetricPairBounds shuffled_ternary(const Ball& eps0, const Reports& reports, const Resolution& resolution);

}  // namespace epsilary::bounds::checkin
