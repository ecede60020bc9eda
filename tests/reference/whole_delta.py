#!/usr/bin/env python3
"""Recomputes the values of whole_delta.csv with mpmath: statements that spend delta in parts, at a whole delta.

    python3 tests/reference/whole_delta.py tests/reference/whole_delta.csv

A row names a bound, exact parameters, the least epsilon that any split of delta gives, and how many of its digits are
to be reproduced: the program rounds the parts to twelve digits. What a statement keeps is found by halving, the share
of a second part by golden section; nothing here is shared with the program.
"""
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt

mpmath.mp.dps = 60


def two_term(A, delta):
    return A / 2 + sqrt(2 * A * log(1 / delta))


def replacement(e0, m, w, delta):
    return two_term(w ** 2 * exp(e0) * (exp(e0) - 1) ** 2 / m, delta)


def posterior(e0, m, w, delta):
    return two_term(w ** 2 * (exp(e0) - 1) ** 2 / (m * (1 - w * (1 - exp(-e0)))), delta)


def shuffle(e0, n, delta):
    return two_term(exp(3 * e0) * (exp(e0) - 1) ** 2 / n, delta)


def averaged(e0, n, m, delta, delta2):
    norm = sqrt(n + n * n / m) + sqrt(n * log(1 / delta2))
    return two_term(exp(4 * e0) * (exp(e0) - 1) ** 2 * (norm / n) ** 2, delta)


def strong(e, T, delta):
    return e * (sqrt(2 * T * log(1 / delta)) + T * (exp(e) - 1))


def clip_cost(e0, d0, w, eps):
    b = w * (1 - exp(-e0))
    return w * d0 * (1 + exp(eps) + (2 + exp(e0)) * log(1 / (1 - b)) / b)


def kept(epsilon, beside, delta):
    """epsilon(x) at the largest x with x + beside(epsilon(x)) <= delta."""
    fits = lambda x: x + beside(epsilon(x)) <= delta
    # What is spent beside falls in x, so the sum may rise again far below: look down from delta in small steps.
    low, high = delta, delta
    for i in range(1, 4000):
        low = delta * (1 - mpf(i) / 4000)
        if fits(low):
            break
        high = low
    else:
        raise ValueError("no split")
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return epsilon(low)


def least(f, low, high):
    """The least value of f between two logits."""
    ratio = (sqrt(mpf(5)) - 1) / 2
    a, b = mpf(low), mpf(high)
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    for _ in range(150):
        if f(c) < f(d):
            b = d
        else:
            a = c
        c, d = b - ratio * (b - a), a + ratio * (b - a)
    return f((a + b) / 2)


def share(u):
    return 1 / (1 + exp(-u))


def least_delta1(e0, d0):
    """Lemma A.3: delta0 = (1 - e^-eps0) delta1 / (4 e^eps0 (2 + log(2/delta1)/log(1/(1 - e^{-5 eps0}))))."""
    admitted = lambda d1: (1 - exp(-e0)) * d1 / (4 * exp(e0) * (2 + log(2 / d1) / -log(1 - exp(-5 * e0))))
    low, high = log(d0), mpf(0)
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (low, middle) if admitted(exp(middle)) >= d0 else (middle, high)
    return exp(high)


def approximate(p, epsilon, calls, distance):
    return kept(epsilon, lambda e: calls * (exp(e) + 1) * distance, p['delta'])


def loads(p, factor, calls, distance):
    e0, n, m, delta = factor * p['eps0'], p['n'], p['m'], p['delta']

    def at(u):
        d2 = share(u) * delta
        try:
            return kept(lambda x: averaged(e0, n, m, x, d2), lambda e: d2 + calls * (exp(e) + 1) * distance, delta)
        except ValueError:
            return mpf(1e9)
    return least(at, -12, 12)


def epoch(p, closed=None):
    e0, n, m, delta = p['eps0'], p['n'], p['m'], p['delta']

    def at(u):
        f = share(u)
        beta, rest = f * delta * m / n, (1 - f) * delta
        if closed:
            x0 = exp(e0) - 1
            s = exp(e0) * log(1 / beta) / n
            return 4 * x0 * sqrt(s * log(1 / rest)) + closed * x0 ** 2 * s
        return strong(replacement(e0, m, m / n, beta), n / m, rest)
    return least(at, -12, 12)


FORMULAS = {
    'epsilary-fixed-2eps0': lambda p: approximate(
        p, lambda x: replacement(2 * p['eps0'], p['m'], p['p0'], x), p['m'], p['delta0']),
    'epsilary-sliding-2eps0': lambda p: approximate(
        p, lambda x: replacement(2 * p['eps0'], p['m'], mpf(1), x), p['m'], p['delta0']),
    'epsilary-shuffle-2eps0': lambda p: approximate(
        p, lambda x: shuffle(2 * p['eps0'], p['n'], x), 2, p['delta0']),
    'epsilary-averaged-2eps0': lambda p: approximate(
        p, lambda x: shuffle(2 * p['eps0'], p['n'], x), 2, p['delta0']),
    'epsilary-fixed-clip': lambda p: kept(
        lambda x: posterior(p['eps0'], p['m'], p['p0'], x),
        lambda e: clip_cost(p['eps0'], p['delta0'], p['p0'], e), p['delta']),
    'epsilary-sliding-clip': lambda p: kept(
        lambda x: replacement(p['eps0'], p['m'], mpf(1), x),
        lambda e: clip_cost(p['eps0'], p['delta0'], mpf(1), e), p['delta']),
    'balle2020-thm3.2-approx': lambda p: approximate(
        p, lambda x: replacement(8 * p['eps0'], p['m'], p['p0'], x), p['m'], least_delta1(p['eps0'], p['delta0'])),
    'balle2020-thm3.2-approx-printed': lambda p: approximate(
        p, lambda x: replacement(8 * p['eps0'], p['m'], p['p0'], x), p['m'], p['delta0']),
    'balle2020-thm4.3-approx': lambda p: approximate(
        p, lambda x: replacement(8 * p['eps0'], p['m'], mpf(1), x), p['m'], least_delta1(p['eps0'], p['delta0'])),
    'balle2020-thm5.1-approx': lambda p: approximate(
        p, lambda x: shuffle(8 * p['eps0'], p['n'], x), p['n'], least_delta1(p['eps0'], p['delta0'])),
    'balle2020-thmA.7-approx-printed': lambda p: approximate(
        p, lambda x: shuffle(8 * p['eps0'], p['n'], x), p['m'], least_delta1(p['eps0'], p['delta0'])),
    'balle2020-thm4.1-approx': lambda p: loads(p, 8, p['n'], least_delta1(p['eps0'], p['delta0'])),
    'balle2020-thm4.1': lambda p: least(
        lambda u: averaged(p['eps0'], p['n'], p['m'], (1 - share(u)) * p['delta'], share(u) * p['delta']), -12, 12),
    'balle2020-cor3.3': epoch,
    'balle2020-cor3.3-closed': lambda p: epoch(p, mpf(12)),
    'balle2020-cor3.3-closed-loose': lambda p: epoch(p, 8 * (exp(mpf(1)) - 1)),
    'dwork2010-strong': lambda p: kept(
        lambda x: strong(p['eps0'], p['T'], x), lambda e: p['T'] * p['delta0'], p['delta']),
    'vandijk2022-advanced': lambda p: kept(
        lambda x: sqrt(2 * p['T'] * log(1 / x)) * p['eps0'] + p['T'] * p['eps0'] * (exp(p['eps0']) - 1) / 2,
        lambda e: p['T'] * p['delta0'], p['delta']),
    # 1 - (1 - x)(1 - delta0)^T = delta.
    'kairouz2015-adv': lambda p: p['T'] * p['eps0'] * mpmath.tanh(p['eps0'] / 2) + sqrt(
        2 * p['T'] * p['eps0'] ** 2 * log(1 / (1 - (1 - p['delta']) / (1 - p['delta0']) ** p['T']))),
    'feldman2021-closed': lambda p: kept(
        lambda x: log(1 + mpmath.tanh(p['eps0'] / 2) * (
            8 * sqrt(exp(p['eps0']) * log(4 / x) / p['n']) + 8 * exp(p['eps0']) / p['n'])),
        lambda e: (exp(e) + 1) * (1 + exp(-p['eps0']) / 2) * p['n'] * p['delta0'], p['delta']),
}


def main(path):
    header, *lines = open(path).read().splitlines()
    out = [header]
    for line in lines:
        bound, field, params, _, digits = line.split(',')
        p = {k: mpf(v) for k, v in (x.split('=') for x in params.split())}
        value = mpmath.nstr(FORMULAS[bound](p), int(digits) + 5)
        print(bound, params, value, flush=True)
        out.append(f'{bound},{field},{params},{value},{digits}')
    open(path, 'w').write('\n'.join(out) + '\n')


main(sys.argv[1])
