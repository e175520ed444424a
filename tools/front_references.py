#!/usr/bin/env python3
"""Computes the references of the validation problems with sharp fronts, validation/fronts/*.csv.

  tools/front_references.py [--tool build/ermine] [--rays N] [--refined-rays N] [--set KEY=VALUE]
                            [--solutions DIR] [--commands] [NAME...]

Each is the solution on the cells of its case file: averages over cells, with many rays from all over every
cell, on one level, without thin starts in blocks. Such a solution balances energy exactly but for noise.
Totals on a grid of half the spacing stand beside it. Minutes on a GPU, an hour on two cores. Needs h5py.

Where the GPU has no h5py: `--commands` prints what to run there, and `--solutions DIR` makes the references
from what these commands have left in DIR.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ["flame-sheet", "spherical-front", "wrinkled-front", "jet-flame", "mirror-furnace"]
SIDES = ["x_low", "x_high", "y_low", "y_high", "z_low", "z_high"]
COLD = 600.0  # [K]
SEED = 20190605  # no run that is judged has it


def case_file(name):
    return ROOT / "validation" / (name + ".toml")


def command(options, name, refined):
    """Words of the run on the cells of the case file, or on a grid of half the spacing."""
    with open(case_file(name), "rb") as file:
        grid = tomllib.load(file)["grid"]
    keys = {"solver.start": "uniform", "solver.levels": 1, "solver.thin_starts": "cells",
            "solver.replicates": 4, "solver.seed": SEED,
            "solver.rays_per_cell": options.refined_rays if refined else options.rays}
    if refined:
        keys |= {f"grid.{axis}.cells": 2 * grid[axis]["cells"] for axis in "xyz"}
    settings = [f"{key}={value}" for key, value in keys.items()] + options.settings
    folder = pathlib.Path(options.solutions) / ("refined" if refined else "")
    words = [options.tool, "run", os.path.relpath(case_file(name)), "-q", "--json", "-o", str(folder)]
    for setting in settings:
        words += ["--set", setting]
    return words


def report_file(options, name, refined):
    return pathlib.Path(options.solutions) / (name + ("-refined" if refined else "") + ".json")


def solution(options, name, refined):
    """Report of a run, which is computed unless it is there."""
    file = report_file(options, name, refined)
    if not file.exists():
        words = command(options, name, refined)
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        file.write_text(text)
    return json.loads(file.read_text())


def totals(report):
    """Rows number, value, standard error: sides, gas [W]."""
    rows = [(SIDES.index(side), flux["total"]["value"], flux["total"]["standard_error"])
            for side, flux in report["wall_flux"].items()]
    gas = report["ledger"]["gas"]
    return rows + [(6, gas["value"], gas["standard_error"])]


def cold_total(fields, volume):
    """The row of the heat absorbed by cold gas [W], where there is such gas."""
    is_cold = fields["temperature"] < COLD
    if not is_cold.any():
        return []
    heat = (volume * fields["absorption"])[is_cold].sum()
    error = ((volume * fields["Q_standard_error"])[is_cold] ** 2).sum() ** 0.5
    return [(7, heat, error)]


def reference(options, name):
    """Rows of the reference of a problem."""
    import h5py
    import numpy

    report = solution(options, name, refined=False)
    refined = solution(options, name, refined=True)
    with h5py.File(pathlib.Path(options.solutions) / (name + ".h5")) as file:
        fields = {key: file["fields"][key][...] for key in
                  ["temperature", "Q", "Q_standard_error", "absorption"]}
        faces = [file["grid"][axis][...] for axis in "zyx"]
    volume = numpy.einsum("k,j,i->kji", *[numpy.diff(f) for f in faces])
    z, y, x = [0.5 * (f[1:] + f[:-1]) for f in faces]
    sums = totals(report) + cold_total(fields, volume)
    print(name, *sums, sep="\n  ")
    ledger = report["ledger"]
    print("  balance %.2g +- %.2g of the heat exchanged"
          % tuple(ledger[key] / ledger["exchanged"] for key in ("value", "standard_error")))
    rows = [f"# Reference of {name}: averages over its cells, one level, {report['rays_per_cell']:.0f} rays per cell;",
            f"# ermine {report['ermine_version']}, tools/front_references.py.",
            "# Totals: number, value, standard error [W]. 0-5: heat lost by x_low to z_high, 6: by the gas,",
            f"# 7: heat absorbed by gas below {COLD:g} K; 10-16: 0-6 with half the spacing and",
            f"# {refined['rays_per_cell']:.0f} rays per cell."]
    rows += ["%d,%.7g,%.2g" % row for row in sums]
    rows += ["%d,%.7g,%.2g" % (n + 10, value, error) for n, value, error in totals(refined)]
    rows.append("# Plane in the middle of z: x [m], y [m], Q [W/m3], standard error.")
    middle = [(len(z) - 1) // 2, len(z) // 2]
    q = fields["Q"][middle].mean(axis=0)
    error = numpy.sqrt((fields["Q_standard_error"][middle] ** 2).sum(axis=0)) / 2
    for j, i in numpy.ndindex(q.shape):
        rows.append("%.6g,%.6g,%.5g,%.2g" % (x[i], y[j], q[j, i], error[j, i]))
    return rows


def print_commands(options):
    print("mkdir -p", shlex.quote(str(pathlib.Path(options.solutions) / "refined")))
    for name in options.names:
        for refined in (False, True):
            print(shlex.join(command(options, name, refined)), ">",
                  shlex.quote(str(report_file(options, name, refined))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--tool", default=os.path.relpath(ROOT / "build" / "ermine"))
    parser.add_argument("--rays", type=int, default=32768)
    parser.add_argument("--refined-rays", type=int, default=4096)
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE",
                        help="further keys of all runs, such as solver.backend=cuda")
    parser.add_argument("--solutions", metavar="DIR",
                        help="folder of the runs; those that are in it are not computed again")
    parser.add_argument("--commands", action="store_true", help="only print the commands of the runs")
    parser.add_argument("--output", default=str(ROOT / "validation" / "fronts"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.commands:
            options.solutions = options.solutions or "."
            print_commands(options)
            return
        options.solutions = options.solutions or scratch
        (pathlib.Path(options.solutions) / "refined").mkdir(parents=True, exist_ok=True)
        pathlib.Path(options.output).mkdir(parents=True, exist_ok=True)
        for name in options.names:
            rows = reference(options, name)
            (pathlib.Path(options.output) / (name + ".csv")).write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
