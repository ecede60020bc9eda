#!/usr/bin/env python3
"""Writes girgis2021_section6.csv: the run of Girgis et al. 2021, Section 6, in 20 digits.

    python3 tests/paper/girgis2021_section6.py > tests/paper/girgis2021_section6.csv

eps0 = 2, delta = 1e-5, 10000 of 60000 clients a step, 6 steps an epoch, half of delta for the composition.
"""
import os
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
import cldp_sgd as paper

mpmath.mp.dps = 45
BOUNDS = ["balle2019-stated", "balle2019-hoeffding", "balle2019-bennett", "epsilary-blanket-joint",
          "epsilary-blanket-tight", "balle2019-hoeffding-rr", "balle2019-bennett-rr"]


def advanced(eps, T, delta):
    drift, squares = T * eps * (exp(eps) - 1) / (exp(eps) + 1), T * eps ** 2
    return min(T * eps, drift + sqrt(2 * squares * log(1 / delta)),
               drift + sqrt(2 * squares * log(mpmath.e + sqrt(squares) / delta)))


def main():
    print("bound,epoch,T,shuffled,step,strong,advanced,optimal")
    for bound in BOUNDS:
        for epoch in range(1, 81):
            T = 6 * epoch
            p = paper.Params(f"eps0=2 clients=60000 per_round=10000 delta=1e-5 T={T}")
            half = p.delta / 2
            shuffled, step = paper.one_round(bound, p, half / (paper.rate_of(p) * T), 30)
            numbers = (shuffled, step, paper.strong(step, T, half), advanced(step, T, half),
                       paper.optimal(step, T, half))
            print(f"{bound},{epoch},{T}," + ",".join(mpmath.nstr(x, 20) for x in numbers))


if __name__ == "__main__":
    main()
