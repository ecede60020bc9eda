"""Laws of one's own, composed, against exact enumeration in fractions."""

import math
from fractions import Fraction

import numpy
import pytest

import epsilary as ep


def exact_delta(p, q, times, epsilon):
    """sum over all outcomes of T runs of (P - e^eps Q)_+, masses exact, the rest in floats; the larger direction."""
    def one_way(p, q):
        total = 0.0
        for counts in compositions(times, len(p)):
            ways = math.factorial(times)
            a = b = Fraction(1)
            for k, c in enumerate(counts):
                ways //= math.factorial(c)
                a *= p[k] ** c
                b *= q[k] ** c
            total += max(0.0, float(ways * a) - math.exp(epsilon) * float(ways * b))
        return total
    return max(one_way(p, q), one_way(q, p))


def compositions(total, parts):
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


CASES = [
    ([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]),
    ([Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)], [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]),
    ([Fraction(9, 10), Fraction(1, 10), 0], [Fraction(9, 10), Fraction(99, 1000), Fraction(1, 1000)]),
    ([Fraction(2, 5), Fraction(2, 5), Fraction(1, 5)], [Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)]),
]


@pytest.mark.parametrize("p, q", CASES)
@pytest.mark.parametrize("times", [1, 2, 11])
def test_a_bracket_holds_what_counting_gives(p, q, times):
    p, q = [Fraction(x) for x in p], [Fraction(x) for x in q]
    for epsilon in (0, 0.7):
        truth = exact_delta(p, q, times, epsilon)
        b = ep.compose(p, q, times=times, epsilon=epsilon)
        assert b.quantity == "delta" and float(b.lower) <= truth * (1 + 1e-12) + 1e-15, (b, truth)
        assert truth * (1 - 1e-12) - 1e-15 <= float(b.upper), (b, truth)
        if truth > 1e-9:
            assert float(b.upper) - float(b.lower) <= 0.02 * truth, b
        if 1e-9 < truth < 1 and epsilon > 0 and all(p) and all(q):  # else delta may be level there
            back = ep.compose(p, q, times=times, delta=truth)
            assert float(back.lower) <= epsilon * (1 + 1e-9) and epsilon * (1 - 1e-9) <= float(back), back


def test_several_mechanisms_one_after_another():
    rr, skew = CASES[0], CASES[1]
    p = [a * b for a in rr[0] for b in skew[0]]
    q = [a * b for a in rr[1] for b in skew[1]]
    truth = exact_delta(p, q, 1, 0.5)  # one run of the product
    b = ep.compose(pairs=[(*rr, 1), (*skew, 1)], epsilon=0.5)
    assert float(b.lower) <= truth <= float(b.upper) and float(b.upper) - float(b.lower) < 0.02 * truth
    alone = ep.compose(*rr, times=3, delta=1e-3)
    assert ep.compose(pairs=[(*rr, 2), (*rr, 1)], delta=1e-3).upper >= alone.lower
    assert float(ep.compose(*rr, times=0, delta=1e-3)) == 0


def test_many_runs_of_randomised_response():
    # kairouz2015-optimal knows T runs of eps0-DP exactly; randomised response attains it.
    e = 0.1
    p = 1 / (1 + math.exp(-e))
    b = ep.compose([p, 1 - p], [1 - p, p], times=200, delta=1e-6)
    truth = ep.evaluate("kairouz2015-optimal", eps0=e, T=200, delta=1e-6)
    assert float(b.lower) <= float(truth) * (1 + 1e-6) and float(truth) * (1 - 1e-3) <= float(b.upper)


def test_many_outcomes_are_put_in_groups():
    x = numpy.linspace(-6, 7, 3001)
    p, q = numpy.exp(-(x - 1) ** 2 / 2), numpy.exp(-x ** 2 / 2)
    p, q = p / p.sum(), q / q.sum()  # nearly a Gaussian mechanism of mu = 1
    b = ep.compose(p, q, times=4, delta=1e-5)
    gaussian = float(ep.evaluate("vandijk2022-gdp-epsilon", mu=2, delta=1e-5))
    assert float(b.lower) <= gaussian * 1.001 and gaussian * 0.999 <= float(b.upper)
    assert float(b.upper) / float(b.lower) < 1.05


def test_what_one_law_never_shows():
    b = ep.compose(["1", "0"], ["0.9", "0.1"], epsilon=1)
    assert 0.1 in b and float(b.upper) - float(b.lower) < 1e-5
    nothing = ep.compose(["1", "0"], ["0.9", "0.1"], delta="0.05")
    assert not nothing and nothing.status == "outside" and "no eps" in repr(nothing)
    with pytest.raises(ep.OutsideError, match="no eps"):
        nothing.upper


def test_refusals():
    with pytest.raises(ep.UsageError, match="adds up to"):
        ep.compose(["0.5", "0.4"], ["0.5", "0.5"], delta=1e-6)
    with pytest.raises(ep.UsageError, match="outcomes"):
        ep.compose(["1"], ["0.5", "0.5"], delta=1e-6)
    with pytest.raises(ep.UsageError, match="one of epsilon and delta"):
        ep.compose(["1"], ["1"])
    with pytest.raises(ep.UsageError, match="p is -0.5"):
        ep.compose(["-0.5", "1.5"], ["0.5", "0.5"], delta=1e-6)
    with pytest.raises(ep.UsageError, match="times"):
        ep.compose(["1"], ["1"], times=1.5, delta=1e-6)
    with pytest.raises(ep.UsageError, match="delta is 2"):
        ep.compose(["1"], ["1"], delta=2)
    assert float(ep.compose([1, 3], [3, 1], normalize=True, times=2, delta=0.1)) > 0
    import pickle

    b = ep.compose(["3/4", "1/4"], ["1/4", "3/4"], times=3, delta=0.01)
    assert repr(pickle.loads(pickle.dumps(b))) == repr(b) and b.to_dict()["upper"] in b._repr_html_()
