"""Cases of the channel flow that were written carelessly or with bad intent."""

import random

from case_files import VALUES, damaged_text, leaves, whole_texts, with_unknown, with_value, without, written
from harness import Unavailable, files_in, need, refused_or_succeeded, succeeded, unfinished_in

VALID = {
    "title": '"500 + 1000*x"',  # the text that whole_texts() replaces
    "grid": {"cells": "[4, 4, 4]", "length": "[2.0, 3.0, 6.0]", "stretching": "1.0"},
    "flow": {"reynolds": "500", "start": '"laminar"', "seed": "1", "walls": '"no_slip"', "disturbance": "0.1"},
    "temperature": {"walls": "[955, 573]", "prandtl": "0.7"},
    "time": {"step": "0.02", "steps": "2", "every": "1"},
    "radiation": {
        "capacity": "2000.0", "emission": '"explicit"', "half_height": "1.0", "set": '["solver.seed=3"]',
        "case": {
            "medium": {"absorption_coefficient": "2.0"},
            "solver": {"rays_per_cell": "2", "rays_per_wall_face": "2"},
            "coupling": {"interval": "2", "lag": "1"},
        },
    },
    "output": {
        "directory": '"out"', "name": '"flow"', "restart": "true", "restart_every": "1", "statistics_every": "1",
        "statistics_from": "0", "slices_every": "1", "planes": "[0.0, 0.2, 0.5, 1.0]", "fields_every": "-1",
    },
}


def attempt(world, data):
    def attack(folder):
        (folder / "case.toml").write_bytes(data)
        # Whatever else the case says, it ends soon.
        ended = world.run([world.channel, "case.toml", "--quiet", "--set", "time.steps=2", "--set", "time.step=0.02"], folder)
        refused_or_succeeded(ended)
        need(not unfinished_in(folder), f"left {unfinished_in(folder)}")

    return attack


def attacks(world):
    if not world.channel.exists():
        raise Unavailable("ermine-channel is not built, it needs FFTW")
    rng = random.Random(world.seed)
    text = written(VALID).encode()

    def control(folder):
        (folder / "case.toml").write_bytes(text)
        succeeded(world.run([world.channel, "case.toml"], folder))
        need("out/flow.restart.h5" in files_in(folder), "wrote no restart file")

    yield "control: the case runs", control
    wrong = []
    for path in leaves(VALID):
        wrong.append(("missing key", without(VALID, path)))
        wrong.append(("unknown key", with_unknown(VALID, path, path[-1] + "s")))
        wrong += [("wrong value", with_value(VALID, path, value)) for value in VALUES]
    rng.shuffle(wrong)
    for name, case in wrong[:2 * world.count]:
        yield name, attempt(world, written(case).encode())
    whole = list(whole_texts(text))
    rng.shuffle(whole)
    for name, data in whole[:world.count]:
        yield name, attempt(world, data)
    for _ in range(world.count):
        yield "damaged text", attempt(world, damaged_text(text, rng))
