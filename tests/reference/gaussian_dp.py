#!/usr/bin/env python3
"""Recomputes the values of gaussian_dp.csv with mpmath, from the printed formulas as corrected.

    python3 tests/reference/gaussian_dp.py tests/reference/gaussian_dp.csv

Nothing here is shared with the program. A row declares how many digits are to be reproduced; five more are written.
"""
import sys
import mpmath
from mpmath import mpf, exp, log, sqrt, erfc, tanh, binomial

mpmath.mp.dps = 120


def Phi(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def quantile(p):
    """The x with Phi(x) = p, by bisection on the logarithm."""
    if p > mpf(1) / 2:
        return -quantile(1 - p)
    low, high = -sqrt(-2 * log(p)) - 2, mpf(0)
    return bisect(lambda x: log(Phi(x)) - log(p), low, high)


def bisect(f, low, high):
    """The root of an increasing f."""
    for _ in range(420):
        mid = (low + high) / 2
        if f(mid) < 0:
            low = mid
        else:
            high = mid
    return (low + high) / 2


def gdp_delta(mu, eps):
    with mpmath.workdps(1200 if eps > 500 else 300):
        value = Phi(mu / 2 - eps / mu) - exp(eps) * Phi(-mu / 2 - eps / mu)
    return +value


def gdp_epsilon(mu, delta):
    if gdp_delta(mu, mpf(0)) <= delta:
        return mpf(0)
    high = mpf(1)
    while gdp_delta(mu, high) > delta:
        high *= 2
    return bisect(lambda e: log(delta) - log(gdp_delta(mu, e)), mpf(0), high)


def gdp_mu(eps, delta):
    high = mpf(1)
    while gdp_delta(high, eps) < delta:
        high *= 2
    low = high
    while gdp_delta(low, eps) > delta:
        low /= 2
    return bisect(lambda m: log(gdp_delta(m, eps)) - log(delta), low, high)


def G(mu, a):
    return Phi(-quantile(a) - mu)


def f_dp(eps, delta, a):
    return max(mpf(0), 1 - delta - exp(eps) * a, exp(-eps) * (1 - delta - a))


def subsampled_tradeoff(p, mu, a):
    f = lambda x: p * G(mu, x) + (1 - p) * (1 - x)
    x = Phi(-mu / 2)
    if a <= x:
        return f(a)
    if a <= f(x):
        return x + f(x) - a
    # f(b) = a at b = Phi(-t)
    t = bisect(lambda t: p * Phi(t - mu) + (1 - p) * Phi(t) - a, mu / 2, mpf(60))
    return Phi(-t)


def group_tradeoff(p):
    x = p.alpha
    for _ in range(int(p.group)):
        x = 1 - (G(p.mu, x) if 'mu' in p else f_dp(p.eps, p.delta, x))
    return 1 - x


def from_renyi(rdp, order, delta):
    return rdp + (log(1 / delta) + (order - 1) * log(1 - 1 / order) - log(order)) / (order - 1)


def best_order(rho, delta, most):
    f = lambda s: from_renyi(rho * (1 + exp(s)), 1 + exp(s), delta)
    low, high, g = log(mpf('1e-6')), log(most - 1), (sqrt(mpf(5)) - 1) / 2
    for _ in range(300):
        a, b = high - g * (high - low), low + g * (high - low)
        if f(a) < f(b):
            high = b
        else:
            low = a
    return max(mpf(0), f((low + high) / 2))


def clt(p):
    c = p.batch * sqrt(p.T) / p.n
    u = 1 / p.sigma
    mu = sqrt(mpf(2)) * c * sqrt(exp(u * u) * Phi(3 * u / 2) + 3 * Phi(-u / 2) - 2)
    if 'delta' in p:
        return gdp_epsilon(mu, p.delta)
    return gdp_delta(mu, p.eps) if 'eps' in p else mu


def poisson_clt(p):
    mu = p.batch / p.n * sqrt(p.T) * sqrt(exp(1 / p.sigma ** 2) - 1)
    if 'delta' in p:
        return gdp_epsilon(mu, p.delta)
    return gdp_delta(mu, p.eps) if 'eps' in p else mu


def told_steps(p):
    T, r = int(p.n * p.epochs / p.batch), p.batch / p.n
    total, top = mpf(0), min(T, int(T * r) + 400)
    for c in range(1, top + 1):
        total += binomial(T, c) * r ** c * (1 - r) ** (T - c) * gdp_delta(sqrt(mpf(c)) / p.sigma, p.eps)
    return total


def mu_of(p):
    return p.mu if 'mu' in p else sqrt(p.T) / p.sigma


def tcdp_tail(p):
    if p.t <= 2 * p.rho * (p.omega - 1):
        return exp(-p.t ** 2 / (4 * p.rho))
    return exp((p.omega - 1) ** 2 * p.rho - (p.omega - 1) * p.t)


def tcdp_simple(p):
    l = log(1 / p.delta)
    return p.rho + 2 * sqrt(p.rho * l) if l <= (p.omega - 1) ** 2 * p.rho else p.rho * p.omega + l / (p.omega - 1)


def subsampled(p):
    if 'eps' in p:
        return p.q * gdp_delta(p.mu, log(1 + (exp(p.eps) - 1) / p.q))
    return log(1 + p.q * (exp(gdp_epsilon(p.mu, p.delta / p.q)) - 1))


def told_mu(p, sign):
    hits = p.epochs * p.group
    return sqrt((1 + sign / sqrt(2 * hits)) * hits) / p.sigma


FORMULAS = {
    'vandijk2022-advanced': lambda p: sqrt(2 * p.T * log(1 / p.delta)) * p.eps0 + p.T * p.eps0 * (exp(p.eps0) - 1) / 2,
    'vandijk2022-dp-tradeoff': lambda p: f_dp(p.eps, p.delta, p.alpha),
    'vandijk2022-gdp-tradeoff': lambda p: G(p.mu, p.alpha),
    'vandijk2022-gdp-delta': lambda p: gdp_delta(mu_of(p), p.eps),
    'vandijk2022-gdp-epsilon': lambda p: gdp_epsilon(mu_of(p), p.delta),
    'vandijk2022-gdp-mu': lambda p: gdp_mu(p.eps, p.delta),
    'vandijk2022-group': lambda p: p.group * exp((p.group - 1) * p.eps) * p.delta,
    'vandijk2022-group-sharp': lambda p: p.delta * sum(exp(i * p.eps) for i in range(int(p.group))),
    'vandijk2022-group-tradeoff': group_tradeoff,
    'vandijk2022-zcdp': lambda p: best_order(p.rho, p.delta, 10 * sqrt(log(1 / p.delta) / p.rho) + 10),
    'vandijk2022-zcdp-simple': lambda p: p.rho + 2 * sqrt(p.rho * log(1 / p.delta)),
    'vandijk2022-zcdp-pure': lambda p: p.eps0 * tanh(p.eps0 / 2),
    'vandijk2022-zcdp-gdp': lambda p: p['lambda'] * p.mu ** 2 / 2,
    'vandijk2022-tcdp': lambda p: best_order(p.rho, p.delta, p.omega),
    'vandijk2022-tcdp-simple': tcdp_simple,
    'vandijk2022-tcdp-tail': tcdp_tail,
    'vandijk2022-subsampled-tradeoff': lambda p: subsampled_tradeoff(p.q, p.mu, p.alpha),
    'vandijk2022-subsampled': subsampled,
    'vandijk2022-clt': clt,
    'vandijk2022-poisson-clt': poisson_clt,
    'vandijk2022-a1': told_steps,
    'vandijk2022-a1-h': lambda p: told_mu(p, 1),
    'vandijk2022-a1-hbar': lambda p: told_mu(p, -1),
    'vandijk2022-group-batch': lambda p: sqrt(p.group * p.epochs) / p.sigma,
    'vandijk2022-group-individual': lambda p: p.group * sqrt(p.epochs) / p.sigma,
    'vandijk2022-adaptive': lambda p: sqrt(p.group) * sqrt((p.epochs - 1) / p.sigma ** 2 + 1 / p.sigma_hat ** 2),
    'vandijk2022-sigma': lambda p: sqrt(2 * (p.eps + log(1 / p.delta)) / p.eps),
}


class Point(dict):
    __getattr__ = dict.__getitem__


def main(path):
    lines = open(path).read().splitlines()
    out = [lines[0]]
    for line in lines[1:]:
        bound, field, params, _, digits = line.split(',')
        point = Point((k, mpf(v)) for k, v in (w.split('=') for w in params.split()))
        if 'share' in point:  # what the statement keeps of the whole delta
            point['delta'] *= point['share']
        value = FORMULAS[bound](point)
        text = mpmath.nstr(value, int(digits) + 5, strip_zeros=False, min_fixed=-30, max_fixed=30) if value else '0'
        out.append(','.join((bound, field, params, text, digits)))
    open(path, 'w').write('\n'.join(out) + '\n')


main(sys.argv[1])
