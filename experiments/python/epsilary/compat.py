"""For those who have another accountant: what they have, our bracket beside their number, and on which side of the truth
theirs lies.

`compare(event, delta=1e-5)` takes a DpEvent tree of dp_accounting or a list of (noise multiplier, sampling rate, steps),
as Opacus keeps it. `opacus_accountant()` stands where an accountant of Opacus stood:

    privacy_engine.accountant = epsilary.compat.opacus_accountant()

Everything here is about Poisson sampling and neighbours that differ by one record, there or not.
"""

import math
from decimal import Context, Decimal, ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from . import _core
from ._dpsgd import judged
from ._errors import UsageError
from ._results import Bracket, _html_table, _text_table
from ._values import options, text

__all__ = ["bracket", "compare", "judge", "opacus_accountant", "peers", "steps"]


class Steps:
    """Gaussian steps of one kind: `squares` holds the exact sum of 1/multiplier^2 of what one sample is used for."""

    __slots__ = ("squares", "rate", "times")

    def __init__(self, squares, rate, times):
        self.squares, self.rate, self.times = squares, rate, times

    @property
    def multiplier(self):
        return 1 / math.sqrt(self.squares)

    def texts(self, rounding):
        """The multiplier as a text, rounded one way where it is no fraction."""
        above, below = self.squares.numerator, self.squares.denominator
        roots = math.isqrt(above), math.isqrt(below)
        if roots[0] ** 2 == above and roots[1] ** 2 == below:
            return f"{roots[1]}/{roots[0]}"
        digits = Context(prec=40, rounding=rounding)
        near = Context(prec=60).sqrt(Context(prec=60).divide(Decimal(below), Decimal(above)))
        out = digits.plus(near)
        # The square root was rounded once before; step over it.
        while rounding == ROUND_FLOOR and Fraction(out) ** 2 * self.squares > 1:
            out = digits.next_minus(out)
        while rounding == ROUND_CEILING and Fraction(out) ** 2 * self.squares < 1:
            out = digits.next_plus(out)
        return str(out)


def _exact(x, name):
    return Fraction(text(x, name))


def _steps(multiplier, rate, times):
    sigma, q = _exact(multiplier, "the noise multiplier"), _exact(rate, "the sampling rate")
    if sigma <= 0:
        raise UsageError(f"the noise multiplier is {multiplier}", "it must be above 0; without noise there is no privacy")
    if not 0 <= q <= 1:
        raise UsageError(f"the sampling rate is {rate}", "it is a probability")
    if times != int(times) or times < 0:
        raise UsageError(f"{times} steps", "give a whole number")
    return Steps(1 / (sigma * sigma), q, int(times))


def steps_of_run(n, batch, noise_multiplier, epochs, steps):
    rate = _exact(batch, "batch") / _exact(n, "n")
    count = int(steps) if steps is not None else math.ceil(_exact(epochs, "epochs") / rate)
    return (noise_multiplier, rate, count)


def steps(what):
    """What was run, as a list of Gaussian steps: from a DpEvent, or from (noise multiplier, rate, steps) triples."""
    if hasattr(what, "history"):
        what = what.history
    if type(what).__name__.endswith("DpEvent"):
        return [s for s in _of_event(what) if s.times > 0 and s.rate > 0]
    try:
        triples = [tuple(x) for x in what]
    except TypeError:
        raise UsageError(f"{type(what).__name__} is neither a DpEvent nor a list of (noise multiplier, rate, steps)",
                         "give one of these") from None
    return [s for s in (_steps(*x) for x in triples) if s.times > 0 and s.rate > 0]


def _of_event(event, rate=Fraction(1)):
    kind = type(event).__name__
    if kind == "NoOpDpEvent":
        return []
    if kind == "GaussianDpEvent":
        return [_steps(event.noise_multiplier, rate, 1)]
    if kind == "ComposedDpEvent":
        return [s for e in event.events for s in _of_event(e, rate)]
    if kind == "SelfComposedDpEvent":
        return [Steps(s.squares, s.rate, s.times * int(event.count)) for s in _of_event(event.event, rate)]
    if kind == "PoissonSampledDpEvent":
        inside = _of_event(event.event)
        if any(s.rate != 1 for s in inside):
            raise UsageError("a sample of a sample is not composed here", "multiply the two probabilities yourself")
        # One sample is used for all that is inside: together that is one Gaussian mechanism.
        squares = sum((s.squares * s.times for s in inside), Fraction(0))
        return [Steps(squares, _exact(event.sampling_probability, "the sampling probability"), 1)] if squares else []
    raise UsageError(f"{kind} is not composed here",
                     "events may be Gaussian, Poisson-sampled, composed or self-composed; for two laws of your own see "
                     "epsilary.compose")


def _joined(list_of_steps):
    """Equal kinds together."""
    kinds = {}
    for s in list_of_steps:
        key = (s.squares, s.rate)
        kinds[key] = kinds.get(key, 0) + s.times
    return [Steps(squares, rate, times) for (squares, rate), times in kinds.items()]


def bracket(what, *, delta=None, epsilon=None, sampling="poisson", digits=None, patience=None):
    """The exact epsilon at delta, or the exact delta at epsilon, between two proved ends. With sampling="fixed" the
    steps take batches of one size drawn afresh and a record is replaced; the upper end is the guarantee then, and what
    lies between the ends is the value of the steps' trade-off functions composed.

    >>> import epsilary.compat
    >>> epsilary.compat.bracket([(1.1, 0.01, 1000)], delta=1e-5)
    epsilon in [1.51536, 1.51537]
    """
    if (epsilon is None) == (delta is None):
        raise UsageError("epsilon is asked for at a delta, or delta at an epsilon", "give one of them")
    if sampling not in ("poisson", "fixed"):
        raise UsageError(f"sampling is {sampling!r}", "choose 'poisson' or 'fixed'", "sampling")
    kinds = _joined(steps(what))
    at = [("delta", text(delta, "delta"))] if epsilon is None else [("eps", text(epsilon, "epsilon"))]
    quantity = "epsilon" if epsilon is None else "delta"
    o = options(digits=digits, patience=patience)

    def ask(rounding):
        given = [{"multiplier": s.texts(rounding), "rate": f"{s.rate.numerator}/{s.rate.denominator}",
                  "times": s.times, "fixed_size": sampling == "fixed"} for s in kinds]
        return given, _core.compose(given, at, o)

    less_noise, above = ask(ROUND_FLOOR)
    more_noise = [s.texts(ROUND_CEILING) for s in kinds]
    if [g["multiplier"] for g in less_noise] == more_noise:
        return Bracket(above, quantity)
    _, below = ask(ROUND_CEILING)
    return Bracket(dict(above, lower=below["lower"]), quantity)


def judge(value, truth):
    """On which side of the truth a number lies, given its bracket: "right, within the bracket", "above the truth by 7 %
    at least", "below the truth by 2 % at least: no guarantee"."""
    return judged(value, truth.lower, truth.upper)


def _dp_accounting_event(kinds):
    import dp_accounting

    parts = []
    for s in kinds:
        event = dp_accounting.GaussianDpEvent(s.multiplier)
        if s.rate < 1:
            event = dp_accounting.PoissonSampledDpEvent(float(s.rate), event)
        parts.append(dp_accounting.SelfComposedDpEvent(event, s.times))
    return dp_accounting.ComposedDpEvent(parts)


def _their_dp_accounting(kinds, delta, event):
    from dp_accounting import pld, rdp

    event = _dp_accounting_event(kinds) if event is None else event
    for name, accountant in (("dp_accounting RDP", rdp.RdpAccountant), ("dp_accounting PLD", pld.PLDAccountant)):
        yield name, lambda accountant=accountant: accountant().compose(event).get_epsilon(float(delta))


def _their_opacus(kinds, delta, event):
    # Its analyses need no torch; the package does.
    accountants = opacus_accountants()
    for name, key in (("Opacus RDP", "rdp"), ("Opacus PRV", "prv"), ("Opacus GDP", "gdp")):
        def ask(key=key):
            accountant = accountants.create_accountant(mechanism=key)
            accountant.history = [(s.multiplier, float(s.rate), s.times) for s in kinds]
            return accountant.get_epsilon(delta=float(delta))
        yield name, ask


def _their_prv(kinds, delta, event):
    import prv_accountant

    def ask():
        prvs = [prv_accountant.PoissonSubsampledGaussianMechanism(noise_multiplier=s.multiplier,
                                                                  sampling_probability=float(s.rate)) for s in kinds]
        accountant = prv_accountant.PRVAccountant(prvs=prvs, eps_error=0.1, delta_error=float(delta) / 1000,
                                                  max_self_compositions=[s.times for s in kinds])
        return accountant.compute_epsilon(delta=float(delta), num_self_compositions=[s.times for s in kinds])[2]
    yield "prv_accountant, upper end", ask


def opacus_accountants():
    """opacus.accountants, also where Opacus is installed without torch, which its analyses do not need."""
    import importlib
    import importlib.util
    import sys
    import types

    try:
        return importlib.import_module("opacus.accountants")
    except ImportError:
        found = importlib.util.find_spec("opacus") if "opacus" not in sys.modules else None
        if found is None or found.origin is None or importlib.util.find_spec("torch") is not None:
            raise
        for name in [m for m in sys.modules if m == "opacus" or m.startswith("opacus.")]:
            del sys.modules[name]
        parts = {"opacus": list(found.submodule_search_locations)}
        for name, path in parts.items():
            module = types.ModuleType(name)
            module.__path__ = path
            sys.modules[name] = module
        optimizers = types.ModuleType("opacus.optimizers")
        optimizers.DPOptimizer = object
        sys.modules["opacus.optimizers"] = optimizers
        try:
            return importlib.import_module("opacus.accountants")
        finally:
            for name in [m for m in sys.modules if m == "opacus" or m.startswith("opacus.")]:
                del sys.modules[name]


def peers(what, delta, event=None):
    """What dp_accounting, Opacus and prv_accountant say, where they are installed: a name and a float each, or the
    exception it raised."""
    kinds = _joined(steps(what))
    out = {}
    for source in (_their_dp_accounting, _their_opacus, _their_prv):
        try:
            questions = list(source(kinds, delta, event))
        except ImportError:
            continue
        for name, ask in questions:
            try:
                out[name] = float(ask())
            except Exception as fault:  # theirs, whatever it is
                out[name] = fault
    return out


class Comparison:
    """`bracket` is ours; `lines` holds what others say, and on which side of the truth that is."""

    def __init__(self, bracket, lines):
        self.bracket, self.lines = bracket, lines

    def _rows(self):
        rows = [["accountant", "epsilon", "who is right"],
                ["epsilary", f"[{self.bracket.lower}, {self.bracket.upper}]", "encloses the truth, proved"]]
        return rows + [[x["accountant"], "-" if x["epsilon"] is None else repr(x["epsilon"]), x["verdict"]]
                       for x in self.lines]

    def __repr__(self):
        return _text_table(self._rows())

    def _repr_html_(self):
        return _html_table(self._rows())

    def to_dict(self):
        return {"bracket": self.bracket.to_dict(), "lines": self.lines}

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self.lines)


def compare(what, *, delta, theirs=None, digits=None, patience=None):
    """Our bracket beside what others say.

    what    a DpEvent of dp_accounting, an accountant of Opacus, or (noise multiplier, rate, steps) triples
    theirs  a number, or {name: number}; None asks dp_accounting, Opacus and prv_accountant, where they are installed
    """
    event = what if type(what).__name__.endswith("DpEvent") else None
    truth = bracket(what, delta=delta, digits=digits, patience=patience)
    if theirs is None:
        theirs = peers(what, delta, event)
    elif not isinstance(theirs, dict):
        theirs = {"theirs": theirs}
    lines = []
    for name, value in theirs.items():
        number = None if isinstance(value, Exception) else float(value)
        verdict = f"{type(value).__name__}: {value}" if number is None else (
            judge(number, truth) if math.isfinite(number) else "no number")
        lines.append({"accountant": name, "epsilon": number, "verdict": verdict})
    return Comparison(truth, lines)


class CertifiedAccountant:
    """An accountant with Opacus's interface: step, get_epsilon, history, state_dict. get_epsilon returns the proved
    upper end, rounded up."""

    def __init__(self):
        self.history = []

    def step(self, *, noise_multiplier, sample_rate):
        """One step of training. A step like the last one is counted with it."""
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            noise_multiplier, sample_rate, times = self.history.pop()
            self.history.append((noise_multiplier, sample_rate, times + 1))
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    def get_epsilon(self, delta, **options):
        """An epsilon that is proved to be enough, the least one to six digits."""
        return float(self.bracket(delta, **options)) if self.history else 0.0

    def bracket(self, delta, **options):
        """Between which two numbers the exact epsilon lies."""
        return bracket(self.history, delta=delta, **options)

    def __len__(self):
        return sum(times for _, _, times in self.history)

    @classmethod
    def mechanism(cls):
        return "epsilary"

    def get_optimizer_hook_fn(self, sample_rate):
        """What Opacus calls after every step of its optimizer."""

        def hook(optimizer):
            # Gradients accumulated over several batches are one step, as in Opacus.
            self.step(noise_multiplier=optimizer.noise_multiplier,
                      sample_rate=sample_rate * getattr(optimizer, "accumulated_iterations", 1))

        return hook

    def state_dict(self, destination=None):
        state = {} if destination is None else destination
        state["history"] = list(self.history)
        state["mechanism"] = self.mechanism()
        return state

    def load_state_dict(self, state_dict):
        if not state_dict or "history" not in state_dict:
            raise UsageError("the state has no history", "load what state_dict() gave")
        if state_dict.get("mechanism", self.mechanism()) != self.mechanism():
            raise UsageError(f"the state is of the mechanism {state_dict['mechanism']}", "load what state_dict() gave")
        self.history = [tuple(x) for x in state_dict["history"]]


def opacus_accountant():
    """An accountant for Opacus whose numbers are proved. Where Opacus is installed, it is one of its accountants
    (IAccountant), and `PrivacyEngine(accountant="epsilary")` knows it from then on."""
    try:
        from opacus.accountants import registry
        from opacus.accountants.accountant import IAccountant
    except ImportError:
        return CertifiedAccountant()
    made = registry._ACCOUNTANTS.get("epsilary") if hasattr(registry, "_ACCOUNTANTS") else None
    if made is None:
        made = type("CertifiedAccountant", (CertifiedAccountant, IAccountant), {})
        try:
            registry.register_accountant("epsilary", made)
        except (AttributeError, ValueError):  # an Opacus without a registry, or that has it
            pass
    return made()


def __dir__():
    return __all__
