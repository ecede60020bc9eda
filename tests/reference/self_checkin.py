#!/usr/bin/env python3
"""Recomputes the values of self_checkin.csv with mpmath, from the printed formulas.

    python3 tests/reference/self_checkin.py tests/reference/self_checkin.csv

The figures' points (self_checkin_figures.csv) need fewer digits and have far more terms: a last argument, 50, sets
the working precision for them.

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
    for _ in range(min(steps, 4 * mpmath.mp.dps)):
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
    # h(u) > 0 needs r > lambda delta; where the root is closer to it than 120 digits, lambda delta is r
    low = order * delta
    return low + exp(bisect(lambda t: slope(low + exp(t)), log(low) - 250, log(1 - low), 420))


def lemma3(order, eps, delta):
    r = lemma3_r(order, eps, delta)
    g = lemma3_g(r, order, eps, delta) if r < 1 else (1 - delta) ** (1 - order)
    return eps + log(g) / (order - 1)


def optimal_conversion(rdp, order, delta):
    if lemma3(order, mpf(0), delta) >= rdp:
        return mpf(0)
    return bisect(lambda e: lemma3(order, e, delta) - rdp, mpf(0), lemma2(rdp, order, delta) + 1, 190)


# ---- shuffled check-in
cutoff_exponent = -110


def weights(n, gamma, cutoff=None):
    """The binomial weights, less those that together cannot matter at 45 digits against any moment here."""
    n, cutoff = int(n), mpf(10) ** cutoff_exponent if cutoff is None else cutoff
    mode = int(n * gamma)
    peak = exp(loggamma(n + 1) - loggamma(mode + 1) - loggamma(n - mode + 1)
               + mode * log(gamma) + (n - mode) * log(1 - gamma)) if 0 < gamma < 1 else mpf(1)
    if gamma == 1:
        return {n: mpf(1)}
    out = {mode: peak}
    w, k = peak, mode
    while k < n and w > cutoff:
        w = w * (n - k) / (k + 1) * gamma / (1 - gamma)
        k += 1
        out[k] = w
    w, k = peak, mode
    while k > 0 and w > cutoff:
        w = w * k / (n - k + 1) * (1 - gamma) / gamma
        k -= 1
        out[k] = w
    return out


@lru_cache(None)
def girgis_coefficients(order):
    return [mpf(0)] * 3 + [binomial(order, j) * j * Gamma(mpf(j) / 2) for j in range(3, int(order) + 1)]


def girgis_parts(order, eps0, r, kb):
    E = exp(eps0)
    first = 4 * binomial(order, 2) * r ** 2 * (E - 1) ** 2 / (kb * E)
    base, x, y = r * sqrt(2 * (E ** 2 - 1) ** 2 / (kb * E ** 2)), r * (E ** 2 - 1) / E, mpf(1)
    power = base * base
    for c in girgis_coefficients(order)[3:]:
        power *= base
        first += c * power
        if c * power < first * mpf(10) ** -70 and c * power < mpf(10) ** -30 * first:
            break
    return first, (1 + x) ** order - 1 - order * x


def girgis(order, eps0, k, r):
    E = exp(eps0)
    spread, crowd = girgis_parts(order, eps0, r, floor((k - 1) / (2 * E)) + 1)
    return spread + crowd * exp(-(mpf(k) - 1) / (8 * E))


def mixture(p, moment):
    return sum(w * moment(k) for k, w in weights(p.n, p.gamma).items() if k > 0)


def thm2_exact(p, fixed_rate=False):
    order = p["lambda"]
    m1 = mixture(p, lambda k: girgis(order, p.eps0, k, p.gamma if fixed_rate else mpf(k) / p.n))
    return rdp_of_moment(1 + m1, order)


def thm2_split(order, eps0, r, few, t):
    E = exp(eps0)
    one, crowd = girgis_parts(order, eps0, r, mpf(1))
    many, _ = girgis_parts(order, eps0, r, floor(t / (2 * E)) + 1)
    return few * one + many + crowd * (few + exp(-t / (8 * E)))


def thm2_printed(p):
    expected = p.n * p.gamma
    m1 = thm2_split(p["lambda"], p.eps0, p.gamma, exp(-p.Delta ** 2 * expected / 2), (1 - p.Delta) * expected)
    return rdp_of_moment(1 + m1, p["lambda"])


def thm2(p):
    """gamma^j replaced by E[(K/n)^j], term by term, from Stirling numbers of the second kind."""
    order, n, E = int(p["lambda"]), p.n, exp(p.eps0)
    expected = n * p.gamma
    t = floor((1 - p.Delta) * expected + mpf(10) ** -90)
    few, kb, rare = exp(-p.Delta ** 2 * expected / 2), floor(t / (2 * E)) + 1, exp(-t / (8 * E))
    moments = share_moments(n, p.gamma, order)
    m1 = 4 * binomial(order, 2) * moments[2] * (E - 1) ** 2 / E * (few + 1 / kb)
    for j in range(2, order + 1):
        m1 += binomial(order, j) * moments[j] * ((E ** 2 - 1) / E) ** j * (few + rare)
        if j > 2:
            m1 += (binomial(order, j) * moments[j] * j * Gamma(mpf(j) / 2)
                   * (2 * (E ** 2 - 1) ** 2 / E ** 2) ** (mpf(j) / 2) * (few + kb ** (-mpf(j) / 2)))
    return rdp_of_moment(1 + m1, order)


def share_moments(n, gamma, most):
    """E[(K/n)^j] for j = 0..most: sum_i S(j, i) n (n-1) ... (n-i+1) gamma^i / n^j."""
    falling = [mpf(1)]
    for i in range(most):
        falling.append(falling[-1] * (n - i) * gamma)
    stirling, out = [mpf(1)], [mpf(1)]
    for j in range(1, most + 1):
        stirling = [mpf(0)] + [(stirling[i] * i if i < j else 0) + stirling[i - 1] for i in range(1, j + 1)]
        out.append(sum(s * f for s, f in zip(stirling, falling)) / n ** j)
    return out


# ---- lower bounds: binary randomised response, term by term
def response_moments(order, eps0, k, r):
    """E_Q (P/Q)^lambda and E_P (Q/P)^lambda of k shuffled responses, from the two laws of the number of ones."""
    k = int(k)
    p = 1 / (1 + exp(eps0))
    q0 = weights(k, p)
    pmf = lambda m: q0.get(m, mpf(0))
    forward, reverse = mpf(0), mpf(0)
    shorter = weights(k - 1, p) if k > 1 else {0: mpf(1)}
    for m in q0:
        with_one = (1 - p) * shorter.get(m - 1, mpf(0)) + p * shorter.get(m, mpf(0))
        P = (1 - r) * pmf(m) + r * with_one
        forward += P ** order * pmf(m) ** (1 - order)
        reverse += pmf(m) ** order * P ** (1 - order) if P > 0 else 0
    return forward, reverse


def subsampled_response(p):
    there, back = response_moments(p["lambda"], p.eps0, p.per_round, p.per_round / p.n)
    return {"value": rdp_of_moment(max(there, back), p["lambda"]),
            "forward_moment": there - 1, "reverse_moment": back - 1}


def checkin_response(p):
    there, back = mpf(0), mpf(0)
    for k, w in weights(p.n, p.gamma).items():
        a, b = response_moments(p["lambda"], p.eps0, k, mpf(k) / p.n) if k else (mpf(1), mpf(1))
        there += w * a
        back += w * b
    there, back = rdp_of_moment(there, p["lambda"]), rdp_of_moment(back, p["lambda"])
    return {"value": max(there, back), "forward": there, "reverse": back}


def thm3(p):
    E, ng = exp(p.eps0), p.n * p.gamma
    share = lambda D: (1 - exp(-D ** 2 * ng / (2 + D))) / (1 + D)
    if hasattr(p, "Delta"):
        D = p.Delta
    else:
        D = bisect(lambda d: -mpmath.diff(share, d), mpf("1e-9"), mpf(1), 200)
    moment = 1 + share(D) * binomial(p["lambda"], 2) * p.gamma ** 2 * (E - 1) ** 2 / (ng * E)
    return rdp_of_moment(moment, p["lambda"])


def thm3_sharp(p):
    E = exp(p.eps0)
    return rdp_of_moment(1 + binomial(p["lambda"], 2) * p.gamma * (E - 1) ** 2 / (p.n * E), p["lambda"])


# ---- shuffling
def clones_pairs(eps0, n, clone):
    """P and Q at every (a, b)."""
    n, alpha = int(n), exp(eps0) / (1 + exp(eps0))
    for c, w in (weights(n - 1, clone).items() if n > 1 else [(0, mpf(1))]):
        half = weights(c, mpf(1) / 2) if c else {0: mpf(1)}
        for a in range(c + 2):
            first, second = half.get(a - 1, mpf(0)), half.get(a, mpf(0))
            if first + second > 0:
                yield w * (alpha * first + (1 - alpha) * second), w * ((1 - alpha) * first + alpha * second)


def clones_delta(eps0, n, eps, delta0=mpf(0)):
    clones = sum(max(mpf(0), P - exp(eps) * Q) for P, Q in clones_pairs(eps0, n, exp(-eps0) * (1 - delta0)))
    return delta0 + (1 - delta0) * clones + (1 + exp(eps)) * (n - 1) * exp(-eps0) * delta0


@lru_cache(maxsize=None)
def clones_epsilon(eps0, n, delta):
    """By the tails S of Bin(c, 1/2): P > e^eps Q at (c, a) exactly for a > (c + 1) t. From c to c + 1, S(a) gains half
    the weight of a - 1."""
    n, alpha = int(n), exp(eps0) / (1 + exp(eps0))
    pmf = weights(n - 1, exp(-eps0)) if n > 1 else {0: mpf(1)}
    counts = sorted(pmf)

    def missing(eps):
        E, total = exp(eps), mpf(0)
        t = (E * alpha - (1 - alpha)) / ((2 * alpha - 1) * (1 + E))
        c, a = counts[0], int(floor((counts[0] + 1) * t)) + 1
        at = binomial(c, a) / mpf(2) ** c if a <= c else mpf(0)  # the weight of a,
        tail, w, j = at, at, a  # and of a and all above
        while w > tail * mpf(10) ** -mpmath.mp.dps:
            w *= mpf(c - j) / (j + 1)
            tail, j = tail + w, j + 1
        for c in counts:
            while a < (c + 1) * t or a == int(floor((c + 1) * t)):
                tail -= at
                at = at * (c - a) / (a + 1)
                a += 1
            before = at * a / (c - a + 1) if a <= c else (mpf(2) ** -c if a == c + 1 else mpf(0))
            total += pmf[c] * ((alpha - E * (1 - alpha)) * (tail + before) + (1 - alpha - E * alpha) * tail)
            tail += before / 2
            at = (at + before) / 2
        return total
    return bisect(lambda e: delta - missing(e), mpf(0), eps0, 170)


def clones(p):
    if hasattr(p, "eps"):
        return clones_delta(p.eps0, p.n, p.eps, getattr(p, "delta0", mpf(0)))
    pairs = list(clones_pairs(p.eps0, p.n, exp(-p.eps0)))
    return bisect(lambda e: p.delta - sum(P - exp(e) * Q for P, Q in pairs if P > exp(e) * Q), mpf(0), p.eps0, 170)


def clones_moment(p):
    """(U^lambda-type sum of the canonical pair of C_r(f)): rho^l + rho^(1-l) - 1 - rho over the outcomes U > 1."""
    order, r, total = p["lambda"], p.per_round / p.n, mpf(0)
    for P, Q in clones_pairs(p.eps0, p.per_round, exp(-p.eps0)):
        if P > Q:
            rho = 1 + r * (P / Q - 1)
            total += Q * (rho ** order + rho ** (1 - order) - 1 - rho)
    return {"moment": total, "value": rdp_of_moment(1 + total, order)}


def feldman_closed(p):
    E = exp(p.eps0)
    eps = log(1 + (E - 1) / (E + 1) * (8 * sqrt(E * log(4 / p.delta) / p.n) + 8 * E / p.n))
    return {"value": eps,
            "delta_total": p.delta + (exp(eps) + 1) * (1 + 1 / (2 * E)) * p.n * getattr(p, "delta0", mpf(0))}


# ---- distributed check-in
def wang(order, rates, mu_squared):
    """Wang et al. for a Gaussian pair, rates[j] = g^j."""
    order = int(order)
    e2 = exp(mu_squared)
    m1 = rates[2] * binomial(order, 2) * min(4 * (e2 - 1), 2 * e2)
    return m1 + sum(2 * rates[j] * binomial(order, j) * exp(mpf(j) * (j - 1) / 2 * mu_squared)
                    for j in range(3, order + 1))


def powers(g, order):
    return [mpf(g) ** j for j in range(int(order) + 1)]


def deep_weights(n, gamma):
    """Down to k = 0: there the moments are largest."""
    return weights(n, gamma, mpf(10) ** -3000)


def thm4(p, printed=False, quorum=1):
    order, total, good = p["lambda"], mpf(0), mpf(0)
    for k, w in deep_weights(p.n, p.gamma).items():
        if k >= quorum:
            good += w
            total += w * wang(order, powers(p.gamma if printed else mpf(k) / p.n, order), 4 / (k * p.multiplier ** 2))
    if printed:
        return rdp_of_moment(1 + total - (1 - p.gamma) ** p.n, order)
    return rdp_of_moment(1 + (total / good if quorum > 1 else total), order)


def thm4_quorum(p):
    missed = sum(w for k, w in deep_weights(p.n, p.gamma).items() if k < p.quorum)
    return {"value": thm4(p, quorum=int(p.quorum)), "delta_per_round": missed}


def thm4_eq11(p, printed=False):
    order = int(p["lambda"])
    expected = p.n * p.gamma
    m2 = floor((1 - p.Delta) * expected + mpf(10) ** -90) + 1
    few = exp(-p.Delta ** 2 * expected / 2)
    rates = powers(p.gamma, order) if printed else share_moments(p.n, p.gamma, order)
    one, many = (wang(order, rates, 4 / (m * p.multiplier ** 2)) for m in (mpf(1), m2))
    return rdp_of_moment(1 + few * ((1 if printed else 0) + one) + many, order)


def thm4_dropout(p):
    order, low = int(p["lambda"]), p.gamma * (1 - p.dropout)
    rates = share_moments(p.n, p.gamma, order)
    total = sum(w * wang(order, rates, 4 / (max(k, 1) * p.multiplier ** 2)) for k, w in deep_weights(p.n, low).items())
    return rdp_of_moment(1 + total, order)


def removal(p, k, log_moment):
    order, g = int(p["lambda"]), p.gamma
    return sum(binomial(order, j) * (1 - g) ** (order - j) * g ** j * (exp(log_moment(k, j)) - 1)
               for j in range(2, order + 1))


def ideal_noise(p):
    return lambda k, j: mpf(j) * (j - 1) / (2 * k * p.multiplier ** 2)


def client_noise(p):
    return lambda k, j: (p.dim / 2 * log((mpf(k) / (k + 1)) ** j * (k + 1) / (k + 1 - j))
                         + mpf(j) * (j - 1) / (2 * p.multiplier ** 2 * (k + 1 - j)))


def removal_given(p, noise):
    m1 = removal(p, p.per_round, noise(p))
    return {"moment": m1, "value": rdp_of_moment(1 + m1, p["lambda"])}


def removal_checkin(p, client=False):
    order, g = p["lambda"], p.gamma
    total = good = missed = mpf(0)
    for k, w in deep_weights(p.n - 1, g).items():
        if k < p.quorum:
            missed += w
            continue
        good += w
        noise = (client_noise if client else ideal_noise)(p)
        m1 = removal(p, k, noise)
        if client:
            m1 = max(m1, binomial(order, 2) * (1 - g) ** (-1 - order) * g ** 2 * (exp(noise(k, 2)) - 1))
        total += w * m1
    return {"value": rdp_of_moment(1 + total / good, order), "delta_per_round": missed}


# ---- shuffled Gaussian: the power of the series as it stands
def series_power(a, n, last):
    def times(x, y):
        return [sum(x[i] * y[j - i] for i in range(j + 1)) for j in range(last + 1)]
    out = [mpf(1)] + [mpf(0)] * last
    while n:
        if n & 1:
            out = times(out, a)
        a = times(a, a)
        n >>= 1
    return out


def gaussian_moments(sigma, k, last):
    """E_Q (P/Q)^j for j = 0..last."""
    a = [exp(mpf(i) ** 2 / (2 * sigma ** 2)) / mpmath.factorial(i) for i in range(last + 1)]
    power = series_power(a, int(k), last)
    return [exp(-j / (2 * sigma ** 2)) * mpmath.factorial(j) * power[j] / mpf(k) ** j for j in range(last + 1)]


def shuffled_gaussian(p):
    order = int(p["lambda"])
    return rdp_of_moment(gaussian_moments(p.sigma, p.n, order)[order], order)


def shuffled_gaussian_checkin(p):
    order, total = int(p["lambda"]), mpf(0)
    for k, w in weights(p.n, p.gamma).items():
        r = mpf(k) / p.n
        moments = gaussian_moments(p.sigma, k, order) if k else [mpf(1)] * (order + 1)
        total += w * sum(binomial(order, j) * (1 - r) ** (order - j) * r ** j * moments[j] for j in range(order + 1))
    return rdp_of_moment(total, order)


# ---- the generic conversion and the baseline of Figure 1
def shuffled_epsilon(eps0, k, delta):
    if k <= 0 or exp(eps0) > k / (16 * log(2 / delta)):
        return eps0
    E = exp(eps0)
    return min(eps0, log(1 + (E - 1) / (E + 1) * (8 * sqrt(E * log(4 / delta) / k) + 8 * E / k)))


def generic(p, mode):
    order, total, kept = p["lambda"], mpf(0), mpf(0)
    for k, w in weights(p.n, p.gamma).items():
        if not k:
            kept += w
            continue
        r, es = mpf(k) / p.n, shuffled_epsilon(p.eps0, k, p.beta)
        ek, dk = log(1 + r * (exp(es) - 1)), r * p.beta
        if mode == "paper":
            total += w * (exp((order - 1) * lemma3(order, ek, dk)) - 1)
            dk = 0
        elif mode == "a":
            total += w * (1 - dk) * (exp((order - 1) * response(ek, order)) - 1)
        elif mode == "b":
            rho = exp(ek)
            total += w * (1 - p.beta) / (1 + exp(es)) * (rho ** order - 1) * (1 - rho ** (1 - order))
        else:
            moment = lambda j: exp((j - 1) * response(es, mpf(j)))
            worst = lambda j: min(mpf(2), (exp(es) - 1) ** j)
            m1 = r ** 2 * binomial(order, 2) * min(4 * (moment(2) - 1), moment(2) * worst(2))
            m1 += sum(r ** j * binomial(order, j) * moment(j) * worst(j) for j in range(3, int(order) + 1))
            total += w * (1 - dk) * m1
        kept += w * (1 - dk)
    return rdp_of_moment(1 + total / kept, order)


def optimal_composition(eps, T, delta):
    T, q = int(T), exp(eps) / (1 + exp(eps))
    pmf = weights(T, q)

    def missing(e):
        return sum(w * (1 - exp(e - (2 * k - T) * eps)) for k, w in pmf.items() if (2 * k - T) * eps > e)
    return bisect(lambda e: delta - missing(e), mpf(0), T * eps, 160)


def fig1(p, compose):
    expected = p.n * p.gamma
    k0 = max(mpf(1), floor((1 - sqrt(2 * log(4 * p.T / p.delta) / expected)) * expected))
    es = shuffled_epsilon(p.eps0, k0, p.delta / (4 * p.T * p.gamma))
    er = log(1 + p.gamma * (exp(es) - 1))
    return min(p.T * er, compose(er, p.T, p.delta / 2))


def fig1_clones(p, compose):
    """The same with the largest k0 that P(K < k0) <= delta/(4T) allows, and the clones' epsilon at it."""
    k0 = max(1, few(p, p.delta / (4 * p.T)))
    es = clones_epsilon(p.eps0, k0, p.delta / (4 * p.T * p.gamma))
    er = log(1 + p.gamma * (exp(es) - 1))
    return min(p.T * er, compose(er, p.T, p.delta / 2))


def few(p, part):
    """The largest l with P(K < l) <= part."""
    total, pmf = mpf(0), weights(int(p.n), p.gamma, part * mpf(10) ** -15)
    for k in sorted(pmf):
        total += pmf[k]
        if total > part:
            return k


def many(p, part):
    """The smallest l with P(K > l) <= part."""
    total, pmf = mpf(0), weights(int(p.n), p.gamma, part * mpf(10) ** -15)
    for k in sorted(pmf, reverse=True):
        total += pmf[k]
        if total > part:
            return k


def checkin_delta(p):
    """One round: sum over k of P(K = k) r delta_k(log(1 + (e^eps - 1)/r))."""
    total = mpf(0)
    for k, w in weights(int(p.n), p.gamma).items():
        if k:
            r = mpf(k) / p.n
            total += w * r * clones_delta(p.eps0, k, log(1 + (exp(p.eps) - 1) / r))
    return total


def subsampled_gaussian_moment(p):
    """rho^l + rho^(1-l) - 1 - rho against the normal density where rho > 1."""
    order, r, mu = p["lambda"], p.q, p.mu
    mpmath.mp.dps = 60
    def f(t):
        rho = 1 + r * (exp(mu * t - mu * mu / 2) - 1)
        return exp(-t * t / 2) / sqrt(2 * mpmath.pi) * (rho ** order + rho ** (1 - order) - 1 - rho)
    grid = [mu / 2 + i for i in range(0, 15 + int(mu * order) + 16, 1)]
    value = mpmath.quad(f, grid)
    mpmath.mp.dps = 120
    return {"moment": value, "value": rdp_of_moment(1 + value, order)}


def strong(eps, T, delta, drift=1):
    return sqrt(2 * T * log(1 / delta)) * eps + T * eps * (exp(eps) - 1) * drift


def sharp_drift(eps, T, delta):
    return sqrt(2 * T * log(1 / delta)) * eps + T * eps * tanh(eps / 2)


def wang_pure(p):
    order, E = int(p["lambda"]), exp(p.eps0)
    moment = lambda j: exp((j - 1) * response(p.eps0, mpf(j)))
    m1 = p.q ** 2 * binomial(order, 2) * min(4 * (moment(2) - 1), moment(2) * min(mpf(2), (E - 1) ** 2))
    m1 += sum(p.q ** j * binomial(order, j) * moment(j) * min(mpf(2), (E - 1) ** j) for j in range(3, order + 1))
    return rdp_of_moment(1 + m1, order)


def gaussian_delta(mu, eps):
    Phi = lambda x: erfc(-x / sqrt(mpf(2))) / 2
    return Phi(mu / 2 - eps / mu) - exp(eps) * Phi(-mu / 2 - eps / mu)


def section51(p, compose):
    expected, part = p.n * p.gamma, p.delta / (4 * p.T)
    l = log(1 / part) / expected
    least = max(mpf(1), floor((1 - sqrt(2 * l)) * expected))
    most = min(p.n, mpmath.ceil((1 + (l + sqrt(l ** 2 + 8 * l)) / 2) * expected))
    return section51_between(p, least, most, mpf(1) / 4, compose)


def section51_between(p, least, most, share, compose):
    q = mpf(most) / p.n
    mu = 2 / (p.multiplier * sqrt(mpf(least)))
    part = (mpf(1) / 2 - share) * p.delta / p.T
    eps = bisect(lambda e: part / q - gaussian_delta(mu, e), mpf(0), mu ** 2 / 2 + mu * 60, 300)
    er = log(1 + q * (exp(eps) - 1))
    return min(p.T * er, compose(er, p.T, p.delta * share))


def section51_exact(p, rounds, compose):
    part = p.delta / (4 * rounds)
    return section51_between(p, few(p, part), many(p, part), p.share, compose)


def half_drift(eps, T, delta):
    return strong(eps, T, delta, mpf(1) / 2)


def composition_delta(p):
    T, kept = int(p.T), (1 - getattr(p, "delta0", mpf(0))) ** int(p.T)
    total = sum(binomial(T, l) * max(mpf(0), exp((T - l) * p.eps0) - exp(p.eps + l * p.eps0)) for l in range(T + 1))
    return 1 - kept * (1 - total / (1 + exp(p.eps0)) ** T)


FORMULAS = {
    "balle2018-subsampling": lambda p: log(1 + p.q * (exp(p.eps0) - 1)),
    "dwork2010-strong": lambda p: strong(p.eps0, p.T, p.delta),
    "kairouz2015-adv": lambda p: sqrt(2 * p.T * log(1 / p.delta)) * p.eps0 + p.T * p.eps0 * tanh(p.eps0 / 2),
    "kairouz2015-optimal-delta": composition_delta,
    "checkin2022-sec5.1-strong": lambda p: section51(p, strong),
    "checkin2022-sec5.1-half": lambda p: section51(p, half_drift),
    "checkin2022-sec5.1-tanh": lambda p: section51(p, sharp_drift),
    "checkin2022-fig1-closed-tanh": lambda p: fig1(p, sharp_drift),
    "checkin2022-fig1-clones-tanh": lambda p: fig1_clones(p, sharp_drift),
    "checkin2022-sec5.1-optimal": lambda p: section51(p, optimal_composition),
    "checkin2022-fig1-clones-strong": lambda p: fig1_clones(p, strong),
    "checkin2022-fig1-clones-half": lambda p: fig1_clones(p, half_drift),
    "checkin2022-fig1-clones-optimal": lambda p: fig1_clones(p, optimal_composition),
    "epsilary-shuffled-checkin-pld": checkin_delta,
    "vandijk2022-composed-rdp": subsampled_gaussian_moment,
    "wang2019-subsampling": lambda p: rdp_of_moment(
        1 + wang(p["lambda"], powers(p.q, p["lambda"]), p.mu ** 2), p["lambda"]) if hasattr(p, "mu") else wang_pure(p),
    "checkin2022-generic": lambda p: generic(p, "paper"),
    "epsilary-generic-a": lambda p: generic(p, "a"),
    "epsilary-generic-b": lambda p: generic(p, "b"),
    "epsilary-generic-b-wang": lambda p: generic(p, "wang"),
    "checkin2022-fig1-closed-strong": lambda p: fig1(p, strong),
    "checkin2022-fig1-closed-half": lambda p: fig1(p, half_drift),
    "checkin2022-fig1-closed-optimal": lambda p: fig1(p, optimal_composition),
    "epsilary-shuffled-gaussian": shuffled_gaussian,
    "epsilary-shuffled-gaussian-checkin": shuffled_gaussian_checkin,
    "checkin2022-thm4": thm4,
    "checkin2022-thm4-printed": lambda p: thm4(p, True),
    "checkin2022-thm4-quorum": thm4_quorum,
    "checkin2022-thm4-eq11": thm4_eq11,
    "checkin2022-thm4-eq11-printed": lambda p: thm4_eq11(p, True),
    "checkin2022-thm4-dropout": thm4_dropout,
    "checkin2022-thm4-removal": removal_checkin,
    "checkin2022-thm4-removal-client": lambda p: removal_checkin(p, True),
    "epsilary-removal-gaussian": lambda p: removal_given(p, ideal_noise),
    "epsilary-removal-client": lambda p: removal_given(p, client_noise),
    "checkin2022-dropout": lambda p: p.gamma * (1 - p.dropout),
    "checkin2022-thm3": thm3,
    "checkin2022-thm3-sharp": thm3_sharp,
    "checkin2022-thm3-exact": checkin_response,
    "epsilary-subsampled-response": subsampled_response,
    "feldman2021-closed": feldman_closed,
    "feldman2021-clones": clones,
    "epsilary-subsampled-clones": clones_moment,
    "mironov2017-response": lambda p: response(p.eps0, p["lambda"]),
    "mironov2017-gaussian": lambda p: p["lambda"] * p.mu ** 2 / 2,
    "mironov2017-prop3": lambda p: p.rdp + log(1 / p.delta) / (p["lambda"] - 1),
    "checkin2022-lem2": lambda p: lemma2_delta(p.rdp, p["lambda"], p.eps) if hasattr(p, "eps")
    else lemma2(p.rdp, p["lambda"], p.delta),
    "checkin2022-lem3": lambda p: {"value": lemma3(p["lambda"], p.eps, p.delta),
                                   "r": lemma3_r(p["lambda"], p.eps, p.delta)},
    "asoodeh2021-divergence": lambda p: lemma3(p["lambda"], p.eps, p.delta),
    "girgis2021b-shuffle": lambda p: rdp_of_moment(
        1 + girgis(p["lambda"], p.eps0, p.per_round, p.per_round / p.n), p["lambda"]),
    "checkin2022-thm2-exact": thm2_exact,
    "checkin2022-thm2-exact-printed": lambda p: thm2_exact(p, True),
    "checkin2022-thm2-printed": thm2_printed,
    "checkin2022-thm2": thm2,
    "epsilary-checkin-moment": lambda p: share_moments(p.n, p.gamma, int(p["lambda"]))[-1],
    "asoodeh2021-optimal": lambda p: optimal_conversion(p.rdp, p["lambda"], p.delta),
}


for name, compose in (("strong", strong), ("half", half_drift), ("tanh", sharp_drift), ("optimal", optimal_composition)):
    FORMULAS["checkin2022-sec5.1-exact-" + name] = lambda p, c=compose: section51_exact(p, p.T, c)
    FORMULAS["checkin2022-sec5.1-printed-" + name] = lambda p, c=compose: section51_exact(p, 1, c)

# Whose divergence Lemma 2 turns into epsilon when T and delta are given.
ROUNDS = {"checkin2022-thm2-exact", "checkin2022-thm2-printed", "checkin2022-thm3", "checkin2022-thm4",
          "checkin2022-thm4-printed"}


class Params:
    def __init__(self, text):
        for pair in text.split():
            key, value = pair.split("=")
            setattr(self, key, mpf(value))
        if hasattr(self, "share") and hasattr(self, "delta0"):  # what the statement keeps of the whole delta
            self.delta *= self.share

    def __getitem__(self, key):
        return getattr(self, key)


def value_of(bound, field, text):
    p = Params(text)
    result = FORMULAS[bound](p)
    if hasattr(p, "T") and bound in ROUNDS:
        return lemma2(p.T * result, p["lambda"], p.delta)
    return result[field] if isinstance(result, dict) else result


def main(path, only=None, digits=None):
    global cutoff_exponent
    if digits:
        mpmath.mp.dps, cutoff_exponent = int(digits), -int(digits) + 5
    header, *rows = open(path).read().splitlines()
    lines = [header]
    for row in rows:
        bound, field, text, *rest = row.split(",")
        digits = rest[1] if len(rest) > 1 and rest[1] else "40"
        if only and not bound.startswith(tuple(only.split("|"))) and rest and rest[0]:
            lines.append(row)
            continue
        value = mpmath.nstr(value_of(bound, field, text), WRITTEN)
        lines.append(f"{bound},{field},{text},{value},{digits}")
    open(path, "w").write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
