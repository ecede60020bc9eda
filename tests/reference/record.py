#!/usr/bin/env python3
"""Recomputes the values of record.csv with mpmath: what the papers say beside their theorems, and Gaussian noise as a
randomizer of random check-ins.

    python3 tests/reference/record.py tests/reference/record.csv

Nothing here is shared with the program: printed formulas at 60 digits, the best eps0 of Gaussian noise by golden section,
the share of delta that a statement keeps and the noise for an epsilon by halving. A row declares how many digits are to
be reproduced.
"""
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt, erfc, binomial, expm1, log1p

mpmath.mp.dps = 60


def Phi(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def gaussian_delta(eps, mu):
    return Phi(mu / 2 - eps / mu) - exp(eps) * Phi(-mu / 2 - eps / mu)


def two_term(A, delta):
    return A / 2 + sqrt(2 * A * log(1 / delta))


def replacement(e0, m, w, delta):
    return two_term(w ** 2 * exp(e0) * (exp(e0) - 1) ** 2 / m, delta)


def posterior(e0, m, w, delta):
    return two_term(w ** 2 * (exp(e0) - 1) ** 2 / (m * (1 - w * (1 - exp(-e0)))), delta)


def shuffle(e0, n, delta):
    return two_term(exp(3 * e0) * (exp(e0) - 1) ** 2 / n, delta)


def loads(e0, n, load, delta):
    return two_term(exp(4 * e0) * (exp(e0) - 1) ** 2 * (load / n) ** 2, delta)


def clip_cost(e0, d0, w, eps):
    b = w * (1 - exp(-e0))
    return w * d0 * (1 + exp(eps) + (2 + exp(e0)) * log(1 / (1 - b)) / b)


def kept(epsilon, beside, delta):
    """epsilon(x) at the largest x with x + beside(epsilon(x)) <= delta; None where there is none."""
    fits = lambda x: x + beside(epsilon(x)) <= delta
    low = high = delta
    for i in range(1, 40):
        low = delta * (1 - mpf(i) / 40)
        if fits(low):
            break
        high = low
    else:
        return None
    for _ in range(120):
        middle = (low + high) / 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return epsilon(low)


def approximate(pure, calls):
    """A printed approximate form: the pure theorem at 8 eps0 and calls (e^eps + 1) delta1 more."""
    def value(p):
        eps = pure(8 * p.eps0, p)
        return {"value": eps, "delta_total": p.delta + calls(p) * (exp(eps) + 1) * p.delta1}
    return value


def clipped(p):
    keeps = p.share * p.delta
    eps = posterior(p.eps0, p.m, p.w, keeps)
    return {"value": eps, "delta_total": keeps + clip_cost(p.eps0, p.delta0, p.w, eps)}


# Gaussian noise: one of these at the best eps0.
def fixed(p, e0, d0):
    return kept(lambda x: posterior(e0, p.m, p.p0, x), lambda eps: clip_cost(e0, d0, p.p0, eps), p.delta)


def sliding(p, e0, d0):
    return kept(lambda x: replacement(e0, p.m, 1, x), lambda eps: clip_cost(e0, d0, mpf(1), eps), p.delta)


def averaged(p, e0, d0):
    return kept(lambda x: shuffle(2 * e0, p.n, x), lambda eps: 2 * (exp(eps) + 1) * d0, p.delta)


def least(p, sigma, statement, steps=60):
    mu = 1 / sigma
    at = lambda e0: statement(p, e0, gaussian_delta(e0, mu))
    low = mpf(0)
    high = mu * (mu + 10)
    while gaussian_delta(high, mu) > p.delta:
        high *= 2
    for _ in range(60):  # where delta0 is delta
        middle = (low + high) / 2
        if gaussian_delta(middle, mu) > p.delta:
            low = middle
        else:
            high = middle
    first, best, found = high, None, None
    for i in range(1, 41):
        e0 = first * (1 + mpf(i) / 20)
        value = at(e0)
        if value is not None and (found is None or value < found):
            best, found = e0, value
    if best is None:
        return mpf(10) ** 9
    a, b = best - first / 20, best + first / 20
    golden = (sqrt(mpf(5)) - 1) / 2
    huge = mpf(10) ** 9
    f = lambda e0: huge if e0 <= first else (at(e0) or huge)
    for _ in range(steps):
        c, d = b - golden * (b - a), a + golden * (b - a)
        if f(c) < f(d):
            b = d
        else:
            a = c
    return f((a + b) / 2)


def noise_for(p, statement):
    """The least sigma at which the statement gives at most eps."""
    with mpmath.workdps(25):
        low, high = log(mpf("0.05")), log(mpf(10) ** 4)
        for _ in range(34):
            middle = (low + high) / 2
            if least(p, exp(middle), statement, 26) <= p.eps:
                high = middle
            else:
                low = middle
        return exp(high)


def last_iterate(radius, G, T):
    return 2 * radius * G * (2 + log(T)) / sqrt(T)


def with_dummies(p, noise, used):
    return sqrt((p.dim * noise ** 2 + p.lipschitz ** 2) / used + (1 - used) * p.dim * noise ** 2)


def risk_fixed(p):
    p.p0 = p.m / p.n
    noise = 2 * p.lipschitz * noise_for(p, fixed)
    used = 1 - (1 - p.p0 / p.m) ** p.n
    return last_iterate(p.radius, with_dummies(p, noise, used), p.m)


def risk_sliding(p):
    noise = 2 * p.lipschitz * noise_for(p, sliding)
    steps = p.n - p.m + 1
    return last_iterate(p.radius, with_dummies(p, noise, 1 - (1 - 1 / p.m) ** p.m), steps)


def risk_averaged(p):
    noise = 2 * p.lipschitz * noise_for(p, averaged)
    return last_iterate(p.radius, sqrt(p.lipschitz ** 2 + 2 * p.m * p.dim * noise ** 2 / p.n), p.m)


def order(samples, reach):
    return lambda p: p.radius * p.lipschitz * sqrt(1 / samples(p) + p.dim / (p.eps * reach(p)) ** 2)


def own_moments(p):
    last = p.steps[-1]
    total = mpf(0)
    for k in range(int(p.n) + 1):
        eps = mpf(0) if k == 0 else p.steps[k - 1] if k <= len(p.steps) else last
        total += binomial(p.n, k) * p.gamma ** k * (1 - p.gamma) ** (int(p.n) - k) * exp((p["lambda"] - 1) * eps)
    return log(total) / (p["lambda"] - 1)


def places(slots, at):
    last = int(slots) - 1
    return {"value": at(last), "first": at(0), "quarter": at(last // 4), "half": at(last // 2),
            "three_quarters": at(3 * last // 4)}


def posterior_at(p):  # i - 1 slots seen
    return lambda i: exp(p.eps0) / (p.m * exp(p.eps0) - (exp(p.eps0) - 1) * i)


def swap_at(p):
    return lambda i: 1 / p.n if i == 0 else 1 / (1 + (i - 1) * exp(-2 * p.eps0) + (p.n - i) * exp(-p.eps0))


def told(p, met, hits):
    """Average of Gaussian deltas over a binomial number of hits, mu^2 = hits(c)/sigma^2."""
    n = int(p.T if "T" in p else p.epochs)
    return sum(binomial(n, c) * met ** c * (1 - met) ** (n - c) * gaussian_delta(p.eps, sqrt(hits(c)) / p.sigma)
               for c in range(n + 1) if hits(c) > 0)


def best_order(rho, omega, delta):
    """The least of the conversion over the orders up to omega: it falls, then rises."""
    def at(a):
        return rho * a + log((a - 1) / a) - (log(delta) + log(a)) / (a - 1)
    low, high = mpf(1) + mpf(10) ** -20, omega
    for _ in range(400):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if at(a) < at(b) else (a, high)
    return at((low + high) / 2)


def summed_tcdp(p):
    g = p.get("group", mpf(1))
    rho, omega = p.T * g ** 2 * p.rho, p.omega / g
    return best_order(rho, omega, p.delta) if "delta" in p else {"value": rho, "omega": omega}


def summed_zcdp(p):
    rho = p.T * p.get("group", mpf(1)) ** 2 * p.rho
    return best_order(rho, mpf(10) ** 6, p.delta) if "delta" in p else rho


VALUES = {
    "balle2020-posterior": lambda p: places(p.m, posterior_at(p)),
    "balle2020-step": lambda p: places(p.m, lambda i: log(1 + p.p0 * posterior_at(p)(i) * (exp(p.eps0) - 1))),
    "balle2020-swap-posterior": lambda p: places(p.n, swap_at(p)),
    "balle2020-swap-step": lambda p: places(p.n, lambda i: log(1 + swap_at(p)(i) * (exp(p.eps0) - 1))),
    "balle2020-thmA.4-approx": approximate(lambda e, p: replacement(e, p.m, p.w, p.delta), lambda p: p.m),
    "balle2020-thmA.5-approx": approximate(lambda e, p: loads(e, p.n, p.load, p.delta), lambda p: p.m),
    "balle2020-cor3.3-eq6": lambda p: 2 * (exp(p.eps0) - 1) * sqrt(2 * p.m * exp(p.eps0) * log(1 / p.beta)) / p.n,
    "balle2020-remark4-lost": lambda p: 2 * sum((p.m - j) / p.m for j in range(1, int(p.m))),
    "balle2020-risk-fixed": order(lambda p: p.m, lambda p: p.n),
    "balle2020-risk-averaged": order(lambda p: p.m, lambda p: sqrt(p.n * p.m)),
    "balle2020-risk-smooth": lambda p: order(lambda p: p.n, lambda p: sqrt(p.n * p.m))(p) + p.smooth * p.radius ** 2 / p.m,
    "balle2020-risk-central": order(lambda p: p.n, lambda p: p.n),
    "epsilary-replacement-clip": clipped,
    "epsilary-fixed-gaussian": lambda p: least(p, p.sigma, fixed),
    "epsilary-sliding-gaussian": lambda p: least(p, p.sigma, sliding),
    "epsilary-averaged-gaussian": lambda p: least(p, p.sigma, averaged),
    "epsilary-risk-fixed": risk_fixed,
    "epsilary-risk-sliding": risk_sliding,
    "epsilary-risk-averaged": risk_averaged,
    "checkin2022-thm1": own_moments,
    "checkin2022-lem1": lambda p: sum(p.steps),
    "vandijk2022-gdp-compose": lambda p: sqrt(sum(mu ** 2 for mu in p.steps)),
    "vandijk2022-zcdp-compose": summed_zcdp,
    "vandijk2022-tcdp-compose": summed_tcdp,
    "vandijk2022-a1-group": lambda p: told(p, 1 - binomial(p.n - p.group, p.batch) / binomial(p.n, p.batch), lambda c: c),
    "vandijk2022-group-two": lambda p: told(p, (p.batch - 1) / (p.n - 1), lambda c: 2 * p.epochs + 2 * c),
}


class Point(dict):
    def __getattr__(self, key):
        return self[key]

    def __setattr__(self, key, value):
        self[key] = value


def sequence(text):
    out = []
    for part in text.split("+"):
        value, _, times = part.partition("x")
        out += [mpf(value)] * int(times or 1)
    return out


def main():
    table = sys.argv[1]
    with open(table) as f:
        head, *rows = [line.rstrip("\n").split(",") for line in f if line.strip()]
    for row in rows:
        bound, field, params = row[:3]
        p = Point()
        for word in params.split():
            key, text = word.split("=")
            p[key] = sequence(text) if key == "steps" else mpf(text)
        found = VALUES[bound](p)
        value = found[field] if isinstance(found, dict) else found
        row[3] = mpmath.nstr(value, int(row[4]) + 5, min_fixed=-40, max_fixed=40)
        print(bound, field, row[3])
    with open(table, "w") as f:
        for row in [head] + rows:
            f.write(",".join(row) + "\n")


if __name__ == "__main__":
    main()
