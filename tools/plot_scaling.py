#!/usr/bin/env python3
"""Draws what `ermine bench scaling` has measured into DIR/scaling.svg: plot_scaling.py DIR < scaling.json"""

import json
import os
import sys

MISSING = None
try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError as error:
    MISSING = str(error)

from plot_common import PlotError, save_picture


def draw(report):
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axis, kind, title in zip(axes, ("strong", "weak"), ("same problem", "same cells per process")):
        measured, model = report[kind], report["model"][kind]
        axis.loglog([r["processes"] for r in measured], [r["seconds"] for r in measured], "o-", label="measured")
        axis.loglog([r["processes"] for r in model], [r["seconds"] for r in model], "s--", mfc="none", label="model")
        first = measured[0]["seconds"]
        far = [1, model[-1]["processes"]]
        axis.loglog(far, [first / p for p in far] if kind == "strong" else [first, first], ":", color="grey",
                    label="ideal")
        axis.set(title=title, xlabel="processes", ylabel="time of one update [s]")
        axis.legend(frameon=False)
    return figure


def main():
    report = json.load(sys.stdin)
    if MISSING:
        print(f"no figure: {MISSING}, install the Debian package python3-matplotlib", file=sys.stderr)
        return 0
    matplotlib.rcdefaults()
    matplotlib.rcParams["svg.hashsalt"] = "ermine"  # same numbers, same file
    try:
        save_picture(draw(report), os.path.join(sys.argv[1], "scaling.svg"), metadata={"Date": None})
    except PlotError as error:
        print(f"ermine: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
