"""Signals, threads, forks and the end of the interpreter. What may hang or crash runs in a process
of its own; time limits are guards only, far above what is needed."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import ermine
from conftest import BOX

GUARD = 120  # seconds, where release 0.1 hung for hours

# Rays for days, all of them in few parts; walls that reflect keep each ray alive for long.
ENDLESS = """
temperature = "600 + 400*x"
medium = { absorption_coefficient = 1e-6 }
[grid]
x = { cells = 16, to = 1.0 }
y = { cells = 1, to = 1.0, periodic = true }
z = { cells = 1, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 500, emissivity = 1e-3 }
x_high = { temperature = 500, emissivity = 1e-3 }
[solver]
rays_per_cell = 4000000000
max_crossings = 1000000
levels = 1
backend = "cpu"
"""

PREPARE = """
import ermine, os, signal, sys, threading, time
file = sys.argv[1]
case = ermine.read_case(file)
tracer = case.tracer()
radiation = ermine.Radiation(file)
T = case.temperature
sent = None
def interrupt():
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
def interrupt_soon():
    threading.Timer(0.3, interrupt).start()
"""


@pytest.fixture
def endless(tmp_path):
    file = tmp_path / "endless.toml"
    file.write_text(ENDLESS)
    return file


def python(code, *arguments, **environment):
    """Runs code behind PREPARE with two threads; the guard is what finds those that hang."""
    script = PREPARE + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", script, *map(str, arguments)], timeout=GUARD,
                          capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "2", **environment})


@pytest.mark.parametrize("before, call", [
    ("", "case.run()"),
    ("", "ermine.run(file)"),
    ("", "ermine.run(file, method='classic')"),
    ("", "ermine.run(file, target_error=1e-9, levels=0)"),
    ("", "tracer.solve(T)"),
    ("", "tracer.submit(T).wait()"),
    ("", "radiation.advance(T)"),
    ("radiation.submit(T)", "radiation.wait()"),
    ("radiation.submit(T)", "radiation.save(file + '.h5')"),
])
def test_control_c_stops(before, call, endless):
    done = python(f"""
        {before}
        try:
            interrupt_soon()
            {call}
        except KeyboardInterrupt:
            spent = time.process_time() - sent
            print("interrupted, pending", radiation.pending)
            print(spent)
        """, endless)
    assert done.returncode == 0, done.stderr
    said, spent = done.stdout.splitlines()
    assert said == f"interrupted, pending {int(bool(before))}"
    # Processor time of two threads until it ends, which other programs do not add to: below 0.2 s, one second of the
    # clock on an idle machine is two.
    assert float(spent) < 2


def test_an_interrupted_radiation_goes_on(endless):
    done = python("""
        try:
            interrupt_soon()
            radiation.advance(T)
        except KeyboardInterrupt:
            pass
        small = ermine.Radiation(file, rays_per_cell=4)
        small.advance(T)
        before = radiation.statistics.cancelled
        radiation.submit(T)
        try:
            interrupt_soon()
            radiation.wait()
        except KeyboardInterrupt:
            radiation.cancel()
        print(radiation.pending, radiation.statistics.cancelled - before, small.source.shape)
        """, endless)
    assert done.stdout == "0 1 (16, 1, 1)\n", done.stderr


@pytest.mark.parametrize("left", [
    "radiation.submit(T)",
    "radiation.submit(T); radiation.submit(T)",
    "pending = tracer.submit(T)",
    "radiation.submit(T); sys.exit(3)",
    "radiation.submit(T); raise SystemExit(3)",
    # Never destroyed, and still at work when the process ends.
    "import builtins; builtins.kept = [radiation]; kept.append(kept); radiation.submit(T)",
])
def test_exit_does_not_wait_for_what_is_pending(left, endless):
    done = python(left, endless)
    assert done.returncode == (3 if "3" in left else 0), done.stderr
    assert done.stderr == ""


def test_dropped_submissions_end(endless):
    tracer = ermine.read_case(endless).tracer()
    for _ in range(3):
        tracer.submit(600.0)  # dropped at once
    assert tracer.grid.shape == (16, 1, 1)


# A Radiation is for one call at a time, everything else for any number of threads.


def test_a_second_thread_gets_an_error(endless):
    done = python("""
        radiation.submit(T)
        threading.Thread(target=radiation.wait, daemon=True).start()
        while True:  # until the other thread has begun
            try:
                radiation.pending
            except ermine.Error as error:
                print(error)
                break
        for call in (lambda: radiation.submit(T), radiation.cancel, radiation.poll,
                     lambda: radiation.source, lambda: radiation.set_absorption(1.0),
                     lambda: radiation.save("never.h5"), lambda: radiation.statistics):
            try:
                call()
                print("no error")
            except ermine.Error as error:
                print(error)
        """, endless)
    messages = done.stdout.splitlines()
    assert done.returncode == 0 and len(messages) == 8, done.stderr
    assert all("in use by another thread" in message for message in messages)


def test_a_signal_handler_gets_an_error(endless):
    done = python("""
        def handle(*_):
            try:
                radiation.cancel()
                interrupt_soon()  # the call has not begun
                return
            except ermine.Error as error:
                print(error)
            raise KeyboardInterrupt
        signal.signal(signal.SIGINT, handle)
        try:
            interrupt_soon()
            radiation.advance(T)
        except KeyboardInterrupt:
            print("ended")
        """, endless)
    assert done.stdout.endswith("ended\n") and "signal handler" in done.stdout, done.stderr


def hammer(work, threads=4, times=6):
    """Calls work(number) on many threads; returns what they raised."""
    raised = []

    def many(number):
        for _ in range(times):
            try:
                work(number)
            except Exception as error:
                raised.append(error)

    started = [threading.Thread(target=many, args=(n,)) for n in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return raised


def test_threads_share_a_tracer():
    case = ermine.parse_case(BOX)
    tracer = case.tracer()
    wanted = [tracer.solve(case.temperature, update=n).flux_divergence for n in range(4)]
    found = {}

    def solve(number):
        found[number] = tracer.solve(case.temperature, update=number).flux_divergence

    assert hammer(solve) == []
    for number, source in found.items():
        assert np.array_equal(source, wanted[number])


def test_one_submission_is_taken_once():
    case = ermine.parse_case(BOX)
    pending = case.tracer().submit(case.temperature)
    results = []
    raised = hammer(lambda _: results.append(pending.wait()), times=1)
    assert len(results) == 1 and len(raised) == 3
    assert all("was taken" in str(error) for error in raised)


# Threads of OpenMP do not survive a fork: what waits for them waits for ever.

FORK = """
    import os, sys
    def child(work):
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            try:
                work()
                print("worked")
            except ermine.Error as error:
                print(error)
            sys.exit(0)  # with all destructors, which may hang as well
        return os.waitpid(pid, 0)[1]
"""


def test_a_fork_after_use_gets_an_error(endless):
    works = ["tracer.solve(T)", "tracer.submit(T).wait()", "case.run()", "radiation.wait()",
             "radiation.poll()", "radiation.advance(T)", "pending.wait()", "ermine.read_case(file)",
             "ermine.Radiation(file)", "ermine.GasMedium({'H2O': 0.1})"]
    done = python(textwrap.dedent(FORK) + textwrap.dedent(f"""
        ermine.read_case(file, {{"medium.absorption_coefficient": 10}}, rays_per_cell=2).run()
        radiation.submit(T)
        pending = tracer.submit(T)
        for work in ({", ".join("lambda: " + work for work in works)}):
            assert child(work) == 0
        """), endless)
    messages = done.stdout.splitlines()
    assert done.returncode == 0 and len(messages) == len(works), done.stdout + done.stderr
    assert all("forked" in message and "spawn" in message for message in messages)


def test_a_fork_reads_results_and_one_before_use_works(box):
    script = "import ermine, sys\nfile = sys.argv[1]\n" + textwrap.dedent(FORK) + textwrap.dedent("""
        solve = lambda: print(ermine.run(file).flux_divergence.shape)
        print(child(solve))
        result = ermine.run(file)
        print(child(lambda: print(result.flux_divergence.sum() == result.flux_divergence.sum())))
        """)
    done = subprocess.run([sys.executable, "-c", script, str(box)], timeout=GUARD, text=True,
                          capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "2"})
    assert done.stdout == "(8, 6, 4)\nworked\n0\nTrue\nworked\n0\n", done.stderr


def test_other_threads_run_meanwhile():
    case = ermine.parse_case(BOX, rays_per_cell=10**6)
    counted = []

    class Enough(Exception):
        pass

    def stop_once_counted(progress):
        if len(counted) > 10:
            raise Enough

    def count():
        while len(counted) <= 10:
            counted.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    with pytest.raises(Enough):
        thread.start()
        case.run(progress=stop_once_counted)
    thread.join()
