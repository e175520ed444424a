#!/usr/bin/env python3
"""Computes the references of the validation problems with sharp fronts, validation/fronts/*.csv.

  tools/front_references.py [--tool build/ermine] [--rays N] [--refined-rays N] [NAME...]

Each is the solution on the cells of its case file, on one level, with many rays from every cell, and
totals on a grid of half the spacing. Minutes on a GPU, hours on a CPU. Needs h5py.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import tomllib

import h5py
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ["flame-sheet", "spherical-front", "wrinkled-front", "jet-flame", "mirror-furnace"]
SIDES = ["x_low", "x_high", "y_low", "y_high", "z_low", "z_high"]
COLD = 600.0  # [K]
SEED = 20190605  # no run that is judged has it


def solve(tool, name, rays, cells, folder):
    """Report and fields of a solution on so many cells along each axis."""
    words = [tool, "run", str(ROOT / "validation" / (name + ".toml")), "-q", "--json", "-o", folder]
    keys = {"solver.levels": 1, "solver.thin_starts": "cells", "solver.replicates": 4,
            "solver.rays_per_cell": rays, "solver.seed": SEED}
    keys |= {f"grid.{axis}.cells": count for axis, count in cells.items()}
    for key, value in keys.items():
        words += ["--set", f"{key}={value}"]
    report = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    with h5py.File(pathlib.Path(folder) / (name + ".h5")) as file:
        fields = {key: file["fields"][key][...] for key in
                  ["temperature", "Q", "Q_standard_error", "absorption"]}
        faces = [file["grid"][axis][...] for axis in "zyx"]
    volume = numpy.einsum("k,j,i->kji", *[numpy.diff(f) for f in faces])
    return report, fields, volume, [0.5 * (f[1:] + f[:-1]) for f in faces]


def totals(report, fields, volume):
    """Rows number, value, standard error: sides, gas, heat absorbed by cold gas [W]."""
    rows = [(SIDES.index(side), flux["total"]["value"], flux["total"]["standard_error"])
            for side, flux in report["wall_flux"].items()]
    gas = report["ledger"]["gas"]
    rows.append((6, gas["value"], gas["standard_error"]))
    is_cold = fields["temperature"] < COLD
    if is_cold.any():
        heat = (volume * fields["absorption"])[is_cold].sum()
        error = numpy.sqrt(((volume * fields["Q_standard_error"])[is_cold] ** 2).sum())
        rows.append((7, heat, error))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--tool", default=str(ROOT / "build" / "ermine"))
    parser.add_argument("--rays", type=int, default=32768)
    parser.add_argument("--refined-rays", type=int, default=4096)
    parser.add_argument("--output", default=str(ROOT / "validation" / "fronts"))
    options = parser.parse_args()
    version = subprocess.run([options.tool, "--version"], check=True, capture_output=True,
                             text=True).stdout.strip()
    for name in options.names:
        with open(ROOT / "validation" / (name + ".toml"), "rb") as file:
            grid = tomllib.load(file)["grid"]
        cells = {axis: grid[axis]["cells"] for axis in "xyz"}
        with tempfile.TemporaryDirectory() as folder:
            report, fields, volume, (z, y, x) = solve(options.tool, name, options.rays, cells, folder)
            finer = solve(options.tool, name, options.refined_rays,
                          {axis: 2 * count for axis, count in cells.items()}, folder)
        rows = [f"# Reference of {name}: its cells, one level, {options.rays} rays per cell; {version},",
                "# tools/front_references.py.",
                "# Totals: number, value, standard error [W]. 0-5: heat lost by x_low to z_high, 6: by the gas,",
                f"# 7: heat absorbed by gas below {COLD:g} K; 10-17: the same with half the spacing and",
                f"# {options.refined_rays} rays per cell."]
        rows += ["%d,%.7g,%.2g" % row for row in totals(report, fields, volume)]
        rows += ["%d,%.7g,%.2g" % (n + 10, value, error) for n, value, error in totals(*finer[:3])]
        rows.append("# Plane in the middle of z: x [m], y [m], Q [W/m3], standard error.")
        middle = [(len(z) - 1) // 2, len(z) // 2]
        q = fields["Q"][middle].mean(axis=0)
        error = numpy.sqrt((fields["Q_standard_error"][middle] ** 2).sum(axis=0)) / 2
        for j, i in numpy.ndindex(q.shape):
            rows.append("%.6g,%.6g,%.5g,%.2g" % (x[i], y[j], q[j, i], error[j, i]))
        pathlib.Path(options.output).mkdir(parents=True, exist_ok=True)
        (pathlib.Path(options.output) / (name + ".csv")).write_text("\n".join(rows) + "\n")
        print(name, *totals(report, fields, volume), sep="\n  ")


if __name__ == "__main__":
    main()
