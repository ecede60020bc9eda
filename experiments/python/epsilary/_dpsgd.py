"""What a practitioner of DP-SGD asks: what did it cost, who is right, how much noise do I need."""

from decimal import Decimal

from . import _core
from ._ask import evaluate, solve
from ._errors import UsageError
from ._results import _html_table, _text_table, escaped
from ._values import options

# The statement of each accountant, what others call it, and where it stands.
_poisson = (
    ("vandijk2022-poisson-rdp", "RDP (moments accountant)"),
    ("vandijk2022-poisson-clt", "GDP (central limit theorem)"),
    ("vandijk2022-poisson", "privacy losses composed (PLD, PRV), with a proof"),
)
_fixed = (
    ("vandijk2022-composed-advanced", "advanced composition"),
    ("vandijk2022-composed-rdp", "RDP (moments accountant)"),
    ("vandijk2022-clt", "GDP (central limit theorem)"),
    ("vandijk2022-composed", "privacy losses composed (PLD, PRV), with a proof"),
    ("epsilary-lower-dp-sgd", "what some data attain"),
)
_words = {
    "poisson": "Poisson sampling, neighbours differ by one record that is there or not, noise over the clipping norm",
    "fixed": "batches of fixed size drawn afresh, neighbours differ by one record that is replaced, noise over the "
             "clipping norm (a replaced record can change the sum by twice that)",
}


def judged(value, lower, upper, promises=True):
    """On which side of the truth, which lies between lower and upper, a number lies; in words."""
    value = Decimal(str(value)) if isinstance(value, float) else Decimal(value)
    if value < lower:
        by = 1 - value / lower
        return f"below the truth by {_percent(by)} at least" + (": no guarantee" if promises else "")
    if value > upper:
        return f"above the truth by {_percent(value / upper - 1)} at least" if upper > 0 else "above the truth"
    return "right, within the bracket"


def _percent(x):
    return f"{100 * float(x):.3g} %" if x >= 1 else f"{100 * float(x):.2g} %"


class DpSgd:
    """The answer of `dp_sgd`: `accountants` (a line for each), `bracket` (proved ends of the exact epsilon), `upper`
    and `lower`; `float()` is the upper end, which may be relied on."""

    def __init__(self, question, accountants, lower, upper, lower_by, upper_by):
        self.question, self.accountants = question, accountants
        self.lower, self.upper, self.lower_by, self.upper_by = lower, upper, lower_by, upper_by

    @property
    def bracket(self):
        return self.lower, self.upper

    def __float__(self):
        if self.upper is None:
            raise UsageError("no upper bound is proved here", "see the reasons in `accountants`")
        return _core.double_of(str(self.upper), True)

    @property
    def words(self):
        if self.upper is None or self.lower is None:
            return "epsilon is not enclosed here; the lines say why"
        return f"epsilon is between {self.lower} ({self.lower_by}) and {self.upper} ({self.upper_by})"

    def _rows(self):
        head = ["accountant", "epsilon", "guarantee", "who is right", "statement"]
        return [head] + [[a["accountant"], a["epsilon"] if a["epsilon"] is not None else "-",
                          "yes" if a["guarantee"] else "no", a["verdict"], a["bound"]] for a in self.accountants]

    def __repr__(self):
        return f"{_text_table(self._rows())}\n\n{self.words}\n{_words[self.question['sampling']]}"

    def _repr_html_(self):
        good = [a["guarantee"] for a in self.accountants]
        return (_html_table(self._rows(), good) + f"<p>{escaped(self.words)}<br>"
                f"{escaped(_words[self.question['sampling']])}</p>")

    def to_dict(self):
        return {"question": self.question, "lower": str(self.lower), "upper": str(self.upper),
                "accountants": [dict(a, epsilon=None if a["epsilon"] is None else str(a["epsilon"]))
                                for a in self.accountants]}

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self.accountants)


def _question(n, batch, noise_multiplier, epochs, steps, delta, sampling):
    if sampling not in _words:
        raise UsageError(f"sampling is {sampling!r}", "choose 'poisson' or 'fixed'", "sampling")
    if (epochs is None) == (steps is None):
        raise UsageError("epochs or steps says how long training takes", "give one of them")
    return dict(n=n, batch=batch, multiplier=noise_multiplier, epochs=epochs, T=steps, delta=delta)


def dp_sgd(*, n, batch, noise_multiplier, epochs=None, steps=None, delta, sampling="poisson", peers=False, digits=None,
           patience=None):
    """What a run of DP-SGD costs: every accountant, the bracket around the truth, and who is right.

    >>> import epsilary as ep
    >>> run = ep.dp_sgd(n=60000, batch=256, noise_multiplier=1.1, epochs=60, delta=1e-5)
    >>> run.lower <= run.upper
    True

    n                 records
    batch             its size; with Poisson sampling, its mean: each record is taken with probability batch/n
    noise_multiplier  deviation of the noise over the clipping norm
    epochs or steps   how long; a part of a step is charged as a whole one
    delta             of the whole run
    sampling          "poisson" (what accountants assume), or "fixed": batches of one size drawn afresh at each step
    peers             True: also what dp_accounting, Opacus and prv_accountant say, where they are installed (Poisson)

    The bracket of Poisson sampling encloses the exact epsilon: the pair of laws that bounds it is attained by data whose
    other gradients vanish.
    """
    ask = _question(n, batch, noise_multiplier, epochs, steps, delta, sampling)
    o = options(digits=digits, patience=patience)
    listed = _poisson if sampling == "poisson" else _fixed
    results = {id: evaluate(id, **ask, **o) for id, _ in listed}
    exact = results["vandijk2022-poisson" if sampling == "poisson" else "vandijk2022-composed"]
    best = min((r for r in results.values() if r and r.guarantee and r.side == "upper"), key=lambda r: r.value,
               default=None)
    floor = exact if sampling == "poisson" else results["epsilary-lower-dp-sgd"]
    lower = None if not floor else floor.lower if sampling == "poisson" else floor.value
    upper = None if best is None else best.value
    lines = []
    for id, name in listed:
        r = results[id]
        if not r:
            verdict = r.reason
        elif lower is None or upper is None:
            verdict = ""
        elif r.side == "lower":
            verdict = "a proved lower bound"
        elif r is exact and sampling == "poisson":
            verdict = "encloses the truth"
        else:
            verdict = judged(r.value, lower, upper)
        lines.append({"accountant": name, "epsilon": r.value if r else None, "guarantee": r.guarantee,
                      "verdict": verdict, "bound": id})
    if sampling == "poisson" and lower is not None:
        lines.append({"accountant": "what some data attain", "epsilon": lower, "guarantee": exact.guarantee,
                      "verdict": "a proved lower bound", "bound": exact.bound})
    if peers and sampling == "poisson" and upper is not None:
        from .compat import peers as ask_peers, steps_of_run

        for name, value in ask_peers([steps_of_run(n, batch, noise_multiplier, epochs, steps)], delta).items():
            number = value if isinstance(value, float) else None
            lines.append({"accountant": name, "epsilon": number, "guarantee": False, "bound": "",
                          "verdict": judged(value, lower, upper) if number is not None else str(value)})
    question = {k: str(v) for k, v in ask.items() if v is not None} | {"sampling": sampling}
    return DpSgd(question, lines, lower, upper, "vandijk2022-poisson, attained" if sampling == "poisson" else
                 "epsilary-lower-dp-sgd", best.bound if best is not None else "")


class Calibration:
    """The noise for a target: `noise_multiplier` is proved to be enough; at `beyond`, a digit less, it is not."""

    def __init__(self, noise_multiplier, beyond, epsilon, target, solution, question):
        self.noise_multiplier, self.beyond, self.epsilon, self.target = noise_multiplier, beyond, epsilon, target
        self.solution, self.question = solution, question

    def __float__(self):
        return _core.double_of(str(self.noise_multiplier), True)

    def to_dict(self):
        return {"noise_multiplier": str(self.noise_multiplier), "beyond": str(self.beyond), "epsilon": self.epsilon,
                "target": str(self.target), "question": self.question}

    def __repr__(self):
        return (f"noise_multiplier = {self.noise_multiplier}\n  epsilon is {self.epsilon} there, at most {self.target} "
                f"({self.solution.bound})\n  at noise_multiplier = {self.beyond} it is {self.solution.bound_beyond}")

    def _repr_html_(self):
        return f"<pre>{escaped(repr(self))}</pre>"


def calibrate(*, n, batch, epochs=None, steps=None, delta, epsilon, sampling="poisson", digits=None, patience=None):
    """The least noise multiplier for which a run of DP-SGD is proved to be (epsilon, delta)-DP.

    >>> import epsilary as ep
    >>> c = ep.calibrate(n=60000, batch=600, steps=100, delta=1e-5, epsilon=2, digits=3)
    >>> 0.5 < float(c) < 2
    True
    """
    ask = _question(n, batch, None, epochs, steps, delta, sampling)
    ask.pop("multiplier")
    id = "vandijk2022-poisson" if sampling == "poisson" else "vandijk2022-composed"
    change = 1 if sampling == "poisson" else 2  # sigma is noise over what one record can change
    s = solve(id, "sigma", epsilon, digits=digits if digits is not None else 4, patience=patience, **ask)
    value = s.value * change
    question = {k: str(v) for k, v in ask.items() if v is not None} | {"sampling": sampling}
    return Calibration(value, Decimal(s.beyond) * change if s.beyond else None, s.bound_at_value, s.target, s, question)
