"""Draw what `ermine bench error --output` measured: time over the error reached, one picture for each problem.

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

COLOURS = {"classic": "#707070", "multigrid": "#D55E00", "net": "#0072B2"}  # Okabe and Ito
MARKERS = ["o", "s", "^", "D", "v", "P"]  # by grid
STYLE = {"axes.titlesize": 10, "axes.titlelocation": "left", "legend.fontsize": 9, "legend.frameon": False,
         "axes.linewidth": 0.8, "svg.hashsalt": "ermine"}


def unique(values):
    return list(dict.fromkeys(values))


def place(row):
    return row["backend"], row["threads"]


def plot(axes, rows, marker, label):
    """Filled where the time was measured, hollow where it was scaled."""
    colour = COLOURS[rows[0]["method"]]
    errors = [100 * row["target"] if row["scaled"] else 100 * row["error"] for row in rows]
    times = [row["seconds"] for row in rows]
    axes.plot(errors, times, color=colour, linewidth=1.2, marker=marker, markersize=5, label=label)
    for row, x, y in zip(rows, errors, times):
        if row["scaled"]:
            axes.plot(x, y, color=colour, marker=marker, markersize=5, markerfacecolor="white")


def draw_problem(axes, rows, grids, places):
    for method in COLOURS:
        for grid in grids:
            for where in places:
                mine = [row for row in rows if (row["method"], row["grid"], place(row)) == (method, grid, where)]
                label = f"{method}, grid {grid}"
                if len(places) > 1:
                    label += ", GPU" if where[0] == "cuda" else f", {where[1]} threads"
                if mine:
                    plot(axes, mine, MARKERS[grids.index(grid) % len(MARKERS)], label)
    axes.set(xscale="log", yscale="log", xlabel="error of Q [% of rms Q]", ylabel="time [s]", title=rows[0]["problem"])
    targets = sorted({100 * row["target"] for row in rows})
    axes.set_xticks(targets, labels=[f"{target:g}" for target in targets])
    axes.minorticks_off()
    axes.spines[["top", "right"]].set_visible(False)


def draw(report, rows):
    problems = unique(row["problem"] for row in rows)
    grids = unique(row["grid"] for row in rows)
    places = unique(place(row) for row in rows)
    figure = Figure(figsize=(4.3 * len(problems) + 1.5, 4.2), constrained_layout=True)
    all_axes = figure.subplots(1, len(problems), squeeze=False, sharey=True)[0]
    for axes, problem in zip(all_axes, problems):
        draw_problem(axes, [row for row in rows if row["problem"] == problem], grids, places)
    handles = {}
    for axes in all_axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    all_axes[-1].legend(handles.values(), handles.keys(), loc="upper left", bbox_to_anchor=(1.02, 1))
    gpu = any(where[0] == "cuda" for where in places)
    machine = report["machine"]["device"] if gpu else report["machine"]["processor"]
    figure.suptitle(f"{machine}; hollow: scaled, error without bias", fontsize=10, x=0.01, ha="left")
    return figure


def main():
    report = json.load(sys.stdin)
    rows = [row for row in report["results"] if row["target"] and row["method"] in COLOURS]
    if not rows:
        return 0  # nothing to draw
    if MISSING:
        print(f"no figure: {MISSING}, install the Debian package python3-matplotlib", file=sys.stderr)
        return 0
    warnings.simplefilter("ignore")
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    try:
        save_picture(draw(report, rows), os.path.join(sys.argv[1], "error.svg"), metadata={"Date": None})
    except PlotError as error:
        print(f"ermine: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
