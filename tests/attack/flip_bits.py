#!/usr/bin/env python3
"""Flips single bits of files that programs of ermine read back.

    flip_bits.py BUILD [--count N] [--seed N]

Each damaged file must be refused with a message, or give the answer of the whole file to the last bit. Prints tried
and held of each kind of file; exits with 1 unless all held.
"""

import argparse
import pathlib
import random
import shutil
import sys
import tempfile

from attacked import ROOT, Programs, channel_answer, finished


def page_of(programs, file, folder):
    """The page that is made of a stored study, without the time it was made at."""
    report = folder / "page"
    code, _, error = finished([programs.ermine, "bench", "--from", str(file), "--report", str(report)])
    page = (report / "index.html").read_text() if code == 0 else ""
    return code, [line for line in page.splitlines() if "UTC" not in line], error


def kinds(programs, folder):
    """Of each kind of file: its name, a whole one, and how it is read: exit code, answer, message."""

    def plain(words):
        return lambda file: finished([str(file) if word is None else word for word in words])

    yield "table", ROOT / "data/co.h5", plain([programs.ermine, "spectra", "info", None, "--json"])

    out = folder / "out"
    assert finished(programs.run_words(out))[0] == 0
    again = folder / "again"

    def read_field(file):
        field = 'temperature={ hdf5 = "' + str(file) + '", dataset = "/fields/temperature" }'
        code, _, error = finished(programs.run_words(again, field, "solver.rays_per_cell=2"))
        return code, (again / "attacked_x.csv").read_text() if code == 0 else "", error
    yield "result", out / "attacked.h5", read_field

    flow = folder / "channel"
    files = ("output.statistics_every=1", "output.slices_every=4", "output.fields_every=4")
    assert finished(programs.channel_words(flow, 4, None, *files))[0] == 0

    def restart(file):
        code, output, error = finished(programs.channel_words(folder / "more", 5, file))
        return code, channel_answer(output) if code == 0 else "", error
    yield "channel restart", flow / "mini.restart.h5", restart

    def read_flow(file):
        field = 'temperature={ hdf5 = "' + str(file) + '", dataset = "/temperature" }'
        cells = ("grid.x.cells=4", "grid.y.cells=6", "grid.z.cells=6")  # of the channel, as HDF5 stores them
        code, _, error = finished(programs.run_words(again, field, "solver.rays_per_cell=2", *cells))
        return code, (again / "attacked_x.csv").read_text() if code == 0 else "", error
    yield "channel fields", flow / "mini.fields.00000004.h5", read_flow

    def drawn(file):
        picture = folder / "picture.png"
        code, _, error = finished([programs.ermine, "plot", str(file), "--output", str(picture), "--dpi", "20"])
        return code, picture.read_bytes() if code == 0 else b"", error
    for name, file in (("statistics", flow / "mini.statistics.h5"), ("slices", flow / "mini.slices.00000004.h5")):
        code, _, error = drawn(file)
        if code == 0:
            yield f"channel {name}", file, drawn
        else:
            print(f"channel {name}: skipped, only ermine plot reads them: {error.strip()}")

    if programs.client:
        saved = folder / "client"
        saved.mkdir()
        assert finished(programs.client_words(saved, 4))[0] == 0

        def resume(file):
            work = folder / "resumed"
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(saved, work)
            shutil.copy(file, work / "a.state.h5")
            return finished(programs.client_words(work, 6))
        yield "state", saved / "a.state.h5", resume

    study = folder / "study.json"
    code, text, error = finished([programs.ermine, "bench", "--grid", "4", "--rays", "2", "--repeats", "1", "--json"])
    assert code == 0, error
    study.write_text(text)
    yield "study", study, lambda file: page_of(programs, file, folder)


def attack(name, whole, read, count, source, folder):
    """How many of `count` damaged copies were refused, and how many were read without a difference."""
    data = whole.read_bytes()
    damaged = folder / ("damaged" + "".join(whole.suffixes))  # answers may name the file
    damaged.write_bytes(data)
    code, expected, error = read(damaged)
    assert code == 0, error
    refused = harmless = 0
    for _ in range(count):
        bit = source.randrange(8 * len(data))
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        damaged.write_bytes(changed)
        code, answer, error = read(damaged)
        if code > 0 and error.strip():
            refused += 1
        elif code == 0 and answer == expected:
            harmless += 1
        else:
            print(f"{name}: bit {bit} of {8 * len(data)}: exit code {code}, another answer; {error.strip()}")
    print(f"{name}: {count} tried, {refused + harmless} held ({refused} refused, {harmless} harmless)", flush=True)
    return refused + harmless == count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = Programs(given.build, folder)
        source = random.Random(given.seed)
        held = [attack(*kind, given.count, source, folder) for kind in kinds(programs, folder)]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
