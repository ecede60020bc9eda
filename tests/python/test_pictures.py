"""Figures, notebooks, and what the README shows."""

import json
import re

import pytest

import epsilary as ep

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402


def test_a_paper_figure_by_matplotlib(tmp_path):
    ax = ep.plot("balle2020-fig2", file=tmp_path / "fig2.png")
    assert (tmp_path / "fig2.png").stat().st_size > 10_000
    used = {line.get_color() for line in ax.lines}
    assert used <= set(ep.colors()) | {"#999999"} and len(used) > 1
    assert ax.get_xlabel() and ax.get_ylabel() and ax.get_legend()
    assert "10^{-6}" in ax.get_title()  # the fixed parameters stand on the picture
    ax.figure.canvas.draw()
    legend, box = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert legend.y1 <= box.y0 and box.width > 0.8 * ax.figure.bbox.width  # the legend takes no width
    pyplot.close("all")


def test_a_table_of_a_paper_and_long_titles():
    ax = ep.plot("balle2020-table1")
    assert {"none", "uniform subsampling"} <= {c.get_text().get_text() for c in ax.tables[0].get_celld().values()}
    title = ep._draw._title(", ".join(f"a_{i} = 10^{{-{i}}}" for i in range(20)))
    assert "\n" in title and "$10^{-3}$" in title and "$a_{3}$" in title
    pyplot.close("all")


def test_a_figure_is_reproduced_with_its_table_and_the_claims(tmp_path):
    page = ep.reproduce("balle2020-dummy-updates-sliding", folder=tmp_path / "out")
    assert page == str(tmp_path / "out/index.html")
    assert "balle2020-dummy-updates-sliding" in (tmp_path / "out/index.html").read_text()
    for kind in ("csv", "svg", "png", "pdf", "gp", "tex"):
        assert (tmp_path / f"out/balle2020-dummy-updates-sliding.{kind}").stat().st_size > 100
    with pytest.raises(ep.UsageError):
        ep.reproduce("no-such-figure", folder=tmp_path)


def test_a_table_is_drawn_plainly_and_into_given_axes(tmp_path):
    table = tmp_path / "mine.csv"
    ep.sweep("balle2020-thm5.1", "feldman2021-clones", eps0="0.1:1:5", n=1000, delta=1e-6).to_pandas().to_csv(
        table, index=False)
    _, ax = pyplot.subplots()
    assert ep.plot(table, ax, x="eps0", y="value", colors="bound") is ax and len(ax.lines) >= 2  # faded where vacuous
    pyplot.close("all")
    with pytest.raises(ep.UsageError):
        ep.plot("no-such-figure")


def test_gnuplot_writes_a_script(tmp_path):
    out = ep.plot("balle2020-fig2", backend="gnuplot", file=tmp_path / "fig2.gp")
    assert out == str(tmp_path / "fig2.gp") and "plot" in (tmp_path / "fig2.gp").read_text()


MAP = """
id = "small-map"
source = "a test"
caption = "who wins"
bounds = ["balle2020-thm5.1", "balle2019-stated"]
[axes]
n = "1e2:1e6:9:log"
eps0 = "0.5:3:8"
[fixed]
delta = "1e-6"
[figure]
x = { column = "n", label = "users n", scale = "log" }
y = { column = "eps0", label = "local ε_0" }
[figure.map]
shows = "winner"
bounds = ["balle2020-thm5.1", "balle2019-stated"]
labels = ["Theorem 5.1", "blanket"]
"""


def test_a_map(tmp_path):
    (tmp_path / "map.toml").write_text(MAP)
    ax = ep.plot(tmp_path / "map.toml", file=tmp_path / "map.png")
    assert ax.collections and ax.get_xscale() == "log" and (tmp_path / "map.png").stat().st_size > 5_000
    assert {t.get_text() for t in ax.get_legend().get_texts()} <= {"Theorem 5.1", "blanket"}
    pyplot.close("all")


def test_the_style_of_the_house():
    with matplotlib.rc_context(ep.style()):
        _, ax = pyplot.subplots()
        line, = ax.plot([1, 2])
        assert line.get_color() == ep.colors()[0] == "#0072B2"
    pyplot.close("all")


NOTEBOOKS = ["figure2.ipynb", "deployment.ipynb"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_from_its_first_cell_to_its_last(name, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((source / "experiments/python/notebooks" / name).read_text())
    cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    assert len(cells) > 4 and any(c["cell_type"] == "markdown" for c in notebook["cells"])
    space = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        assert not cell["outputs"]  # outputs are made, not kept
        try:
            exec(compile("".join(cell["source"]), f"{name}, cell {number}", "exec"), space)
        except Exception as fault:
            pytest.fail(f"{name}, cell {number}: {fault!r}")
    assert pyplot.get_fignums(), "no picture"
    pyplot.close("all")


def test_the_readme_shows_what_python_says(source):
    readme = (source / "README.md").read_text()
    section = readme[readme.index("\n## From Python") + 4:].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.S)
    assert blocks
    import doctest

    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
        assert test.examples
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        out = []
        runner.run(test, out=out.append)
        assert runner.failures == 0, "".join(out)
