#!/usr/bin/env python3
"""Recomputes the values of self_checkin.csv with mpmath, from the printed formulas.

    python3 tests/reference/self_checkin.py tests/reference/self_checkin.csv

A row names a bound, the field of its result, exact parameters, the value and how many of its digits are to be
reproduced. Nothing here is shared with the program: sums run over every term, moments are formed as they stand
and not minus one, at 120 digits so that what cancels leaves enough.
"""
import sys
from functools import lru_cache
import mpmath
from mpmath import mpf, exp, log, sqrt, floor, binomial, gamma as Gamma, loggamma, sinh, tanh, erfc

mpmath.mp.dps = 120
WRITTEN = 45


def bisect(f, low, high, steps=400):
    """The root of an increasing f."""
    for _ in range(steps):
        mid = (low + high) / 2
        if f(mid) < 0:
            low = mid
        else:
            high = mid
    return (low + high) / 2


# ---- Renyi divergence and conversions
def rdp_of_moment(moment, order):
    return log(moment) / (order - 1)


def response(eps, order):
    p = exp(eps) / (1 + exp(eps))
    return rdp_of_moment((1 - p) * (p / (1 - p)) ** order + p * ((1 - p) / p) ** order, order)


def lemma2(rdp, order, delta):
    return max(mpf(0), rdp + (log(1 / delta) + (order - 1) * log(1 - 1 / order) - log(order)) / (order - 1))


def lemma2_delta(rdp, order, eps):
    return exp((order - 1) * (rdp - eps)) / (order - 1) * (1 - 1 / order) ** order


def lemma3_g(r, order, eps, delta):
    return r ** order * (r - delta) ** (1 - order) + (1 - r) ** order * (exp(eps) - r + delta) ** (1 - order)


def lemma3_r(order, eps, delta):
    """Where the slope of g, taken apart term by term, changes sign."""
    if order * delta >= 1:
        return mpf(1)

    def slope(r):
        y, z = r - delta, exp(eps) - r + delta
        return (order * r ** (order - 1) * y ** (1 - order) + (1 - order) * r ** order * y ** (-order)
                - order * (1 - r) ** (order - 1) * z ** (1 - order) - (1 - order) * (1 - r) ** order * z ** (-order))
    return bisect(slope, delta * (1 + mpf(10) ** -30), mpf(1))


def lemma3(order, eps, delta):
    r = lemma3_r(order, eps, delta)
    g = lemma3_g(r, order, eps, delta) if r < 1 else (1 - delta) ** (1 - order)
    return eps + log(g) / (order - 1)


def optimal_conversion(rdp, order, delta):
    if lemma3(order, mpf(0), delta) >= rdp:
        return mpf(0)
    return bisect(lambda e: lemma3(order, e, delta) - rdp, mpf(0), lemma2(rdp, order, delta) + 1, 200)


FORMULAS = {
    "mironov2017-response": lambda p: response(p.eps0, p["lambda"]),
    "mironov2017-gaussian": lambda p: p["lambda"] * p.mu ** 2 / 2,
    "mironov2017-prop3": lambda p: p.rdp + log(1 / p.delta) / (p["lambda"] - 1),
    "checkin2022-lem2": lambda p: lemma2_delta(p.rdp, p["lambda"], p.eps) if hasattr(p, "eps")
    else lemma2(p.rdp, p["lambda"], p.delta),
    "checkin2022-lem3": lambda p: {"value": lemma3(p["lambda"], p.eps, p.delta),
                                   "r": lemma3_r(p["lambda"], p.eps, p.delta)},
    "asoodeh2021-divergence": lambda p: lemma3(p["lambda"], p.eps, p.delta),
    "asoodeh2021-optimal": lambda p: optimal_conversion(p.rdp, p["lambda"], p.delta),
}


class Params:
    def __init__(self, text):
        for pair in text.split():
            key, value = pair.split("=")
            setattr(self, key, mpf(value))

    def __getitem__(self, key):
        return getattr(self, key)


def value_of(bound, field, text):
    result = FORMULAS[bound](Params(text))
    return result[field] if isinstance(result, dict) else result


def main(path, only=None):
    header, *rows = open(path).read().splitlines()
    lines = [header]
    for row in rows:
        bound, field, text, *rest = row.split(",")
        digits = rest[1] if len(rest) > 1 and rest[1] else "40"
        if only and not bound.startswith(only) and rest and rest[0]:
            lines.append(row)
            continue
        value = mpmath.nstr(value_of(bound, field, text), WRITTEN)
        lines.append(f"{bound},{field},{text},{value},{digits}")
    open(path, "w").write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
