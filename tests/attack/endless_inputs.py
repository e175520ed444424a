"""Inputs that never end, or never begin."""

import os
import subprocess

from cases import CHANNEL, GREY, write
from fields import CASE
from harness import need, refused, sound


def refused_in_time(ended):
    """Refused for what it is, not because memory ran out."""
    refused(ended)
    need("not enough memory" not in ended.err, f"read until memory ran out: {ended}")


def attacks(world):
    def run(folder):
        return world.run([world.ermine, "run", "case.toml", "-q", "-o", "out"], folder)

    sources = {
        "zeros": lambda folder: "/dev/zero",
        "noise": lambda folder: "/dev/urandom",
        "a pipe without a writer": pipe,
        "a link to zeros": link,
        "a file of a terabyte": sparse,
        "the folder itself": lambda folder: str(folder),
    }

    def field(make, **places):
        def attack(folder):
            values = {"temperature": "500", "absorption": "1.0", "x": "cells = 4, to = 1.0"}
            values |= {place: text.format(make(folder)) for place, text in places.items()}
            write(folder, "case.toml", CASE.format(**values))
            refused_in_time(run(folder))

        return attack

    def program(make, *words):
        def attack(folder):
            write(folder, "case.toml", GREY)
            write(folder, "channel.toml", CHANNEL)
            refused_in_time(world.run([world.ermine, *(str(w).format(make(folder)) for w in words)], folder))

        return attack

    for name, make in sources.items():
        yield f"case file: {name}", program(make, "run", "{}", "-q")
        yield f"case file: {name}", program(make, "check", "{}")
        yield f"case file: {name}", program(make, "channel", "{}")
        yield f"restart file: {name}", program(make, "channel", "channel.toml", "--restart", "{}")
        yield f"radiation case of a channel: {name}", radiation_file(world, make)
        yield f"profile: {name}", field(make, temperature='{{ profile = "{}", axis = "x" }}')
        yield f"faces: {name}", field(make, x='faces = "{}"')
        yield f"HDF5 field: {name}", field(make, temperature='{{ hdf5 = "{}", dataset = "T" }}')
        yield f"table: {name}", table(world, make)
        yield f"narrow-band file: {name}", program(make, "spectra", "from-snb", "{}", "--gas", "CO2", "-o", "t.h5")
        yield f"table: {name}", program(make, "spectra", "info", "{}")

    def standard_input(folder):
        """A case may come from another program, if it comes to an end."""
        endless = subprocess.Popen(["yes", "# more"], stdout=subprocess.PIPE)
        try:
            ended = world.run([world.ermine, "run", "/dev/stdin", "-q", "-o", "out"], folder, stdin=endless.stdout)
        finally:
            endless.kill()
            endless.wait()
            endless.stdout.close()
        refused_in_time(ended)

    def standard_input_ends(folder):
        write(folder, "case.toml", GREY)
        with open(folder / "case.toml", "rb") as case:
            sound(world.run([world.ermine, "run", "/dev/stdin", "-q", "-o", "out"], folder, stdin=case))

    yield "case file: standard input without end", standard_input
    yield "case file: standard input with an end", standard_input_ends


def pipe(folder):
    path = folder / "pipe"
    if not path.exists():
        os.mkfifo(path)
    return str(path)


def link(folder):
    path = folder / "link"
    if not path.is_symlink():
        path.symlink_to("/dev/zero")
    return str(path)


def sparse(folder):
    path = folder / "sparse"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    return str(path)


def radiation_file(world, make):
    def attack(folder):
        head, _, tail = CHANNEL.partition("[radiation.case]")
        text = f"{head}file = \"{make(folder)}\"\n[output]{tail.partition('[output]')[2]}"
        write(folder, "channel.toml", text)
        refused_in_time(world.run([world.ermine, "channel", "channel.toml"], folder))

    return attack


def table(world, make):
    def attack(folder):
        text = GREY.replace("absorption_coefficient = 1.0", f'table = "{make(folder)}"')
        write(folder, "case.toml", text)
        refused_in_time(world.run([world.ermine, "run", "case.toml", "-q", "-o", "out"], folder))

    return attack
