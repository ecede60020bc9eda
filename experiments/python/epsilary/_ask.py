"""Questions: evaluate, solve, compare, tightness, design, sweep, check, compose."""

import os
import sys
from decimal import Decimal

from . import _core
from ._catalogue import parameter_lines
from ._errors import UsageError, raise_for
from ._results import Bracket, DoubleTable, Report, Result, Solution, Table, statement_at
from ._values import flat, given, is_many, key_of, one, options, text


class Progress:
    """A bar: tqdm's where it is installed, else a line on stderr."""

    def __init__(self):
        self.bar = self.shown = None
        try:
            from tqdm.auto import tqdm

            self.tqdm = tqdm
        except ImportError:
            self.tqdm = None

    def __call__(self, done, total):
        if self.tqdm:
            if self.bar is None:
                self.bar = self.tqdm(total=total, unit="rows")
            self.bar.update(done - self.bar.n)
        elif done != self.shown:
            self.shown = done
            print(f"\repsilary: {done} of {total} rows", end="", file=sys.stderr, flush=True)

    def close(self):
        if self.bar is not None:
            self.bar.update(max(0, self.bar.total - self.bar.n))
            self.bar.close()
        elif self.shown is not None:
            print(file=sys.stderr)


class watching:
    """progress=True, False, or a function of rows done and all rows."""

    def __init__(self, progress):
        self.report = Progress() if progress is True else progress or None

    def __enter__(self):
        return self.report

    def __exit__(self, *_):
        if isinstance(self.report, Progress):
            self.report.close()


def _axis(name, value):
    """The values of one parameter that varies, as floats in an array or as texts; None where it is one value."""
    key = key_of(name)
    if key in ("steps", "randomizer"):
        return None
    if isinstance(value, str):
        found = _core.values(key, value)
        return found if len(found) > 1 else None
    if not is_many(value):
        return None
    if getattr(getattr(value, "dtype", None), "kind", "") == "f" and value.dtype.itemsize == 8:
        import numpy

        if not numpy.isfinite(value).all():
            raise UsageError(f"{key} has a value that is not finite", "give finite numbers", key)
        return value
    return [text(x, key) for x in (value.ravel().tolist() if getattr(value, "ndim", 1) > 1 else value)]


def _columns(parameters, elementwise):
    """Columns for the library, the number of points, the shape, and the axes of a grid."""
    import numpy

    fixed, varying = [], []
    for name, value in parameters.items():
        if value is None:
            continue
        values = _axis(name, value)
        if values is None:
            fixed.append((key_of(name), [one(name, value)], None))
            continue
        if len(values) == 0:
            raise UsageError(f"{key_of(name)} has no values", "give at least one", key_of(name))
        shape = getattr(value, "shape", None) or (len(values),)
        if not elementwise and len(shape) != 1:
            flat(value, key_of(name))
        varying.append((key_of(name), values, shape))
    if not varying:
        return fixed, 1, (), {}
    if elementwise:
        try:
            shape = numpy.broadcast_shapes(*(s for _, _, s in varying))
        except ValueError:
            words = ", ".join(f"{key} {s}" for key, _, s in varying)
            raise UsageError(f"these shapes do not broadcast: {words}",
                             "give arrays of one shape, or leave out elementwise and let lists span a grid") from None
        at = [numpy.broadcast_to(numpy.arange(len(v), dtype=numpy.uint32).reshape(s), shape).ravel()
              for _, v, s in varying]
        axes = {}
    else:
        shape = tuple(s[0] for _, _, s in varying)
        at = [numpy.broadcast_to(numpy.arange(len(v), dtype=numpy.uint32).reshape(
              [-1 if i == k else 1 for i in range(len(shape))]), shape).ravel() for k, (_, v, _) in enumerate(varying)]
        axes = {key: values for key, values, _ in varying}
    columns = fixed + [(key, v.ravel() if hasattr(v, "ravel") else v, a) for (key, v, _), a in zip(varying, at)]
    return columns, int(numpy.prod(shape)), shape, axes


def evaluate(bound=None, *more, digits=None, precision=None, patience=None, threads=None, adjacency=None, view=None,
             elementwise=False, progress=False, **parameters):
    """Evaluate a statement, with proven digits.

    >>> import epsilary as ep
    >>> r = ep.evaluate("feldman2021-clones", eps0=1, n=10_000, delta="1e-6")
    >>> r.value, r.guarantee
    (Decimal('0.0530054'), True)
    >>> ep.evaluate("feldman2021-clones", eps0=[0.5, 1], n=[1e4, 1e6], delta=1e-6).values.shape
    (2, 2)

    bound        an id, as `epsilary.bounds()` lists them. Several ids give a report, tightest first; none, every
                 statement that the parameters allow.
    parameters   strings ("1e-6", "1/3"), ints, Fractions and Decimals are exact; a float is its shortest decimal, so
                 0.1 is one tenth. Lists, arrays and ranges ("0.05:4:80", "1e2:1e6:5:log") span a grid, the last one
                 running fastest: the result is a Table. "1/n" ties a parameter to another.
    elementwise  arrays of one shape go together, by numpy's broadcasting, instead of spanning a grid.
    digits       significant digits to prove (6).
    precision    "ball" (certified), or "double" or "mp50", which are not. In double a grid is arrays from the start:
                 a million closed forms take about a second.
    patience     how many times the usual work, some seconds at most, a number may cost (1).
    threads      0 is every core. The interpreter's lock is released; Ctrl-C stops the work.
    adjacency    "replace" or "remove": which data sets are neighbours, where statements differ.
    view         "usual", "count-hidden", "told-steps": what the adversary sees.
    progress     True for a bar, or a function of rows done and all rows.

    Returns a Result: `float(r)` is its safe end (rounded up for an upper bound, down for a lower one), `r.value` the
    same as an exact Decimal, with `lower`, `upper`, `certified`, `guarantee`, `standing`, `at`, `status`, `reason`.
    Outside the hypotheses there is no number, and reading it raises the reason. In a grid such a cell is nan, and
    `status` says why. An unknown name or a text that is no number raises at once.

    Parameters:
"""
    o = options(digits=digits, precision=precision, patience=patience, threads=threads, adjacency=adjacency, view=view)
    if bound is None or more or not isinstance(bound, str):
        ids = ([] if bound is None else [bound] if isinstance(bound, str) else list(bound)) + list(more)
        ids = [getattr(x, "id", x) for x in ids]
        if len(ids) == 1:
            return evaluate(ids[0], elementwise=elementwise, progress=progress, **o, **parameters)
        raw = _core.evaluate_all(ids, given(parameters), o)
        raise_for(raw["problem"])
        return Report(raw, results=Table(raw["rows"]), skipped=dict(raw["skipped"]))
    if not any(is_many(v) or (isinstance(v, str) and (":" in v or "," in v)) for v in parameters.values()):
        return Result(_core.evaluate(bound, given(parameters, grids=False), o))  # no numpy for one number
    columns, points, shape, axes = _columns(parameters, elementwise)
    if not shape:
        return Result(_core.evaluate(bound, given(parameters, grids=False), o))
    with watching(progress) as report:
        if precision != "double":
            return Table(_core.evaluate_points(bound, columns, points, o, report), shape, axes)
        statement, values, codes = _core.evaluate_doubles(bound, columns, points, o, report)

    def ask(i):
        here = [(key, v[0] if at is None else v[int(at[i])]) for key, v, at in columns]
        return Result(_core.evaluate(bound, [(key, text(v, key)) for key, v in here], o))

    return DoubleTable(statement, values, codes, shape, axes, ask)


evaluate.__doc__ += parameter_lines()


def solve(bound, unknown, target, *, digits=None, patience=None, threads=None, adjacency=None, view=None, **parameters):
    """The value of one parameter at which a statement meets a target.

    >>> import epsilary as ep
    >>> ep.solve("balle2020-thm5.1", "n", target=.1, eps0=1, delta=1e-6).value
    Decimal('164452')

    The answer is the best decimal of the digits asked at which the bound is proved to meet the target; at its neighbour
    `beyond` it is proved to break it. With lists, a list of solutions. Where no value will do, reading it raises why.
    """
    o = options(digits=digits, patience=patience, threads=threads, adjacency=adjacency, view=view)
    raw = _core.solve(getattr(bound, "id", bound), key_of(unknown), text(target, "target"), given(parameters), o)
    statement = statement_at(raw["statement"])
    rises = key_of(unknown) in statement.rises
    up = rises == (statement.side == "lower")
    points = [Solution(p, raw["unknown"], raw["target"], statement.id, up) for p in raw["points"]]
    grid = any(is_many(v) or (isinstance(v, str) and ("," in v or ":" in v)) for k, v in parameters.items()
               if key_of(k) not in ("steps", "randomizer"))
    return points if grid else points[0]


def compare(*bounds, digits=None, precision=None, patience=None, threads=None, adjacency=None, view=None, **parameters):
    """Which of several statements is the tightest, where, and by how much.

    >>> import epsilary as ep
    >>> c = ep.compare("balle2020-thm5.1", "feldman2021-clones", eps0=[0.5, 1], n=1e4, delta=1e-6)
    >>> [line["tightest"] for line in c.lines]
    ['feldman2021-clones', 'feldman2021-clones']
    """
    o = options(digits=digits, precision=precision, patience=patience, threads=threads, adjacency=adjacency, view=view)
    raw = _core.compare([getattr(b, "id", b) for b in bounds], given(parameters), o)
    raise_for(raw["problem"])
    return Report(raw, lines=raw["lines"], summary=raw["summary"])


class Tightness(Report):
    """Every analysis of a protocol, from the loosest to what no analysis can beat.

    `analyses` is a Table; `bracket` is what is proved from both sides, and `sandwiches` the same for every point of a
    grid; `losses` says which step of which proof loses which factor.
    """

    @property
    def bracket(self):
        """(lower, upper) as exact Decimals, None for an end that is not proved."""
        first = self.sandwiches[0]
        return tuple(None if first[end] is None else Decimal(first[end]) for end in ("lower", "upper"))


def tightness(*protocols, digits=None, patience=None, threads=None, adjacency=None, view=None, **parameters):
    """Every analysis of a protocol between what it proves and what cannot be beaten.

    >>> import epsilary as ep
    >>> t = ep.tightness("dp-sgd", n=60000, batch=600, sigma=2, T=600, delta=1e-6)
    >>> t.bracket
    (Decimal('0.554282'), Decimal('0.630341'))
    """
    o = options(digits=digits, patience=patience, threads=threads, adjacency=adjacency, view=view)
    raw = _core.tightness(list(protocols), given(parameters), o)
    raise_for(raw["problem"])
    return Tightness(raw, analyses=Table([a["result"] for a in raw["analyses"]]), losses=raw["losses"],
                     sandwiches=raw["sandwiches"], summary=[s["words"] for s in raw["sandwiches"] if s["words"]])


def design(*protocols, unknown, target, digits=None, patience=None, threads=None, adjacency=None, view=None,
           **parameters):
    """What each analysis of the protocols admits for an epsilon of at most `target`: the local noise, the number of
    users, the rounds.

    >>> import epsilary as ep
    >>> d = ep.design("checkin-averaged", unknown="eps0", target=0.1, n=10_000, delta=1e-6)
    >>> d.admissions[0]["status"]
    'found'
    """
    o = options(digits=digits, patience=patience, threads=threads, adjacency=adjacency, view=view)
    raw = _core.design(list(protocols), key_of(unknown), text(target, "target"), given(parameters), o)
    raise_for(raw["problem"])
    admissions = [{**a, "bound": statement_at(a["statement"]).id} for a in raw["admissions"]]
    return Report(raw, admissions=admissions, unknown=raw["unknown"], target=raw["target"], summary=raw["summary"])


def sweep(what, *more, journal="", any_size=False, digits=None, precision=None, patience=None, threads=None,
          adjacency=None, view=None, progress=False, **parameters):
    """Statements over a grid, in parallel.

    >>> import epsilary as ep
    >>> ep.sweep("balle2020-thm5.1", "feldman2021-clones", eps0="0.5:1:2", n=1e4, delta=1e-6).to_pandas().shape[0]
    4

    what      a figure's id, the name of a spec file (.toml) or its text; or bounds, with parameters.
    journal   a file (SQLite) that keeps what is computed: interrupted, the same call goes on from there.
    any_size  also more than ten million cells.
    """
    o = options(digits=digits, precision=precision, patience=patience, threads=threads, adjacency=adjacency, view=view)
    with watching(progress) as report:
        return Table(_core.sweep(_sweep(what, more, parameters, journal, any_size), o, report))


def plan(what, *more, any_size=False, digits=None, precision=None, patience=None, threads=None, **parameters):
    """How long a sweep would take on one thread: {"rows", "different", "timed", "seconds", "notes"}."""
    o = options(digits=digits, precision=precision, patience=patience, threads=threads)
    return _core.plan(_sweep(what, more, parameters, "", any_size), o)


def _sweep(what, more, parameters, journal, any_size):
    names = ([what] if isinstance(what, (str, os.PathLike)) or hasattr(what, "id") else list(what)) + list(more)
    names = [getattr(x, "id", None) or os.fspath(x) for x in names]
    out = {"spec": "", "toml": "", "bounds": [], "parameters": given(parameters), "journal": os.fspath(journal),
           "any_size": bool(any_size)}
    if len(names) == 1 and "\n" in names[0]:
        out["toml"] = names[0]
    elif len(names) == 1 and not parameters:
        out["spec"] = names[0]
    else:
        out["bounds"] = names
    return out


def check(*claims, threads=None, strict=False):
    """The papers' claims, computed, with a verdict on each; without ids, all of them. strict=True raises CheckFailed
    when one is not what the ledger says.

    >>> import epsilary as ep
    >>> ep.check("balle2020-cor3.3-half").findings[0]["claim"]["verdict"]
    'holds with conditions'
    """
    ids = [getattr(c, "id", c) for c in claims]
    raw = _core.check(ids, options(threads=threads))
    if strict:
        raise_for(raw["problem"])
    return Report(raw, findings=raw["findings"])


def compose(p=None, q=None, *, times=1, pairs=None, segments=None, sampling="poisson", epsilon=None, delta=None,
            normalize=None, digits=None, patience=None):
    """What a mechanism of your own costs when it is run `times` times: a proven bracket.

    >>> import epsilary as ep
    >>> ep.compose([".75", ".25"], [".25", ".75"], times=10, delta="1e-6").upper < 11
    True

    p, q       the probabilities of every outcome on a data set and on its neighbour; or p alone, a privacy-loss
               distribution of dp_accounting.
    pairs      several mechanisms: a list of (p, q, times).
    segments   of DP-SGD, each with noise, rate and length of its own: a list of (noise multiplier, rate, steps).
    sampling   of these: "poisson", a record is removed, or "fixed", batches of one size drawn afresh, one is replaced
    epsilon    asks for delta at this epsilon; `delta` asks for the least epsilon at this delta.
    normalize  None: floats that miss 1 by rounding are divided by their exact sum, exact numbers must add up to 1.
               True: any weights are.

    The neighbours may be taken either way round; the larger of the two is enclosed.
    """
    if (epsilon is None) == (delta is None):
        raise UsageError("a composition is asked for its delta at epsilon, or for its epsilon at delta",
                         "give one of epsilon and delta")
    if segments is not None:
        if p is not None or q is not None or pairs is not None:
            raise UsageError("segments are not composed with laws of one's own", "compose either kind alone")
        from .compat import bracket

        return bracket(segments, epsilon=epsilon, delta=delta, sampling=sampling, digits=digits, patience=patience)
    listed = [(p, q, times)] if pairs is None else [tuple(x) if len(x) == 3 else (*x, 1) for x in pairs]
    at = [("eps", text(epsilon, "epsilon"))] if delta is None else [("delta", text(delta, "delta"))]
    ways = [False] if any(b is not None for _, b, _ in listed) else ["remove", "add"]  # a distribution knows its ways
    normalized, ends = False, []
    for way in ways:
        mechanisms = []
        for a, b, t in listed:
            a, b = (a, b) if b is not None else outcomes(a, way or "remove")
            weights = bool(normalize) or (normalize is None and (_rounded(a) or _rounded(b)))
            normalized = normalized or weights
            if int(t) != t or t < 0:
                raise UsageError(f"times is {t}", "give a whole number of runs", "times")
            mechanisms.append({"p": [text(x, "p") for x in a], "q": [text(x, "q") for x in b], "weights": weights,
                               "one_way": bool(way), "times": int(t)})
        raw = _core.compose(mechanisms, at, options(digits=digits, patience=patience))
        if raw["upper"] is None:
            return Bracket(raw, "delta" if delta is None else "epsilon", normalized)
        ends.append(raw)
    larger = {end: max((raw[end] for raw in ends), key=Decimal) for end in ("lower", "upper")}
    wide = [raw for raw in ends if raw["status"] != "ok"]
    return Bracket({**(wide or ends)[0], **larger}, "delta" if delta is None else "epsilon", normalized)


def _rounded(law):
    """Floats that do not add up to 1, but for rounding."""
    from fractions import Fraction

    if not any(isinstance(x, float) or type(x).__name__.startswith("float") for x in law):
        return False
    off = abs(sum(Fraction(text(x)) for x in law) - 1)
    return 0 < off < Fraction(1, 10**6)


def outcomes(pld, way="remove"):
    """A privacy-loss distribution of dp_accounting as two laws: an outcome for every loss, one for infinite loss, and
    one for what is left of the second law."""
    import math

    pmf = getattr(pld, f"_pmf_{way}", None) or getattr(pld, "_pmf_remove", None)
    if pmf is None:
        raise UsageError(f"{type(pld).__name__} is neither two laws nor a privacy-loss distribution",
                         "give p and q, or a PrivacyLossDistribution of dp_accounting")
    pmf = pmf.to_dense_pmf() if hasattr(pmf, "to_dense_pmf") else pmf
    step = pmf._discretization
    p, q = [], []
    for i, mass in enumerate(pmf._probs):
        if mass > 0:
            p.append(float(mass))
            q.append(float(mass) * math.exp(-(pmf._lower_loss + i) * step))
    rest = 1 - math.fsum(q)
    if pmf._infinity_mass > 0:
        p.append(float(pmf._infinity_mass))
        q.append(0.0)
    if rest > 1e-12:
        p.append(0.0)
        q.append(rest)
    return p, q
