"""Files that the programs read back, with bits that changed or bytes that are lost."""

import json
import random
import re

from cases import CHANNEL, RESTART, write
from harness import Unavailable, need, sound, succeeded


def damages(data, rng, count):
    """Single bits first; then truncated, doubled, emptied and mixed files."""
    for _ in range(count):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        yield "single bits", bytes(changed)
    for _ in range(count // 5):
        yield "truncated", data[:rng.randrange(len(data))]
        start = rng.randrange(len(data))
        size = rng.choice((1, 8, 512, 4096))
        yield "blocks of zeros", data[:start] + b"\0" * size + data[start + size:]
        yield "blocks moved", data[size:start + size] + data[:size] + data[start + size:]
    yield "truncated", b""
    yield "truncated", data[:-1]
    yield "longer", data + b"\0"
    yield "longer", data + data
    yield "something else", b"\x89HDF\r\n\x1a\n" + b"\0" * 2000
    yield "something else", b"ermine\n"
    yield "something else", bytes(rng.randrange(256) for _ in range(3000))


def without_times(report):
    if isinstance(report, dict):
        return {key: without_times(value) for key, value in report.items()
                if not re.search("second|hidden|memory|time$|version|rays_per", key)}
    return report


def difference(found, honest):
    """Where two answers part."""
    at = next((i for i, (a, b) in enumerate(zip(found, honest)) if a != b), min(len(found), len(honest)))
    return f"'{found[max(at - 30, 0):at + 50]}' instead of '{honest[max(at - 30, 0):at + 50]}'"


class Kind:
    """A kind of file: how it is made, and the answer that a program gives with it."""

    def __init__(self, make, answer):
        self.make, self.answer = make, answer


def attacks(world):
    rng = random.Random(world.seed)

    def judged(kind, data, honest):
        def attack(folder):
            ended = kind.answer(folder, data)
            sound(ended)
            if ended.code != 0 or ended.out.startswith("refused: "):
                need((ended.err + ended.out).strip() != "", f"refused without a word: {ended}")
            else:
                # The file may have changed where nobody looks.
                need(ended.out == honest or data == b"", f"another answer: {difference(ended.out, honest)}")

        return attack

    kinds = {}

    def make_table(folder):
        write(folder, "bands.txt", (world.source / "tests/fuzz/corpus/snb/two_bands").read_text())
        ended = world.run([world.ermine, "spectra", "from-snb", "bands.txt", "--gas", "CO2", "-o", "table.h5", "--points", "2",
                           "--temperatures", "300:500:100"], folder)
        succeeded(ended)
        return (folder / "table.h5").read_bytes()

    def info_of_table(folder, data):
        (folder / "table.h5").write_bytes(data)
        return world.run([world.ermine, "spectra", "info", "table.h5"], folder)

    kinds["table"] = Kind(make_table, info_of_table)

    def make_restart(folder):
        write(folder, "channel.toml", CHANNEL)
        succeeded(world.run([world.channel, "channel.toml", "--quiet"], folder))
        return (folder / RESTART).read_bytes()

    def restarted(folder, data):
        write(folder, "channel.toml", CHANNEL)
        (folder / "restart.h5").write_bytes(data)
        ended = world.run([world.channel, "channel.toml", "--restart", "restart.h5", "--json", "--set", "time.steps=6"], folder)
        if ended.code == 0:
            # Times are never the same; averages that begin anew are said to.
            said = [line for line in ended.err.splitlines() if line.startswith("ermine-channel: ")]
            ended.out = f"{without_times(json.loads(ended.out))} {said}"
        return ended

    if world.channel.exists():
        kinds["restart file"] = Kind(make_restart, restarted)
    try:
        client = world.client("attack_client")

        def make_state(folder):
            succeeded(world.run([client, "save", "state"], folder))
            return (folder / "state").read_bytes()

        def loaded(folder, data):
            (folder / "state").write_bytes(data)
            return world.run([client, "load", "state"], folder)

        kinds["state"] = Kind(make_state, loaded)
    except Unavailable:
        pass
    for name, kind in kinds.items():
        made = {}

        def control(folder, kind=kind, made=made):
            made["data"] = kind.make(folder)
            ended = kind.answer(folder, made["data"])
            succeeded(ended)
            need(not ended.out.startswith("refused"), f"{ended}")
            made["answer"] = ended.out
            again = kind.answer(folder, made["data"]).out
            need(again == ended.out, f"answers twice, differently: {difference(again, ended.out)}")

        yield f"{name}: control", control
        if "answer" not in made:
            continue
        for damage, data in damages(made["data"], rng, world.count):
            yield f"{name}: {damage}", judged(kind, data, made["answer"])
