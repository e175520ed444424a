#!/usr/bin/env python3
"""Draws what `ermine bench scaling` has measured: python3 plot_scaling.py scaling.json [OUT.svg ...]"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main():
    source = pathlib.Path(sys.argv[1])
    targets = sys.argv[2:] or [str(source.with_suffix(".svg"))]
    record = json.loads(source.read_text(encoding="utf-8"))
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axis, kind, title in zip(axes, ("strong", "weak"), ("same problem", "same cells per process")):
        measured, model = record[kind], record["model"][kind]
        axis.loglog([r["processes"] for r in measured], [r["seconds"] for r in measured], "o-", label="measured")
        axis.loglog([r["processes"] for r in model], [r["seconds"] for r in model], "s--", mfc="none", label="model")
        first = measured[0]["seconds"]
        far = [1, model[-1]["processes"]]
        axis.loglog(far, [first / p for p in far] if kind == "strong" else [first, first], ":", color="grey",
                    label="ideal")
        axis.set(title=title, xlabel="processes", ylabel="time of one update [s]")
        axis.legend(frameon=False)
    for target in targets:
        figure.savefig(target)


if __name__ == "__main__":
    main()
