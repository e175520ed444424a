"""Runs programs in hostile surroundings and judges how they end.

An attack is a pair (name, function): the function gets an empty folder and raises Broken when the
program did not hold. Attacks of one name are counted together.
"""

import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Broken(Exception):
    """The program did not hold; the text says how."""


class Unavailable(Exception):
    """This machine or build lacks what a family of attacks needs; the text says what."""


def need(condition, what):
    if not condition:
        raise Broken(what)


class Ended:
    """What became of a program."""

    def __init__(self, code, out, err, hung):
        self.code, self.out, self.err, self.hung = code, out, err, hung

    def __str__(self):
        how = "hung" if self.hung else f"ended by signal {-self.code}" if self.code < 0 else f"exit code {self.code}"
        return f"{how}; {' | '.join((self.err or self.out).splitlines()[-3:])[:400]}"


# What no program may ever print, whatever it is given.
FORBIDDEN = re.compile(
    r"terminate called|what\(\):|Sanitizer|runtime error:|unexpected failure|please report|Segmentation fault"
    r"|HDF5-DIAG|Assertion|core dumped|stack smashing|free\(\)|malloc\(\)|std::"
)


class World:
    """The built programs, and how to run them."""

    def __init__(self, build, source, count, seed, guard):
        self.build, self.source, self.count, self.seed, self.guard = build, source, count, seed, guard
        self.ermine = build / "ermine"
        self.channel = build / "ermine-channel"
        self.clients = build / "tests"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ERMINE"))},
            "OMP_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "",
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_btl_base_warn_component_unused": "0",
        }

    def client(self, name):
        program = self.clients / name
        if not program.exists():
            raise Unavailable(f"{program.name} is not built, build the target attack_clients")
        return program

    def limits(self, memory, file_size, default_signals):
        def apply():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            if file_size is not None:
                if not default_signals:
                    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
            # Programs inherit what is ignored: by Python, or by a shell in the background.
            for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)

        return apply

    def start(self, words, folder, out=None, err=None, stdin=subprocess.DEVNULL, env=None,
              memory=6 << 30, file_size=None, default_signals=False, close=()):
        """Starts a program; `close` names descriptors it finds closed."""
        words = [str(w) for w in words]
        if close:
            shut = " ".join(f"{n}>&-" for n in close)
            words = ["/bin/sh", "-c", f'exec "$@" {shut}', "sh", *words]
        return subprocess.Popen(
            words, cwd=folder, stdin=stdin, stdout=out or subprocess.PIPE, stderr=err or subprocess.PIPE,
            env={**self.environment, **(env or {})}, start_new_session=True,
            preexec_fn=self.limits(memory, file_size, default_signals))

    def finish(self, process, guard=None):
        """Waits for it; one that passes the guard is killed with all its children."""
        hung = False
        try:
            texts = process.communicate(timeout=guard or self.guard)
        except subprocess.TimeoutExpired:
            hung = True
            os.killpg(process.pid, signal.SIGKILL)
            texts = process.communicate()
        return Ended(process.returncode, *((t or b"").decode(errors="replace") for t in texts), hung)

    def run(self, words, folder, guard=None, **surroundings):
        return self.finish(self.start(words, folder, **surroundings), guard)

    def mpi(self, folder, *parts, **surroundings):
        """Each part is the command line of one process."""
        words = ["mpirun"]
        for number, part in enumerate(parts):
            words += ([":"] if number else []) + ["-n", "1", *part]
        if not shutil.which("mpirun"):
            raise Unavailable("there is no mpirun, install Open MPI")
        return self.run(words, folder, memory=None, **surroundings)


def sound(ended):
    """Neither crashed nor hung nor printed what no program may print."""
    need(not ended.hung, f"hangs: {ended}")
    need(ended.code >= 0, f"crashes: {ended}")
    found = FORBIDDEN.search(ended.err + ended.out)
    need(not found, f"prints '{found and found.group()}': {ended}")


def refused(ended, *words):
    """Ended with one clear message that has these words in it."""
    sound(ended)
    need(ended.code != 0, f"accepted: {ended}")
    errors = [line for line in ended.err.splitlines() if re.match(r"ermine(-channel)?: error: ", line)]
    need(len(errors) == 1, f"{len(errors)} messages instead of one: {ended}")
    need(len(ended.err.splitlines()) == 1, f"more than its message: {ended}")
    for word in words:
        need(word in ended.err, f"the message lacks '{word}': {ended}")


def succeeded(ended):
    sound(ended)
    need(ended.code == 0, f"fails: {ended}")


def refused_or_succeeded(ended):
    sound(ended)
    if ended.code != 0:
        # A command line that cannot be read is answered in more than one line.
        if ended.code == 2 and "--help" in ended.err:
            return
        refused(ended)


def files_in(folder):
    """Names of all files below a folder."""
    folder = pathlib.Path(folder)
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


def unfinished_in(folder):
    """Names of temporary files: of those that programs write under another name first."""
    return [name for name in files_in(folder) if ".tmp" in name or ".part" in name]


def wait_for(condition, process, guard, what):
    """Until something is there, or the process has ended."""
    end = time.monotonic() + guard
    while not condition():
        if process.poll() is not None:
            raise Broken(f"ended with code {process.returncode} before {what}")
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Broken(f"hangs before {what}")
        time.sleep(0.002)


class Table:
    """Counts of attacks, by family and name."""

    def __init__(self, shown):
        self.rows, self.failures, self.skipped, self.shown = {}, [], [], shown

    def row(self, family, name):
        return self.rows.setdefault((family, name), {"tried": 0, "held": 0, "left out": 0})

    def add(self, family, name, failure):
        row = self.row(family, name)
        row["tried"] += 1
        row["held"] += failure is None
        if failure is not None:
            self.failures.append((family, name, failure))

    def leave_out(self, family, name, count):
        self.row(family, name)["left out"] += count

    def print(self):
        counts = ("tried", "held", "left out")
        print(f"\n{'family':<16} {'attack':<52}" + "".join(f"{count:>9}" for count in counts))
        for (family, name), row in self.rows.items():
            print(f"{family:<16} {name:<52}" + "".join(f"{row[count]:>9}" for count in counts)
                  + ("" if row["tried"] == row["held"] else "  BROKEN"))
        print(f"{'all':<16} {'':<52}" + "".join(f"{sum(row[c] for row in self.rows.values()):>9}" for c in counts))
        for family, why in self.skipped:
            print(f"skipped: {family}: {why}")
        seen = {}
        for family, name, failure in self.failures:
            seen[family, name] = seen.get((family, name), 0) + 1
            if seen[family, name] <= self.shown:
                print(f"broken: {family}: {name}: {failure}", file=sys.stderr)


def attempt(family, name, attack, table):
    with tempfile.TemporaryDirectory(prefix="ermine-attack-") as folder:
        try:
            attack(pathlib.Path(folder))
            table.add(family, name, None)
        except Broken as failure:
            table.add(family, name, str(failure))


def run_family(world, family, attacks, table, share):
    """Tries a share of the attacks, drawn at random, and at least one of each name."""
    rng = random.Random(f"{world.seed} {family}")
    tried, left = set(), {}
    try:
        for name, attack in attacks(world):
            # Controls are what other attacks are compared with.
            if "control" in name or rng.random() < share:
                tried.add(name)
                attempt(family, name, attack, table)
                continue
            # Each of those left out so far is equally likely to be the one that is kept.
            count, kept = left.get(name, (0, None))
            left[name] = (count + 1, attack if rng.random() * (count + 1) < 1 else kept)
    except Unavailable as lack:
        table.skipped.append((family, str(lack)))
    for name, (count, kept) in left.items():
        if name not in tried:
            attempt(family, name, kept, table)
        table.leave_out(family, name, count - (name not in tried))
