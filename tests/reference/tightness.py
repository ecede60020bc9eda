#!/usr/bin/env python3
"""Recomputes the values of tightness.csv with mpmath, by plain sums over every outcome.

    python3 tests/reference/tightness.py tests/reference/tightness.csv [only rows without a value, or whose bound contains this]
    python3 tests/reference/tightness.py tests/reference/parts/tightness.csv    what the statements are made of

Nothing here is shared with the program. A row declares how many digits are to be reproduced; five more are written.
"""
import math
import sys
import mpmath
from mpmath import mpf, exp, log, log1p, expm1, sqrt, tanh

mpmath.mp.dps = 90


def positive_part(m, s, weight):
    """E max(0, weight(a, b)) over a, b ~ Multinomial(m; s, s, 1 - 2s); weight rises in a and falls in b."""
    m = int(m)
    total, at_c = mpf(0), (1 - 2 * s) ** m
    for c in range(m + 1):
        if c > 0:
            at_c = at_c * (m - c + 1) * (2 * s) / (c * (1 - 2 * s))
        if at_c < mpf(10) ** -80:
            continue
        at_a, part = at_c * mpf(2) ** -c, mpf(0)  # a = c, then downwards
        for a in range(c, -1, -1):
            if a < c:
                at_a = at_a * (a + 1) / (c - a)
            w = weight(a, c - a)
            if w <= 0:
                break
            part += at_a * w
        total += part
    return total


def clones_delta(eps0, m, w, eps):
    s, pi, e = exp(-eps0) / 2, 1 / (1 + exp(-eps0)), exp(eps)
    return positive_part(m, s, lambda a, b: (1 - w) * (1 - e) + w / (m * s) * (
        a * (pi - e * (1 - pi)) + b * (1 - pi - e * pi)))


def ternary_delta(eps0, m, w, eps):
    E, e = exp(eps0), exp(eps)
    return positive_part(m, 1 / (E + 2), lambda a, b: (1 - w) * (1 - e) + w / m * (
        a * (E - e) + b * (1 - E * e) + (m - a - b) * (1 - e) / E))


def binary_delta(eps0, m, w, eps, reverse):
    E, e = exp(eps0), exp(eps)
    q, total = 1 / (E + 1), mpf(0)
    at = (1 - q) ** int(m)
    for k in range(int(m) + 1):
        if k > 0:
            at = at * (m - k + 1) * q / (k * (1 - q))
        ratio = 1 - w + w * (k * E + (m - k) / E) / m
        total += at * max(mpf(0), 1 - e * ratio if reverse else ratio - e)
    return total


def root(delta_at, delta, most):
    """The eps at which a falling delta_at comes down to delta: bisection, then secants on the logarithm."""
    if delta_at(mpf(0)) <= delta:
        return mpf(0)
    low, high = mpf(0), most * (1 - mpf(10) ** -40)
    f = lambda e: log(max(delta_at(e), mpf(10) ** -1000)) - log(delta)
    with mpmath.workdps(20):
        for _ in range(30):
            mid = (low + high) / 2
            if f(mid) > 0:
                low = mid
            else:
                high = mid
    a, b = low, high
    fa, fb = f(a), f(b)
    for _ in range(12):
        c = b - fb * (b - a) / (fb - fa)
        a, fa, b, fb = b, fb, c, f(c)
        if abs(b - a) < abs(b) * mpf(10) ** -60 or fb == 0 or fa == fb:
            break
    if abs(fb) < mpf(10) ** -50:
        return b
    for _ in range(300):  # next to the place where delta becomes zero
        mid = (low + high) / 2
        if delta_at(mid) > delta:
            low = mid
        else:
            high = mid
    return low


def slots(p, kind):
    """(m, w) of a protocol."""
    if kind == 'fixed':
        if 'n' in p:
            return p['m'], p['m'] / p['n'] * (1 - (1 - p['p0'] / p['m']) ** int(p['n']))
        return p['m'], p['p0']
    if kind == 'sliding':
        return p['m'], 1 - (1 - 1 / p['m']) ** int(p['m'])
    return p['n'], mpf(1)


def cap(eps0, w):
    return log1p(w * expm1(eps0))


def by_delta_or_eps(p, curve, most):
    return curve(p['eps']) if 'eps' in p else root(curve, p['delta'], most)


def lower(name, p):
    kind = name.split('-')[-1] if name.count('-') == 3 else 'shuffle'
    m, w = slots(p, kind)
    e0 = p['eps0']
    if 'rr3' in name:
        return by_delta_or_eps(p, lambda e: ternary_delta(e0, m, w, e), cap(e0, w))
    return max(by_delta_or_eps(p, lambda e: binary_delta(e0, m, w, e, False), cap(e0, w)),
               by_delta_or_eps(p, lambda e: binary_delta(e0, m, w, e, True), -log1p(w * expm1(-e0))))


def clones(name, p):
    m, w = (p['m'], p['p0']) if name == 'epsilary-checkin-clones' else \
        (p['m'], mpf(1)) if name == 'epsilary-sliding-clones' else (p['n'], mpf(1))
    e0 = p['eps0']
    pi, s = 1 / (1 + exp(-e0)), exp(-e0) / 2
    most = log((1 - w + w * pi / s) / (1 - w + w * (1 - pi) / s))
    return by_delta_or_eps(p, lambda e: clones_delta(e0, m, w, e), most)


def euler_maclaurin(f, count):
    """sum of f(i), i = 0..count-1; the last 2000 terms one by one, the rest far from where f is singular."""
    last = 2000
    if count <= 10 * last:
        return mpmath.fsum(f(mpf(i)) for i in range(count))
    end = count - last
    total = mpmath.fsum(f(mpf(i)) for i in range(end, count))
    pieces, left = [mpf(0)], mpf(end)  # ever shorter towards the end
    while left > 1:
        left /= 2
        pieces.append(mpf(end) - left)
    pieces.append(mpf(end))
    total += mpmath.quad(f, pieces) + (f(mpf(0)) - f(mpf(end))) / 2
    # Taylor coefficients on a circle of radius 1000 give the derivatives.
    points, radius = 128, mpf(1000)
    circle = [mpmath.expjpi(mpf(2) * k / points) for k in range(points)]
    for sign, at in ((1, mpf(end)), (-1, mpf(0))):
        values = [f(at + radius * z) for z in circle]
        for j in range(1, 20):
            order = 2 * j - 1
            taylor = mpmath.fsum(v * z ** -order for v, z in zip(values, circle)).real / points / radius ** order
            total += sign * mpmath.bernoulli(2 * j) / (2 * j) * taylor
    return total


def step_sequence(name, p):
    """The first step (or None), and eps_i as a function of i with the number of steps."""
    x0, y = expm1(p['eps0']), exp(-p['eps0'])
    if 'shuffle' in name or 'averaged' in name:
        n = p['n']
        return log1p(x0 / n), (lambda i: log1p(x0 / (1 + i * y * y + (n - 1 - i) * y))), int(n) - 1
    m, w = p['m'], p.get('p0', mpf(1))
    return None, (lambda i: log1p(w * x0 / (m - i * w * (1 - y)))), int(m)


def total_over_steps(name, p, f):
    first, eps_at, count = step_sequence(name, p)
    return (f(first) if first is not None else 0) + euler_maclaurin(lambda i: f(eps_at(i)), count)


def composed_steps(name, field, p):
    total = total_over_steps(name, p, lambda e: e)
    if field == 'sum':
        return total
    l, delta = -log(p['delta']), p['delta']
    drift = total_over_steps(name, p, lambda e: e * tanh(e / 2))
    S = total_over_steps(name, p, lambda e: e * e)
    if field == 'advanced':
        return drift + sqrt(2 * S * l)
    if field == 'advanced_e':
        return drift + sqrt(2 * S * log(mpmath.e + sqrt(S) / delta))
    low, high = mpf(0), sqrt(2 * S * l)
    for _ in range(320):
        t = (low + high) / 2
        if t * t / (2 * S) + log1p(t / S) < l:
            low = t
        else:
            high = t
    return min(total, drift + low)


def lazy(name, p):
    theta, s = p['lambda'] - 1, 1 / (exp(p['eps0']) + 1)
    moments = total_over_steps(
        name, p, lambda e: log1p(s * (exp((1 + theta) * e) + exp(-theta * e) - 1 - exp(e))))
    if 'delta' not in p:
        return moments / theta
    return max(mpf(0), (moments + theta * log(theta) - (1 + theta) * log1p(theta) - log(p['delta'])) / theta)


def response(name, p):
    """Every step a full randomised response."""
    theta = p['lambda'] - 1
    moments = total_over_steps(name, p, lambda e: log((exp((1 + theta) * e) + exp(-theta * e)) / (1 + exp(e))))
    if 'delta' not in p:
        return moments / theta
    return max(mpf(0), (moments + theta * log(theta) - (1 + theta) * log1p(theta) - log(p['delta'])) / theta)


def clipped(name, field, p):
    """(eps0, delta0) randomizers: the pure epsilon, and the whole delta."""
    pure = name[:-len('-clip')]
    value = lazy(pure, p) if pure.endswith('-lazy') else composed_steps(pure, 'value', p)
    if field == 'value':
        return value
    w, E = p.get('p0', mpf(1)), exp(p['eps0'])
    b = w * (1 - 1 / E)
    return p['delta'] + w * p['delta0'] * (1 + exp(value) + (2 + E) * -log(1 - b) / b)


def mixed_delta(eps0, n, ones, eps, reverse):
    """A shuffle of n binary responses, `ones` of the others 1: the law of the number of ones, coin by coin."""
    p = 1 / (1 + exp(-eps0))
    def sum_of(chances):
        law = [mpf(1)]
        for c in chances:
            law = [(law[k] * (1 - c) if k < len(law) else 0) + (law[k - 1] * c if k > 0 else 0)
                   for k in range(len(law) + 1)]
        return law
    others = [p] * ones + [1 - p] * (int(n) - 1 - ones)
    one, zero = sum_of(others + [p]), sum_of(others + [1 - p])
    a, b = (zero, one) if reverse else (one, zero)
    return mpmath.fsum(max(mpf(0), x - exp(eps) * y) for x, y in zip(a, b))


def mixed(p):
    """The worst of all numbers of ones and both directions."""
    if 'eps' in p:
        return max(mixed_delta(p['eps0'], p['n'], h, p['eps'], r) for h in range(int(p['n'])) for r in (0, 1))
    return max(root(lambda e: mixed_delta(p['eps0'], p['n'], h, e, r), p['delta'], p['eps0'])
               for h in range(int(p['n'])) for r in (0, 1))


def loads_exact(p):
    """The quantile of the Euclidean norm of the loads, counting assignments of users to bins in integers."""
    n, m = int(p['n']), int(p['m'])
    now = {(0, 0): 1}
    for _ in range(m):
        following = {}
        for (b, s), count in now.items():
            for l in range(n - b + 1):
                at = (b + l, s + l * l)
                following[at] = following.get(at, 0) + count * math.comb(b + l, l)
        now = following
    tail = 0
    for s in sorted((s for b, s in now if b == n), reverse=True):
        tail += now[(n, s)]
        if mpf(tail) > p['delta'] * mpf(m) ** n:
            return sqrt(mpf(s))


def loads_chernoff(p):
    """Poisson loads cut at B, a tenth of delta for the largest bin; the best rate by golden section."""
    n, m, delta = p['n'], p['m'], p.get('delta2', p['delta'])
    mu = n / m
    bin_tail = lambda b: m * exp(b - mu - b * log(b / mu))
    B = int(mu) + 1
    while bin_tail(mpf(B + 1)) > delta / 10:
        B += 1
    with mpmath.workdps(40):
        first = max(0, int(mpmath.floor(mu - 25 * sqrt(mu) - 25)))
        masses = [exp(first * log(mu) - mu - mpmath.loggamma(first + 1))]
        for l in range(first, B + 1):
            masses.append(masses[-1] * mu / (l + 1))
        above = masses.pop() / (1 - mu / (B + 2))
        left = delta - bin_tail(mpf(B + 1))
        def square(rate):
            weight = lambda l: exp(rate * (mpf(l) ** 2 - mu * mu))
            total = mpmath.fsum(x * weight(first + i) for i, x in enumerate(masses)) + above * weight(B)
            if first > 0:
                total += exp(first - mu - first * log(first / mu)) * weight(first)
            return (m * log(total) + log(2 / left)) / rate + m * mu * mu
        typical = sqrt(2 * log(2 / delta) / (m * (4 * mu ** 3 + 6 * mu ** 2 + mu)))
        low, high, golden = log(mpf('0.1')), log(mpf(4)), (sqrt(mpf(5)) - 1) / 2
        for _ in range(60):
            a, b = high - golden * (high - low), low + golden * (high - low)
            if square(typical * exp(a)) < square(typical * exp(b)):
                high = b
            else:
                low = a
        return sqrt(square(typical * exp((low + high) / 2)))


def averaged_loads(p):
    norm, x0 = loads_chernoff(p), expm1(p['eps0'])
    A = exp(4 * p['eps0']) * x0 ** 2 * (norm / p['n']) ** 2
    return A / 2 + sqrt(-2 * A * log(p['delta']))


def lazy_closed(name, p):
    x0, l = expm1(p['eps0']), -log(p['delta'])
    if 'shuffle' in name or 'averaged' in name:
        A, most = exp(3 * p['eps0']) * x0 ** 2 / p['n'], log1p(x0 * exp(2 * p['eps0']) / p['n'])
    else:
        w = p.get('p0', mpf(1))
        left = p['m'] * (1 - w * (1 - exp(-p['eps0'])))
        A, most = w ** 2 * x0 ** 2 / left, log1p(w * x0 / left)
    s = 1 / (exp(p['eps0']) + 1)
    theta = sqrt(l / (s * A))
    return s * A * (1 + theta) * exp((1 + theta) * most) + l / theta


def known_population(p):
    """The slots whose lottery can be won: at most M with probability 1 - delta2 (a Chernoff bound)."""
    m, mean = p['m'], p['m'] * (1 - (1 - p['p0'] / p['m']) ** int(p['n'])) / (p['n'] * p['p0'] / p['m'])
    k = int(mean) + 1
    while m * ((k / m) * log(k / mean) + (1 - k / m) * log((1 - k / m) / (1 - mean / m))) < -log(p['delta2']):
        k += 1
    M = mpf(k - 1)
    curve = lambda e: clones_delta(p['eps0'], M, p['p0'] * M / m, e) + p['delta2']
    return by_delta_or_eps(p, curve, p['eps0'])


def printed_steps(name, field, p):
    """Posteriors as the paper prints them: a swap, and a replacement whatever w."""
    x0, y = expm1(p['eps0']), exp(-p['eps0'])
    if name == 'printed-swap':
        n = p['n']
        eps_at, count = lambda i: log1p(x0 / (1 + i * y * y + (n - 1 - i) * y)), int(n)
    else:
        m, w = p['m'], p['w']
        eps_at, count = lambda i: log1p(w * x0 / (m - i * (1 - y))), int(m)
    total = lambda f: euler_maclaurin(lambda i: f(eps_at(i)), count)
    drift, S = total(lambda e: e * tanh(e / 2)), total(lambda e: e * e)
    if field == 'advanced':
        return drift + sqrt(-2 * S * log(p['delta']))
    return drift + sqrt(2 * S * log(mpmath.e + sqrt(S) / p['delta']))


def on_lattice(name, p):
    """Every loss split between its neighbours on h Z so that the mean likelihood ratio stays; beyond kmax it is lost."""
    first, eps_at, count = step_sequence('shuffle' if 'n' in p else 'checkin', p)
    eps = ([first] if first is not None else []) + [eps_at(mpf(i)) for i in range(count)]
    h, most, silent = p['h'], int(p['kmax']), name == 'lattice-lazy'
    law, infinite = {0: mpf(1)}, mpf(0)
    for e in eps:
        g = 1 / (1 + exp(p['eps0'])) if silent else 1 / (1 + exp(e))
        atoms = {0: 1 - g * (1 + exp(e))}
        for loss, mass in ((e, g), (-e, g * exp(e))):
            k = int(mpmath.floor(loss / h))
            t = (exp(loss) - exp(k * h)) / (exp((k + 1) * h) - exp(k * h))
            for at, part in ((k, mass * (1 - t) * exp(k * h)), (k + 1, mass * t * exp((k + 1) * h))):
                atoms[at] = atoms.get(at, mpf(0)) + part
        after = {}
        for i, here in law.items():
            for k, mass in atoms.items():
                if i + k > most:
                    infinite += here * mass
                else:
                    j = max(i + k, -most)
                    after[j] = after.get(j, mpf(0)) + here * mass
        law = {k: v for k, v in after.items() if v > mpf(10) ** -70}
    above, ratio = infinite, mpf(0)
    for k in range(most, -most - 1, -1):
        above, ratio = above + law.get(k, 0), ratio + law.get(k, 0) * exp(-k * h)
        if above > p['delta'] and log((above - p['delta']) / ratio) >= (k - 1) * h:
            return max(mpf(0), log((above - p['delta']) / ratio))


def part(name, field, p):
    if name == 'binary':
        return binary_delta(p['eps0'], p['m'], p['w'], p['eps'], field == 'backward')
    if name == 'mixed':
        return max(mixed_delta(p['eps0'], p['n'], int(p['ones']), p['eps'], r) for r in (0, 1))
    if name == 'fixed-weight':
        return slots(p, 'fixed')[1]
    if name.startswith('printed-'):
        return printed_steps(name, field, p)
    if name.startswith('lattice-'):
        return on_lattice(name, p)


def compute(name, field, p):
    value = part(name, field, p)
    if value is not None:
        return value
    if name == 'epsilary-lower-rr-mixed':
        return mixed(p)
    if name == 'epsilary-loads-exact':
        return loads_exact(p)
    if name == 'epsilary-loads-chernoff':
        return loads_chernoff(p)
    if name == 'epsilary-averaged-loads':
        return p['delta'] + p['delta2'] if field == 'delta_total' else averaged_loads(p)
    if name.endswith('-clip'):
        return clipped(name, field, p)
    if name.endswith('-response'):
        return response(name, p)
    if name == 'epsilary-known-clones':
        return known_population(p)
    if name.endswith('-steps'):
        return composed_steps(name, field, p)
    if name.endswith('-lazy'):
        return lazy(name, p)
    if name.endswith('-lazy-closed'):
        return lazy_closed(name, p)
    if name.startswith('epsilary-lower-rr'):
        return lower(name, p)
    if name.endswith('-clones'):
        return clones(name, p)
    raise KeyError(name)


def main():
    path = sys.argv[1]
    rows = [line.rstrip('\n').split(',') for line in open(path)]
    for row in rows[1:]:
        if row[3] and len(sys.argv) > 2 and sys.argv[2] not in row[0]:
            continue
        p = {k: mpf(v) for k, v in (x.split('=') for x in row[2].split())}
        if 'share' in p:  # what the statement keeps of the whole delta
            p['delta'] *= p['share']
        row[3] = mpmath.nstr(compute(row[0], row[1], p), int(row[4]) + 5)
        print(row, flush=True)
    with open(path, 'w') as out:
        for row in rows:
            out.write(','.join(row) + '\n')


main()
