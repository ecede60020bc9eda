#!/usr/bin/env python3
"""Writes epsilary/__init__.pyi: the public functions with the parameters of the vocabulary spelled out, so that editors
complete them. Run it when a parameter is added; a test says when.

    PYTHONPATH=build/release/python python3 experiments/python/make_stubs.py
"""

import pathlib
import sys

sys.path.pop(0)  # the sources beside this file have no compiled part
import epsilary

HEAD = '''# Made by experiments/python/make_stubs.py from the vocabulary of the library.
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from typing import Any, Callable, Iterable, Optional, Sequence, Union, overload

from . import compat as compat
from ._ask import Tightness as Tightness
from ._catalogue import Bound as Bound, Bounds, Listing
from ._dpsgd import Calibration, DpSgd
from ._errors import CheckFailed as CheckFailed, CouldNotError as CouldNotError, EpsilaryError as EpsilaryError
from ._errors import OutsideError as OutsideError, UnresolvedError as UnresolvedError, UsageError as UsageError
from ._run import Audit, Simulation, Trained
from ._results import Bracket as Bracket, Report, Result as Result, Solution, Table as Table
from ._values import Randomizer as Randomizer

Number = Union[str, int, float, Fraction, Decimal]
Values = Union[Number, Sequence[Number], Any]  # also arrays of numpy
Progress = Union[bool, Callable[[int, int], Any]]

__version__: str
bound: Bounds

'''

OPTIONS = ["digits: Optional[int] = None", "precision: Optional[str] = None", "patience: Optional[int] = None",
           "threads: Optional[int] = None", "adjacency: Optional[str] = None", "view: Optional[str] = None"]
TAIL = '''
def bounds(word: Optional[str] = None, *, protocol: Optional[str] = None, paper: Optional[str] = None,
           quantity: Optional[str] = None) -> Listing: ...
def parameters() -> Listing: ...
def protocols() -> Listing: ...
def figures() -> Listing: ...
def claims() -> Listing: ...
def check(*claims: str, threads: Optional[int] = None, strict: bool = False) -> Report: ...
def compose(p: Any = None, q: Any = None, *, times: int = 1, pairs: Optional[Iterable[Any]] = None,
            segments: Optional[Iterable[Any]] = None, sampling: str = "poisson", epsilon: Optional[Number] = None,
            delta: Optional[Number] = None, normalize: Optional[bool] = None, digits: Optional[int] = None,
            patience: Optional[int] = None) -> Bracket: ...
def dp_sgd(*, n: Number, batch: Number, noise_multiplier: Number, epochs: Optional[Number] = None,
           steps: Optional[int] = None, delta: Number, sampling: str = "poisson", peers: bool = False,
           digits: Optional[int] = None, patience: Optional[int] = None) -> DpSgd: ...
def calibrate(*, n: Number, batch: Number, epochs: Optional[Number] = None, steps: Optional[int] = None, delta: Number,
              epsilon: Number, sampling: str = "poisson", digits: Optional[int] = None,
              patience: Optional[int] = None) -> Calibration: ...
def plot(what: Union[str, PathLike[str]], ax: Any = None, *, file: Union[str, PathLike[str], None] = None,
         backend: str = "matplotlib", like: str = "", x: str = "", y: str = "", colors: str = "", log_x: bool = False,
         log_y: bool = False, digits: Optional[int] = None, precision: Optional[str] = None,
         patience: Optional[int] = None, threads: Optional[int] = None, progress: Progress = False) -> Any: ...
def train(spec: Union[str, PathLike[str], Any], *, data: Union[str, PathLike[str]], seeds: Optional[int] = None,
          journal: Union[str, PathLike[str]] = "", digits: Optional[int] = None, threads: Optional[int] = None,
          progress: Progress = False) -> Trained: ...
def trainings() -> Listing: ...
def style() -> dict[str, Any]: ...
def colors() -> list[str]: ...
def reproduce(*figures: str, folder: Union[str, PathLike[str]], digits: Optional[int] = None,
              threads: Optional[int] = None, progress: Progress = False) -> str: ...
def fingerprint() -> str: ...
'''


def function(name, first, options, result, overloaded=False):
    parameters = [f"{p.argument}: Optional[{{kind}}] = None" for p in epsilary.parameters()]
    lines = first + options + [p.format(kind="Values") for p in parameters]
    head = "@overload\n" if overloaded else ""
    return head + f"def {name}(\n    " + ",\n    ".join(lines) + f",\n) -> {result}: ...\n"


def stubs():
    out = HEAD
    more = ["elementwise: bool = False", "progress: Progress = False"]
    out += function("evaluate", ["bound: str", "/", "*"], OPTIONS + more, "Union[Result, Table]", True)
    out += function("evaluate", ["bound: Union[str, Bound, Sequence[str], None] = None", "*more: str"],
                    OPTIONS + more, "Union[Result, Table, Report]", True)
    out += function("solve", ["bound: Union[str, Bound]", "unknown: str", "target: Number", "*"], OPTIONS[:1] + OPTIONS[2:],
                    "Union[Solution, list[Solution]]")
    out += function("compare", ["*bounds: Union[str, Bound]"], OPTIONS, "Report")
    out += function("tightness", ["*protocols: str"], OPTIONS[:1] + OPTIONS[2:], "Tightness")
    out += function("design", ["*protocols: str", "unknown: str", "target: Number"], OPTIONS[:1] + OPTIONS[2:], "Report")
    what = ["what: Union[str, PathLike[str], Sequence[str]]", "*more: str"]
    out += function("sweep", what + ['journal: Union[str, PathLike[str]] = ""', "any_size: bool = False"],
                    OPTIONS + ["progress: Progress = False"], "Table")
    out += function("plan", what + ["any_size: bool = False"], OPTIONS[:4], "dict[str, Any]")
    often = ["protocol: str", "*", "runs: Optional[Number] = None", "seed: int = 1", 'confidence: Number = "0.99"']
    out += function("simulate", often, [OPTIONS[0], OPTIONS[3], "progress: Progress = False"], "Simulation")
    out += function("audit", often, [OPTIONS[0], OPTIONS[2], OPTIONS[3], "progress: Progress = False"], "Audit")
    return out + TAIL


if __name__ == "__main__":
    file = pathlib.Path(__file__).parent / "epsilary/__init__.pyi"
    file.write_text(stubs())
    print(file)
