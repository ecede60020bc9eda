"""Pictures: the papers' figures by matplotlib, in the colours of the house, or by gnuplot into a file."""

import os

from . import _core
from ._ask import watching
from ._values import options

_dashes = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-.", "points": "none"}


def style():
    """matplotlib's settings of the house, for `matplotlib.style.context(epsilary.style())`: Okabe and Ito's colours, in
    their order, and quiet axes."""
    from cycler import cycler

    return {"axes.prop_cycle": cycler(color=_core.colors()), "axes.grid": True, "grid.color": "#dddddd",
            "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False,
            "lines.linewidth": 1.8, "font.family": "DejaVu Sans", "legend.frameon": False, "figure.dpi": 110}


def colors():
    """The colours of the house, told apart by the colour-blind."""
    return _core.colors()


def mathtext(label):
    """eps_0 and 10^3 as people write them."""
    import re

    names = {"eps": "\\varepsilon", "epsilon": "\\varepsilon", "delta": "\\delta", "lambda": "\\lambda",
             "sigma": "\\sigma", "gamma": "\\gamma", "Delta": "\\Delta", "mu": "\\mu"}
    label = label.replace("$", r"\$")
    braced = re.match(r"(.*?)([A-Za-z0-9]+)\^\{([^{}]*)\}(.*)", label, re.S)
    if braced:  # e^{2.5ε0}
        inside = re.sub("ε_?0?", lambda m: r"\varepsilon" + ("_0" if m[0].endswith("0") else " "), braced[3])
        return mathtext(braced[1]) + f"${braced[2]}^{{{inside}}}$" + mathtext(braced[4])
    label = label.replace("ε", "eps").replace("δ", "delta")

    def word(m):
        base, rest = m[1], m[2] or ""
        if base not in names and not rest:
            return m[0]
        inside = names.get(base, base if base.isdigit() or len(base) == 1 else rf"\mathrm{{{base}}}")
        return f"${inside}{rest[0]}{{{rest[1:]}}}$" if rest else f"${inside}$"

    label = re.sub(r"(?<![A-Za-z\\])(eps)(0)(?![A-Za-z0-9])", r"eps_0", label)
    return re.sub(r"(?<![A-Za-z0-9\\])([A-Za-z0-9]+)([_^]-?[A-Za-z0-9]+)?(?![A-Za-z0-9])", word, label)


def plot(what, ax=None, *, file=None, backend="matplotlib", like="", x="", y="", colors="", log_x=False, log_y=False,
         digits=None, precision=None, patience=None, threads=None, progress=False):
    """Draw a figure: of a paper (`epsilary.figures()`), of a spec file (.toml), or of a table (.csv).

    >>> import epsilary as ep
    >>> ax = ep.plot("balle2020-fig2")     # doctest: +SKIP

    ax        matplotlib axes to draw into; None makes a figure of the right size. Returned.
    file      also writes the picture there (.svg, .png, .pdf).
    backend   "matplotlib", or "gnuplot", which writes `file` and returns its name.
    like      draw a table as this figure is drawn; or name its columns x, y and colors.
    """
    drawing = {"what": os.fspath(what), "like": os.fspath(like), "x": x, "y": y, "colors": colors,
               "log_x": bool(log_x), "log_y": bool(log_y)}
    o = options(digits=digits, precision=precision, patience=patience, threads=threads)
    with watching(progress) as report:
        if backend != "matplotlib":
            drawing.update(backend=backend, file=os.fspath(file or ""))
            return _core.draw(drawing, o, report)
        picture = _core.picture(drawing, o, report)
    ax = _drawn(picture, ax)
    if file:
        ax.figure.savefig(file, bbox_inches="tight")
    return ax


def _drawn(picture, ax):
    import matplotlib
    import matplotlib.pyplot as pyplot

    with matplotlib.style.context(style()) if hasattr(matplotlib, "style") else matplotlib.rc_context(style()):
        if ax is None:
            _, ax = pyplot.subplots(figsize=(picture["width"] / 100, picture["height"] / 100))
        if picture["title"]:
            ax.set_title(_title(picture["title"]), fontsize="medium")
        if picture["cells"]:
            return _table(picture["cells"], ax)
        if picture["map"]:
            _map(picture["map"], ax)
        for b in picture["bands"]:
            ax.fill_between(b["x"], b["low"], b["high"], color=b["color"], alpha=0.2, linewidth=0,
                            label=mathtext(b["label"]))
        for c in picture["curves"]:
            _curve(c, ax)
        for contour in picture["contours"]:
            for x0, y0, x1, y1 in contour["pieces"]:
                ax.plot([x0, x1], [y0, y1], color="white", linewidth=1)
        for scale, name in ((picture["x"], "x"), (picture["y"], "y")):
            getattr(ax, f"set_{name}label")(mathtext(scale["label"]))
            if scale["log"]:
                getattr(ax, f"set_{name}scale")("log")
            if scale["from"] is not None or scale["to"] is not None:
                getattr(ax, f"set_{name}lim")(scale["from"], scale["to"])
        labels = ax.get_legend_handles_labels()[1]
        if labels:  # below, as in the pictures of the command line: it takes no width
            columns = max(1, min(3, 90 // (max(map(len, labels)) + 6)))
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), borderaxespad=0, ncol=columns)
        ax.figure.tight_layout()
    return ax


def _title(title):
    """The fixed parameters, in lines of at most so many letters."""
    lines = [""]
    for part in title.split(", "):
        if lines[-1] and len(lines[-1]) + len(part) > 70:
            lines[-1] += ","
            lines.append("")
        lines[-1] += (", " if lines[-1] else "") + part
    return "\n".join(mathtext(line) for line in lines)


def _table(cells, ax):
    ax.axis("off")
    table = ax.table([[mathtext(x) for x in row] for row in cells[1:]], colLabels=[mathtext(x) for x in cells[0]],
                     loc="center", cellLoc="left", edges="horizontal")
    table.auto_set_font_size(False)
    table.auto_set_column_width(range(len(cells[0])))
    ax.figure.tight_layout()
    return ax


def _curve(c, ax):
    """Where a bound says nothing useful its curve is faded."""
    look = {"color": c["color"], "linestyle": _dashes[c["dash"]], "linewidth": 0.9 * c["width"],
            "zorder": 2 if c["dash"] == "solid" else 2.5}  # dashes upon lines that coincide
    if c["dash"] == "points":
        look.update(marker="o", markersize=4)
    label = mathtext(c["label"])
    start = 0
    for i in range(1, len(c["x"]) + 1):
        if i < len(c["x"]) and c["faded"][i] == c["faded"][start]:
            continue
        stop = i + 1 if i < len(c["x"]) else i  # pieces meet
        ax.plot(c["x"][start:stop], c["y"][start:stop], alpha=0.3 if c["faded"][start] else 1, label=label, **look)
        label, start = "_nolegend_", i


def _edges(at, log):
    import numpy

    at = numpy.log(at) if log else numpy.asarray(at, float)
    middle = (at[1:] + at[:-1]) / 2
    out = numpy.concatenate([[at[0] - (middle[0] - at[0])], middle, [at[-1] + (at[-1] - middle[-1])]])
    return numpy.exp(out) if log else out


def _map(m, ax):
    import matplotlib.colors
    import numpy

    z = numpy.array([numpy.nan if v is None else v for v in m["z"]], float).reshape(len(m["x"]), len(m["y"])).T
    logs = [len(at) > 2 and at[0] > 0 and abs(at[1] / at[0] - at[2] / at[1]) < 1e-6 * at[1] / at[0]
            for at in (m["x"], m["y"])]
    edges = _edges(m["x"], logs[0]), _edges(m["y"], logs[1])
    if m["categories"]:
        colors = matplotlib.colors.ListedColormap(m["category_colors"])
        ax.pcolormesh(*edges, z, cmap=colors, vmin=-0.5, vmax=len(m["categories"]) - 0.5)
        for name, color in zip(m["categories"], m["category_colors"]):
            ax.plot([], [], "s", color=color, label=mathtext(name))
        return
    colors = matplotlib.colors.LinearSegmentedColormap.from_list("epsilary", _core.shades())
    norm = (matplotlib.colors.LogNorm if m["log"] else matplotlib.colors.Normalize)(m["from"], m["to"])
    ax.figure.colorbar(ax.pcolormesh(*edges, z, cmap=colors, norm=norm), ax=ax, label=mathtext(m["label"]))


def reproduce(*figures, folder, digits=None, threads=None, progress=False):
    """The papers' figures with their tables and scripts, and their claims, on one page in a folder."""
    with watching(progress) as report:
        _core.reproduce(list(figures), os.fspath(folder), options(digits=digits, threads=threads), report)
    return os.path.join(os.fspath(folder), "index.html")
