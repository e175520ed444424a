"""Command lines that make no sense."""

import random

from harness import files_in, need, refused_or_succeeded, sound, unfinished_in

WORDS = [
    "", " ", "-", "--", "---", "-x", "--no-such", "-o", "--output", "--set", "--threads", "--backend", "--json", "-q",
    "0", "-1", "nan", "1e9", "99999999999999999999", "cpu", "cuda", "case.toml", "./case.toml", "no.toml", "/", ".", "..",
    "é", "\u202e", "\x7f", "a" * 5000, "%s%n", "$(id)", "';", "\n", "run", "check", "plot", "new", "spectra", "info",
    "--help", "--version", "--set=", "--set=a", "--set=.=1", "--set=a..b=1", "--set=solver.seed=", "--set=solver=1",
    "--set=grid.x.cells=[1]", "--set=temperature=x+", "--set=title='''", "--set=medium.gas=H2O", "--threads=0",
    "--threads=4097", "--output=", "--output=/proc/nothing", "--backend=", "--backend=cuda",
    "--set=" + "a." * 3000 + "a=1", "--set=temperature=" + "(" * 3000, "--set=title=" + "[" * 3000,
]
VERBS = ["new", "check", "run", "plot", "channel", "spectra", "validate", "bench", "info", "completion"]
SPECTRA = ["from-snb", "from-lines", "info", "planck-mean", "emissivity", "plot"]


def attacks(world):
    rng = random.Random(world.seed)
    case = (world.source / "tests/cli/valid.toml").read_bytes()

    def attempt(words):
        def attack(folder):
            (folder / "case.toml").write_bytes(case)
            ended = world.run([world.ermine, *words], folder)
            sound(ended)
            if ended.code != 0:
                need(ended.err.strip() != "", f"fails without a word: {words!r:.200}")
            need(not unfinished_in(folder), f"left {unfinished_in(folder)}")

        return attack

    def override(text):
        def attack(folder):
            (folder / "case.toml").write_bytes(case)
            refused_or_succeeded(world.run([world.ermine, "run", "case.toml", "-q", "-o", "out", "--set", text], folder))

        return attack

    for _ in range(world.count):
        # Studies take long when they are asked for properly.
        verb = rng.choice([v for v in VERBS if v not in ("validate", "bench")])
        words = [verb, *([rng.choice(SPECTRA)] if verb == "spectra" else []), *rng.choices(WORDS, k=rng.randrange(5))]
        if verb in ("check", "run") and rng.random() < 0.5:
            words.insert(1, "case.toml")
        words = [w for w in words if "\0" not in w]
        yield f"ermine {verb}", attempt(words)
    keys = ["temperature", "solver.rays_per_cell", "medium.absorption_coefficient", "grid.x", "walls.x_low", "solver", "title"]
    values = ["", " ", "nan", "inf", "-1", "[", "]", "{", "{a=1}", "'", '"', "'''", "'''x", "\\", "x\ny", "\t", "é", "#", "1 # 2",
              "x=1", "1\x01", "[[[[]]]]", "1979-05-27", "temperature", "=", "==", "1e400", "\udcff"]
    pairs = [(k, v) for k in keys for v in values]
    rng.shuffle(pairs)
    for key, value in pairs[:world.count]:
        yield "--set", override(f"{key}={value}")
