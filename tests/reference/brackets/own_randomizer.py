#!/usr/bin/env python3
"""Recomputes the values of own_randomizer.csv with mpmath: a known randomizer in a shuffle, of all or of some, or in
random check-ins.

    python3 tests/reference/brackets/own_randomizer.py tests/reference/brackets/own_randomizer.csv

Nothing here is shared with the program: every randomizer is written out as its whole matrix, every pair of inputs, both
ways, and every record that the others may hold is tried, and E(X_1 + ... + X_n)_+ is a sum over all that n copies can
add up to. Rows with many users have few values. In a cell | stands for a comma.
"""
import itertools
import sys
import mpmath
from mpmath import mpf, exp

mpmath.mp.dps = 50


def matrix(text, eps0):
    name, _, rest = text.partition(':')
    if ';' in text:
        number = lambda x: mpf(x.split('/')[0]) / mpf(x.split('/')[1]) if '/' in x else mpf(x)
        return [[number(x) for x in row.split('|')] for row in text.split(';')]
    numbers = [int(x) for x in rest.split('|')] if rest else []
    e = exp(mpf(eps0))
    if name == 'rinf':
        name, numbers = 'krr', [2]
    k = numbers[0]
    if name == 'krr':
        return [[(e if x == y else 1) / (e + k - 1) for y in range(k)] for x in range(k)]
    if name == 'subset':
        sets = list(itertools.combinations(range(k), numbers[1]))
        rows = [[e if x in s else mpf(1) for s in sets] for x in range(k)]
        return [[v / sum(row) for v in row] for row in rows]
    if name == 'hadamard':
        sign = lambda x, y: bin(x & y).count('1') % 2 == 0
        rows = [[e if sign(x, y) else mpf(1) for y in range(k)] for x in range(1, k)]
        return [[v / sum(row) for v in row] for row in rows]
    if name in ('rappor', 'oue'):
        root = exp(mpf(eps0) / 2)
        own, other = (root / (root + 1), 1 / (root + 1)) if name == 'rappor' else (mpf(1) / 2, 1 / (e + 1))
        bit = lambda y, one: one if y else 1 - one
        return [[mpmath.fprod(bit(y[i], own if i == x else other) for i in range(k))
                 for y in itertools.product((0, 1), repeat=k)] for x in range(k)]
    if name == 'hash':  # every function of three inputs, and the bucket
        rows = [[(e if h[x] == z else mpf(1)) for h in itertools.product(range(k), repeat=3) for z in range(k)]
                for x in range(2)]
        return [[v / sum(row) for v in row] for row in rows] + [[
            (e if h[2] == z else mpf(1)) / (e + k - 1) / k ** 3
            for h in itertools.product(range(k), repeat=3) for z in range(k)]]
    raise ValueError(text)


def mean_excess(law, n):
    """E(X_1 + ... + X_n)_+ / n of a law {value: mass}."""
    values = list(law.items())
    if len(values) == 1:
        return max(mpf(0), values[0][0])
    fact = [mpf(1)]
    for k in range(1, n + 1):
        fact.append(fact[-1] * k)
    total = mpf(0)

    def visit(at, left, weight, reached):
        nonlocal total
        value, mass = values[at]
        if at + 1 == len(values):
            s = reached + left * value
            if s > 0:
                total += weight * mass ** left / fact[left] * s
            return
        power = mpf(1)
        for k in range(left + 1):
            visit(at + 1, left - k, weight * power / fact[k], reached + k * value)
            power *= mass

    visit(0, n, fact[n], mpf(0))
    return total / n


def binary_excess(law, n):
    """The same for two values and many copies."""
    (v0, p0), (v1, p1) = sorted(law.items())
    first = int(mpmath.floor(-n * v0 / (v1 - v0))) + 1  # the least number of v1 that gains
    total, k = mpf(0), first
    term = mpmath.binomial(n, k) * p1 ** k * p0 ** (n - k)
    while k <= n:
        gain = term * (k * v1 + (n - k) * v0)
        total += gain
        if k > n * p1 + 10 and gain < total * mpf(10) ** -45:
            break
        term *= mpf(n - k) / (k + 1) * p1 / p0
        k += 1
    return total / n


def leak(first, second, third, n, c, w, rate=mpf(1)):
    alone = sum(max(mpf(0), a - c * b) for a, b, t in zip(first, second, third) if t == 0)
    law = {}
    shown = mpf(0)
    for a, b, t in zip(first, second, third):
        if t > 0:
            law[mpmath.nstr((1 - w) * (1 - c) + w * (a - c * b) / t, 40)] = law.get(
                mpmath.nstr((1 - w) * (1 - c) + w * (a - c * b) / t, 40), 0) + t
            shown += t
    if shown < 1 - mpf(10) ** -40:
        key = mpmath.nstr((1 - w) * (1 - c), 40)
        law[key] = law.get(key, 0) + 1 - shown
    law = {v: p * rate for v, p in law.items()}
    if rate < 1:  # who does not check in
        key = mpmath.nstr(1 - c, 40)
        law[key] = law.get(key, 0) + 1 - rate
    law = {mpf(v): p for v, p in law.items()}
    excess = binary_excess if n > 1000 else mean_excess
    return w * rate * alone + excess(law, n)


def delta(bound, given):
    rows = matrix(given['randomizer'], given.get('eps0', '1'))
    n, c = int(mpf(given.get('n') or given.get('m') or given['per_round'])), exp(mpf(given['eps']))
    w, rate = mpf(given.get('p0', '1')), mpf(given.get('gamma', '1'))
    if 'clients' in given:  # so many reports of a population: slots that hold the record with this probability
        w = mpf(given['per_round']) / mpf(given['clients'])
    if given['randomizer'].startswith('hash'):
        pairs = [(0, 1), (1, 0)]
    else:
        pairs = [(a, b) for a in range(len(rows)) for b in range(len(rows)) if a != b]
        if ';' not in given['randomizer']:  # all pairs are alike
            pairs = pairs[:1]
    least = [min(column) for column in zip(*rows)]
    if given['randomizer'].startswith('hash'):  # with more inputs no output is the likeliest of all
        least = [min(min(r) for r in rows)] * len(rows[0])
    if 'lower' not in bound:
        return max(leak(rows[a], rows[b], least, n, c, w, rate) for a, b in pairs)
    thirds = range(2 if given['randomizer'].startswith('hash') else len(rows))
    return max(leak(rows[a], rows[b], rows[t], n, c, w, rate) for a, b in pairs for t in thirds)


def main(path):
    lines = open(path).read().splitlines()
    out = [lines[0]]
    for line in lines[1:]:
        bound, params, _, digits = line.split(',')
        given = dict(word.split('=') for word in params.split())
        out.append(f"{bound},{params},{mpmath.nstr(delta(bound, given), int(digits) + 5)},{digits}")
    open(path, 'w').write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main(sys.argv[1])
