#!/usr/bin/env python3
"""Recomputes the values of checkin_rounds.csv: T rounds of check-in, or of CLDP-SGD, by a contour integral, without any
lattice. A second argument recomputes only the rows it occurs in, and those without a value.

    python3 tests/reference/brackets/checkin_rounds.py tests/reference/brackets/checkin_rounds.csv [cldp]

A row names a bound, a point, the value and how many of its digits the integral has. The rule: the bracket of the
program must contain the value, which knows no bins, no cells and no rounding of losses. delta(eps) is
1/(2 pi i) times the integral of e^{-z eps} M(z)^T / (z (z + 1)) over Re z = c > 0, M(z) = E_P e^{z loss}, by the
trapezoid rule, which converges geometrically. Sums over numbers with a wide spread take every s-th term times s,
which for a bell of that width is exact to 1e-12. Laws of few outcomes, whose M does not fade along the line, are not for
this program: the tests enumerate them.
"""
import cmath
import math
import sys


def bell(n, p, widths=8.5):
    """Values of a binomial number with their weights, every s-th, s a seventh of the spread."""
    spread, mean = math.sqrt(n * p * (1 - p)), n * p
    stride = max(1, int(spread / 7))
    low, high = max(0, int(mean - widths * spread - 12)), min(n, int(mean + widths * spread + 40))
    if low == 0 or high == n:
        stride = 1 if spread < 60 else stride
    # log weights relative to the mode by ratios, then made to sum to one: lgamma has not enough digits at 1e7
    logs, value = [], 0.0
    for k in range(low, high + 1):
        logs.append(value)
        if k < high:
            value += math.log((n - k) / (k + 1) * p / (1 - p)) if p < 1 else 0
    top = max(logs)
    total = math.fsum(math.exp(x - top) for x in logs)
    return [(low + i, stride * math.exp(logs[i] - top) / total) for i in range(0, high - low + 1, stride)]


def coins_of(c, alpha):
    """Given c clones: (mass of the lighter law, ratio - 1) where one law is heavier."""
    first = (c - 1) // 2 + 1
    pmf = math.exp(math.lgamma(c + 1) - math.lgamma(first + 1) - math.lgamma(c - first + 1) - c * math.log(2))
    coins = []
    for i in range(first, c + 1):
        t = (c - i) / (i + 1)
        light = (1 - alpha) + alpha * t
        coins.append((pmf * light, (2 * alpha - 1) * (1 - t) / light))
        pmf *= (c - i) / (i + 1)
        if pmf < 1e-19:
            break
    return coins


def used(p):
    """The probability that a record is used in a round of CLDP-SGD."""
    return p["per_round"] / (p["clients"] * p.get("records", 1))


def chosen_clones(p):
    """The same of C_q of the clones' pair of per_round messages."""
    alpha, out = 1 / (1 + math.exp(-p["eps0"])), []
    for c, weight in bell(int(p["per_round"]) - 1, math.exp(-p["eps0"])):
        out += [(weight * light, math.log1p(used(p) * gain)) for light, gain in coins_of(c, alpha)]
    return out


def chosen_response(p):
    """Outcomes of randomised response on equal data: mass under Q, and P/Q - 1, from the two laws themselves."""
    k, flip = int(p["per_round"]), 1 / (1 + math.exp(p["eps0"]))
    return [(weight, used(p) * (ones / k * (1 - flip) / flip + (1 - ones / k) * flip / (1 - flip) - 1))
            for ones, weight in bell(k, flip)]


def clones(p):
    """Outcomes of C_{k/n} of the clones' pair: (mass of the lighter law, ratio), both sides alike."""
    alpha, clone = 1 / (1 + math.exp(-p["eps0"])), math.exp(-p["eps0"])
    n, gamma = int(p["n"]), p["gamma"]
    # c clones among the others that check in; k - 1 - c others that are not clones, given c. K and the weight n gamma/k
    # belong to the client's place among the k.
    out = []
    for c, weight in bell(n - 1, gamma * clone):
        rest = n - 1 - c
        share = gamma * (1 - clone) / (1 - gamma * clone)
        spread = math.sqrt(rest * share * (1 - share))
        if spread < 40:
            others = bell(rest, share)
        else:  # three points with the first five moments of a normal law
            mean = rest * share
            others = [(mean, 2 / 3), (mean - math.sqrt(3) * spread, 1 / 6), (mean + math.sqrt(3) * spread, 1 / 6)]
        for j, w in others:
            k = c + 1 + j
            for light, gain in coins_of(c, alpha):
                mass = weight * w * n * gamma / k * light
                if mass > 1e-22:
                    out.append((mass, math.log1p(k / n * gain)))
    return out


def moment_of_clones(outcomes):
    def m1(z):
        total = 0j
        for mass, loss in outcomes:
            total += mass * (cmath.exp((1 + z) * loss) - 1) * (1 - cmath.exp(-z * loss))
        return total
    return m1


def response(p):
    """Outcomes of randomised response on equal data: mass under Q, and P/Q - 1."""
    flip = 1 / (1 + math.exp(p["eps0"]))
    n, gamma, step = int(p["n"]), p["gamma"], 2 * math.sinh(p["eps0"]) / p["n"]
    out = []
    for ones, weight in bell(n, gamma * flip):
        for zeros, w in bell(n - ones, gamma * (1 - flip) / (1 - gamma * flip)):
            if weight * w > 1e-22:
                out.append((weight * w, step * (ones * (1 - flip) - zeros * flip)))
    return out


def moments_of_response(outcomes):
    """Of both directions: E_Q[(1 + x)^s - 1 - s x], s = 1 + z for P against Q and -z for Q against P; x has mean zero."""
    def direction(power):
        def m1(z):
            total, s = 0j, power(z)
            for mass, x in outcomes:
                total += mass * (cmath.exp(s * math.log1p(x)) - 1 - s * x)
            return total
        return m1
    return [direction(lambda z: 1 + z), direction(lambda z: -z)]


def gaussian(p):
    """Outcomes of C_{k/n}(G_mu) by the midpoint rule in t, which for a bell cut where its integrand vanishes twice has
    an error of the fourth order."""
    n, gamma, sigma = int(p["n"]), p["gamma"], p["multiplier"]
    out, h = [], 0.01
    for k, weight in bell(n, gamma):
        if k < 1:
            continue
        mu = 2 / (sigma * math.sqrt(k))
        for i in range(int(9.5 / h)):
            t = mu / 2 + (i + 0.5) * h
            mass = weight * h * math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
            if mass > 1e-22:
                out.append((mass, math.log1p(k / n * math.expm1(mu * t - mu * mu / 2))))
    return out


def opposite(p):
    """Outcomes of a shift by mu with probability k/n, on the whole line."""
    n, out, h = int(p["n"]), [], 0.02
    for k, weight in bell(n, p["gamma"]):
        mu = 2 / (p["multiplier"] * math.sqrt(k)) if k else 0
        for i in range(int(-9.5 / h), int(9.5 / h) + 1):
            mass, t = weight * h * math.exp(-(i * h) ** 2 / 2) / math.sqrt(2 * math.pi), i * h
            if mass > 1e-22:
                out.append((mass, k / n * math.expm1(mu * t - mu * mu / 2)))
    return out


# The value is the largest over the directions of a pair.
MODELS = {
    "epsilary-shuffled-checkin-pld": lambda p: [moment_of_clones(clones(p))],
    "epsilary-lower-shuffled-checkin": lambda p: moments_of_response(response(p)),
    "epsilary-distributed-checkin-pld": lambda p: [moment_of_clones(gaussian(p))],
    "epsilary-lower-distributed-checkin": lambda p: moments_of_response(opposite(p)),
    "epsilary-cldp-sgd-pld": lambda p: [moment_of_clones(chosen_clones(p))],
    "epsilary-lower-cldp-sgd": lambda p: moments_of_response(chosen_response(p)),
}


class Composition:
    """The contour through the saddle of e^{-z eps} M(z)^T/(z (z + 1)) for a first guess of eps."""
    def __init__(self, m1, T, log_delta):
        def slope(c, h=1e-4):
            cumulant = lambda x: T * math.log1p(m1(x).real)
            return (cumulant(c * (1 + h)) - cumulant(c * (1 - h))) / (2 * h * c), cumulant(c)
        low, high = 1e-2, 1e7
        for _ in range(34):  # the order at which Chernoff's bound is delta
            c = math.sqrt(low * high)
            try:
                d, k = slope(c)
            except OverflowError:  # beyond any order that could be wanted
                high = c
                continue
            low, high = (c, high) if k - c * d > log_delta else (low, c)
        c = math.sqrt(low * high)
        self.c, self.eps = c, slope(c)[0]
        d2 = (slope(c * 1.05)[0] - slope(c * 0.95)[0]) / (0.1 * c)
        # the aliases of delta(eps) lie 2 pi / h to either side and weigh e^{-2 pi c/h}
        self.h = min(2 * math.pi * c / 32, 2 * math.pi / (14 * math.sqrt(d2)))
        self.nodes = []
        j = 0
        while True:
            z = complex(c, j * self.h)
            power = cmath.exp(T * cmath.log(1 + m1(z))) if abs(m1(z)) > 1e-4 else cmath.exp(T * log1p(m1(z)))
            self.nodes.append((z, power / (z * (z + 1))))
            if abs(power) < 1e-13 * abs(self.nodes[0][1] * c * (c + 1)):
                break
            j += 1

    def delta(self, eps):
        total = 0.0
        for j, (z, value) in enumerate(self.nodes):
            total += (0.5 if j == 0 else 1) * (cmath.exp(-z * eps) * value).real
        return total * self.h / math.pi


def log1p(x):
    return x - x * x / 2 + x ** 3 / 3 - x ** 4 / 4 + x ** 5 / 5


def epsilon(model, p):
    target = p["delta"]
    composition = Composition(model, p["T"], math.log(target))
    low, high = 0.0, 2 * composition.eps
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (mid, high) if composition.delta(mid) > target else (low, mid)
    return (low + high) / 2


def main(path, only=""):
    header, *rows = open(path).read().splitlines()
    lines = [header]
    for row in rows:
        bound, text, *rest = row.split(",")
        if only and only not in row and rest:
            lines.append(row)
            continue
        p = {key: float(value) for key, value in (pair.split("=") for pair in text.split())}
        digits = rest[1] if len(rest) > 1 and rest[1] else "6"
        value = max(epsilon(model, p) for model in MODELS[bound](p))
        lines.append(f"{bound},{text},{value:.10g},{digits}")
        print(lines[-1], flush=True)
    open(path, "w").write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
