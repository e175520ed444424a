"""Signals, at once or at any moment."""

import random
import signal
import time

from cases import CHANNEL, GREY, RESTART, kill, write
from harness import files_in, need, sound, succeeded, unfinished_in, wait_for

ENDLESS = ["--set", "time.steps=1000000000"]


def attacks(world):
    rng = random.Random(world.seed)

    def stopped(number):
        """The channel ends as batch systems expect it to, with all that was computed written."""

        def attack(folder):
            write(folder, "channel.toml", CHANNEL)
            process = world.start([world.ermine, "channel", "channel.toml", *ENDLESS, "--set", "output.restart_every=1"],
                                  folder)
            wait_for((folder / RESTART).exists, process, world.guard, "the first restart file")
            kill(process, number)
            ended = world.finish(process)
            sound(ended)
            need(ended.code == 128 + number, f"exit code is not {128 + number}: {ended}")
            need(not unfinished_in(folder), f"left {unfinished_in(folder)}")
            # Its end lies before the step it has come to: the message names that step.
            again = world.run([world.ermine, "channel", "channel.toml", "--restart", RESTART, "--set", "time.steps=1"], folder)
            step = again.err.partition("is at step ")[2].partition(",")[0]
            need(f"at step {step}," in ended.err, f"stopped ({ended}), but the restart file says {again}")

        return attack

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU):
        yield f"ermine channel: {number.name}", stopped(number)

    def killed_channel(folder):
        """Whatever the moment, the restart file is whole, and the next start clears up."""
        write(folder, "channel.toml", CHANNEL)
        words = [world.ermine, "channel", "channel.toml", *ENDLESS, "--set", "output.restart_every=1", "--quiet"]
        process = world.start(words, folder)
        wait_for((folder / RESTART).exists, process, world.guard, "the first restart file")
        # In the midst of writing, if that is seen in time.
        known = {"channel.toml", RESTART, "out/flow.statistics.h5"}
        end = time.monotonic() + rng.random() * 0.5
        while set(files_in(folder)) <= known and time.monotonic() < end:
            pass
        kill(process, signal.SIGKILL)
        world.finish(process)
        again = world.run([*words[:3], "--restart", RESTART, "--quiet", "--set", "time.steps=1"], folder)
        need("is at step " in again.err, f"the restart file is damaged: {again}")
        succeeded(world.run([*words[:3], "--quiet"], folder))
        left = [n for n in files_in(folder) if n not in known]
        need(not left, f"left {left} after the next start")

    def killed_run(folder):
        """Results are whole or not there."""
        write(folder, "case.toml", GREY)
        words = [world.ermine, "run", "case.toml", "-o", "out", "-q"]
        succeeded(world.run(words, folder))
        whole = {n: (folder / n).read_bytes()[:8] for n in files_in(folder) if n.startswith("out/")}
        process = world.start(words, folder)
        time.sleep(rng.random() * 0.2)
        kill(process, signal.SIGKILL)
        world.finish(process)
        for name, head in whole.items():
            need((folder / name).exists() and (folder / name).read_bytes()[:8] == head, f"{name} is damaged")
        succeeded(world.run(words, folder))
        left = [n for n in files_in(folder) if n not in whole and n != "case.toml"]
        need(not left, f"left {left} after the next start")

    for _ in range(max(2, world.count // 20)):
        yield "ermine channel: kill -9", killed_channel
        yield "ermine run: kill -9", killed_run

    def interrupted_run(number):
        def attack(folder):
            write(folder, "case.toml", GREY)
            process = world.start([world.ermine, "run", "case.toml", "-o", "out", "--set", "solver.rays_per_cell=1000000000"],
                                  folder)
            time.sleep(0.3 * rng.random())
            kill(process, number)
            ended = world.finish(process)
            need(not ended.hung, "does not end")
            need(ended.code in (-number, 128 + number, 1), f"ends otherwise: {ended}")
            # Locks and temporary files may stay, of which the next run takes care.
            left = [n for n in files_in(folder) if n != "case.toml" and not n.startswith("out/.case.")]
            need(not left, f"left {left}")
            succeeded(world.run([world.ermine, "run", "case.toml", "-o", "out", "--set", "solver.rays_per_cell=4"], folder))
            hidden = [n for n in files_in(folder) if "/." in n]
            need(not hidden, f"left {hidden} after the next start")

        return attack

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU):
        yield f"ermine run: {number.name}", interrupted_run(number)
