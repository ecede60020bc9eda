#!/usr/bin/env python3
"""Recomputes the last column of the reference tables with mpmath, from the printed formulas.

    python3 tests/reference/generate.py tests/reference/random_checkins.csv

A row names a bound, the field of its result, and exact parameters; the value has 45 significant digits,
computed with 300. Nothing here is shared with the program: another language, another library, the formulas
as the papers print them and not as the program rearranges them.
"""
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt, ceil, tanh, binomial

mpmath.mp.dps = 300
WRITTEN = 45


def two_term(A, delta):
    return A / 2 + sqrt(2 * A * log(1 / delta))


def replacement(eps0, m, w, delta):
    return (w * (exp(eps0) - 1) * sqrt(2 * exp(eps0) * log(1 / delta) / m)
            + w ** 2 * exp(eps0) * (exp(eps0) - 1) ** 2 / (2 * m))


def shuffle(eps0, n, delta):
    return (exp(3 * eps0) * (exp(eps0) - 1) ** 2 / (2 * n)
            + exp(3 * eps0 / 2) * (exp(eps0) - 1) * sqrt(2 * log(1 / delta) / n))


def averaged(eps0, n, m, delta, delta2):
    e1 = sqrt(1 / n + 1 / m) + sqrt(log(1 / delta2) / n)
    return (exp(4 * eps0) * (exp(eps0) - 1) ** 2 * e1 ** 2 / 2
            + e1 * exp(2 * eps0) * (exp(eps0) - 1) * sqrt(2 * log(1 / delta)))


def rounds(eps0, delta1):
    return log(2 / delta1) / log(1 / (1 - exp(-5 * eps0)))


def admissible(eps0, delta1, T):
    return (1 - exp(-eps0)) * delta1 / (4 * exp(eps0) * (2 + T))


def bisect(f, low, high, rising):
    """The x in [low, high] at which f crosses zero, on a logarithmic scale."""
    low, high = log(low), log(high)
    for _ in range(400):
        mid = (low + high) / 2
        if (f(exp(mid)) > 0) == rising:
            high = mid
        else:
            low = mid
    return exp((low + high) / 2)


def best_split(p):
    def at(u):
        f = 1 / (1 + exp(-u))
        return averaged(p.eps0, p.n, p.m, p.delta * f, p.delta * (1 - f))
    low, high, g = mpf(-20), mpf(20), (sqrt(mpf(5)) - 1) / 2
    a, b = high - g * (high - low), low + g * (high - low)
    fa, fb = at(a), at(b)
    while high - low > mpf(10) ** -50:
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - g * (high - low)
            fa = at(a)
        else:
            low, a, fa = a, b, fb
            b = low + g * (high - low)
            fb = at(b)
    return at((low + high) / 2)


def strong(eps, T, delta):
    return sqrt(2 * T * log(1 / delta)) * eps + T * eps * (exp(eps) - 1)


def kov_sums(p):
    steps = p.steps if hasattr(p, "steps") else [p.eps0] * int(p.T)
    return (sum(steps), sum((exp(e) - 1) * e / (exp(e) + 1) for e in steps), sum(e * e for e in steps))


def kov_adv(p):
    _, drift, squares = kov_sums(p)
    return drift + sqrt(2 * log(1 / p.delta) * squares)


def kov_adv_e(p):
    _, drift, squares = kov_sums(p)
    return drift + sqrt(2 * squares * log(mpmath.e + sqrt(squares) / p.delta))


def sharp(p):
    _, drift, S = kov_sums(p)
    l = log(1 / p.delta)
    return drift + bisect(lambda t: t ** 2 / (2 * S) + log(1 + t / S) - l, mpf(10) ** -60, 2 * sqrt(2 * S * l), True)


def optimal_delta(eps0, T, eps):
    T = int(T)
    return sum(binomial(T, l) * max(mpf(0), exp((T - l) * eps0) - exp(eps + l * eps0))
               for l in range(T + 1)) / (1 + exp(eps0)) ** T


def optimal_eps(p):
    return bisect(lambda e: p.delta - optimal_delta(p.eps0, p.T, e), mpf(10) ** -60, p.eps0 * p.T, True)


def inverse_load(p):
    n, q = int(p.n), 1 / p.m
    return sum(binomial(n, s) * q ** s * (1 - q) ** (n - s) / s for s in range(1, n + 1))


def utility(p, G):
    return {"value": 2 * p.radius * G * (2 + log(p.m)) / sqrt(p.m), "step": p.radius / G,
            "rate": p.radius * G / sqrt(p.m)}


def thm35(p):
    return utility(p, sqrt(p.dim * p.noise ** 2 + p.lipschitz ** 2) / (1 - 2 * exp(-p.n * p.p0 / p.m)))


def thm35_tight(p):
    empty = (1 - p.p0 / p.m) ** p.n
    noise = p.dim * p.noise ** 2
    return utility(p, sqrt((p.lipschitz ** 2 + noise) / (1 - empty) + empty * noise))


def smooth(p):
    noisy = p.lipschitz ** 2 + p.dim * p.noise ** 2
    return {"value": 2 * p.radius * sqrt(noisy / p.n) + p.smooth * p.radius ** 2 / p.m,
            "step": p.radius * sqrt(p.n) / (p.smooth * p.radius * sqrt(p.n) + p.m * sqrt(noisy))}


def posterior(eps0, m, w, delta):
    x = exp(eps0) - 1
    return two_term(w ** 2 * x ** 2 / (m * (1 - w * (1 - exp(-eps0)))), delta)


def clipped(p, w, eps):
    b = w * (1 - exp(-p.eps0))
    return p.delta + w * p.delta0 * (1 + exp(eps) + (2 + exp(p.eps0)) * log(1 / (1 - b)) / b)


def approximate(p, eps, calls, distance, spent=0):
    return {"value": eps, "delta_total": p.delta + spent + calls * (exp(eps) + 1) * distance}


def cor33(p, constant=None):
    e1 = replacement(p.eps0, p.m, p.m / p.n, p.beta)
    x, lb, ld = exp(p.eps0) - 1, log(1 / p.beta), log(1 / p.delta)
    value = (strong(e1, p.n / p.m, p.delta) if constant is None else
             4 * x * sqrt(exp(p.eps0) * lb * ld / p.n) + constant * x ** 2 * exp(p.eps0) * lb / p.n)
    return {"value": value, "delta_total": p.n * p.beta / p.m + p.delta}


FORMULAS = {
    "balle2020-thm3.2": lambda p: replacement(p.eps0, p.m, p.p0, p.delta),
    "balle2020-thm3.2-simple": lambda p: 7 * p.p0 * p.eps0 * sqrt(log(1 / p.delta) / p.m),
    "balle2020-thm3.2-approx": lambda p: approximate(p, replacement(8 * p.eps0, p.m, p.p0, p.delta), p.m, p.delta1),
    "balle2020-thm3.2-approx-printed":
        lambda p: approximate(p, replacement(8 * p.eps0, p.m, p.p0, p.delta), p.m, p.delta0),
    "epsilary-fixed-2eps0": lambda p: approximate(p, replacement(2 * p.eps0, p.m, p.p0, p.delta), p.m, p.delta0),
    "epsilary-fixed-posterior": lambda p: posterior(p.eps0, p.m, p.p0, p.delta),
    "epsilary-fixed-clip": lambda p: {"value": posterior(p.eps0, p.m, p.p0, p.delta), "delta_total":
                                      clipped(p, p.p0, posterior(p.eps0, p.m, p.p0, p.delta))},
    "epsilary-checkin-cap": lambda p: log(1 + p.w * (exp(p.eps0) - 1)),
    "balle2020-thmA.4": lambda p: replacement(p.eps0, p.m, p.w, p.delta),
    "balle2020-cor3.3": cor33,
    "balle2020-cor3.3-closed": lambda p: cor33(p, 12),
    "balle2020-cor3.3-closed-loose": lambda p: cor33(p, 8 * (mpmath.e - 1)),
    "balle2020-thm4.3": lambda p: replacement(p.eps0, p.m, 1, p.delta),
    "balle2020-thm4.3-simple": lambda p: 7 * p.eps0 * sqrt(log(1 / p.delta) / p.m),
    "balle2020-thm4.3-approx": lambda p: approximate(p, replacement(8 * p.eps0, p.m, 1, p.delta), p.m, p.delta1),
    "epsilary-sliding-2eps0": lambda p: approximate(p, replacement(2 * p.eps0, p.m, 1, p.delta), p.m, p.delta0),
    "epsilary-sliding-clip": lambda p: {"value": replacement(p.eps0, p.m, 1, p.delta), "delta_total":
                                        clipped(p, mpf(1), replacement(p.eps0, p.m, 1, p.delta))},
    "balle2020-thm4.1": lambda p: {"value": averaged(p.eps0, p.n, p.m, p.delta, p.delta2),
                                   "delta_total": p.delta + p.delta2},
    "balle2020-thm4.1-split": best_split,
    "balle2020-thm4.1-approx":
        lambda p: approximate(p, averaged(8 * p.eps0, p.n, p.m, p.delta, p.delta2), p.n, p.delta1, p.delta2),
    "balle2020-thm4.1-approx-printed":
        lambda p: approximate(p, averaged(8 * p.eps0, p.n, p.m, p.delta, p.delta2), p.m, p.delta1, p.delta2),
    "epsilary-averaged-2eps0":
        lambda p: approximate(p, shuffle(2 * p.eps0, p.n, p.delta), 2, p.delta0),
    "epsilary-averaged": lambda p: shuffle(p.eps0, p.n, p.delta),
    "balle2020-thmA.5": lambda p: two_term(exp(4 * p.eps0) * (exp(p.eps0) - 1) ** 2 * (p.load / p.n) ** 2, p.delta),
    "balle2020-lemA.6": lambda p: sqrt(p.n + p.n ** 2 / p.m) + sqrt(p.n * log(1 / p.delta)),
    "balle2020-lemA.6-tightmean":
        lambda p: sqrt(p.n * (1 - 1 / p.m) + p.n ** 2 / p.m) + sqrt(p.n * log(1 / p.delta)),
    "balle2020-thm5.1": lambda p: shuffle(p.eps0, p.n, p.delta),
    "balle2020-thmA.7": lambda p: shuffle(p.eps0, p.n, p.delta),
    "balle2020-thm5.1-approx": lambda p: approximate(p, shuffle(8 * p.eps0, p.n, p.delta), p.n, p.delta1),
    "balle2020-thmA.7-approx-printed": lambda p: approximate(p, shuffle(8 * p.eps0, p.n, p.delta), p.m, p.delta1),
    "epsilary-shuffle-2eps0": lambda p: approximate(p, shuffle(2 * p.eps0, p.n, p.delta), 2, p.delta0),
    "erlingsson2019-thm7": lambda p: strong(2 * exp(2 * p.eps0) * (exp(p.eps0) - 1) / p.n, p.n, p.delta),
    "balle2020-table1-none": lambda p: p.eps0,
    "balle2020-table1-subsampling": lambda p: exp(p.eps0) / sqrt(p.n),
    "balle2020-table1-shuffling19": lambda p: exp(3 * p.eps0) / sqrt(p.n),
    "balle2020-table1-shuffling51": lambda p: exp(mpf(5) / 2 * p.eps0) / sqrt(p.n),
    "balle2020-table1-checkin32": lambda p: exp(mpf(3) / 2 * p.eps0) / sqrt(p.n),
    "balle2020-prop3.4": lambda p: p.m * (1 - p.p0 / p.m) ** p.n,
    "balle2020-prop3.4-bound": lambda p: p.m * exp(-p.n * p.p0 / p.m),
    "balle2020-prop4.4": lambda p: (p.n - p.m + 1) * (1 - 1 / p.m) ** p.m,
    "balle2020-prop4.4-bound": lambda p: (p.n - p.m + 1) / mpmath.e,
    "balle2020-thm3.5": thm35,
    "balle2020-thm3.5-tight": thm35_tight,
    "balle2020-thm4.2-convex": lambda p: utility(p, sqrt(p.m * p.dim * p.noise ** 2 / p.n + p.lipschitz ** 2)),
    "balle2020-thm4.2-convex-doubled":
        lambda p: utility(p, sqrt(2 * p.m * p.dim * p.noise ** 2 / p.n + p.lipschitz ** 2)),
    "balle2020-thm4.2-smooth": smooth,
    "epsilary-averaged-risk":
        lambda p: 2 * p.radius * sqrt(p.dim * p.noise ** 2 + p.lipschitz ** 2) * (2 + log(p.T)) / sqrt(p.T),
    "balle2020-thm4.2-inverse-load": inverse_load,
    "balle2020-lemA.1": lambda p: exp(p.eps0) / (1 + p.q * (exp(p.eps0) - 1)),
    "balle2020-lemA.2": lambda p: two_term(p.a ** 2 / (p.T * (1 - p.b)), p.delta),
    "balle2020-lemA.3": lambda p: {"value": admissible(p.eps0, p.delta1, ceil(rounds(p.eps0, p.delta1))),
                                   "rounds": ceil(rounds(p.eps0, p.delta1))},
    "balle2020-lemA.3-printed": lambda p: {"value": admissible(p.eps0, p.delta1, rounds(p.eps0, p.delta1)),
                                           "rounds": rounds(p.eps0, p.delta1)},
    "dwork2010-basic": lambda p: kov_sums(p)[0],
    "dwork2010-strong": lambda p: strong(p.eps0, p.T, p.delta),
    "kairouz2015-adv": kov_adv,
    "kairouz2015-adv-e": kov_adv_e,
    "epsilary-composition-sharp": sharp,
    "kairouz2015-optimal": optimal_eps,
    "kairouz2015-optimal-delta": lambda p: optimal_delta(p.eps0, p.T, p.eps),
    "balle2018-subsampling": lambda p: log(1 + p.q * (exp(p.eps0) - 1)),
}

# Where each unknown is sought when a row says solve:<parameter>; whole numbers are rounded to the safe side.
RISING = {"eps0", "p0"}
LOWER = {"balle2020-lemA.3-printed"}


class Params:
    def __init__(self, text):
        for pair in text.split():
            key, value = pair.split("=")
            if key == "steps":
                self.steps = [mpf(x) for x in value.split("+")]
            else:
                setattr(self, key, mpf(value))
        if hasattr(self, "share"):  # what the statement keeps of the whole delta
            self.delta *= self.share


def solve(bound, unknown, p):
    def excess(x):
        setattr(p, unknown, x)
        return FORMULAS[bound](p)["value"] - p.target if isinstance(FORMULAS[bound](p), dict) \
            else FORMULAS[bound](p) - p.target
    low, high = (mpf("1e-2000"), 1 - mpf("1e-60")) if unknown.startswith("delta") else (mpf("1e-60"), mpf("1e60"))
    if unknown in ("eps0",):
        high = mpf(100)
    x = bisect(excess, low, high, unknown in RISING or bound in LOWER)
    if unknown in ("m", "n", "T"):
        x = ceil(x)
        assert excess(x) <= 0 < excess(x - 1)
    return x


def value_of(bound, field, text):
    p = Params(text)
    if field.startswith("solve:"):
        return solve(bound, field[6:], p)
    result = FORMULAS[bound](p)
    return result[field] if isinstance(result, dict) else result


def main(path):
    header, *rows = [line for line in open(path).read().splitlines()]
    with open(path, "w") as out:
        out.write(header + "\n")
        for row in rows:
            bound, field, text = row.split(",")[:3]
            out.write(f"{bound},{field},{text},{mpmath.nstr(value_of(bound, field, text), WRITTEN)}\n")


if __name__ == "__main__":
    main(sys.argv[1])
