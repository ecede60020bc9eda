#!/usr/bin/env python3
"""Recomputes the values of limits.csv with mpmath: what a shuffle of many reports comes to.

    python3 tests/reference/limits.py tests/reference/limits.csv

The largest variance is not taken from its formula: it is the best of all laws of two likelihood ratios r1, r0 to a
third law on the corners of the hexagon 1/e <= r1, r0, r1/r0 <= e with mean (1, 1), two or three corners each, of
E(r1 - r0)^2. Epsilon of the Gaussian mechanism is found by bisection.
"""
import itertools
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt, ncdf

mpmath.mp.dps = 70


def largest_variance(eps0):
    e = exp(eps0)
    corners = [(e, mpf(1)), (mpf(1), e), (1 / e, 1 / e), (1 / e, mpf(1)), (mpf(1), 1 / e), (e, e)]
    best = mpf(0)
    for chosen in itertools.combinations(corners, 3):
        a = mpmath.matrix([[x for x, _ in chosen], [y for _, y in chosen], [1, 1, 1]])
        if abs(mpmath.det(a)) < mpf(10) ** -50:
            continue
        w = mpmath.lu_solve(a, mpmath.matrix([1, 1, 1]))
        if min(w) > -mpf(10) ** -55:
            best = max(best, sum(p * (x - y) ** 2 for p, (x, y) in zip(w, chosen)))
    return best


def gaussian_epsilon(delta, mu):
    value = lambda x: ncdf(-x / mu + mu / 2) - exp(x) * ncdf(-x / mu - mu / 2)
    if value(mpf(0)) <= delta:
        return mpf(0)
    low, high = mpf(0), mpf(1)
    while value(high) > delta:
        high *= 2
    for _ in range(240):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > delta else (low, middle)
    return high


def main(path):
    lines = open(path).read().splitlines()
    out = [lines[0]]
    for line in lines[1:]:
        bound, field, params, _, digits = line.split(',')
        given = {k: mpf(v) for k, v in (word.split('=') for word in params.split())}
        mu = sqrt(largest_variance(given['eps0']) / given['n'])
        value = gaussian_epsilon(given['delta'], mu) if 'delta' in given else mu
        out.append(f"{bound},{field},{params},{mpmath.nstr(value, int(digits) + 5)},{digits}")
    open(path, 'w').write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main(sys.argv[1])
