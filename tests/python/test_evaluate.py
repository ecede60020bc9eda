"""Numbers: the command line's, to the last digit; exact on the way in, safe on the way out."""

import math
import pickle
import shlex
import threading
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import epsilary as ep

POINT = dict(eps0=1, n=10_000, delta="1e-6")
CLONES = "feldman2021-clones"


def test_a_result_says_all_there_is_to_say():
    r = ep.evaluate(CLONES, **POINT)
    assert r.value == Decimal("0.0530054") and r.lower <= r.value <= r.upper
    assert r.certified and r.guarantee and r.standing == "proved" and r.status == "ok" and r.reason == ""
    assert r.params == {"eps0": "1", "n": "10000", "delta": "1e-6"} and r.bound == CLONES and bool(r)
    assert ep.evaluate("epsilary-shuffle-lazy", eps0=1, n=1000, delta=1e-6).at["lambda"] > 1
    assert r.to_pandas().value[0] == float(r) == r.to_numpy() and r.to_dict()["value"] == "0.0530054"
    assert "guarantee" in repr(r) and "proved" in repr(r) and "0.0530054" in repr(r)
    assert "<table" in r._repr_html_() and "proved" in r._repr_html_() and "guarantee" in r._repr_html_()


CHEAP = [CLONES, "balle2020-thm5.1", "erlingsson2019-thm7", "feldman2021-closed", "balle2019-bennett",
         "kairouz2015-optimal", "vandijk2022-gdp-epsilon", "checkin2022-thm3", "girgis2021-thm1-bits",
         "epsilary-lower-rr", "vandijk2022-poisson", "vandijk2022-clt", "epsilary-lower-rr-mixed"]


@pytest.mark.parametrize("id", CHEAP)
@pytest.mark.parametrize("digits", [6, 11])
def test_values_are_those_of_the_command_line_to_the_last_digit(id, digits, command_line):
    if digits > 6 and ep.bound(id).bracket:
        pytest.skip("narrow brackets take seconds")
    words = shlex.split(ep._core.example(id))
    given = {k[2:]: v for k, v in zip(words[3::2], words[4::2])}
    row = command_line("eval", id, "--digits", digits, *words[3:])["rows"][0]
    mine = ep.evaluate(id, digits=digits, **{"lambda_" if k == "lambda" else k: v for k, v in given.items()})
    assert mine.to_dict() == row


def test_every_statement_with_a_cheap_example_evaluates():
    tried = 0
    for s in ep.bounds():
        if s.bracket or s.protocol in ("cldp-sgd", "shuffled-checkin", "distributed-checkin"):
            continue
        form = ep.bound(s.id)
        assert form.example.startswith(f"epsilary.evaluate({s.id!r}, ")
        tried += 1
    assert tried > 60
    r = eval(ep.bound("balle2020-thm3.2").example, {"epsilary": ep})
    assert r and r.bound == "balle2020-thm3.2"


@pytest.mark.parametrize("same", [0.1, "0.1", "1e-1", "1/10", Decimal("0.1"), Fraction(1, 10), numpy.float64(0.1),
                                  numpy.float32(0.1)])
def test_a_tenth_is_a_tenth(same):
    r = ep.evaluate(CLONES, eps0=same, n=1000, delta=1e-6)
    assert r.params["eps0"] == "0.1"
    assert r == ep.evaluate(CLONES, eps0="0.1", n="1e3", delta="0.000001")


def test_a_third_is_a_third():
    third = ep.evaluate(CLONES, eps0=Fraction(1, 3), n=1000, delta=1e-6, digits=25)
    assert third.params["eps0"] == "1/3"
    below = ep.evaluate(CLONES, eps0="0." + 30 * "3", n=1000, delta=1e-6, digits=40)
    above = ep.evaluate(CLONES, eps0="0." + 29 * "3" + "4", n=1000, delta=1e-6, digits=40)
    assert below.value < third.upper and third.lower < above.value
    # In the other unit of noise a fraction stays exact too: a replaced record changes the sum by two clipping norms.
    one = ep.evaluate("vandijk2022-clt", n=1000, batch=10, sigma=Fraction(2, 3), T=10, delta=1e-5, digits=20)
    two = ep.evaluate("vandijk2022-clt", n=1000, batch=10, multiplier=Fraction(4, 3), T=10, delta=1e-5, digits=20)
    assert one.value == two.value


def test_large_and_small_numbers_lose_nothing():
    assert ep.evaluate(CLONES, eps0=1, n=10**6, delta="1e-300").value < Decimal("0.1")
    assert ep.evaluate("kairouz2015-optimal", eps0=0.1, T=3, delta=Decimal("1e-400")).params["delta"] == "1e-400"


def test_floats_are_rounded_to_the_safe_side():
    for id in (CLONES, "epsilary-lower-rr"):
        for eps0 in ("0.3", "0.7", "1.1"):
            r = ep.evaluate(id, eps0=eps0, n=2000, delta=1e-7, digits=20)
            x = Fraction(float(r))
            assert x >= Fraction(r.value) if r.side == "upper" else x <= Fraction(r.value)
            assert abs(x - Fraction(r.value)) <= Fraction(math.ulp(float(r)))


def test_a_grid_is_spanned_by_lists_and_agrees_with_loops():
    eps0, n = numpy.linspace(0.1, 2, 7), [1e3, 10_000]
    t = ep.evaluate("balle2020-thm5.1", eps0=eps0, n=n, delta=1e-6)
    assert t.shape == (7, 2) and len(t) == 14 and t.values.shape == (7, 2)
    for i, e in enumerate(eps0):
        for j, users in enumerate(n):
            one = ep.evaluate("balle2020-thm5.1", eps0=e, n=users, delta=1e-6)
            assert t[i, j] == one and t.values[i, j] == float(one)
    assert numpy.array_equal(numpy.asarray(t), t.to_numpy())
    again = ep.evaluate("balle2020-thm5.1", eps0="0.5:1:3", n="1e3,1e4", delta=1e-6)
    assert again.shape == (3, 2) and again[1, 1].params["eps0"] == "0.75"


def test_arrays_broadcast_when_asked():
    eps0, n = numpy.array([[0.5], [1.0]]), numpy.array([1000, 2000, 3000])
    t = ep.evaluate("balle2020-thm5.1", eps0=eps0, n=n, delta=1e-6, elementwise=True)
    assert t.shape == (2, 3) and t[1, 2] == ep.evaluate("balle2020-thm5.1", eps0=1.0, n=3000, delta=1e-6)
    zipped = ep.evaluate("balle2020-thm5.1", eps0=[0.5, 1], n=[1000, 2000], delta=[1e-6, 1e-7], elementwise=True)
    assert zipped.shape == (2,) and zipped[1].params == {"eps0": "1", "n": "2000", "delta": "1e-7"}
    with pytest.raises(ep.UsageError, match="do not broadcast"):
        ep.evaluate("balle2020-thm5.1", eps0=[0.5, 1], n=[1, 2, 3], delta=1e-6, elementwise=True)
    with pytest.raises(ep.UsageError, match="dimension"):
        ep.evaluate("balle2020-thm5.1", eps0=eps0, n=n, delta=1e-6)


def test_in_double_a_grid_is_arrays_that_agree_with_the_rest():
    eps0, n = numpy.linspace(0.05, 3, 40), numpy.array([1e3, 1e5])
    for id in ("balle2020-thm5.1", "erlingsson2019-thm7", "feldman2021-closed"):
        fast = ep.evaluate(id, eps0=eps0, n=n, delta=1e-6, precision="double")
        slow = ep.evaluate(id, eps0=eps0, n=n, delta=1e-6, digits=15)
        assert (fast.status == slow.status).all()
        assert numpy.array_equal(numpy.isnan(fast.values), numpy.isnan(slow.values))
        there = ~numpy.isnan(fast.values)
        assert there.any() and numpy.allclose(fast.values[there], slow.values[there], rtol=1e-12)
        assert not fast.guarantee.any() and not fast[0, 0].certified
        one = ep.evaluate(id, eps0=eps0[0], n=n[0], delta=1e-6, precision="double")
        assert fast[0, 0].to_dict() == one.to_dict()
    frame = fast.to_pandas()
    assert list(frame.columns) == ["bound", "eps0", "n", "value", "status"] and len(frame) == 80
    assert frame.eps0[79] == 3 and frame.n[79] == 1e5 and frame.n[0] == 1e3


def test_outside_its_hypotheses_a_cell_has_a_status_and_one_number_raises():
    t = ep.evaluate("epsilary-lower-rr-mixed", eps0=1, n=[100, 10_000], delta=1e-6)
    assert t.status.tolist() == ["ok", "outside"] and numpy.isnan(t.values[1]) and not numpy.isnan(t.values[0])
    r = t[1]
    assert not r and "n <= 200" in r.reason and r.to_dict()["value"] is None
    for read in (lambda: r.value, lambda: float(r), lambda: r.lower):
        with pytest.raises(ep.OutsideError, match="n <= 200") as refused:
            read()
        assert refused.value.next
    assert "outside" in repr(r)
    frame = t.to_pandas()
    assert frame.status.tolist() == ["ok", "outside"] and math.isnan(frame.value[1])


def test_refusals_name_what_and_next():
    with pytest.raises(ep.UsageError, match="did you mean feldman2021-clones") as refused:
        ep.evaluate("feldman2021-clone", **POINT)
    assert "epsilary.bounds()" in refused.value.next
    with pytest.raises(ep.UsageError, match="unknown parameter 'epps0'; did you mean eps0"):
        ep.evaluate(CLONES, epps0=1, n=1, delta=1e-6)
    with pytest.raises(ep.UsageError, match="needs") as refused:
        ep.evaluate(CLONES, eps0=1)
    assert "n=" in refused.value.next and "--" not in str(refused.value)
    for bad in (float("nan"), float("inf"), "one", None, True, object(), Decimal("nan")):
        with pytest.raises(ep.UsageError):
            ep.evaluate(CLONES, eps0=bad, n=1000, delta=1e-6)
    with pytest.raises(ep.UsageError, match="not finite"):
        ep.evaluate(CLONES, eps0=numpy.array([1, numpy.nan]), n=1000, delta=1e-6)
    with pytest.raises(ep.UsageError, match="no values"):
        ep.evaluate(CLONES, eps0=[], n=1000, delta=1e-6)
    with pytest.raises(ep.UsageError, match="precision"):
        ep.evaluate(CLONES, precision="float", **POINT)
    with pytest.raises(ep.UsageError, match="digits"):
        ep.evaluate(CLONES, digits=0, **POINT)
    assert issubclass(ep.UsageError, ValueError) and issubclass(ep.OutsideError, ArithmeticError)
    with pytest.raises(ep.CouldNotError, match="cannot read"):
        ep.sweep("nowhere/spec.toml")


def test_several_statements_and_all_of_them():
    several = ep.evaluate("balle2020-thm5.1", CLONES, **POINT)
    assert [r.bound for r in several.results] == [CLONES, "balle2020-thm5.1"]  # tightest first
    assert "balle2020-thm5.1" in repr(several) and len(several.to_pandas()) == 2
    every = ep.evaluate(eps0="0.5", lambda_=2)
    assert len(every.results) > 1 and every.skipped and "<table" in every._repr_html_()
    assert all(r.params.get("lambda", "2") == "2" for r in every.results)


def test_ties_steps_and_named_randomizers():
    assert ep.evaluate(CLONES, eps0=1, n=1000, delta="1/n").params["delta"] == "0.001"
    t = ep.evaluate(CLONES, eps0=1, n=[1000, 2000], delta="1/n")
    assert [r.params["delta"] for r in t] == ["0.001", "0.0005"]
    double = ep.evaluate("balle2020-thm5.1", eps0=1, n=[1000, 2000], delta="1/n", precision="double")
    assert numpy.allclose(double.values, ep.evaluate("balle2020-thm5.1", eps0=1, n=[1000, 2000], delta="1/n").values)
    steps = [s.id for s in ep.bounds() if set(s.needs) == {"steps", "delta"}]
    assert steps
    r = ep.evaluate(steps[0], steps=[0.1, Fraction(1, 10), "0.2"], delta=1e-6)
    assert r.params["steps"] == "0.1+0.1+0.2"


def test_a_randomizer_of_ones_own():
    exact = [["3/4", "1/4"], ["1/4", "3/4"]]
    by_text = ep.evaluate("epsilary-shuffle-randomizer", randomizer="3/4,1/4;1/4,3/4", n=1000, delta=1e-6)
    as_array = ep.evaluate("epsilary-shuffle-randomizer", randomizer=numpy.array([[.75, .25], [.25, .75]]), n=1000,
                           delta=1e-6)
    assert as_array.value == by_text.value == ep.evaluate("epsilary-shuffle-randomizer", randomizer=exact, n=1000,
                                                          delta=1e-6).value
    thirds = ep.Randomizer(numpy.full((2, 3), 1 / 3))
    assert thirds.normalized and str(thirds) == "1/3,1/3,1/3;1/3,1/3,1/3"
    assert not ep.Randomizer(exact).normalized and ep.Randomizer(exact) == ep.Randomizer(str(ep.Randomizer(exact)))
    with pytest.raises(ep.UsageError, match="adds up"):
        ep.evaluate("epsilary-shuffle-randomizer", randomizer=[["1/2", "1/3"], ["1/2", "1/2"]], n=1000, delta=1e-6)


def test_threads_ask_at_once():
    expected = {e: ep.evaluate(CLONES, eps0=e, n=2000, delta=1e-6) for e in range(1, 5)}
    wrong = []

    def ask(e):
        for _ in range(3):
            if ep.evaluate(CLONES, eps0=e, n=2000, delta=1e-6) != expected[e]:
                wrong.append(e)

    threads = [threading.Thread(target=ask, args=(e,)) for e in expected]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_the_interpreter_runs_on_while_the_library_works():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    ep.evaluate("kairouz2015-optimal", eps0="0.01:1:600", T=60, delta=1e-6, threads=1)
    stop.set()
    thread.join()
    assert counted[0] > 1000


def test_results_are_pickled():
    r = ep.evaluate(CLONES, **POINT)
    outside = ep.evaluate("epsilary-lower-rr-mixed", **POINT)
    t = ep.evaluate("balle2020-thm5.1", eps0=[0.5, 1], n=[1000, 2000], delta=1e-6)
    d = ep.evaluate("balle2020-thm5.1", eps0=[0.5, 1], n=1000, delta=1e-6, precision="double")
    for x in (r, outside, ep.bound(CLONES), ep.Randomizer([["1/2", "1/2"]])):
        assert pickle.loads(pickle.dumps(x)) == x
    back = pickle.loads(pickle.dumps(t))
    assert back.shape == (2, 2) and back[1, 0] == t[1, 0] and list(back.axes) == ["eps0", "n"]
    back = pickle.loads(pickle.dumps(d))
    assert numpy.array_equal(back.values, d.values) and back[1].to_dict() == d[1].to_dict()
    for x in (ep.compare("balle2020-thm5.1", CLONES, **POINT), ep.solve("balle2020-thm5.1", "n", .1, eps0=1, delta=1e-6),
              ep.bounds("clones"), ep.claims(), ep.evaluate("balle2020-thm5.1", CLONES, **POINT)):
        assert repr(pickle.loads(pickle.dumps(x))) == repr(x)
    error = pickle.loads(pickle.dumps(ep.OutsideError("what", "next", "n")))
    assert (error.what, error.next, error.parameter) == ("what", "next", "n")


def test_progress_is_told_and_may_stop_the_work():
    told = []
    grid = dict(eps0="0.01:1:20000", T=60, delta=1e-6, threads=1)
    t = ep.evaluate("kairouz2015-optimal", progress=lambda done, total: told.append((done, total)), **grid)
    assert len(t) == 20000 and told and all(total == 20000 for _, total in told)
    assert [d for d, _ in told] == sorted(d for d, _ in told)

    def enough(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ep.evaluate("kairouz2015-optimal", progress=enough, **grid)
    assert ep.evaluate(CLONES, **POINT)  # and all is well afterwards


def test_a_bar_is_drawn(capsys):
    ep.sweep("kairouz2015-optimal", eps0="0.01:1:20000", T=60, delta=1e-6, threads=1, progress=True)
    assert "20000" in capsys.readouterr().err
