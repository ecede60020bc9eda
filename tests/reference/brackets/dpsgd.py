#!/usr/bin/env python3
"""Recomputes the values of dpsgd.csv: delta of T steps of DP-SGD by a contour integral in 60 digits.

    python3 tests/reference/brackets/dpsgd.py tests/reference/brackets/dpsgd.csv [lower]

A second argument recomputes only the rows it occurs in.

A row names a bound, a point, the value and how many of its digits the integral has. The bracket of the program must
contain the value. delta(eps) is 1/(2 pi i) times the integral of e^{-z eps} M(z)^T / (z (z + 1)) over Re z = c > 0,
M(z) = E_P e^{z loss}, by the trapezoidal rule on a line chosen by trying lines; it is computed on two lines, and what
they agree on are its digits. M is a sum over panels of Gauss's rule, without any cutting of far losses.
"""
import sys
import mpmath
from mpmath import mpf, mpc, exp, log, sqrt, erf, pi

mpmath.mp.dps = 60


def gauss(n):
    """Nodes and weights on [-1, 1] by Newton's method on the Legendre polynomial."""
    out = []
    for k in range(n):
        x = mpmath.cos(pi * (4 * k + 3) / (4 * n + 2))
        for _ in range(12):
            p0, p1 = mpf(1), x
            for j in range(2, n + 1):
                p0, p1 = p1, ((2 * j - 1) * x * p1 - (j - 1) * p0) / j
            slope = n * (x * p1 - p0) / (x * x - 1)
            x -= p1 / slope
        out.append((x, 2 / ((1 - x * x) * slope ** 2)))
    return out


RULE = gauss(40)


def law(kind, p, mu, c):
    """Losses with their masses under P: (loss, mass); far enough for the tilt c."""
    far = mu * (1 + c) + 16
    start = mu / 2 if kind == 'fixed' else -mu * c - 16
    panel = min(mpf(1) / 4, 1 / (2 * mu))
    out = []
    for i in range(int((far - start) / panel) + 1):
        middle = start + panel * i + panel / 2
        for x, w in RULE:
            t = middle + panel / 2 * x
            mass, rho = w * panel / 2 * exp(-t * t / 2) / sqrt(2 * pi), 1 + p * (exp(mu * t - mu * mu / 2) - 1)
            if kind != 'added':
                out.append((log(rho), mass * rho))
            if kind != 'removed':
                out.append((-log(rho), mass))
    if kind == 'fixed':
        out.append((mpf(0), (1 - p) * erf(mu / sqrt(mpf(8)))))
    return out


def delta(kind, p, mu, T, eps, c, h):
    nodes = [(l, m * exp(c * l)) for l, m in law(kind, p, mu, c)]
    nodes = [(l, m) for l, m in nodes if m > mpf(10) ** -55]
    turn = [exp(mpc(0, h * l)) for l, _ in nodes]
    phase = [mpc(1)] * len(nodes)
    total, k = mpf(0), 0
    while True:
        z = mpc(c, h * k)
        moment = mpmath.fsum(m * e for (_, m), e in zip(nodes, phase))
        term = exp(T * log(moment) - z * eps) / (z * (z + 1))
        total += (term.real if k else term.real / 2)
        if k > 3 and abs(term) < abs(total) * mpf(10) ** -26:
            return total * h / pi
        phase = [a * b for a, b in zip(phase, turn)]
        k += 1


# One of the lines for each row: c, and the period 2 pi/h.
LINES = {
    'q=0.01 sigma=1 T=1000 eps=0.5': (3, 30), 'q=0.01 sigma=1 T=1000 eps=2': (5, 24),
    'q=0.1 sigma=4 T=200 eps=1': (8, 12), 'q=0.001 sigma=1 T=10000 eps=0.2': (6, 16),
    'n=9375 batch=40 sigma=0.7 T=3000 eps=1': (2, 48), 'q=0.0001 sigma=1 T=100000 eps=0.34': (8, 16),
    'q=0.02 sigma=2 T=3000 eps=1.5': (6, 20), 'q=0.001 sigma=0.8 T=10000 eps=1': (4, 28),
    'n=60000 batch=600 sigma=2 T=600 eps=0.5': (12, 16), 'q=0.1 sigma=4 T=200 eps=0.7': (8, 12),
    'q=0.5 sigma=10 T=300 eps=2': (6, 14), 'q=0.004 sigma=1.1 T=15000 eps=2': (5, 24),
    'q=0.5 sigma=0.05 T=1000000000 eps=99663300000': ('4.5e-7', '1.6e8'),
    'q=0.1 sigma=0.5 T=100000 eps=9090.5781': ('0.03', '2400'),
}


def main(path, only=''):
    lines = open(path).read().splitlines()
    out = [lines[0]]
    for line in lines[1:]:
        bound, params, *_ = line.split(',')
        if only and only not in line:
            out.append(line)
            continue
        p = dict(w.split('=') for w in params.split())
        rate = mpf(p['q']) if 'q' in p else mpf(p['batch']) / mpf(p['n'])
        mu, T, eps = 1 / mpf(p['sigma']), int(p['T']), mpf(p['eps'])
        c, period = (mpf(x) for x in LINES[params])
        kinds = ['fixed'] if bound == 'vandijk2022-composed' else ['removed', 'added']
        values = [max(delta(kind, rate, mu, T, eps, cc, 2 * pi / pp) for kind in kinds)
                  for cc, pp in ((c, period), (c * mpf('0.8'), period * mpf('1.25')))]
        agreed = int(mpmath.floor(-mpmath.log10(abs(values[0] / values[1] - 1) + mpf(10) ** -24)))
        digits = min(agreed, 20)
        out.append(','.join((bound, params, mpmath.nstr(values[1], digits + 2, min_fixed=-40), str(digits))))
        print(out[-1], flush=True)
    open(path, 'w').write('\n'.join(out) + '\n')


main(*sys.argv[1:])
