"""Draw curves that `ermine spectra plot` computed; they come as JSON on standard input.

ASCII only, since it travels on a command line of unknown encoding.
"""
import json
import sys
import warnings

try:
    import matplotlib
    import numpy as np
    from matplotlib import cm
    from matplotlib.figure import Figure
    MISSING = None
except ImportError as import_error:
    MISSING = import_error

from plot_common import PlotError, save_picture

HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#707070")  # Okabe and Ito
DASHES = ("-", "--", ":", "-.")
STYLE = {"axes.titlesize": 11, "axes.titlelocation": "left", "legend.fontsize": 9, "legend.frameon": False,
         "axes.linewidth": 0.8, "axes.formatter.useoffset": False}


def plain(text):
    """Names are no formulas."""
    return text.replace("$", r"\$")


def colours(picture):
    """Ordered curves go from cold to hot; others have hues that are easy to tell apart."""
    count = 1 + max(curve["hue"] for curve in picture["curves"])
    if not picture["ordered"] or count == 1:
        return [HUES[hue % len(HUES)] for hue in range(count)]
    return cm.plasma(np.linspace(0.0, 0.85, count))


def draw(picture):
    figure = Figure(figsize=(7.2, 4.4), constrained_layout=True)
    axes = figure.add_subplot()
    palette = colours(picture)
    for curve in picture["curves"]:
        x, y = (np.array(curve[name], dtype=float) for name in "xy")  # null: a gap
        axes.plot(x, y, color=palette[curve["hue"]], linestyle=DASHES[curve["dash"] % len(DASHES)],
                  linewidth=picture["linewidth"], label=plain(curve["label"]))
    axes.set(xlabel=picture["x"]["label"], ylabel=picture["y"]["label"],
             xscale=picture["x"]["scale"], yscale=picture["y"]["scale"])
    axes.set_xlim(*picture["x"]["limits"])
    axes.set_ylim(*picture["y"]["limits"])
    axes.set_title(plain(picture["title"]))
    axes.grid(True, which="major", color="#E0E0E0", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(picture["curves"]) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=2.2)
    return figure


def main():
    picture = json.load(sys.stdin)
    if MISSING:
        print(f"ermine: error: {MISSING}, install the Debian package python3-matplotlib", file=sys.stderr)
        return 1
    warnings.simplefilter("ignore")
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    try:
        save_picture(draw(picture), picture["file"], dpi=150)
    except PlotError as error:
        print(f"ermine: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
