#!/usr/bin/env python3
"""Recomputes the values of few_steps.csv: delta of two or three steps of DP-SGD by plain integration.

    python3 tests/reference/brackets/few_steps.py tests/reference/brackets/few_steps.csv

The losses of one step are +-l(s), l(s) = log(1 + p (e^{mu s} - 1)), s > 0, and 0. One step more turns the profile
delta(eps) into the mean of delta(eps - X) over its loss X; delta at negative eps follows from the symmetry of the pair.
The integral over s is done by Gauss's rule on panels that end where the profile has a corner, and once more on more
panels: what both agree on are the digits of the value.
"""
import csv
import sys

import mpmath
from mpmath import erfc, exp, expm1, log1p, mpf, pi, sqrt

mpmath.mp.dps = 30

RULE = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp).calc_nodes(4, 120)  # 24 nodes on [-1, 1]


def above(x):
    return erfc(x / sqrt(2)) / 2


class Steps:
    def __init__(self, p, mu, panels):
        self.p, self.mu, self.panels = p, mu, panels
        self.atom = (1 - p) * (1 - 2 * above(mu / 2))

    def both_signs(self, right, eps):
        return right(eps) if eps >= 0 else -expm1(eps) + exp(eps) * right(-eps)

    def once(self, eps):
        t = log1p(expm1(eps) / self.p) / self.mu + self.mu / 2
        return (1 - self.p) * above(t) + self.p * above(t - self.mu) - exp(eps) * above(t)

    def more(self, right, eps):
        turn = log1p(expm1(eps) / self.p) / self.mu
        ends = [turn * i / self.panels for i in range(self.panels + 1)]
        ends += [turn + (16 - turn) * i / (3 * self.panels) for i in range(1, 3 * self.panels + 1)]
        total = self.atom * right(eps)
        for a, b in zip(ends, ends[1:]):
            for x, w in RULE:
                s = (a + b) / 2 + (b - a) / 2 * x
                l, t = log1p(self.p * expm1(self.mu * s)), self.mu / 2 + s
                mean = exp(l) * self.both_signs(right, eps - l) + right(eps + l)
                total += (b - a) / 2 * w * exp(-t * t / 2) / sqrt(2 * pi) * mean
        return total

    def delta(self, steps, eps):
        if steps == 1:
            return self.once(eps)
        return self.more(lambda e: self.delta(steps - 1, e), eps)


def digits(value, other):
    if value == other:
        return 25
    return min(25, int(-mpmath.log10(abs(value - other) / abs(value))))


def main(path):
    rows = list(csv.DictReader(open(path)))
    for row in rows:
        x = {k: mpf(v) for k, v in (pair.split('=') for pair in row['params'].split())}
        steps = int(x['T'])
        values = [Steps(x['q'], 1 / x['sigma'], panels).delta(steps, x['eps'])
                  for panels in ((8, 16) if steps == 2 else (2, 3))]
        row['digits'] = digits(*values)
        row['value'] = mpmath.nstr(values[1], row['digits'])
        print(row, file=sys.stderr)
    with open(path, 'w', newline='') as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows)


main(sys.argv[1])
