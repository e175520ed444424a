"""Draw the curves that `ermine validate --output` wrote: computed points with error bars over the reference.

The cases come as JSON on standard input. ASCII only, since it travels on a command line of unknown encoding.
"""
import csv
import json
import os
import sys
import warnings

try:
    import matplotlib
    import numpy as np
    from matplotlib.figure import Figure
    MISSING = None
except ImportError as import_error:
    MISSING = import_error

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#707070"  # Okabe and Ito, safe for colour-blind readers
STYLE = {"axes.titlesize": 11, "axes.titlelocation": "left", "legend.fontsize": 9, "legend.frameon": False,
         "axes.linewidth": 0.8, "axes.formatter.useoffset": False}
ROWS = 5  # of a plane that are drawn


def read(path):
    """Columns of a file by the first word of their headers."""
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    columns = np.array(rows, dtype=float).T
    return {name.split(" [")[0]: column for name, column in zip(header, columns)}


def curves(table):
    """The curve itself, or a few rows of a plane."""
    if "y" not in table:
        return [("", table)]
    values = np.unique(table["y"])
    chosen = values[np.linspace(0, len(values) - 1, ROWS).round().astype(int)]
    return [(f"y = {y:.3g} m", {name: column[table["y"] == y] for name, column in table.items()}) for y in chosen]


def draw(case, table):
    figure = Figure(figsize=(6.4, 5.2), constrained_layout=True)
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(3, 1))
    largest = np.abs(table["reference Q"]).max()
    scale, unit = (1e3, "kW/m$^3$") if largest >= 1e3 else (1.0, "W/m$^3$")
    for number, (name, curve) in enumerate(curves(table)):
        x, error = curve["x"], curve["standard error"]
        difference = 100 * (curve["computed Q"] - curve["reference Q"]) / largest
        upper.plot(x, curve["reference Q"] / scale, color=ORANGE, linewidth=1.2, label=None if number else "reference")
        upper.errorbar(x, curve["computed Q"] / scale, error / scale, fmt="o", color=BLUE, markersize=3, linewidth=0.8,
                       label=None if number else "Monte Carlo, standard error")
        upper.annotate(name, (x[-1], curve["reference Q"][-1] / scale), fontsize=7, color=GREY)
        lower.errorbar(x, difference, 100 * error / largest, fmt="o", color=BLUE, markersize=2, linewidth=0.6)
    lower.axhline(0, color=ORANGE, linewidth=1.2)
    upper.set(ylabel=f"heat loss Q [{unit}]", title=case["title"].replace("$", r"\$"))
    lower.set(xlabel="x [m]", ylabel="difference\n[% of max|Q|]")
    upper.legend()
    lower.set_title(f"error {100 * case['error']:.3f} % (bound {100 * case['bound']:.1f} %), reference: "
                    f"{case['reference']}", fontsize=8, color=GREY)
    for axes in (upper, lower):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def save(figure, output):
    """Write beside the target, then rename, so that no half-written picture is left."""
    temporary = f"{output}.{os.getpid()}.tmp"
    try:
        figure.savefig(temporary, format="png", dpi=150)
        os.replace(temporary, output)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def main():
    job = json.load(sys.stdin)
    if MISSING:
        print(f"no figures: {MISSING}, install the Debian package python3-matplotlib", file=sys.stderr)
        return 0
    warnings.simplefilter("ignore")
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    try:
        for case in job["cases"]:
            stem = os.path.join(job["directory"], "case" + case["name"])
            save(draw(case, read(stem + ".csv")), stem + ".png")
    except OSError as error:
        print(f"ermine: error: cannot draw into {job['directory']} ({error}), choose another folder", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
