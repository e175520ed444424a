#!/usr/bin/env python3
"""Hot gas cools down in a box with cold walls: a flow solver's time loop with radiation in it.

The "flow" is heat conduction; examples/heated_box.toml describes it. Programs in C++, C and Fortran
beside this one print the same numbers.

    python examples/python/heated_box.py examples/heated_box.toml
"""

import sys

import numpy as np

import ermine

n = 16  # cells along each axis
dx = 1.0 / n  # [m]
dt = 0.002  # [s]
rho_cp = 400.0  # [J/(m3 K)]
conductivity = 20.0  # [W/(m K)]
wall_temperature = 500.0  # [K]
inside = (slice(1, -1),) * 3  # of arrays with a layer of ghost cells


def initial_temperature(grid):
    """With a layer of ghost cells around it."""
    fx, fy, fz = (4 * s * (1 - s) for s in grid.mesh())
    t = np.zeros((n + 2, n + 2, n + 2))
    t[inside] = 500 + 1000 * (fx * fy * fz)
    return t


def set_ghosts(t):
    """So that the mean of ghost and cell is the temperature of the wall."""
    for axis in range(3):
        across = np.moveaxis(t, axis, 0)
        across[0] = 2 * wall_temperature - across[1]
        across[-1] = 2 * wall_temperature - across[-2]


def neighbours(t, axis):
    across = np.moveaxis(t, axis, 0)
    return np.moveaxis(across[:-2] + across[2:], 0, axis)


def conduct_and_radiate(t, q):
    sums = (neighbours(t, 0)[:, 1:-1, 1:-1] + neighbours(t, 1)[1:-1, :, 1:-1]) + (
        neighbours(t, 2)[1:-1, 1:-1, :])
    laplacian = (sums - 6 * t[inside]) / (dx * dx)
    t[inside] += dt / rho_cp * (conductivity * laplacian - q)


def main():
    # What absorbs, which walls, how many rays: from the file. This program has the grid.
    radiation = ermine.Radiation(sys.argv[1] if len(sys.argv) > 1 else "examples/heated_box.toml")
    axis = ermine.Axis.uniform(n, 0.0, 1.0)
    radiation.set_grid(axis, axis, axis)

    t = initial_temperature(radiation.grid)
    print(" step  time [s]  mean T [K]  max T [K]  mean Q [kW/m3]  max Q [kW/m3]")
    for step in range(1, 51):
        set_ghosts(t)
        radiation.advance(t[inside])  # submits, and takes over what is due
        q = radiation.source
        conduct_and_radiate(t, q)
        if step % 10 == 0:
            print("%5d %9.3f %11.2f %10.2f %15.3f %14.3f" % (
                step, step * dt, t[inside].mean(), t[inside].max(), q.mean() / 1000,
                q.max() / 1000))

    done = radiation.statistics
    print("%d updates, standard error of Q: %8.3f kW/m3, %6.2f %%" % (
        done.updates, done.error / 1000, 100 * done.relative_error))
    print("time of the radiation hidden behind the flow: %5.1f %%" % (100 * done.hidden_fraction))


if __name__ == "__main__":
    try:
        main()
    except ermine.Error as error:
        sys.exit(f"heated_box: {error}")
