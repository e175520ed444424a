"""Runs whose rays never end, and reports of what a run took."""

import json
import signal
import sys

from cases import GREY, kill, write
from harness import need, refused, succeeded, wait_for

# Nothing absorbs to speak of, neither gas nor walls.
MIRRORS = """
temperature = 1000
medium = {{ absorption_coefficient = {absorption} }}
[grid]
x = {{ cells = {cells}, to = 1.0 }}
y = {{ cells = {cells}, to = 1.0 }}
z = {{ cells = {cells}, to = 1.0 }}
[walls]
x_low = {{ temperature = 500, emissivity = {emissivity}, reflection = "{reflection}" }}
x_high = {{ temperature = 500, emissivity = {emissivity} }}
y_low = {{ temperature = 500, emissivity = {emissivity} }}
y_high = {{ temperature = 500, emissivity = {emissivity} }}
z_low = {{ temperature = 500, emissivity = {emissivity} }}
z_high = {{ temperature = 500, emissivity = {emissivity} }}
[solver]
rays_per_cell = 16
"""


def attacks(world):
    def words(folder, verb, **values):
        write(folder, "case.toml", MIRRORS.format(cells=4, **values))
        return [world.ermine, verb, "case.toml", "--threads", "1", *(["-o", "out"] if verb == "run" else [])]

    def no_end(verb, **values):
        """Refused before any ray is traced."""
        return lambda folder: refused(world.run(words(folder, verb, **values), folder), "rays cannot end")

    def far(verb, **values):
        """Announced, then traced for as long as it takes."""

        def attack(folder):
            log = folder / "log"
            with open(log, "wb") as err:
                process = world.start(words(folder, verb, **values), folder, err=err)
                wait_for(lambda: b"expect a long run" in log.read_bytes(), process, world.guard, "it says that rays go far")
            kill(process, signal.SIGKILL)
            world.finish(process)

        return attack

    # Rays of cells, and those of walls, which emit where the gas is transparent.
    for verb in ("run", "check"):
        for origin, absorption, emissivity in (
                ("cells", "1e-6", "0"), ("cells", "1e-12", "0"), ("cells", "1e-300", "1e-300"),
                ("walls", "0", "1e-6"), ("walls", "0", "1e-9"), ("walls", "0", "1e-300")):
            for reflection in ("diffuse", "specular"):
                yield f"ermine {verb}: rays of {origin} without end", no_end(
                    verb, absorption=absorption, emissivity=emissivity, reflection=reflection)
        for origin, absorption, emissivity in (("cells", "1e-5", "0"), ("walls", "0", "1e-5")):
            yield f"ermine {verb}: rays of {origin} that go far", far(
                verb, absorption=absorption, emissivity=emissivity, reflection="diffuse")

    def memory(folder):
        """The parent's memory is not the run's."""
        write(folder, "case.toml", GREY)
        parent = ("import os, sys\nballast = bytearray(700 << 20)\nfor i in range(0, len(ballast), 4096): ballast[i] = 1\n"
                  "os.execv(sys.argv[1], sys.argv[1:])\n")
        ended = world.run([sys.executable, "-c", parent, world.ermine, "run", "case.toml", "--json", "-o", "out"], folder)
        succeeded(ended)
        peak = json.loads(ended.out)["memory"]["peak"]
        need(peak < 300e6, f"reports {peak / 1e6:.0f} MB, which are the parent's")

    yield "memory of the parent process", memory
