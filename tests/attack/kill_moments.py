#!/usr/bin/env python3
"""Kills programs of ermine at random moments, and looks at what they leave.

    kill_moments.py BUILD [--count N] [--seed N]

Restart files must be whole and load, must not be older than the last one that was announced, and the run that went on
from the last one must end with the bits of a run that was never killed. Results of `ermine run` must be those of one
run or of the other. The next start removes what is left over. Prints tried and held of each program; exits with 1
unless all held.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from attacked import GUARD, Programs, channel_answer, environment, finished


def killed(words, seconds):
    """What a program printed until it was killed, or ended."""
    process = subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate(timeout=GUARD)


def left_over(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def seconds_of(words):
    start = time.monotonic()
    assert finished(words)[0] == 0
    return time.monotonic() - start


def attack_run(programs, folder, count, source):
    """Each run gives the gas another temperature: the files are of one run, or of the one before."""
    out = folder / "run"
    profiles = {}
    for kelvin in (700, 900):
        assert finished(programs.run_words(out, f"temperature={kelvin}"))[0] == 0
        profiles[kelvin] = (out / "attacked_x.csv").read_bytes()
    longest = seconds_of(programs.run_words(out, "temperature=900"))
    held = 0
    for n in range(count):
        killed(programs.run_words(out, f"temperature={(700, 900)[n % 2]}"), source.uniform(0, 1.1 * longest))
        whole = (out / "attacked_x.csv").read_bytes() in profiles.values()
        read = 'temperature={ hdf5 = "' + str(out / "attacked.h5") + '", dataset = "/fields/temperature" }'
        code, _, error = finished(programs.run_words(folder / "read", read, "solver.rays_per_cell=2"))
        held += whole and code == 0
        if not whole or code != 0:
            print("run:", error)
    assert finished(programs.run_words(out))[0] == 0
    return held if not left_over(out) else 0


def attack_channel(programs, folder, count, source):
    out = folder / "channel"
    restart = out / "mini.restart.h5"
    assert finished(programs.channel_words(out, 1))[0] == 0

    def step_of_restart():
        _, _, error = finished(programs.channel_words(folder / "look", 1, restart))
        found = re.search(r"is at step (\d+)", error)
        return int(found[1]) if found else -1
    longest = seconds_of(programs.channel_words(folder / "look", 20))
    held, step = 0, 1
    for _ in range(count):
        killed(programs.channel_words(out, 1000000, restart), source.uniform(0, longest))
        before, step = step, step_of_restart()
        held += step >= before
        if step < before:
            print(f"channel: step {step} after {before}")
    last = step + 3
    code, output, error = finished(programs.channel_words(out, last, restart))
    assert code == 0, error
    code, through, error = finished(programs.channel_words(folder / "through", last))
    assert code == 0, error
    same = channel_answer(output) == channel_answer(through)
    if not same or left_over(out):
        print("channel: another answer, or files left over:", left_over(out))
    print(f"channel: {last} steps in {count + 1} parts")
    return held if same and not left_over(out) else 0


def attack_client(programs, folder, count, source):
    saved = folder / "client"
    saved.mkdir()
    (folder / "first").mkdir()
    longest = seconds_of(programs.client_words(folder / "first", 20))
    held, announced = 0, 0
    for _ in range(count):
        output, error = killed(programs.client_words(saved, 1000000), source.uniform(0, longest))
        resumed = re.search(r"^resumed (\d+)", output, re.MULTILINE)
        good = "ERROR" not in error and (not resumed or int(resumed[1]) >= announced)
        announced = max([announced, *map(int, re.findall(r"^saved (\d+)$", output, re.MULTILINE))])
        held += good
        if not good:
            print("client:", output[:200], error)
    # What was saved last may not have been announced any more.
    last = max(announced, int((saved / "last").read_text() if (saved / "last").exists() else 0)) + 3
    code, output, error = finished(programs.client_words(saved, last))
    assert code == 0, error
    (folder / "through").mkdir(exist_ok=True)
    code, through, error = finished(programs.client_words(folder / "through", last))
    assert code == 0, error
    same = output.splitlines()[-1] == through.splitlines()[-1] and output.splitlines()[-1].startswith("end ")
    if not same or left_over(saved):
        print("client: another answer, or files left over:", left_over(saved))
    print(f"client: {last} steps in {count + 1} parts")
    return held if same and not left_over(saved) else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args()
    all_held = True
    attacks = {"run": attack_run, "channel": attack_channel, "client": attack_client}
    with tempfile.TemporaryDirectory() as name:
        source = random.Random(given.seed)
        for kind, attack in attacks.items():
            folder = pathlib.Path(name) / kind
            folder.mkdir()
            programs = Programs(given.build, folder)
            if kind == "client" and not programs.client:
                print("client: left out, this build has no Fortran")
                continue
            held = attack(programs, folder, given.count, source)
            print(f"{kind}: {given.count} tried, {held} held", flush=True)
            all_held = all_held and held == given.count
    sys.exit(not all_held)


if __name__ == "__main__":
    main()
