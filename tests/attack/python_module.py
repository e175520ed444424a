"""Python programs that misuse the module, and folders that hold modules of their own."""

import signal
import subprocess
import sys
import time

from cases import GREY, kill, write
from harness import Unavailable, need, sound, succeeded

HEAD = """
import os, sys, threading
import numpy as np
import ermine
grid = [ermine.Axis.uniform(4, 0, 1), ermine.Axis.uniform(3, 0, 1, True), ermine.Axis.uniform(3, 0, 1, True)]
CASE = '''medium = { absorption_coefficient = 1.0 }
walls = { x_low = { temperature = 500 }, x_high = { temperature = 600 } }
solver = { rays_per_cell = %s, rays_per_wall_face = 2 }
'''
open('coupled.toml', 'w').write(CASE % os.environ.get('RAYS', '4'))
def radiation():
    made = ermine.Radiation('coupled.toml')
    made.set_grid(*grid)
    return made
def tracer():
    return ermine.Tracer(ermine.Grid(*grid), {'x_low': 500, 'x_high': 600}, ermine.GreyMedium(1.0),
                         rays_per_cell=int(os.environ.get('RAYS', '4')))
def field(made):
    return np.full(made.shape, 800.0)
T = 800.0 + np.arange(36.0).reshape(ermine.Grid(*grid).shape)
"""

# Each is refused with an exception of Python; what comes before belongs to honest programs.
REFUSED = {
    "masked array": "tracer().solve(np.ma.masked_greater(T, 810))",
    "booleans": "tracer().solve(T > 0)",
    "complex numbers": "tracer().solve(T + 1j)",
    "dates": "tracer().solve(np.full(T.shape, np.datetime64('2020-01-01')))",
    "durations": "tracer().solve(np.full(T.shape, np.timedelta64(800, 's')))",
    "texts": "tracer().solve(np.full(T.shape, '800'))",
    "bytes": "tracer().solve(np.full(T.shape, b'800'))",
    "objects": "tracer().solve(np.full(T.shape, None))",
    "nothing": "tracer().solve(None)",
    "NaN": "tracer().solve(T * np.nan)",
    "another shape": "tracer().solve(T[1:])",
    "records": "tracer().solve(np.zeros(T.shape, dtype=[('a', 'f8')]))",
    "masked array of a wall": "ermine.Wall(np.ma.masked_greater(np.array([500.0, 900.0]), 600))",
    "boolean wall": "ermine.Wall(True)",
    "boolean absorption": "ermine.GreyMedium(True)",
    "complex absorption": "ermine.GreyMedium(1 + 1j)",
    "text as absorption": "ermine.GreyMedium('1')",
    "date as absorption": "ermine.GreyMedium(np.datetime64('2020-01-01'))",
    "masked array, coupled": "r = radiation(); r.advance(np.ma.masked_greater(field(r), 1))",
    "booleans, coupled": "r = radiation(); r.advance(field(r) > 0)",
    "complex numbers, coupled": "r = radiation(); r.advance(field(r) + 1j)",
    "dates, coupled": "r = radiation(); r.advance(np.full(r.shape, np.datetime64('2020-01-01')))",
    "texts, coupled": "r = radiation(); r.advance(np.full(r.shape, '800'))",
    "boolean coefficient, coupled": "r = radiation(); r.set_absorption(True)",
    "complex coefficient, coupled": "r = radiation(); r.set_absorption(1j)",
    "negative block": "r = radiation(); r.set_block([-1, 0, 0], [4, 3, 3])",
    "absurd axis": "ermine.Axis.uniform(2**62, 0, 1)",
}
TAKEN = {
    "lists": "tracer().solve(T.tolist())",
    "tuples": "tracer().solve([[tuple(b) for b in a] for a in T.tolist()])",
    "lists, coupled": "r = radiation(); r.advance(field(r).tolist())",
    "whole numbers": "tracer().solve(T.astype('i4'))",
    "single precision": "tracer().solve(T.astype('f4'))",
    "other byte order": "tracer().solve(T.astype('>f8'))",
    "slices": "tracer().solve(np.full(tuple(2 * n for n in T.shape), 800.0)[::2, ::2, ::2])",
    "read-only": "T.flags.writeable = False; tracer().solve(T)",
}
THREADS = """
r, t = {object}, 800.0
failures = []
def work():
    for _ in range(40):
        try:
            {call}
        except ermine.Error:
            pass
        except RuntimeError:
            pass
threads = [threading.Thread(target=work) for _ in range(4)]
[x.start() for x in threads]
[x.join() for x in threads]
"""
ENDLESS = {
    "solve()": "t = tracer(); print('ready', flush=True); t.solve(T)",
    "submit() and wait()": "s = tracer().submit(T); print('ready', flush=True); s.wait()",
    "advance()": "r = radiation(); x = field(r); print('ready', flush=True); r.advance(x)",
    "wait() of a coupled run": "r = radiation(); r.submit(field(r)); print('ready', flush=True); r.wait()",
    "run() of a case": "c = ermine.parse_case(open('case.toml').read(), rays_per_cell=10**9); print('ready', flush=True); c.run()",
    "run()": "print('ready', flush=True); ermine.run('case.toml', rays_per_cell=10**9)",
}


def interpreter(world):
    if not (world.build / "python/ermine").is_dir():
        raise Unavailable("the Python module is not built")
    for python in dict.fromkeys([sys.executable, "python3", "/usr/bin/python3"]):
        found = subprocess.run([python, "-c", "import numpy, ermine"], capture_output=True, cwd="/",
                               env={**world.environment, "PYTHONPATH": str(world.build / "python")})
        if found.returncode == 0:
            return python
    raise Unavailable("no Python here has NumPy and this module, run tools/install_dependencies.sh --python")


def attacks(world):
    python = interpreter(world)
    path = {"PYTHONPATH": str(world.build / "python")}

    def script(folder, text):
        write(folder, "case.toml", GREY)
        return [python, write(folder, "script.py", HEAD + text)]

    def run(folder, text, **more):
        return world.run(script(folder, text), folder, env={**path, **more})

    def outcome(code, expected):
        def attack(folder):
            text = f"try:\n    {code}\nexcept Exception as error:\n    print('refused', type(error).__name__, error)\nelse:\n    print('taken')\n"
            ended = run(folder, text)
            succeeded(ended)
            need(ended.out.startswith(expected), f"not {expected}: {ended}")
            need("Warning" not in ended.err, f"warns only: {ended}")

        return attack

    for name, code in REFUSED.items():
        yield f"refused: {name.partition(',')[0]}", outcome(code, "refused")
    for name, code in TAKEN.items():
        yield f"taken: {name.partition(',')[0]}", outcome(code, "taken")

    def interrupted(code):
        def attack(folder):
            process = world.start(script(folder, code), folder, env={**path, "RAYS": "1000000000"})
            line = process.stdout.readline()
            need(line == b"ready\n", f"did not start: {line!r}")
            time.sleep(0.2)
            kill(process, signal.SIGINT)
            ended = world.finish(process, min(world.guard, 60))
            need(not ended.hung, "Ctrl-C does not stop it")
            need("KeyboardInterrupt" in ended.err, f"not as Python does: {ended}")

        return attack

    for name, code in ENDLESS.items():
        yield f"Ctrl-C: {name}", interrupted(code)

    for name, made, call in (("Radiation", "radiation()", "r.advance(np.full(r.shape, 800.0))"),
                             ("Radiation, by hand", "radiation()", "r.submit(np.full(r.shape, 800.0)); r.wait()"),
                             ("Radiation, settings", "radiation()", "r.set_absorption(2.0); r.advance(np.full(r.shape, 800.0)); r.source"),
                             ("Tracer", "tracer()", "r.solve(T)")):
        yield f"threads on one {name.partition(',')[0]}", lambda folder, t=THREADS.format(object=made, call=call): succeeded(run(folder, t))

    def forked(code):
        def attack(folder):
            text = ("r = radiation(); r.advance(field(r))\nt = tracer(); t.solve(T)\n"
                    "child = os.fork()\nif child == 0:\n    try:\n"
                    f"        {code}\n        os._exit(0)\n    except Exception as error:\n        print(error, flush=True)\n        os._exit(7)\n"
                    "status = os.waitpid(child, 0)[1]\nprint('child', status)\nr.advance(field(r))\n")
            ended = run(folder, text, OMP_NUM_THREADS="2")
            sound(ended)
            need("child 0" in ended.out or f"child {7 << 8}" in ended.out, f"the child ended otherwise: {ended}")

        return attack

    for code in ("r.advance(field(r))", "t.solve(T)", "r.submit(field(r)); r.wait()", "tracer().solve(T)"):
        yield "fork after use", forked(code)
    for code in ("r = radiation(); r.submit(field(r))", "s = tracer().submit(T)", "r = radiation(); r.submit(field(r)); sys.exit(0)"):
        yield "exit with a solution under way", lambda folder, c=code: sound(run(folder, c, RAYS="1000000000"))

    def planted(name, **environment):
        """A module beside the result must not run when it is drawn."""

        def attack(folder):
            write(folder, "case.toml", GREY)
            succeeded(world.run([world.ermine, "run", "case.toml", "-q", "-o", "."], folder))
            (folder / name).write_text("import os\nopen('planted', 'w').write('x')\n")
            for words in (["plot", "case.h5"], ["plot", "--help"], ["spectra", "plot", "--gas", "CO", "-o", "a.png"],
                          ["plot", str(folder / "case.h5")]):
                world.run([world.ermine, *words], folder, env=environment)
            need(not (folder / "planted").exists(), f"{name} in the current folder was executed")

        return attack

    for name in ("h5py.py", "matplotlib.py", "numpy.py", "argparse.py", "sitecustomize.py", "usercustomize.py", "encodings.py", "os.py"):
        yield "ermine plot: modules in the current folder", planted(name)
        yield "ermine plot: modules in the current folder", planted(name, PYTHONPATH="")
