"""Programs of a build as attacks run them, and small cases for them."""

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUARD = 300  # seconds; nothing here takes a tenth of it

RUN_CASE = """title = "attacked"
[grid]
x = { cells = 12, from = 0.0, to = 1.0 }
y = { cells = 12, from = 0.0, to = 1.0 }
z = { cells = 12, from = 0.0, to = 1.0 }
[medium]
absorption_coefficient = 1.0
[walls]
x_low = { temperature = 500 }
x_high = { temperature = 500 }
y_low = { temperature = 500 }
y_high = { temperature = 500 }
z_low = { temperature = 500 }
z_high = { temperature = 500 }
"""
SOLVER = "[solver]\nbackend = \"cpu\"\nrays_per_cell = {}\nrays_per_wall_face = 4\n"


class Programs:
    """ermine, ermine-channel and the Fortran client (none where there is no Fortran)."""

    def __init__(self, build, folder):
        build = pathlib.Path(build).resolve()
        self.folder = pathlib.Path(folder)
        self.ermine = str(build / "ermine")
        self.channel = str(build / "ermine-channel")
        client = build / "tests" / "saving_client"
        self.client = str(client) if client.exists() else None
        self.case = self.folder / "attacked.toml"
        self.case.write_text(RUN_CASE.replace("[grid]", 'temperature = "600 + 900 * x * (1 - x)"\n[grid]')
                             + SOLVER.format(64))
        self.coupled = self.folder / "coupled.toml"
        self.coupled.write_text(RUN_CASE[RUN_CASE.index("[medium]"):] + SOLVER.format(8) + "[coupling]\nlag = 1\n")

    def run_words(self, out, *sets):
        words = [self.ermine, "run", str(self.case), "-o", str(out), "--quiet"]
        return words + [word for text in sets for word in ("--set", text)]

    def channel_words(self, out, steps, restart=None, *sets):
        words = [self.channel, str(ROOT / "examples/channel/mini.toml"), "--json", "--backend", "cpu"]
        for text in ("output.directory=" + str(out), "grid.cells=[6,4,6]", f"time.steps={steps}",
                     "radiation.case.solver.rays_per_cell=8", "radiation.case.solver.rays_per_wall_face=4",
                     "output.restart_every=1", "output.slices_every=0", "output.fields_every=0", *sets):
            words += ["--set", text]
        return words + (["--restart", str(restart)] if restart else [])

    def client_words(self, folder, steps):
        return [self.client, str(self.coupled), str(folder), str(steps)]


def environment():
    return {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}


def finished(words):
    """Exit code, standard output and error of a program."""
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=GUARD)
    return done.returncode, done.stdout, done.stderr


def channel_answer(output):
    """What a run of the channel found, without what depends on the clock."""
    answer = json.loads(output)
    answer.pop("seconds")
    for key in [k for k in answer["radiation"] if k.startswith(("seconds", "hidden"))]:
        answer["radiation"].pop(key)
    return answer
