#!/usr/bin/env python3
"""Recomputes the values of cldp_sgd.csv with mpmath, from the printed formulas.

    python3 tests/reference/cldp_sgd.py tests/reference/cldp_sgd.csv

Columns bound, field, params, value, digits; the last says how many digits of the value are declared. Nothing
is shared with the program: the formulas as the papers print them, at 100 digits, roots by bisection.
"""
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt, sinh, tanh, ceil

mpmath.mp.dps = 100
WRITTEN = 45


# Balle, Bell, Gascon and Nissim 2019. A blanket is gamma, range, maximum and second moment of L.
def generic(eps, p):
    E, g = exp(eps), exp(-p.eps0)
    return (g, (E + 1) * (exp(p.eps0) - g), exp(p.eps0) * (1 - exp(eps - 2 * p.eps0)),
            exp(p.eps0) * (E ** 2 + 1) - 2 * g * exp(eps - 2 * p.eps0))


def tight(eps, p):
    E, E0 = exp(eps), exp(p.eps0)
    return 1 / E0, (E + 1) * (E0 - 1), E0 - E, E0 * (E ** 2 + 1) - 2 * E


def response(eps, p):
    E, g = exp(eps), p.k / (exp(p.eps0) + p.k - 1)
    return (g, (1 - g) * p.k * (E + 1), g * (1 - E) + (1 - g) * p.k,
            g * (2 - g) * (E - 1) ** 2 + (1 - g) ** 2 * p.k * (E ** 2 + 1))


def laplace(eps, p):
    E, h = exp(eps), p.eps0 / 2
    return (exp(-h), (E + 1) * 2 * sinh(h), exp(h) * (1 - exp(eps - p.eps0)),
            (E ** 2 + 1) * (2 * exp(h) + exp(-2 * h)) / 3 - 2 * E * (2 * exp(-h) - exp(-2 * h)))


def hoeffding(kind):
    def log_delta(eps, p):
        g, b, _, _ = kind(eps, p)
        a = exp(eps) - 1
        return log(b ** 2 / (4 * a * g * p.n)) + p.n * log(1 - g + g * exp(-2 * a ** 2 / b ** 2))
    return log_delta


def bennett(kind):
    def log_delta(eps, p):
        g, _, b, c = kind(eps, p)
        t = (exp(eps) - 1) * b / c
        x = c / b ** 2 * ((1 + t) * log(1 + t) - t)
        return log(b / (log(1 + t) * g * p.n) * ((1 - g + g * exp(-x)) ** p.n - (1 - g) ** p.n))
    return log_delta


def stated(eps, p):
    a, B = exp(eps) - 1, (exp(eps) + 1) * (exp(p.eps0) - exp(-p.eps0))
    return log(B ** 2 / (4 * p.n * a)) - (1 - exp(mpf(-2))) * p.n * min(a ** 2 / B ** 2, exp(-p.eps0))


def joint(kind):
    def log_delta(eps, p):
        _, B, _, _ = kind(eps, p)
        a = exp(eps) - 1
        h = min(g * (1 - exp(-2 * a ** 2 / (g * B) ** 2)) for g in (exp(-p.eps0), mpf(1)))
        return log(B ** 2 / (4 * a * p.n)) + p.n * log(1 - h)
    return log_delta


BLANKETS = {
    "balle2019-stated": stated,
    "balle2019-hoeffding": hoeffding(generic),
    "balle2019-hoeffding-rr": hoeffding(response),
    "balle2019-hoeffding-laplace": hoeffding(laplace),
    "balle2019-bennett": bennett(generic),
    "balle2019-bennett-rr": bennett(response),
    "balle2019-bennett-laplace": bennett(laplace),
    "epsilary-blanket-joint": joint(generic),
    "epsilary-blanket-tight": joint(tight),
    "epsilary-blanket-bennett": bennett(tight),
}


def first_crossing(log_delta, p, wanted, dps=50):
    """The first eps in (0, eps0) with log_delta <= wanted: a scan from the left, then bisection."""
    low = mpf(10) ** -60
    for j in range(1, 257):
        high = p.eps0 * j / 256 * (1 - mpf(10) ** -12)
        if log_delta(high, p) <= wanted:
            break
        low = high
    else:
        return p.eps0
    while high - low > mpf(10) ** -dps * high:
        mid = (low + high) / 2
        if log_delta(mid, p) <= wanted:
            high = mid
        else:
            low = mid
    return high


def blanket(name):
    def value(p):
        if hasattr(p, "eps"):
            l = BLANKETS[name](p.eps, p)
            return {"value": exp(l), "log_delta": l}
        return first_crossing(BLANKETS[name], p, log(p.delta))
    return value


# Girgis et al. 2021.
def rate_of(p):
    return p.q if hasattr(p, "q") else p.per_round / (p.clients * getattr(p, "records", 1))


def strong(eps, T, delta):
    return sqrt(2 * T * log(1 / delta)) * eps + T * eps * (exp(eps) - 1)


def optimal(eps, T, delta):
    """The largest of log((P(K >= k) - delta) / Q(K >= k)) over the tails of T-fold randomised response."""
    T, best, P, Q = int(T), mpf(0), mpf(0), mpf(0)
    plus, minus = exp(eps) / (1 + exp(eps)), 1 / (1 + exp(eps))
    for k in range(T, -1, -1):
        ways = mpmath.binomial(T, k)
        P += ways * plus ** k * minus ** (T - k)
        Q += ways * minus ** k * plus ** (T - k)
        if P > delta:
            best = max(best, log((P - delta) / Q))
    return best


class Shuffle:
    def __init__(self, eps0, n):
        self.eps0, self.n, self.k = eps0, n, mpf(2)


def one_round(bound, p, round_delta, dps=50):
    shuffled = first_crossing(BLANKETS[bound], Shuffle(p.eps0, p.per_round), log(round_delta), dps)
    return shuffled, log(1 + rate_of(p) * (exp(shuffled) - 1))


def chain(bound, composition, p, share, dps=50):
    shuffled, step = one_round(bound, p, (1 - share) * p.delta / (rate_of(p) * p.T), dps)
    return {"value": composition(step, p.T, share * p.delta), "shuffled": shuffled, "step": step}


def least(f, low, high, width):
    g = (sqrt(mpf(5)) - 1) / 2
    a, b = high - g * (high - low), low + g * (high - low)
    fa, fb = f(a), f(b)
    while high - low > width:
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - g * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + g * (high - low)
            fb = f(b)
    return (low + high) / 2


def privacy(bound, composition):
    def value(p):
        if hasattr(p, "share"):
            return chain(bound, composition, p, p.share)
        return chain(bound, composition, p, least(lambda s: chain(bound, composition, p, s, 25)["value"],
                                                  mpf("0.05"), mpf("0.95"), mpf("1e-9")))
    return value


def pooled(bound):
    """Remark 1: per_round times samples messages of clients times records."""
    def value(p):
        p.per_round *= p.samples
        return privacy(bound, strong)(p)
    return value


def lemma3(bound):
    def value(p):
        shuffled, step = one_round(bound, p, p.delta)
        return {"value": step, "shuffled": shuffled, "delta_total": rate_of(p) * p.delta}
    return value


def coth(p):
    return (exp(p.eps0) + 1) / (exp(p.eps0) - 1)


def is_sign(p):
    return not hasattr(p, "norm") or p.norm == 1


def stretch(p):
    return p.dim if not hasattr(p, "norm") else max(p.dim ** (1 - 2 / p.norm), mpf(1))


def log2(x):
    return log(x) / log(mpf(2))


def bits(p):
    b = log2(p.dim) + 1 if is_sign(p) else p.dim * (log2(mpmath.e) + 1)
    times = p.per_round / p.clients if hasattr(p, "clients") else 1
    return {"value": times * getattr(p, "T", 1) * b, "message": b, "whole": (int(p.dim) - 1).bit_length() + 1}


def symbols(p):
    return mpf(2) ** p.bits if hasattr(p, "bits") else 2 * p.dim


def moment(p, c_sign, c_other):
    return (p.lipschitz ** 2 * stretch(p)
            * (1 + (c_sign if is_sign(p) else c_other) * p.dim / p.per_round * coth(p) ** 2))


def risk(D, G, T):
    return {"value": 2 * D * G * (2 + log(T)) / sqrt(T), "step": D / G}


def risk_rate(p):
    c = 4 if is_sign(p) else 14
    power = sqrt(p.dim) if not hasattr(p, "norm") else max(p.dim ** (mpf(1) / 2 - 1 / p.norm), mpf(1))
    return (p.lipschitz * p.radius * log(p.T) * power / sqrt(p.T) * sqrt(c * p.dim / p.per_round) * coth(p))


def thm2(p):
    small = p.radius ** 2 * min(mpf(1), p.dim / (p.n * p.eps0 ** 2))
    large = p.radius ** 2 * stretch(p) * min(mpf(1), p.dim / (p.n * min(p.eps0, p.eps0 ** 2)))
    if hasattr(p, "norm") and p.norm < 2:
        return small
    return max(small, large) if hasattr(p, "norm") and p.norm == 2 else large


def few_bits(p):
    B, d = mpf(2) ** p.bits, p.dim
    if not hasattr(p, "norm"):
        return p.radius ** 2 * max(1, d - B + 1)
    if p.norm < 2:
        return p.radius ** 2 * max(d ** (1 - 2 / p.norm), 1 - (B - 1) / d)
    return p.radius ** 2 * (d - B + 1) ** (1 - 2 / p.norm)


def thm4(p):
    c = p.radius ** 2 * p.dim / p.n * coth(p) ** 2
    return p.dim * c if not hasattr(p, "norm") else {1: 1, 2: 6}[int(p.norm)] * c


def lemma2(p):
    v = (p.radius * p.dim * coth(p)) ** 2
    return {"value": v, "plus": exp(p.eps0) / (exp(p.eps0) + 1), "blanket": 2 / (exp(p.eps0) + 1)}


def lemma3_rate(p):
    messages = p.q * p.n if hasattr(p, "q") else p.per_round
    order = min(p.eps0, 1) * exp(p.eps0) * sqrt(log(1 / p.delta) / messages)
    return {"value": log(1 + rate_of(p) * (exp(order) - 1)), "shuffled": order}


def lemma3_limit(p):
    return log((p.q * p.n if hasattr(p, "q") else p.per_round) / log(1 / p.delta)) / 2


def privacy_rate(p):
    n = p.n if hasattr(p, "n") else p.clients * getattr(p, "records", 1)
    return p.eps0 * sqrt(rate_of(p) * p.T * log(2 * rate_of(p) * p.T / p.delta) * log(2 / p.delta) / n)


FORMULAS = {name: blanket(name) for name in BLANKETS}
for suffix, name in {"stated": "balle2019-stated", "hoeffding": "balle2019-hoeffding", "bennett": "balle2019-bennett",
                     "joint": "epsilary-blanket-joint", "tight": "epsilary-blanket-tight",
                     "rr": "balle2019-hoeffding-rr", "bennett-rr": "balle2019-bennett-rr"}.items():
    whole = "girgis2021-thm1-privacy" + ("" if suffix == "stated" else "-" + suffix)
    FORMULAS[whole] = privacy(name, strong)
    FORMULAS[whole + "-optimal"] = privacy(name, optimal)
    FORMULAS["girgis2021-lem3-" + suffix] = lemma3(name)
FORMULAS.update({
    "girgis2021-lem3": lemma3_rate,
    "girgis2021-lem3-limit": lemma3_limit,
    "girgis2021-remark1": pooled("balle2019-stated"),
    "girgis2021-remark1-tight": pooled("epsilary-blanket-tight"),
    "girgis2021-thm1-privacy-rate": privacy_rate,
    "girgis2021-thm1-bits": bits,
    "girgis2021-thm4-bits": lambda p: p.dim * log2(mpmath.e) + 1,
    "girgis2021-thm1-bits-histogram":
        lambda p: p.samples * (log2(mpmath.e) + log2((p.samples + symbols(p) - 1) / p.samples)),
    "girgis2021-thm1-bits-exact": lambda p: log2(mpmath.binomial(p.samples + symbols(p) - 1, p.samples))
        if p.samples < 5000 else (mpmath.loggamma(p.samples + symbols(p)) - mpmath.loggamma(p.samples + 1)
                                  - mpmath.loggamma(symbols(p))) / log(mpf(2)),
    "girgis2021-thm1-bits-naive": lambda p: p.samples * log2(symbols(p)),
    "girgis2021-sec6-saving": lambda p: 32 * p.dim / ((int(p.dim) - 1).bit_length() + 1),
    "girgis2021-lem4": lambda p: moment(p, 4, 14),
    "epsilary-cldp-moment": lambda p: moment(p, 1, 6),
    "girgis2021-lem5": lambda p: risk(p.radius, p.gradient, p.T),
    "girgis2021-thm1-risk": lambda p: risk(p.radius, sqrt(moment(p, 4, 14)), p.T),
    "girgis2021-thm1-risk-tight": lambda p: risk(p.radius, sqrt(moment(p, 1, 6)), p.T),
    "girgis2021-thm1-risk-rate": risk_rate,
    "girgis2021-thm2": thm2,
    "girgis2021-thm3": lambda p: p.radius ** 2 * (p.dim if not hasattr(p, "norm") else stretch(p)),
    "epsilary-few-bits": few_bits,
    "girgis2021-thm4": thm4,
    "epsilary-mean-l1": lambda p: {"value": p.radius ** 2 * p.dim / p.n * coth(p) ** 2,
                                   "bits": (int(p.dim) - 1).bit_length() + 1},
    "girgis2021-lem2": lemma2,
    "girgis2021-lem2-exact": lambda p: lemma2(p)["value"] - p.square,
})


class Params:
    def __init__(self, text):
        for pair in text.split():
            key, value = pair.split("=")
            setattr(self, key, mpf(value))


def number(bound, p, field="value"):
    result = FORMULAS[bound](p)
    return mpf(result[field] if isinstance(result, dict) else result)


def solve(bound, unknown, p):
    """The value of the unknown closest to breaking the target: least n, greatest T or eps0."""
    def meets(x):
        setattr(p, unknown, mpf(x))
        return number(bound, p) <= p.target
    good, bad = {"n": (mpf(10) ** 15, mpf(1)), "T": (mpf(1), mpf(10) ** 9), "eps0": (mpf("1e-6"), mpf(10))}[unknown]
    assert meets(good) and not meets(bad)
    whole = unknown in ("n", "T")
    while abs(good - bad) > (1 if whole else mpf(10) ** -45):
        mid = mpmath.floor((good + bad) / 2) if whole else (good + bad) / 2
        if meets(mid):
            good = mid
        else:
            bad = mid
    return good


def main(path):
    header, *rows = open(path).read().splitlines()
    with open(path, "w") as out:
        out.write(header + "\n")
        for row in rows:
            bound, field, text, _, digits = row.split(",")
            p = Params(text)
            value = solve(bound, field[6:], p) if field.startswith("solve:") else number(bound, p, field)
            out.write(f"{bound},{field},{text},{mpmath.nstr(value, WRITTEN)},{digits}\n")


if __name__ == "__main__":
    main(sys.argv[1])
