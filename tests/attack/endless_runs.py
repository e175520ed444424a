"""Runs whose rays never end, and reports of what a run took."""

import json
import sys

from cases import GREY, write
from harness import need, sound, succeeded

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
    def no_end(verb, **values):
        def attack(folder):
            write(folder, "case.toml", MIRRORS.format(**values))
            words = [world.ermine, verb, "case.toml", "--threads", "1", *(["-o", "out"] if verb == "run" else [])]
            process = world.start(words, folder)
            ended = world.finish(process)
            # It may take as long as it needs if it says what it does.
            if ended.hung:
                need(ended.err.strip() or ended.out.strip(), f"prints nothing in {world.guard:.0f} s")
            else:
                sound(ended)
                need(ended.code == 0 or "error: " in ended.err, f"{ended}")

        return attack

    for verb in ("run", "check"):
        for absorption, emissivity in (("1e-6", "0"), ("0", "1e-9"), ("1e-12", "0"), ("1e-300", "1e-300")):
            for reflection in ("diffuse", "specular"):
                yield f"ermine {verb}: rays without end", no_end(
                    verb, absorption=absorption, emissivity=emissivity, reflection=reflection, cells=4)

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
