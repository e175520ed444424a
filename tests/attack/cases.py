"""Small cases that several families use."""

import os
import signal

GREY = """
temperature = "500 + 1000*x"
medium = { absorption_coefficient = 1.0 }
[grid]
x = { cells = 4, to = 1.0 }
y = { cells = 3, to = 1.0, periodic = true }
z = { cells = 3, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 500 }
x_high = { temperature = 1500 }
[solver]
rays_per_cell = 4
rays_per_wall_face = 2
"""

# Restart files hold a state of the radiation: updates are under way at every step.
CHANNEL = """
[grid]
cells = [4, 4, 4]
length = [2.0, 3.0, 6.0]
[flow]
reynolds = 500
start = "turbulent"
[time]
step = 0.02
steps = 4
[radiation]
capacity = 2000.0
[radiation.case]
medium = { absorption_coefficient = 2.0 }
solver = { rays_per_cell = 2, rays_per_wall_face = 2 }
coupling = { interval = 2, lag = 1 }
[output]
directory = "out"
name = "flow"
statistics_every = 1
"""

RESTART = "out/flow.restart.h5"


def write(folder, name, text):
    (folder / name).write_text(text)
    return name


def kill(process, number):
    """Ends a program by a signal if it still runs."""
    if process.poll() is None:
        os.kill(process.pid, number)
    if number == signal.SIGKILL:
        process.wait()
