#!/usr/bin/env python3
"""Recomputes the values of blanket_rounds.csv with mpmath: delta of T rounds of the blanket's pair, every outcome of all
rounds written out.

    python3 tests/reference/brackets/blanket_rounds.py tests/reference/brackets/blanket_rounds.csv

A round: of k reports a show the first label and b the second; the others show one with probability 2/(e^eps0 + 1), either
alike, the record always, the first with probability e^eps0/(e^eps0 + 1) under P and 1/(e^eps0 + 1) under Q. Where fewer
report than there are clients the pair is thinned: masses Q at the ratio 1 + r (P/Q - 1) where P > Q, both ways.
"""
import itertools
import sys
import mpmath
from mpmath import mpf, exp, binomial

mpmath.mp.dps = 50


def round_of(eps0, k):
    e = exp(eps0)
    hides, heavy = 2 / (e + 1), e / (e + 1)
    p, q = {}, {}
    for c in range(k):
        for a in range(c + 1):
            mass = binomial(k - 1, c) * hides ** c * (1 - hides) ** (k - 1 - c) * binomial(c, a) / mpf(2) ** c
            for seen, first in (((a + 1, c - a), True), ((a, c - a + 1), False)):
                p[seen] = p.get(seen, 0) + mass * (heavy if first else 1 - heavy)
                q[seen] = q.get(seen, 0) + mass * (1 - heavy if first else heavy)
    return [(p[s], q[s]) for s in p]


def thinned(pair, r):
    if r == 1:
        return pair
    out, left = [], mpf(1)
    for p, q in pair:
        if p > q:
            heavier = q * (1 + r * (p / q - 1))
            out += [(heavier, q), (q, heavier)]
            left -= heavier + q
    return out + [(left, left)]


def delta(given):
    k, clients, rounds = (int(given[key]) for key in ("per_round", "clients", "T"))
    pair = thinned(round_of(mpf(given["eps0"]), k), mpf(k) / clients)
    c, total = exp(mpf(given["eps"])), mpf(0)
    for outcomes in itertools.product(pair, repeat=rounds):
        p, q = mpmath.fprod(x[0] for x in outcomes), mpmath.fprod(x[1] for x in outcomes)
        total += max(mpf(0), p - c * q)
    return total


def main(path):
    lines = open(path).read().splitlines()
    out = [lines[0]]
    for line in lines[1:]:
        bound, params, _, digits = line.split(",")
        given = dict(word.split("=") for word in params.split())
        out.append(f"{bound},{params},{mpmath.nstr(delta(given), int(digits) + 5)},{digits}")
    open(path, "w").write("\n".join(out) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
