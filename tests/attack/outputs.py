"""Output that cannot be written: full disks, closed streams, pipes that nobody reads."""

import os

from cases import CHANNEL, GREY, RESTART, write
from harness import files_in, need, refused, sound, succeeded, unfinished_in

RESULTS = ["out/case.h5", "out/case.xdmf", "out/case_x.csv"]


def closed_pipe():
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def attacks(world):
    def run(folder, *words, **surroundings):
        write(folder, "case.toml", GREY)
        return world.run([world.ermine, "run", "case.toml", "-o", "out", *words], folder, **surroundings)

    def channel(folder, *words, **surroundings):
        write(folder, "channel.toml", CHANNEL)
        return world.run([world.ermine, "channel", "channel.toml", *words], folder, **surroundings)

    def whole(folder, start):
        """What was written can be read, and nothing else is left."""
        left = files_in(folder)
        need(not unfinished_in(folder), f"left {left}")
        if start is run:
            need(all(name in left for name in RESULTS), f"results are missing, there are {left}")
        else:
            need(RESTART in left, f"the restart file is missing, there are {left}")
            succeeded(channel(folder, "--restart", RESTART, "--set", "time.steps=6"))

    def progress_lost(start, **surroundings):
        """Standard error carries progress only: the run goes on to its end."""

        def attack(folder):
            streams = dict(surroundings)
            if streams.get("err") == "pipe":
                streams["err"] = closed_pipe()
            elif "err" in streams:
                streams["err"] = os.open(streams["err"], os.O_WRONLY)
            try:
                ended = start(folder, **streams)
            finally:
                if "err" in streams:
                    os.close(streams["err"])
            succeeded(ended)
            whole(folder, start)

        return attack

    for name, start in (("run", run), ("channel", channel)):
        yield f"ermine {name}: standard error is full", progress_lost(start, err="/dev/full")
        yield f"ermine {name}: standard error is closed", progress_lost(start, close=[2])
        yield f"ermine {name}: standard error is a broken pipe", progress_lost(start, err="pipe")
        yield f"ermine {name}: standard streams are closed", results_lost_anywhere(start, whole, close=[1, 2])
        yield f"ermine {name}: standard output is closed", results_lost_anywhere(start, whole, close=[1])

    def results_lost(*words):
        def attack(folder):
            write(folder, "case.toml", GREY)
            write(folder, "channel.toml", CHANNEL)
            with open("/dev/full", "wb") as full:
                ended = world.run([world.ermine, *words], folder, out=full)
            sound(ended)
            need(ended.code != 0, "the results were lost, but the exit code is 0")

        return attack

    yield "standard output is full", results_lost("run", "case.toml", "-o", "out")
    yield "standard output is full", results_lost("run", "case.toml", "-o", "out", "--json")
    yield "standard output is full", results_lost("check", "case.toml")
    yield "standard output is full", results_lost("info")
    yield "standard output is full", results_lost("--help")
    yield "standard output is full", results_lost("--version")
    yield "standard output is full", results_lost("completion", "bash")
    yield "standard output is full", results_lost("spectra", "planck-mean", "--gas", "H2O")
    yield "standard output is full", results_lost("channel", "channel.toml")
    yield "standard output is full", results_lost("channel", "channel.toml", "--json")
    yield "standard output is full", results_lost("channel", "--help")
    yield "standard output is full", results_lost("channel", "--version")

    def nowhere(start, target):
        def attack(folder):
            (folder / "file").write_text("")
            if start is run:
                refused(world.run([world.ermine, "run", write(folder, "case.toml", GREY), "-q", "-o", target], folder))
            else:
                # Found before the first step: a run that began would go on for ever.
                refused(channel(folder, "--set", f"output.directory='{target}'", "--set", "time.steps=1000000000"))
            need(files_in(folder) in (["case.toml", "file"], ["channel.toml", "file"]), f"left {files_in(folder)}")

        return attack

    for name, start in (("run", run), ("channel", channel)):
        for target in ("file", "file/below", "/proc/nothing", "/sys/nothing", "/dev/null/below", "n" * 300):
            yield f"ermine {name}: output folder cannot be written", nowhere(start, target)

    def limited(start, size, signals):
        def attack(folder):
            ended = start(folder, "--quiet", file_size=size, default_signals=signals)
            sound(ended)
            need(ended.code != 0, f"accepted: {ended}")
            left = [n for n in files_in(folder) if n not in ("case.toml", "channel.toml")]
            need(not left, f"partial files {left}")

        return attack

    for name, start in (("run", run), ("channel", channel)):
        for size in (0, 1, 4096):
            yield f"ermine {name}: disk full", limited(start, size, False)
            yield f"ermine {name}: file size limited", limited(start, size, True)


def results_lost_anywhere(start, whole, **surroundings):
    """Nobody can be told, but files are written."""

    def attack(folder):
        sound(start(folder, **surroundings))
        whole(folder, start)

    return attack
