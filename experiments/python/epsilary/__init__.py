"""epsilary: privacy-amplification theorems with proven digits.

    import epsilary as ep
    r = ep.evaluate("feldman2021-clones", eps0=1, n=10_000, delta="1e-6")
    float(r), r.guarantee

What is there: `bounds()`, `bound(id)`, `parameters()`, `protocols()`, `figures()`, `claims()`.
Questions: `evaluate`, `solve`, `compare`, `tightness`, `design`, `sweep`, `plan`, `check`, `compose`.
DP-SGD: `dp_sgd`, `calibrate`. Pictures: `plot`, `style`, `colors`, `reproduce`. Other accountants: `epsilary.compat`.
Protocols that run: `simulate`, `audit`, `train`, `trainings()`.

Numbers go in exactly ("1e-6", Fraction(1, 3), Decimal; a float is its shortest decimal) and come out rounded to their
safe side. What cannot be done raises an EpsilaryError that says what is wrong and what to do.
"""

from . import _core
from ._ask import check, compare, compose, design, evaluate, plan, solve, sweep, tightness
from ._catalogue import Bound, bound, bounds, claims, figures, parameters, protocols
from ._dpsgd import calibrate, dp_sgd
from ._draw import colors, plot, reproduce, style
from ._errors import CheckFailed, CouldNotError, EpsilaryError, OutsideError, UnresolvedError, UsageError
from ._results import Bracket, Result, Table
from ._run import audit, simulate, train, trainings
from ._values import Randomizer

__version__ = _core.version()

__all__ = ["Bound", "Bracket", "CheckFailed", "CouldNotError", "EpsilaryError", "OutsideError", "Randomizer", "Result",
           "Table", "UnresolvedError", "UsageError", "audit", "bound", "bounds", "calibrate", "check", "claims", "colors",
           "compare", "compat", "compose", "design", "dp_sgd", "evaluate", "figures", "fingerprint", "parameters",
           "plan", "plot", "protocols", "reproduce", "simulate", "solve", "style", "sweep", "tightness", "train",
           "trainings"]


def fingerprint():
    """The sources the numbers come from: the same fingerprint gives the same digits."""
    return _core.fingerprint()


def __getattr__(name):
    if name == "compat":
        import importlib

        return importlib.import_module(".compat", __name__)
    raise AttributeError(f"module 'epsilary' has no attribute {name!r}")


def __dir__():
    return __all__ + ["__version__"]
