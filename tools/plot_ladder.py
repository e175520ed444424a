"""Draw what `ermine bench ladder --output` measured: time over cells and what each method gains over classic.

The report comes as JSON on standard input, the folder as argument. ASCII only, since it travels on a command line of
unknown encoding.
"""
import json
import os
import sys
import warnings

try:
    import matplotlib
    from matplotlib.figure import Figure
    MISSING = None
except ImportError as import_error:
    MISSING = import_error

from plot_common import PlotError, save_picture

COLOURS = {"classic": "#707070", "texture": "#0072B2", "sorted": "#009E73", "multigrid": "#D55E00"}  # Okabe and Ito
MARKERS = {"classic": "o", "texture": "s", "sorted": "^", "multigrid": "D"}
STYLE = {"axes.titlesize": 10, "axes.titlelocation": "left", "legend.fontsize": 9, "legend.frameon": False,
         "axes.linewidth": 0.8, "svg.hashsalt": "ermine"}


def plot(axes, rows, method, value):
    """Filled where the time was measured, hollow where it was scaled."""
    cells = [row["grid"] ** 3 for row in rows]
    style = {"color": COLOURS[method], "marker": MARKERS[method], "markersize": 5}
    axes.plot(cells, [value(row) for row in rows], linewidth=1.2, label=method, **style)
    for row, x in zip(rows, cells):
        if row["scaled"]:
            axes.plot(x, value(row), markerfacecolor="white", **style)


def draw(report):
    rows = [row for row in report["results"] if row["part"] == "grids"]
    classic = {row["grid"]: row["seconds_scaled"] for row in rows if row["method"] == "classic"}
    figure = Figure(figsize=(9, 4.2), constrained_layout=True)
    times, gains = figure.subplots(1, 2)
    for method in COLOURS:
        mine = [row for row in rows if row["method"] == method]
        plot(times, mine, method, lambda row: row["seconds_scaled"])
        if method != "classic":
            compared = [row for row in mine if row["grid"] in classic]
            plot(gains, compared, method, lambda row: classic[row["grid"]] / row["seconds_scaled"])
    where = rows[0]["device"] or f"{rows[0]['threads']} CPU threads"
    times.set(xscale="log", yscale="log", xlabel="cells", ylabel="time [s]",
              title=f"case 10, {rows[0]['rays']} rays per cell, {where}")
    gains.set(xscale="log", yscale="log", xlabel="cells", ylabel="times faster than classic",
              title="hollow: scaled from fewer rays")
    times.legend()
    for axes in (times, gains):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def main():
    report = json.load(sys.stdin)
    if not any(row["part"] == "grids" for row in report["results"]):
        return 0  # nothing to draw
    if MISSING:
        print(f"no figure: {MISSING}, install the Debian package python3-matplotlib", file=sys.stderr)
        return 0
    warnings.simplefilter("ignore")
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    try:
        save_picture(draw(report), os.path.join(sys.argv[1], "ladder.svg"), metadata={"Date": None})
    except PlotError as error:
        print(f"ermine: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
