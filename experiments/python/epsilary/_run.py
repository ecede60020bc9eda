"""Protocols that run: simulate, audit, train."""

import os
from decimal import Decimal

from . import _core
from ._ask import watching
from ._catalogue import Entry, Listing
from ._errors import UsageError, raise_for
from ._results import Report
from ._values import given, options, text


def _repetition(runs, seed, confidence):
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise UsageError(f"seed is {seed!r}", "give a whole number from 0 to 2^64 - 1", "seed")
    return {"runs": "" if runs is None else text(runs, "runs"), "seed": seed,
            "confidence": text(confidence, "confidence")}


class Simulation(Report):
    """What the runs of a protocol show of the statements about it.

    `rows` is a list of dicts: what, statement, side, stated, simulated, low, high, agrees. `where` has the parameters,
    `runs` their number, `confidence` the probability that all intervals hold; `agrees` is whether every row does.
    """

    @property
    def agrees(self):
        return all(row["agrees"] for row in self.rows)


def simulate(protocol, *, runs=None, seed=1, confidence="0.99", digits=None, threads=None, progress=False,
             **parameters):
    """Run a protocol and hold what is counted against the statements about it: dummy updates, loads, check-ins, bits,
    variances, risks.

    >>> import epsilary as ep
    >>> s = ep.simulate("checkin-fixed", runs=100)
    >>> s.agrees, s.runs
    (True, 100)

    protocol     as `epsilary simulate` names them; parameters that are left out have the protocol's usual values, and
                 `where` says which.
    runs         how often (10^4).
    seed         the same seed gives the same answer on any number of threads.
    confidence   with which all intervals hold together, for every law.
    """
    o = options(digits=digits, threads=threads)
    with watching(progress) as report:
        raw = _core.simulate(protocol, given(parameters), _repetition(runs, seed, confidence), o, report)
    raise_for(raw["problem"])
    return Simulation(raw, protocol=raw["protocol"], where=raw["where"], runs=raw["runs"],
                      confidence=raw["confidence"], rows=raw["rows"])


class Audit(Report):
    """Epsilon as it was measured.

    `measured` holds with `confidence`, by counting alone; `attained` is what these two data sets cost by a proof
    (`attained_by`), `share` how much of it was measured; `lower` and `upper` are what is proved of the protocol, and
    `uppers` every proved upper bound with whether the measurement lies below it. Numbers are exact Decimals, None where
    there is none.
    """

    @property
    def agrees(self):
        """No proved upper bound is below what was measured."""
        return all(u["below"] for u in self.uppers)


def audit(protocol, *, runs=None, seed=1, confidence="0.99", digits=None, patience=None, threads=None, progress=False,
          **parameters):
    """Measure epsilon: run a protocol on the worst known pair of data sets and count how well they can be told apart.

    >>> import epsilary as ep
    >>> a = ep.audit("shuffle", eps0=3, n=20, delta="0.01", runs=2000)
    >>> a.agrees, 0 <= a.measured <= a.upper
    (True, True)

    runs         how often (10^6).
    confidence   with which `measured` is a lower bound on epsilon (Clopper and Pearson).
    seed         the same seed gives the same answer on any number of threads.
    """
    o = options(digits=digits, patience=patience, threads=threads)
    with watching(progress) as report:
        raw = _core.audit(protocol, given(parameters), _repetition(runs, seed, confidence), o, report)
    raise_for(raw["problem"])

    def number(x):
        return None if x is None else Decimal(x)

    fields = {key: raw[key] for key in ("protocol", "where", "data", "randomizer", "runs", "hits", "misses",
                                        "confidence", "attained_by", "share", "lower_by", "upper_by")}
    return Audit(raw, **fields, **{key: number(raw[key]) for key in ("measured", "attained", "lower", "upper")},
                 uppers=[{**u, "value": number(u["value"])} for u in raw["uppers"]])


class Trained(Report):
    """Accuracies in percent and epsilons of a training: `rows` as in the CSV of the command line, texts, a row
    "training" and one for each accountant at every number of rounds; `spec` and `origin` say of what."""

    def to_pandas(self):
        import pandas

        frame = pandas.DataFrame(self.rows)
        for column in ("T", "value", "accuracy", "deviation", "low", "high", "seeds", "loss"):
            frame[column] = pandas.to_numeric(frame[column])
        return frame


def train(spec, *, data, seeds=None, journal="", digits=None, threads=None, progress=False):
    """Train a network privately on images of digits, with its accuracy over the epsilon of every accountant.

    >>> import epsilary as ep
    >>> ep.train("girgis2021-mnist-coordinate", data="mnist", seeds=1).to_pandas()    # doctest: +SKIP

    spec      the id of a training (`epsilary.trainings()`), the name of a spec file (.toml) or its text.
    data      the folder with the four files of MNIST, gzipped or not; experiments/learning/fetch-mnist gets them.
    seeds     1, 2, ..., so many; None: as the spec says.
    journal   a file that keeps how far it is: stopped, the same call goes on and ends with the same numbers.
    progress  True for a bar, or a function of rounds done and all rounds. Ctrl-C stops after the round in hand.
    """
    if seeds is not None and (isinstance(seeds, bool) or int(seeds) != seeds or seeds < 1):
        raise UsageError(f"seeds is {seeds!r}", "give a whole number from 1 on", "seeds")
    name = os.fspath(spec) if isinstance(spec, os.PathLike) else getattr(spec, "id", spec)
    request = {"spec": "" if "\n" in name else name, "toml": name if "\n" in name else "", "data": os.fspath(data),
               "journal": os.fspath(journal), "seeds": int(seeds or 0)}
    with watching(progress) as report:
        raw = _core.train(request, options(digits=digits, threads=threads), report)
    raise_for(raw["problem"])
    rows = [dict(zip(raw["columns"], row)) for row in raw["rows"]]
    return Trained(raw, spec=raw["spec"], origin=raw["origin"], rows=rows)


def trainings():
    """The trainings that ship with the package: id, source, caption, seeds, rounds."""
    return Listing([Entry(fields) for fields in _core.trainings()], ("id", "seeds", "rounds", "source"))
