"""solve, compare, tightness, design, sweep, check, what is in the house, the documentation."""

import doctest
import inspect
import math
from decimal import Decimal

import pytest

import epsilary as ep
from epsilary import _ask, _catalogue, _dpsgd, _errors, _values, compat


def test_solve(command_line):
    s = ep.solve("balle2020-thm5.1", "n", target=.1, eps0=1, delta=1e-6)
    row = command_line("solve", "balle2020-thm5.1", "--for", "n", "--target", "0.1", "--eps0", 1, "--delta", "1e-6")
    assert str(s.value) == row["rows"][0]["value"] and int(s) == 164452 and float(s) == 164452
    assert s.beyond == row["rows"][0]["beyond"] and s.bound_beyond == row["rows"][0]["bound_beyond"]
    assert s.status == "found" and "164452" in repr(s) and "<pre>" in s._repr_html_() and s.to_dict()["for"] == "n"
    several = ep.solve("balle2020-thm5.1", "n", target=".1", eps0=[0.5, 1], delta=1e-6)
    assert [x.params["eps0"] for x in several] == ["0.5", "1"] and several[1].value == s.value
    never = ep.solve("balle2020-thm5.1", "eps0", target="1e-30", n=100, delta=1e-6)
    if not never:
        with pytest.raises(ep.EpsilaryError):
            never.value
    with pytest.raises(ep.UsageError, match="also to be solved for"):
        ep.solve("balle2020-thm5.1", "n", target=.1, eps0=1, n=5, delta=1e-6)
    assert ep.bound("balle2020-thm5.1").solve("n", .1, eps0=1, delta=1e-6).value == s.value


def test_compare(command_line):
    c = ep.compare("balle2020-thm5.1", "feldman2021-clones", eps0=[0.5, 1], n=1e4, delta=1e-6)
    json = command_line("compare", "balle2020-thm5.1", "feldman2021-clones", "--eps0", "0.5,1", "--n", "1e4", "--delta",
                        "1e-6")
    assert c.to_dict() == json and c.summary == json["summary"]
    assert c.lines[0]["tightest"] == "feldman2021-clones" and "tightest" in repr(c) and len(c.to_pandas()) == 2
    with pytest.raises(ep.UsageError, match="two bounds"):
        ep.compare("balle2020-thm5.1", eps0=1, n=1e4, delta=1e-6)


def test_tightness(command_line):
    t = ep.tightness("dp-sgd", n=60000, batch=600, sigma=2, T=600, delta=1e-6)
    json = command_line("tightness", "dp-sgd", "--n", 60000, "--batch", 600, "--sigma", 2, "--T", 600, "--delta", "1e-6")
    assert t.to_dict() == json
    assert t.bracket == (Decimal("0.554282"), Decimal("0.630341"))
    assert [r.bound for r in t.analyses] == [row["bound"] for row in json["rows"]]
    assert t.losses[0]["factor"] and "between" in repr(t) and "between" in t._repr_html_()
    with pytest.raises(ep.UsageError, match="unknown protocol"):
        ep.tightness("dpsgd", n=1)


def test_design():
    d = ep.design("checkin-averaged", unknown="eps0", target=0.1, n=1e4, delta=1e-6)
    found = [a for a in d.admissions if a["status"] == "found"]
    assert found and all(Decimal(a["value"]) > 0 for a in found) and d.summary and "found" in repr(d)


def test_sweep_and_plan(command_line, tmp_path):
    t = ep.sweep("balle2020-thm5.1", "feldman2021-clones", eps0="0.5:1:2", n=[1e3, 1e4], delta=1e-6)
    frame = t.to_pandas()
    assert len(t) == 8 and set(frame.columns[:4]) == {"bound", "eps0", "n", "delta"} and frame.value.notna().all()
    plan = ep.plan("balle2020-thm5.1", "feldman2021-clones", eps0="0.5:1:2", n=[1e3, 1e4], delta=1e-6)
    assert plan["rows"] == 8 and plan["seconds"] > 0
    spec = tmp_path / "mine.toml"
    spec.write_text('id = "mine"\nsource = "a test"\nbounds = ["balle2020-thm5.1"]\n[axes]\neps0 = "0.5:1:3"\n'
                    '[fixed]\nn = "1000"\ndelta = "1e-6"\n[figure]\nx = { column = "eps0", label = "x" }\n'
                    'y = { column = "value", label = "y" }\n')
    by_file = ep.sweep(spec)
    assert len(by_file) == 3 and len(ep.sweep(spec.read_text())) == 3
    assert by_file[2].value == ep.evaluate("balle2020-thm5.1", eps0=1, n=1000, delta=1e-6).value
    with pytest.raises(ep.UsageError, match="neither a spec file"):
        ep.sweep("no-such-figure")
    with pytest.raises(ep.UsageError, match="cells"):
        ep.sweep("balle2020-thm5.1", eps0="0:1:1000000", n="1:1000000:1000000", delta=1e-6)


def test_check():
    c = ep.check("balle2020-cor3.3-half", strict=True)
    assert c.findings[0]["claim"]["verdict"] == "holds with conditions" and not c.findings[0]["broken"]
    assert "verdict" in repr(c) and c.to_dict()["rows"][0]["claim"] == "balle2020-cor3.3-half"
    with pytest.raises(ep.UsageError, match="unknown claim"):
        ep.check("balle2020-nonsense")


def test_what_is_in_the_house(command_line):
    assert {b.protocol for b in ep.bounds(protocol="shuffle")} == {"shuffle"}
    assert {b.paper for b in ep.bounds(paper="balle2020")} == {"balle2020"}
    assert {b.quantity for b in ep.bounds(quantity="delta")} == {"delta"}
    assert any(b.id == "feldman2021-clones" for b in ep.bounds("clones"))
    assert len({b.id for b in ep.bounds()}) > 100
    with pytest.raises(ep.UsageError, match="unknown protocol"):
        ep.bounds(protocol="shufle")
    assert {p.key for p in ep.parameters()} >= {"eps0", "delta", "lambda"}
    assert "lambda_" in [p.argument for p in ep.parameters()] and "eps0" in repr(ep.parameters())
    assert "shuffle" in [p.name for p in ep.protocols()] and ep.protocols()[0].chain
    assert "balle2020-fig2" in [f.id for f in ep.figures()]
    claims = ep.claims()
    assert len(claims) > 20 and {"id", "verdict", "source", "text"} <= set(claims.to_pandas().columns)
    for listing in (ep.bounds(), ep.parameters(), ep.protocols(), ep.figures(), claims):
        assert "<table" in listing._repr_html_() and repr(listing) and listing.to_dict()
    assert ep.__version__ and ep.fingerprint()


def test_a_bound_is_an_object():
    b = ep.bound("feldman2021-clones")
    assert b.standing == "proved" and b.side == "upper" and "n" in b.needs and b.source and b.formula
    assert "assumes" in b.statement or "needs" in b.statement
    assert b.proof.startswith("## ") and len(b.proof) > 200  # the text itself
    assert b(eps0=1, n=10_000, delta="1e-6") == ep.evaluate("feldman2021-clones", eps0=1, n=10_000, delta="1e-6")
    assert list(inspect.signature(b).parameters)[:2] == b.needs[:2]
    assert ep.bound["feldman2021-clones"] == ep.bound.feldman2021_clones == b
    assert "feldman2021_clones" in dir(ep.bound) and "feldman2021-clones" in ep.bound._ipython_key_completions_()
    assert "clones" in repr(b) and "<table" in b._repr_html_() and b.forms and b.to_dict()["id"] == b.id
    published = ep.bound("erlingsson2019-thm7")
    assert published.standing == "published" and published.proof
    with pytest.raises(ep.UsageError, match="did you mean"):
        ep.bound("feldman2021-clone")
    with pytest.raises(AttributeError):
        ep.bound.nothing
    orders = [s for s in ep.bounds(quantity="rdp") if "lambda" in s.needs]
    assert "lambda_" in inspect.signature(orders[0]).parameters


def test_every_proved_statement_has_the_text_of_its_proof():
    without = [s.id for s in ep.bounds() if s.standing in ("proved", "repaired") and not s.proof.startswith("## ")]
    assert not without


def test_help_reads_well():
    text = ep.evaluate.__doc__
    for p in ep.parameters():
        assert p.argument in text and p.meaning in text
    for name in ep.__all__:
        thing = getattr(ep, name)
        assert inspect.getdoc(thing), name
    assert set(ep.__all__) <= set(dir(ep))


@pytest.mark.parametrize("module", [ep, _ask, _catalogue, _dpsgd, _errors, _values, compat])
def test_the_examples_in_the_documentation_run(module):
    result = doctest.testmod(module)
    assert result.failed == 0


def test_the_stubs_know_every_function(source):
    import ast

    stub = ast.parse((source / "experiments/python/epsilary/__init__.pyi").read_text())
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    names |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    assert set(ep.__all__) <= names
    evaluate = [n for n in stub.body if isinstance(n, ast.FunctionDef) and n.name == "evaluate"]
    arguments = {a.arg for n in evaluate for a in n.args.kwonlyargs}
    assert {p.argument for p in ep.parameters()} <= arguments  # or run experiments/python/make_stubs.py
    core = ast.parse((source / "experiments/python/epsilary/_core.pyi").read_text())
    known = {n.name for n in core.body if isinstance(n, ast.FunctionDef)}
    assert known == {n for n in dir(ep._core) if not n.startswith("_")}
