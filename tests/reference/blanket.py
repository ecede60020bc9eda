#!/usr/bin/env python3
"""Recomputes the values of blanket.csv with mpmath: shuffling and check-ins by the pair of the blanket, and what
ternary and binary response leak.

    python3 tests/reference/blanket.py tests/reference/blanket.csv [--again: also rows that have a value]

Nothing here is shared with the program. E(b0 + a p - b q)_+ over a, b ~ Multinomial(m; s, s, 1 - 2s) is summed over
c = a + b from above downwards, with the binomial tail of a carried along; c with weights below 1e-75 of the largest
term are left out. A row declares how many digits are to be reproduced; five more are written.
"""
import sys
import mpmath
from mpmath import mpf, exp, expm1, log, loggamma

mpmath.mp.dps = 100


def log_weight(m, s, c):
    """log P(a + b = c)"""
    return (loggamma(m + 1) - loggamma(c + 1) - loggamma(m - c + 1) + c * log(2 * s)
            + ((m - c) * log(1 - 2 * s) if c < m else 0))


def log_half(c, k):
    """log P(Bin(c, 1/2) = k)"""
    return loggamma(c + 1) - loggamma(k + 1) - loggamma(c - k + 1) - c * log(mpf(2))


def positive_part(m, s, p, q, b0):
    """E(b0 + a p - b q)_+, with p, q > 0 >= b0."""
    first = lambda c: int(mpmath.floor((c * q - b0) / (p + q))) + 1  # the least a that gains

    def size(c):  # log of the term of c, up to powers of c
        k = first(c)
        return -mpf(10) ** 9 if k > c else log_weight(m, s, c) + log_half(c, max(k, c // 2))

    def size_quick(c):
        with mpmath.workdps(30):
            return size(c)

    low, high = 0, m
    while size_quick(low) < -10 ** 8:  # the least c that can gain
        step = 1
        while low + step < m and size_quick(low + step) < -10 ** 8:
            step *= 2
        if low + step >= m and size_quick(m) < -10 ** 8:
            return mpf(0)
        low += max(1, step // 2) if step > 1 else 1
    a, b = low, high
    while b - a > 4:
        x, y = a + (b - a) // 3, b - (b - a) // 3
        a, b = (x, b) if size_quick(x) < size_quick(y) else (a, y)
    top = max(range(a, b + 1), key=size_quick)
    cut = size_quick(top) - 190

    def edge(inside, outside):
        if size_quick(outside) > cut:
            return outside
        while abs(outside - inside) > 1:
            middle = (inside + outside) // 2
            inside, outside = (middle, outside) if size_quick(middle) > cut else (inside, middle)
        return inside

    upper, lower = edge(top, m), edge(top, low)
    c, k = upper, first(upper)
    point, tail, term = exp(log_half(c, k)), mpf(0), exp(log_half(c, k))
    for i in range(k, c + 1):
        tail += term
        term = term * (c - i) / (i + 1)
        if term < tail * mpf(10) ** -98:
            break
    weight, total = exp(log_weight(m, s, c)), mpf(0)
    ratio = (1 - 2 * s) / (2 * s)
    share = q / (p + q)
    while True:
        total += weight * (tail * (c * (p - q) / 2 + b0) + k * (p + q) * point / 2)
        if c == lower:
            return total
        before = point * k * 2 / c  # P(Bin(c - 1, 1/2) = k - 1)
        tail -= before / 2
        point = point * 2 * (c - k) / c
        weight = weight * c * ratio / (m - c + 1)
        c -= 1
        if k - 1 > c * share - b0 / (p + q):  # then k - 1 gains too
            k -= 1
            point = before
            tail += point


def delta_at(eps0, m, w, eps):
    e, c = exp(eps0), exp(eps)
    if eps >= log(1 + w * (e - 1)):
        return mpf(0)
    return w / m * positive_part(m, 1 / (e + 1), c * expm1(eps0 - eps), expm1(eps0 + eps), -m * (1 - w) * expm1(eps) / w)


def epsilon_at(eps0, m, w, delta, delta_at=delta_at):
    if delta_at(eps0, m, w, mpf(0)) <= delta:
        return mpf(0)
    f = lambda x: mpmath.sqrt(-2 * log(max(delta_at(eps0, m, w, x), mpf(10) ** -100000))) - mpmath.sqrt(-2 * log(delta))
    low, high = mpf(0), log(1 + w * (exp(eps0) - 1))
    with mpmath.workdps(40):
        while high > low * mpf(1.25) + mpf(10) ** -30:
            middle = high / 8 if low == 0 else mpmath.sqrt(low * high)
            low, high = (middle, high) if f(middle) < 0 else (low, middle)
    a, fa = low, f(low)
    b, fb = (low + high) / 2, f((low + high) / 2)
    for _ in range(30):  # secants, halving where they leave the bracket
        low, high = (max(low, b), high) if fb < 0 else (low, min(high, b))
        if fb == fa:
            return b
        c = b - fb * (b - a) / (fb - fa)
        if not low <= c <= high:
            c = (low + high) / 2
        a, fa, b = b, fb, c
        if abs(b - a) < abs(b) * mpf(10) ** -50:
            return b
        fb = f(b)
    return b


def ternary_delta(eps0, n, w, eps):
    """Ternary response, all others at the third value: (n u + a (p - u) + b (q - u))_+ / n, u = (1 - c)/e."""
    e, c = exp(eps0), exp(eps)
    if eps >= eps0:
        return mpf(0)
    u = -expm1(eps) / e
    return positive_part(n, 1 / (e + 2), c * expm1(eps0 - eps) - u, expm1(eps0 + eps) + u, n * u) / n


def binary_delta(eps0, n, w, eps):
    """Binary response, all others at one value: the larger of both directions."""
    e, c = exp(eps0), exp(eps)
    if eps >= eps0:
        return mpf(0)

    def excess(high, low, chance):  # E(K high + (n - K) low)_+ / n, K ~ Bin(n, chance)
        k = int(mpmath.floor(-n * low / (high - low))) + 1
        if k > n:
            return mpf(0)
        term = exp(loggamma(n + 1) - loggamma(k + 1) - loggamma(n - k + 1) + k * log(chance) + (n - k) * log(1 - chance))
        total = mpf(0)
        while k <= n:
            gain = term * (k * high + (n - k) * low)
            total += gain
            if k > n * chance + 10 and gain < total * mpf(10) ** -90:
                break
            term = term * (n - k) / (k + 1) * chance / (1 - chance)
            k += 1
        return total / n

    return max(excess(e - c, 1 / e - c, 1 / (e + 1)), excess(1 - c / e, 1 - c * e, e / (e + 1)))


def among_reports(absent):
    """The mean over how many of the n - 1 others report."""
    def profile(eps0, n, w, eps):
        total, weight = mpf(0), (1 - absent) ** (n - 1)
        for k in range(n - 1, -1, -1):  # of the others report
            total += weight * delta_at(eps0, k + 1, w, eps)
            weight = weight * k / (n - k) * absent / (1 - absent)
        return total
    return profile


def value(bound, x):
    eps0 = x["eps0"]
    m = int(x["m"] if "m" in x else x["n"])
    w = x.get("p0", mpf(1))
    if "dropout" in x:
        profile = among_reports(x["dropout"])
        return epsilon_at(eps0, m, w, x["delta"], profile) if "delta" in x else profile(eps0, m, w, x["eps"])
    profile = {"epsilary-lower-rr3": ternary_delta, "epsilary-lower-rr": binary_delta}.get(bound, delta_at)
    return epsilon_at(eps0, m, w, x["delta"], profile) if "delta" in x else profile(eps0, m, w, x["eps"])


def main(path, again):
    lines = open(path).read().splitlines()
    for i, line in enumerate(lines[1:], 1):
        bound, field, params, known, digits = line.split(",")
        if known and not again:
            continue
        x = {k: mpf(v) for k, v in (word.split("=") for word in params.split())}
        lines[i] = ",".join([bound, field, params, mpmath.nstr(value(bound, x), int(digits) + 5, min_fixed=-400), digits])
        print(lines[i], flush=True)
        open(path, "w").write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], "--again" in sys.argv)
