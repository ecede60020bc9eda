"""DP-SGD: accountants side by side, calibration, and what users of other packages have."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest

import epsilary as ep
from epsilary import compat

RUN = dict(n=10_000, batch=100, noise_multiplier=1.1, steps=500, delta=1e-5)


def test_every_accountant_and_who_is_right():
    run = ep.dp_sgd(**RUN)
    exact = ep.evaluate("vandijk2022-poisson", n=10_000, batch=100, multiplier="1.1", T=500, delta="1e-5")
    assert (run.lower, run.upper) == (exact.lower, exact.value) and run.bracket == (run.lower, run.upper)
    assert float(run) >= run.upper and run.upper / run.lower < Decimal("1.002")
    by_name = {a["bound"]: a for a in run.accountants}
    assert by_name["vandijk2022-poisson-rdp"]["verdict"].startswith("above the truth")
    assert by_name["vandijk2022-poisson-rdp"]["guarantee"] and not by_name["vandijk2022-poisson-clt"]["guarantee"]
    assert "below the truth" in by_name["vandijk2022-poisson-clt"]["verdict"]  # unsound here, and said to be
    assert "between" in repr(run) and "Poisson" in repr(run) and "<table" in run._repr_html_()
    attained = run.accountants[-1]
    assert attained["accountant"] == "what some data attain" and attained["epsilon"] == run.lower
    assert attained["verdict"] == "a proved lower bound" and attained["guarantee"]
    assert len(run.to_pandas()) == 4 and run.to_dict()["question"]["sampling"] == "poisson"
    pickle.loads(pickle.dumps(run))


def test_batches_of_fixed_size():
    run = ep.dp_sgd(**RUN, sampling="fixed")
    t = ep.tightness("dp-sgd", n=10_000, batch=100, sigma="0.55", T=500, delta="1e-5")
    assert run.bracket == t.bracket  # a replaced record changes the sum by twice the clipping norm


def test_part_of_a_step_is_a_whole_one():
    a = ep.dp_sgd(n=1000, batch=300, noise_multiplier=2, epochs=1, delta=1e-5)
    b = ep.dp_sgd(n=1000, batch=300, noise_multiplier=2, steps=4, delta=1e-5)
    assert a.bracket == b.bracket


def test_refusals():
    with pytest.raises(ep.UsageError, match="sampling"):
        ep.dp_sgd(**RUN, sampling="shuffle")
    with pytest.raises(ep.UsageError, match="epochs or steps"):
        ep.dp_sgd(n=1000, batch=10, noise_multiplier=1, delta=1e-5)


@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
def test_calibrate(sampling):
    c = ep.calibrate(n=10_000, batch=100, steps=50, delta=1e-5, epsilon=2, sampling=sampling, digits=3)
    ask = dict(n=10_000, batch=100, steps=50, delta=1e-5, sampling=sampling)
    assert ep.dp_sgd(noise_multiplier=c.noise_multiplier, **ask).upper <= 2
    exact = "vandijk2022-poisson" if sampling == "poisson" else "vandijk2022-composed"
    less = [a for a in ep.dp_sgd(noise_multiplier=c.beyond, **ask).accountants if a["bound"] == exact]
    assert less[0]["epsilon"] > 2 * 0.999 and c.beyond < c.noise_multiplier
    assert float(c) >= c.noise_multiplier and "noise_multiplier" in repr(c) and c.to_dict()["target"] == "2"
    assert "<pre>" in c._repr_html_()


class Event:
    """dp_accounting's events by their names and fields, for machines without it."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


def event(kind, **fields):
    return type(kind, (Event,), {})(**fields)


def tree(gaussian=1.1, rate=0.01, count=500):
    sampled = event("PoissonSampledDpEvent", sampling_probability=rate,
                    event=event("GaussianDpEvent", noise_multiplier=gaussian))
    return event("ComposedDpEvent", events=[event("NoOpDpEvent"), event("SelfComposedDpEvent", event=sampled,
                                                                         count=count)])


def test_a_tree_of_events_is_the_run_it_describes():
    exact = ep.evaluate("vandijk2022-poisson", q="0.01", sigma="1.1", T=500, delta="1e-5")
    b = compat.bracket(tree(), delta=1e-5)
    assert float(b.lower) <= float(exact.upper) and float(exact.lower) <= float(b.upper)
    assert float(b.upper) / float(b.lower) < 1.002
    assert repr(compat.bracket([(1.1, 0.01, 500)], delta=1e-5)) == repr(b)
    assert repr(compat.bracket([(1.1, 0.01, 200), ("1.1", Fraction(1, 100), 300)], delta=1e-5)) == repr(b)
    delta = compat.bracket(tree(), epsilon=str(b.upper))
    assert delta.quantity == "delta" and float(delta.lower) <= 1e-5


def by_another_integral(sigma, rate, steps, epsilon, c):
    """delta at epsilon when a record is removed: (1/pi) int Re M(z)^T e^{-z eps} / (z (z+1)) along Re z = c, with the
    moments M of one step by the trapezoidal rule, all in plain numpy."""
    import numpy

    x = numpy.linspace(-12 * sigma, 1 + 14 * sigma, 8001)
    normal = [numpy.exp(-(x - m) ** 2 / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi)) for m in (0, 1)]
    loss = numpy.log1p(rate * numpy.expm1((2 * x - 1) / (2 * sigma**2)))
    weight = ((1 - rate) * normal[0] + rate * normal[1]) * numpy.exp(c * loss) * (x[1] - x[0])
    y = numpy.arange(0, 60, 0.05)
    z = c + 1j * y
    moment = numpy.array([(weight * numpy.exp(1j * t * loss)).sum() for t in y])
    value = (numpy.exp(steps * numpy.log(moment) - z * epsilon) / (z * (z + 1))).real
    return (value.sum() - value[0] / 2) * 0.05 / math.pi


@pytest.mark.parametrize("sigma, rate, steps, delta, c", [("0.7", "0.02", 500, 1e-12, 2.6), ("1.1", "0.01", 500, 1e-5, 8)])
def test_the_bracket_holds_what_another_integral_gives(sigma, rate, steps, delta, c):
    b = compat.bracket([(sigma, rate, steps)], delta=delta)
    at = [by_another_integral(float(sigma), float(rate), steps, float(x), c) for x in (b.lower, b.upper)]
    assert at[0] >= delta * (1 - 1e-9) and at[1] <= delta * (1 + 1e-9), (b, at)


def test_steps_of_several_kinds_lie_between_all_of_either_kind():
    mixed = compat.bracket([(1.0, 0.02, 200), (2.0, 0.01, 300)], delta=1e-5)
    worse = compat.bracket([(1.0, 0.02, 500)], delta=1e-5)
    better = compat.bracket([(2.0, 0.01, 500)], delta=1e-5)
    assert better.upper < mixed.lower and mixed.upper < worse.lower
    assert mixed.status == "ok" and float(mixed.upper) / float(mixed.lower) < 1.002
    assert compat.bracket([(1.0, 0.02, 200)], delta=1e-5).lower < mixed.upper  # more steps cost more


def test_segments_of_dp_sgd(command_line):
    segments = [(2, 0.02, 60), (1, 0.01, 40)]
    for sampling in ("poisson", "fixed"):
        b = ep.compose(segments=segments, sampling=sampling, delta="1e-5")
        row, = command_line("compose", "2:0.02:60", "1:0.01:40", "--sampling", sampling, "--delta", "1e-5")["rows"]
        assert [row["lower"], row["upper"]] == [str(b.lower), str(b.upper)] and row["status"] == b.status == "ok"
    # One kind of batches of fixed size is the statement; sigma is over twice the clipping norm.
    one = ep.evaluate("vandijk2022-composed", q="0.02", sigma=1, T=60, delta="1e-5")
    same = ep.compose(segments=[(2, 0.02, 20), (2, 0.02, 40)], sampling="fixed", delta="1e-5")
    assert same.lower <= one.upper and one.lower <= same.upper
    assert ep.compose(segments=[(2, 0.02, 60)], sampling="fixed", delta="1e-5").upper < b.upper
    with pytest.raises(ep.UsageError, match="sampling is 'shuffle'"):
        ep.compose(segments=segments, sampling="shuffle", delta="1e-5")
    with pytest.raises(ep.UsageError, match="segments"):
        ep.compose([1], [1], segments=segments, delta="1e-5")


def test_gaussians_without_sampling_add_their_squares():
    both = compat.bracket([(3, 1, 1), (4, 1, 1)], delta=1e-5)
    mu = Fraction(5, 12)  # sqrt(1/9 + 1/16)
    assert Fraction(both.lower) <= Fraction(ep.evaluate("vandijk2022-gdp-epsilon", mu=mu, delta="1e-5").value)
    assert Fraction(ep.evaluate("vandijk2022-gdp-epsilon", mu=mu, delta="1e-5").lower) <= Fraction(both.upper)
    # One sample, two Gaussians: one mechanism of the same mean; its multiplier is no fraction, and both ends are proved.
    two = event("ComposedDpEvent", events=[event("GaussianDpEvent", noise_multiplier=s) for s in (2, 2)])
    sampled = event("PoissonSampledDpEvent", sampling_probability=0.1, event=two)
    near = compat.bracket(event("SelfComposedDpEvent", event=sampled, count=10), delta=1e-5)
    about = compat.bracket([(math.sqrt(2), 0.1, 10)], delta=1e-5)
    assert abs(float(near) - float(about)) < 1e-4 * float(about)
    mixed = compat.bracket([(2, 1, 1), (1.5, 0.05, 20)], delta=1e-5)
    assert mixed.lower > compat.bracket([(2, 1, 1)], delta=1e-5).lower


def test_what_is_not_composed_says_so():
    with pytest.raises(ep.UsageError, match="LaplaceDpEvent is not composed"):
        compat.bracket(event("LaplaceDpEvent", noise_multiplier=1), delta=1e-5)
    with pytest.raises(ep.UsageError, match="sample of a sample"):
        compat.bracket(event("PoissonSampledDpEvent", sampling_probability=0.5, event=tree()), delta=1e-5)
    with pytest.raises(ep.UsageError, match="noise multiplier is 0"):
        compat.bracket([(0, 0.1, 3)], delta=1e-5)
    with pytest.raises(ep.UsageError, match="neither a DpEvent"):
        compat.bracket(17, delta=1e-5)
    assert float(compat.bracket([(1, 0, 5)], delta=1e-5)) == 0


def test_on_which_side_of_the_truth():
    c = compat.compare(tree(), delta=1e-5, theirs={"low": 1.0, "high": 3.0, "right": float(compat.bracket(tree(),
                       delta=1e-5).upper)})
    verdicts = {x["accountant"]: x["verdict"] for x in c.lines}
    assert verdicts["low"].startswith("below the truth") and "no guarantee" in verdicts["low"]
    assert verdicts["high"].startswith("above the truth") and verdicts["right"].startswith("right")
    assert "encloses" in repr(c) and "<table" in c._repr_html_() and len(c.to_pandas()) == 3
    assert compat.compare(tree(), delta=1e-5, theirs=1.0).lines[0]["accountant"] == "theirs"


def test_an_accountant_with_the_interface_of_opacus():
    a = compat.opacus_accountant()
    assert a.get_epsilon(1e-5) == 0 and len(a) == 0 and a.mechanism() == "epsilary"
    for _ in range(500):
        a.step(noise_multiplier=1.1, sample_rate=0.01)
    assert len(a) == 500 and a.history == [(1.1, 0.01, 500)]
    assert a.get_epsilon(delta=1e-5) == float(compat.bracket([(1.1, 0.01, 500)], delta=1e-5))
    hook = a.get_optimizer_hook_fn(0.02)
    hook(Event(noise_multiplier=2.0, accumulated_iterations=1))
    assert a.history[-1] == (2.0, 0.02, 1)
    b = compat.opacus_accountant()
    b.load_state_dict(a.state_dict())
    assert b.get_epsilon(1e-5) == a.get_epsilon(1e-5) and compat.steps(a)[0].times == 500
    with pytest.raises((ep.UsageError, ValueError)):
        b.load_state_dict({})


# ---- with the packages themselves, where they are installed ------------------------------------------------------------


def test_dp_accounting_itself():
    dp_accounting = pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
    from dp_accounting import pld, rdp

    theirs = dp_accounting.SelfComposedDpEvent(
        dp_accounting.PoissonSampledDpEvent(0.01, dp_accounting.GaussianDpEvent(1.1)), 500)
    assert repr(compat.bracket(theirs, delta=1e-5)) == repr(compat.bracket(tree(), delta=1e-5))
    c = compat.compare(theirs, delta=1e-5)
    values = {x["accountant"]: x for x in c.lines}
    assert values["dp_accounting RDP"]["epsilon"] == rdp.RdpAccountant().compose(theirs).get_epsilon(1e-5)
    assert values["dp_accounting RDP"]["verdict"].startswith("above the truth")
    assert values["dp_accounting PLD"]["epsilon"] >= float(c.bracket.lower)


def test_a_privacy_loss_distribution_of_dp_accounting():
    pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
    from dp_accounting.pld import privacy_loss_distribution as distributions

    pld = distributions.from_randomized_response(0.2, 2, value_discretization_interval=1e-4)
    b = ep.compose(pld, times=20, delta=1e-4)
    theirs = pld.self_compose(20).get_epsilon_for_delta(1e-4)
    assert abs(float(b) - theirs) < 0.01 * theirs, (b, theirs)
    truth = ep.compose(["0.9", "0.1"], ["0.1", "0.9"], times=20, delta=1e-4)
    assert truth.lower <= b.upper  # theirs is rounded up


def test_opacus_itself():
    try:
        accountants = compat.opacus_accountants()
    except ImportError:
        pytest.skip("opacus is not installed")
    theirs = accountants.RDPAccountant()
    theirs.history = [(1.1, 0.01, 500)]
    c = compat.compare(theirs, delta=1e-5, theirs={"Opacus RDP": theirs.get_epsilon(delta=1e-5)})
    assert c.lines[0]["verdict"].startswith("above the truth")
    told = compat.peers([(1.1, 0.01, 500)], 1e-5)
    assert told["Opacus GDP"] < float(c.bracket.lower)
    for name in ("step", "get_epsilon", "mechanism", "get_optimizer_hook_fn", "state_dict", "load_state_dict",
                 "__len__"):
        assert hasattr(compat.CertifiedAccountant, name) and hasattr(accountants.IAccountant, name)


def test_peers_beside_a_run():
    pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
    run = ep.dp_sgd(**RUN, peers=True)
    assert any(a["accountant"] == "dp_accounting PLD" and a["epsilon"] for a in run.accountants)
