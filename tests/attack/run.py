#!/usr/bin/env python3
"""Attacks the programs of a build as hostile inputs, users and machines do, and counts what held.

  run.py BUILD_DIR [--count N] [--share FRACTION] [--only FAMILY ...] [--guard SECONDS] [--seed N]

Prints one table: attack, tried, held, left out by `--share`. Exit code 1 if anything did not hold. `--count` scales the
attacks that are drawn at random. `--guard` is the time after which a
program counts as hung; it never decides anything else. Needs Python's
standard library only; families that need more (MPI, NumPy, client programs) are skipped where it
is missing, and the table says so.
"""

import argparse
import importlib
import pathlib
import sys

import harness

FAMILIES = [
    "case_files", "command_lines", "channel_cases", "fields", "outputs", "signals", "damaged_files", "ranks",
    "targets", "endless_inputs", "traps", "python_module", "clients", "endless_runs",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD_DIR")
    parser.add_argument("--count", type=int, default=200, help="attacks of each kind that is drawn at random")
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=FAMILIES, metavar="FAMILY")
    parser.add_argument("--without", nargs="+", choices=FAMILIES, default=[], metavar="FAMILY")
    parser.add_argument("--guard", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--shown", type=int, default=3, help="failures shown of each attack")
    parser.add_argument("--share", type=float, default=1.0, help="share of all attacks to try, drawn at random; at least one of each name")
    parser.add_argument("--list", action="store_true", help="list the families and end")
    given = parser.parse_args()
    if given.list:
        print("\n".join(FAMILIES))
        return 0
    source = pathlib.Path(__file__).resolve().parents[2]
    world = harness.World(given.build.resolve(), source, given.count, given.seed, given.guard)
    if not world.ermine.exists():
        print(f"run.py: error: there is no {world.ermine}, build the project first", file=sys.stderr)
        return 2
    table = harness.Table(given.shown)
    for family in given.only:
        if family in given.without:
            continue
        print(f"{family} ...", file=sys.stderr, flush=True)
        harness.run_family(world, family, importlib.import_module(family).attacks, table, given.share)
    table.print()
    return 1 if table.failures or not table.rows else 0


if __name__ == "__main__":
    sys.exit(main())
