"""Numbers on their way in: exact, whatever they are."""

import decimal
import fractions
import numbers

from ._errors import UsageError, keyword


def text(value, key="a value"):
    """The exact text of one number: strings, ints, Fractions and Decimals are what they are, a float is its shortest
    decimal."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        raise UsageError(f"{key} is {value}", "give a number", key)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise UsageError(f"{key} is {value}", "give a finite number", key)
        return str(value)
    if isinstance(value, numbers.Rational):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, numbers.Real) or hasattr(value, "__float__"):
        x = float(value)
        if x != x or x in (float("inf"), float("-inf")):
            raise UsageError(f"{key} is {x}", "give a finite number", key)
        # A float of fewer bits has a shorter decimal of its own: np.float32(0.1) is one tenth too.
        return shortest(value) if type(value).__name__ in ("float32", "float16") else repr(x)
    raise UsageError(f"{key} is {value!r}, which is no number", "give a number, its text, a Fraction or a Decimal", key)


def shortest(value):
    import numpy

    return numpy.format_float_positional(value, unique=True, trim="-") if 1e-4 < abs(value) < 1e16 else str(value)


def is_many(value):
    return not isinstance(value, str) and hasattr(value, "__len__") and not isinstance(value, Randomizer)


def key_of(name):
    """lambda_ is how Python's callers write lambda."""
    return "lambda" if name in ("lambda_", "lam") else name


def one(name, value):
    """The text of one parameter: a number, a randomizer, or a sequence of steps."""
    key = key_of(name)
    if key == "randomizer":
        return str(value) if isinstance(value, (str, Randomizer)) else str(Randomizer(value))
    if key == "steps" and is_many(value):
        return "+".join(text(x, key) for x in value)
    return text(value, keyword(key))


def given(parameters, grids=True):
    """Keys and texts, as the library takes them; with `grids`, a list is a list of values."""
    out = []
    for name, value in parameters.items():
        if value is None:
            continue
        key = key_of(name)
        if grids and is_many(value) and key not in ("randomizer", "steps"):
            out.append((key, ",".join(text(x, keyword(key)) for x in flat(value, key))))
        else:
            out.append((key, one(name, value)))
    return out


def flat(value, key):
    values = list(value)
    if not values:
        raise UsageError(f"{key} has no values", "give at least one", key)
    if getattr(value, "ndim", 1) != 1 or any(is_many(x) for x in values):
        raise UsageError(f"{key} has more than one dimension",
                         "give one-dimensional lists, which span a grid; or elementwise=True, where arrays broadcast", key)
    return values


class Randomizer:
    """A local randomizer by its probabilities: a row for every input, a column for every output.

    Strings, ints, Fractions and Decimals are exact, and a row of them must add up to 1. A row of floats cannot hold
    1/3: where it misses 1 by rounding alone, each probability is divided by the exact sum of the row (`normalized`).

    >>> import epsilary
    >>> epsilary.Randomizer([["3/4", "1/4"], ["1/4", "3/4"]]).normalized
    False
    """

    def __init__(self, matrix):
        if isinstance(matrix, str):
            self.normalized, self._text = False, matrix
            return
        self.normalized = False
        rows = []
        for number, row in enumerate(matrix, 1):
            exact = [fractions.Fraction(text(x, f"row {number} of the randomizer")) for x in row]
            total = sum(exact)
            rounded = any(isinstance(x, float) or type(x).__name__.startswith("float") for x in row)
            if total != 1 and rounded and abs(total - 1) < fractions.Fraction(1, 10**9):
                exact, self.normalized = [x / total for x in exact], True
            rows.append(",".join(f"{x.numerator}/{x.denominator}" for x in exact))
        self._text = ";".join(rows)

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"Randomizer({self._text!r})"

    def __eq__(self, other):
        return isinstance(other, Randomizer) and self._text == other._text

    def __hash__(self):
        return hash(self._text)


def options(**given):
    """Only what was given; the rest is the library's own."""
    return {name: value for name, value in given.items() if value is not None}
