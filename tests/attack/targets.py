"""Names to write to that are no regular files: devices, pipes, sockets, links, folders."""

import os
import pathlib
import socket
import stat

from cases import CHANNEL, GREY, RESTART, write
from harness import need, refused, sound


def make_pipe(path):
    os.mkfifo(path)


def make_device(path):
    # The null device, in a place of its own: a program that replaces it does no harm here.
    os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))


def make_socket(path):
    # Names of sockets are short.
    here = os.getcwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path.name)
    os.chdir(here)


def make_folder(path):
    path.mkdir()


def linked(make):
    def make_link(path):
        make(path.parent / "linked")
        path.symlink_to("linked")

    make_link.__name__ = make.__name__
    return make_link


def attacks(world):
    kinds = [make_pipe, make_socket, make_folder, linked(make_pipe), linked(make_socket)]
    try:
        probe = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"ermine-attack-device-{os.getpid()}"
        make_device(probe)
        probe.unlink()
        kinds += [make_device, linked(make_device)]
    except PermissionError:
        pass

    def attempt(make, target, words, files, may_succeed=False):
        def attack(folder):
            for name, text in files.items():
                write(folder, name, text)
            path = folder / target
            path.parent.mkdir(exist_ok=True)
            make(path)
            before = os.lstat(path)
            ended = world.run([*words, *([path] if words[-1] == "-o" else [])], folder)
            after = os.lstat(path) if os.path.lexists(path) else None
            need(after is not None and stat.S_IFMT(after.st_mode) == stat.S_IFMT(before.st_mode)
                 and after.st_ino == before.st_ino, f"the {make.__name__[5:]} {target} was replaced: {ended}")
            if may_succeed and ended.code == 0:
                sound(ended)
            else:
                refused(ended)

        return attack

    snb = ["spectra", "from-snb", "bands.txt", "--gas", "CO2", "-o"]
    bands = (world.source / "tests/fuzz/corpus/snb/two_bands").read_text()
    for make in kinds:
        kind = make.__name__[5:]
        case = {"case.toml": GREY}
        for result in ("case.h5", "case.xdmf", "case_x.csv"):
            yield f"ermine run: a {kind} in the way", attempt(
                make, f"out/{result}", [world.ermine, "run", "case.toml", "-q", "--output=out"], case)
        if kind != "folder":
            yield f"ermine run: a {kind} as folder", attempt(make, "out", [world.ermine, "run", "case.toml", "-q", "-o"], case)
        yield f"ermine spectra: a {kind} in the way", attempt(
            make, "table.h5", [world.ermine, *snb], {"bands.txt": bands})
        yield f"ermine new: a {kind} in the way", attempt(make, "slab.toml", [world.ermine, "new", "slab"], {})
        # Averages and the restart file belong together: either is found out before the first step.
        for result in (RESTART, "out/flow.statistics.h5"):
            yield f"ermine channel: a {kind} in the way", attempt(
                make, result, [world.ermine, "channel", "channel.toml"], {"channel.toml": CHANNEL})

    def followed(folder):
        """Others may have put a link where the temporary file is going to be."""
        write(folder, "case.toml", GREY)
        write(folder, "channel.toml", CHANNEL)
        (folder / "precious").write_text("precious")
        (folder / "out").mkdir()
        for name in ("flow.restart.h5.part", "flow.radiation.part", "flow.statistics.h5.part", "case.h5.part", "case.h5.tmp"):
            (folder / "out" / name).symlink_to(folder / "precious")
        sound(world.run([world.ermine, "run", "case.toml", "-q", "-o", "out"], folder))
        sound(world.run([world.ermine, "channel", "channel.toml", "--quiet"], folder))
        need((folder / "precious").read_bytes() == b"precious", "a link was followed, and the file behind it overwritten")

    yield "links where temporary files may be", followed
