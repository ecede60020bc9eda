"""What is in the house: statements, parameters, protocols, figures and claims."""

import functools

from . import _core
from ._errors import in_python, keyword
from ._results import _html_table, _text_table


class Parameter:
    """A parameter: its key has one meaning, one unit and one domain everywhere."""

    __slots__ = ("key", "meaning", "unit", "domain", "example")

    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    @property
    def argument(self):
        """Its key as an argument: lambda is a word of Python, so lambda_."""
        return keyword(self.key)

    def __repr__(self):
        unit = f", {self.unit}" if self.unit else ""
        return f"{self.argument}: {self.meaning}{unit} ({self.domain})"


class Listing(list):
    """A list that prints as a table."""

    columns = ()

    def __init__(self, items, columns):
        super().__init__(items)
        self.columns = columns

    def _rows(self):
        return [list(self.columns)] + [[_joined(getattr(x, c, "")) for c in self.columns] for x in self]

    def __repr__(self):
        return _text_table(self._rows()) if self else "nothing"

    def _repr_html_(self):
        return _html_table(self._rows())

    def to_dict(self):
        return [{name: getattr(x, name) for name in getattr(x, "fields", self.columns)} for x in self]

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self.to_dict())

    def __reduce__(self):
        return Listing, (list(self), self.columns)


def _joined(x):
    return ", ".join(x) if isinstance(x, (list, tuple)) else str(x)


class Bound:
    """A statement of a paper: what it says, what it needs, what it is worth. Called, it is evaluated.

    `title`, `source`, `formula` (TeX), `protocol`, `quantity`, `side`, `standing` and `worth` (the standing in words),
    `note` (the erratum), `assumes` (its hypotheses), `needs` and `takes` (parameters), `proof` (the whole text),
    `statement` (all of it, to read), `example`.
    """

    fields = ("id", "title", "paper", "source", "formula", "protocol", "quantity", "side", "standing", "worth", "note",
              "proof_at", "adjacency", "view", "neighbours", "unit", "needs", "takes", "rises", "falls", "turns",
              "assumes", "reliable", "bracket")

    def __init__(self, fields):
        self.__dict__.update(fields)

    @property
    def statement(self):
        """The statement at length, with every form it has."""
        return in_python(_core.describe_text(self.id))

    @property
    def proof(self):
        """The proof, in Markdown, where one is written here; else where it stands."""
        return _core.proof_text(self.id) or self.proof_at

    @property
    def example(self):
        """A call that runs."""
        words = _core.example(self.id).split()
        arguments = [f"{keyword(key[2:])}={value!r}" for key, value in zip(words[3::2], words[4::2])]
        return f"epsilary.evaluate({self.id!r}, {', '.join(arguments)})"

    @property
    def forms(self):
        """Every form: they differ in the parameters they need."""
        return [Bound(fields) for fields in _core.describe(self.id)]

    def __call__(self, **parameters):
        from ._ask import evaluate

        return evaluate(self.id, **parameters)

    @property
    def __signature__(self):
        keys = []
        for form in self.forms:
            keys += [key for key in form.needs + form.takes if key not in keys]
        import inspect

        only = inspect.Parameter.KEYWORD_ONLY
        return inspect.Signature([inspect.Parameter(keyword(key), only, default=None) for key in keys])

    def solve(self, unknown, target, **parameters):
        """The value of one parameter at which this bound meets a target."""
        from ._ask import solve

        return solve(self.id, unknown, target, **parameters)

    def __repr__(self):
        return self.statement.rstrip("\n")

    def _repr_html_(self):
        rows = [["field", "what it says"]]
        for name in ("title", "source", "protocol", "quantity", "side", "standing", "worth", "note", "neighbours",
                     "needs", "takes", "assumes", "unit"):
            if getattr(self, name):
                rows.append([name, _joined(getattr(self, name))])
        formula = f"<p>$${self.formula}$$</p>" if self.formula else ""
        return f"<h4>{self.id}</h4>" + _html_table(rows) + formula

    def to_dict(self):
        return {name: getattr(self, name) for name in self.fields}

    def __eq__(self, other):
        return isinstance(other, Bound) and (self.id, self.needs) == (other.id, other.needs)

    def __hash__(self):
        return hash((self.id, tuple(self.needs)))


@functools.lru_cache(maxsize=None)
def all_statements():
    """Every form of every statement, in the library's order."""
    return [Bound(fields) for fields in _core.statements()]


def _name(id):
    return id.replace("-", "_").replace(".", "_")


class Bounds:
    """`epsilary.bound("feldman2021-clones")`, or `epsilary.bound["feldman2021-clones"]`, or
    `epsilary.bound.feldman2021_clones`: a statement as an object. The last two complete by tab."""

    __name__ = "bound"

    def __call__(self, id):
        """The statement of this id; an unknown one gets a "did you mean"."""
        return Bound(_core.describe(id)[0])

    __getitem__ = __call__

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        for id in self._ipython_key_completions_():
            if _name(id) == name:
                return self(id)
        raise AttributeError(f"no bound is called {name}; epsilary.bounds() lists them")

    def _ipython_key_completions_(self):
        return list(dict.fromkeys(s.id for s in all_statements()))

    def __dir__(self):
        return [_name(id) for id in self._ipython_key_completions_()]

    def __repr__(self):
        return f"<epsilary.bound: {len(self._ipython_key_completions_())} statements; epsilary.bounds() lists them>"


bound = Bounds()


def bounds(word=None, *, protocol=None, paper=None, quantity=None):
    """The statements that have all that is said here; without arguments, all of them.

    word: looked for in every text of a statement. protocol, paper, quantity: as the statements spell them.
    """
    found = _core.statements_with(protocol or "", paper or "", quantity or "", word or "")
    return Listing([Bound(fields) for fields in found], ("id", "quantity", "side", "standing", "needs", "title"))


def parameters():
    """The vocabulary: every parameter has one key, one meaning, one unit and one domain."""
    return Listing([Parameter(**fields) for fields in _core.parameters()],
                   ("argument", "domain", "meaning", "unit", "example"))


class Entry:
    """One line of a list: its fields are attributes."""

    def __init__(self, fields):
        self.__dict__.update(fields)
        self.fields = tuple(fields)

    def __repr__(self):
        return "\n".join(f"{name}: {getattr(self, name)}" for name in self.fields)


def protocols():
    """The protocols that `tightness` knows, with the chain of their analyses."""
    return Listing([Entry(fields) for fields in _core.protocols()], ("name", "words"))


def figures():
    """The papers' figures that `plot` draws and `sweep` computes."""
    return Listing([Entry(fields) for fields in _core.figures()], ("id", "source", "rows"))


def claims():
    """The ledger: each quantitative sentence of the papers, with a verdict. `check` computes them."""
    return Listing([Entry(fields) for fields in _core.claims()], ("id", "verdict", "source", "text"))


def parameter_lines():
    """The vocabulary as lines of a docstring."""
    out = []
    for fields in _core.parameters():
        p = Parameter(**fields)
        unit = f", {p.unit}" if p.unit else ""
        out.append(f"    {p.argument:<12}{p.meaning}{unit} ({p.domain})")
    return "\n".join(out)
