"""What comes out: numbers with their guarantee, in small tables that go to numpy, pandas and dict."""

from decimal import Decimal

from . import _core
from ._errors import OutsideError, UnresolvedError, UsageError, in_python, keyword


def escaped(text):
    """Safe in HTML."""
    import html

    return html.escape(str(text))


def statement_at(index):
    from ._catalogue import all_statements

    return all_statements()[index]


def _missing(bound, status, reason):
    kind = UnresolvedError if status == "unresolved" else OutsideError
    why = f"{bound} is {status}" + (f": {reason}" if reason else "")
    return kind(in_python(why), f"see: epsilary.bound('{bound}')")


class Result:
    """One statement at one point.

    `value` is the safe end for its side: rounded up for an upper bound, down for a lower one; `float()` rounds further
    the same way. Where `certified`, `lower` and `upper` enclose the exact value of the formula. A `guarantee` may be
    relied on: it is certified, its statement proved or repaired, and it is about the question that was asked. Where
    there is no number, reading it raises the `reason`; `bool()` tells.
    """

    __slots__ = ("_row",)

    def __init__(self, row):
        self._row = row

    @property
    def statement(self):
        """The Bound of this result."""
        return statement_at(self._row[0])

    @property
    def bound(self):
        """The id of the statement."""
        return self.statement.id

    @property
    def status(self):
        """ok; wide (proved, in a bracket wider than asked); vacuous (true and useless); outside (a hypothesis fails);
        unresolved."""
        return self._row[1]

    @property
    def reason(self):
        """Why there is no number, and what else is to be said of this row."""
        return in_python(self._row[2])

    def _number(self, place):
        if self._row[place] is None:
            raise _missing(self.bound, self.status, self._row[2])
        return Decimal(self._row[place])

    @property
    def value(self):
        """The safe end, as an exact Decimal."""
        return self._number(3)

    @property
    def lower(self):
        return self._number(4)

    @property
    def upper(self):
        return self._number(5)

    @property
    def certified(self):
        return self._row[6]

    @property
    def answers(self):
        """It is about the very question that was asked."""
        return self._row[7]

    @property
    def guarantee(self):
        return self._row[8]

    @property
    def params(self):
        """What was given and matters, as exact texts."""
        return dict(self._row[9])

    @property
    def at(self):
        """What the formula chose."""
        return {key: _decimal_or_text(text) for key, text in self._row[10].items()}

    @property
    def extras(self):
        """delta_total, capped and further numbers of the statement."""
        return {key: _decimal_or_text(text) for key, text in self._row[11].items()}

    @property
    def standing(self):
        return self.statement.standing

    @property
    def side(self):
        return self.statement.side

    @property
    def quantity(self):
        return self.statement.quantity

    @property
    def rounds_up(self):
        return self.side != "lower"

    def __bool__(self):
        return self._row[3] is not None

    def __float__(self):
        self._number(3)
        return _core.double_of(self._row[3], self.rounds_up)

    def to_dict(self):
        """The row of the command line's JSON: strings hold exact decimals, None is no number."""
        s, row = self.statement, self._row
        out = {"bound": s.id, "quantity": s.quantity, "side": s.side, "standing": s.standing, "status": row[1],
               "value": row[3], "lower": row[4], "upper": row[5], "certified": row[6], "answers": row[7],
               "guarantee": row[8], "protocol": s.protocol, "adjacency": s.adjacency, "view": s.view, "unit": s.unit,
               "params": dict(row[9]), "at": dict(row[10])}
        out.update(row[11])
        out["note"] = row[2]
        if not s.unit:
            del out["unit"]
        return out

    def to_pandas(self):
        """A DataFrame of one row."""
        return Table([self._row]).to_pandas()

    def to_numpy(self):
        """An array of no dimensions: the safe end, nan where there is none."""
        return Table([self._row]).values.reshape(())

    def _cells(self):
        value = "" if self._row[3] is None else self._row[3]
        if value and self._row[6] and self.side != "exact" and self._row[4] != self._row[5] and self.statement.bracket:
            value += f" [{self._row[4]}, {self._row[5]}]"
        note = self.reason if self.status == "ok" else f"{self.status}: {self.reason}" if self.reason else self.status
        return [self.bound, value or "-", self.side, self.standing, "yes" if self.guarantee else "no", note]

    def _head(self):
        return ["bound", self.quantity, "side", "standing", "guarantee", "notes"]

    def __repr__(self):
        return _text_table([self._head(), self._cells()])

    def _repr_html_(self):
        return _html_table([self._head(), self._cells()], [self.guarantee])

    def __eq__(self, other):
        return isinstance(other, Result) and self._row == other._row

    def __hash__(self):
        return hash((self._row[0], self._row[3], tuple(sorted(self._row[9].items()))))

    def __reduce__(self):
        return _restored, (self.bound, tuple(self.statement.needs), self._row)


def _restored(bound, needs, row):
    """A pickled result finds its statement by name, also in another version of the library."""
    from ._catalogue import all_statements

    for i, s in enumerate(all_statements()):
        if s.id == bound and tuple(s.needs) == needs:
            return Result((i,) + tuple(row[1:]))
    raise UsageError(f"this epsilary knows no statement {bound} with {', '.join(needs)}",
                     "unpickle with the version that wrote it")


def _decimal_or_text(text):
    try:
        return Decimal(text)
    except ArithmeticError:
        return text


def _text_table(rows):
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(str(cell).ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows)


_yes, _no = "color:#009E73", "color:#D55E00"


def _html_table(rows, guarantees=None, caption=""):
    def cell(tag, text, style=""):
        return f"<{tag} style='text-align:left;{style}'>{escaped(text)}</{tag}>"

    out = ["<table>"]
    if caption:
        out.append(f"<caption style='text-align:left'>{escaped(caption)}</caption>")
    out.append("<thead><tr>" + "".join(cell("th", t) for t in rows[0]) + "</tr></thead><tbody>")
    for i, row in enumerate(rows[1:]):
        style = "" if guarantees is None else _yes if guarantees[i] else _no
        marked = {rows[0].index(name) for name in ("guarantee", "standing") if name in rows[0]}
        out.append("<tr>" + "".join(cell("td", t, style if k in marked else "") for k, t in enumerate(row)) + "</tr>")
    return "".join(out) + "</tbody></table>"


class Table:
    """Results at many points: a sequence of Result, and arrays.

    `values` holds the safe ends as floats and nan where there is no number, `status` says why; both have the `shape` of
    the grid. `to_pandas()`, `to_numpy()` and `to_dict()` take all of it elsewhere.
    """

    shown = 12  # rows of a printed table

    def __init__(self, rows, shape=None, axes=None):
        self._rows, self.axes = rows, dict(axes or {})
        self.shape = (len(rows),) if shape is None else tuple(shape)

    def __len__(self):
        return len(self._rows)

    def _at(self, i):
        return Result(self._rows[i])

    def __getitem__(self, place):
        if isinstance(place, tuple):
            import numpy

            return self._at(int(numpy.ravel_multi_index(place, self.shape)))
        if isinstance(place, slice):
            return [self._at(i) for i in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._at(place % len(self))

    def __iter__(self):
        return (self._at(i) for i in range(len(self)))

    def _floats(self, place, up):
        import numpy

        nan = float("nan")
        return numpy.array([nan if row[place] is None else _core.double_of(row[place], up(row)) for row in self._rows]
                           ).reshape(self.shape)

    @property
    def values(self):
        """The safe ends, rounded to their safe sides; nan where there is no number."""
        return self._floats(3, lambda row: statement_at(row[0]).side != "lower")

    @property
    def lower(self):
        return self._floats(4, lambda row: False)

    @property
    def upper(self):
        return self._floats(5, lambda row: True)

    @property
    def status(self):
        import numpy

        return numpy.array([row[1] for row in self._rows], dtype=object).reshape(self.shape)

    @property
    def guarantee(self):
        import numpy

        return numpy.array([row[8] for row in self._rows], dtype=bool).reshape(self.shape)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def to_numpy(self):
        return self.values

    def to_dict(self):
        """The rows of the command line's JSON."""
        return [result.to_dict() for result in self]

    def to_pandas(self):
        """A DataFrame: bound, parameters (floats), value, lower, upper, status, standing, guarantee and the rest. Its
        numbers are floats rounded to their safe sides; the exact texts are in to_dict()."""
        import pandas

        keys = []
        for row in self._rows:
            keys += [key for key in row[9] if key not in keys]
        data = {"bound": [statement_at(row[0]).id for row in self._rows]}
        for key in keys:
            data[key] = [_float(row[9].get(key)) for row in self._rows]
        data.update(value=self.values.ravel(), lower=self.lower.ravel(), upper=self.upper.ravel(),
                    status=self.status.ravel())
        data["certified"] = [row[6] for row in self._rows]
        data["guarantee"] = [row[8] for row in self._rows]
        for name in ("quantity", "side", "standing", "protocol"):
            data[name] = [getattr(statement_at(row[0]), name) for row in self._rows]
        extras = []
        for row in self._rows:
            extras += [key for key in row[11] if key not in extras]
        for key in extras:
            data[key] = [_float(row[11].get(key)) for row in self._rows]
        data["note"] = [in_python(row[2]) for row in self._rows]
        return pandas.DataFrame(data)

    def _lines(self):
        keys = [key for key in self.axes] or sorted({key for row in self._rows[:self.shown] for key in row[9]})
        head, lines, guarantees = None, [], []
        for i in range(min(len(self), self.shown)):
            r = self._at(i)
            head = head or ["bound"] + keys + r._head()[1:]
            cells = r._cells()
            lines.append([cells[0]] + [r.params.get(key, "") for key in keys] + cells[1:])
            guarantees.append(r.guarantee)
        return [head or ["bound"]] + lines, guarantees

    def __repr__(self):
        rows, _ = self._lines()
        more = f"\n... {len(self)} rows, shape {self.shape}" if len(self) > self.shown else ""
        return _text_table(rows) + more

    def _repr_html_(self):
        rows, guarantees = self._lines()
        more = f"<p>{len(self)} rows, shape {self.shape}</p>" if len(self) > self.shown else ""
        return _html_table(rows, guarantees) + more


def _float(text):
    if text is None:
        return float("nan")
    try:
        if "/" in text:
            above, below = text.split("/")
            return float(above) / float(below)
        return float(text)
    except ValueError:
        return text


class DoubleTable(Table):
    """The same in double, for speed: numbers as computed, certified by nobody."""

    def __init__(self, statement, values, codes, shape, axes, ask):
        self._statement, self._values, self._codes, self._ask = statement, values, codes, ask
        self.shape, self.axes = tuple(shape), dict(axes)

    def __len__(self):
        return len(self._values)

    def _at(self, i):
        return self._ask(i)

    @property
    def values(self):
        return self._values.reshape(self.shape)

    lower = upper = values

    @property
    def status(self):
        import numpy

        return numpy.array(_core.statuses(), dtype=object)[self._codes].reshape(self.shape)

    @property
    def guarantee(self):
        import numpy

        return numpy.zeros(self.shape, dtype=bool)

    @property
    def _rows(self):
        return [self._at(i)._row for i in range(len(self))]

    def __getstate__(self):
        return {"_table": Table(self._rows, self.shape, self.axes), "values": self._values, "codes": self._codes,
                "statement": self._statement}

    def __setstate__(self, state):
        table = state["_table"]
        self.__init__(state["statement"], state["values"], state["codes"], table.shape, table.axes, table._at)

    def to_pandas(self):
        import numpy
        import pandas

        data = {"bound": [statement_at(self._statement).id] * len(self)}
        grid = numpy.indices(self.shape).reshape(len(self.shape), -1) if self.shape else numpy.zeros((0, 1), int)
        for axis, (key, values) in enumerate(self.axes.items()):
            if len(self.axes) == len(self.shape):
                data[key] = numpy.array([_float(v) if isinstance(v, str) else float(v) for v in values])[grid[axis]]
        data.update(value=self._values, status=self.status.ravel())
        return pandas.DataFrame(data)


class Report:
    """An answer of several parts. It prints as on the command line; its fields are attributes; `to_dict()` is the
    command line's JSON."""

    def __init__(self, raw, **fields):
        self._text, self._json = in_python(raw["text"]), raw["json"]
        self.notes = [in_python(note) for note in raw["notes"]]
        self.__dict__.update(fields)

    def __repr__(self):
        return self._text.rstrip("\n")

    def to_dict(self):
        import json

        return json.loads(self._json)

    def to_pandas(self):
        import pandas

        return pandas.DataFrame([_flat(row) for row in self.to_dict()["rows"]])

    def to_numpy(self):
        return self.to_pandas().to_numpy()

    def _repr_html_(self):
        out = []
        hidden = {"adjacency", "view", "unit", "answers"}
        rows = [_flat(row) for row in self.to_dict()["rows"]]
        if rows:
            head = [key for key in rows[0] if key not in hidden]
            good = [str(row.get("guarantee", "true")).lower() == "true" for row in rows]
            out.append(_html_table([head] + [[_shown(row.get(key)) for key in head] for row in rows], good))
        out += [f"<p>{escaped(sentence)}</p>" for sentence in getattr(self, "summary", [])]
        return "".join(out)


def _shown(x):
    return "" if x is None else x


def _flat(row):
    out = {}
    for key, value in row.items():
        if isinstance(value, dict):
            out.update(value)
        else:
            out[key] = value
    return out


class Solution:
    """The value of a parameter at which a statement meets a target: proved there, and broken at `beyond`."""

    def __init__(self, raw, unknown, target, bound, rounds_up):
        self._raw, self.unknown, self.bound, self._up = raw, unknown, bound, rounds_up
        self.target = _decimal_or_text(target)
        self.status, self.params, self.beyond = raw["status"], raw["params"], raw["beyond"]
        self.bound_at_value, self.bound_beyond = raw["bound_at_value"], raw["bound_beyond"]
        self.delta_total, self.note = raw["delta_total"], in_python(raw["note"])

    @property
    def value(self):
        """The value of the unknown, as an exact Decimal; raises the reason where there is none."""
        if self._raw["value"] is None:
            from ._errors import raise_for

            raise_for(self._raw["problem"])
        return Decimal(self._raw["value"])

    def __bool__(self):
        return self._raw["value"] is not None

    def __float__(self):
        return _core.double_of(str(self.value), self._up)

    def __int__(self):
        return int(self.value)

    def to_dict(self):
        return {"bound": self.bound, "for": self.unknown, "target": str(self.target), **self._raw["params"],
                **{key: value for key, value in self._raw.items() if key not in ("params", "problem")}}

    def __repr__(self):
        if not self:
            return f"{keyword(self.unknown)}: {self.status} ({self.bound})"
        return (f"{keyword(self.unknown)} = {self._raw['value']}\n  {self.bound} is {self.bound_at_value} there"
                + (f"\n  at {keyword(self.unknown)} = {self.beyond} it is {self.bound_beyond}" if self.beyond else ""))

    def _repr_html_(self):
        return f"<pre>{escaped(repr(self))}</pre>"


class Bracket:
    """A number proved to lie between `lower` and `upper`. `float()` is the upper end, rounded up."""

    __slots__ = ("status", "quantity", "_lower", "_upper", "_problem", "normalized")

    def __init__(self, raw, quantity, normalized=False):
        self.status, self.quantity, self.normalized = raw["status"], quantity, normalized
        self._lower, self._upper, self._problem = raw["lower"], raw["upper"], raw["problem"]

    def _end(self, text):
        if text is None:
            from ._errors import raise_for

            raise_for(self._problem)
        return Decimal(text)

    @property
    def lower(self):
        return self._end(self._lower)

    @property
    def upper(self):
        return self._end(self._upper)

    def __bool__(self):
        return self._upper is not None

    def __float__(self):
        self._end(self._upper)
        return _core.double_of(self._upper, True)

    def __contains__(self, x):
        from fractions import Fraction

        return Fraction(self.lower) <= Fraction(x) <= Fraction(self.upper)

    def to_dict(self):
        return {"quantity": self.quantity, "status": self.status, "lower": self._lower, "upper": self._upper}

    def __repr__(self):
        if not self:
            return f"{self.quantity}: {self.status} ({self._problem[1]})"
        wide = "" if self.status == "ok" else f" ({self.status})"
        return f"{self.quantity} in [{self._lower}, {self._upper}]{wide}"

    def _repr_html_(self):
        return f"<code>{escaped(repr(self))}</code>"

    def __reduce__(self):
        raw = {"status": self.status, "lower": self._lower, "upper": self._upper, "problem": self._problem}
        return Bracket, (raw, self.quantity, self.normalized)
