"""Problems made of arrays, solved in one call: solve(), solve_many() and converge()."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np

from ._convergence import Convergence
from ._ermine import (Axis, Error, GasMedium, GreyMedium, Grid, Medium, Progress, Result,
                      SpectralTable, Tracer, Wall)
from ._names import FACES


GridLike = Union[Grid, Sequence[Any]]
"""A Grid, or one thing for each axis: an Axis, coordinates of the cell faces [m], or a length [m]."""
MediumLike = Union[Medium, SpectralTable, Mapping[str, Any], Any]
"""A Medium, a SpectralTable, mole fractions at 101325 Pa, or a grey absorption coefficient [1/m]."""
WallsLike = Union[Mapping[str, Any], Wall, Any, None]
"""{'x_low': Wall, ...}, or one Wall or temperature [K] for all sides that are not periodic."""


def _axis(given: Any, cells: int | None, periodic: bool, name: str) -> Axis:
    if isinstance(given, Axis):
        if periodic and not given.periodic:
            raise Error(f"axis {name} is named in periodic, but its Axis is not periodic: make it so")
        return given
    if np.ndim(given) == 1:
        return Axis(given, periodic)
    if np.ndim(given) != 0:
        raise Error(f"axis {name} has {np.ndim(given)} dimensions, give a length, face coordinates or an Axis")
    if cells is None:
        raise Error(f"axis {name} is a length, but temperature is one number and does not say how many "
                    "cells there are: give face coordinates or an Axis")
    return Axis.uniform(cells, 0.0, given, periodic)


def _grid(given: GridLike, shape: Sequence[int], periodic: str) -> Grid:
    strangers = set(periodic) - set("xyz")
    if strangers:
        raise Error(f"periodic is '{periodic}', give the letters of the periodic axes: '', 'z', 'xy', ...")
    if isinstance(given, Grid):
        if periodic:
            raise Error("periodic is given with a Grid, whose axes say themselves whether they are periodic: "
                        "leave it out")
        return given
    try:
        parts = len(given)
    except TypeError:  # a number
        raise Error(f"grid is {given!r}, give a Grid, or one part for each of x, y and z: (1.0, 0.5, 0.5) are "
                    "lengths [m]") from None
    if parts != 3:
        raise Error(f"grid has {parts} parts, give a Grid, or one part for each of x, y and z")
    cells = tuple(shape) if len(shape) == 3 else (None, None, None)
    return Grid(*(_axis(part, cells[i], "xyz"[i] in periodic, "xyz"[i]) for i, part in enumerate(given)))


def _medium(given: MediumLike) -> Medium:
    if isinstance(given, Medium):
        return given
    if isinstance(given, SpectralTable):
        return GasMedium.from_table(given)
    if isinstance(given, Mapping):
        fractions: dict[Any, Any] = dict(given)
        return GasMedium(fractions)
    if isinstance(given, str):
        raise Error(f"medium is '{given}', a name without an amount: give mole fractions such as {{'{given}': 0.2}}, "
                    "an absorption coefficient [1/m], or a Medium")
    return GreyMedium(given)


def _walls(given: WallsLike, grid: Grid) -> dict[Any, Any]:
    if isinstance(given, Mapping):
        return dict(given)
    sides = [face for face in FACES if not grid.axes["xyz".index(face[0])].periodic]
    if given is None:
        if sides:
            raise Error(f"there are no walls at {', '.join(sides)}: give walls, or name the axes in periodic")
        return {}
    return {face: given for face in sides}


def _tracer(temperature: Any, grid: GridLike, medium: MediumLike, walls: WallsLike, periodic: str,
            solver: Mapping[str, Any]) -> Tracer:
    shape = np.shape(temperature)
    if len(shape) not in (0, 3):
        raise Error(f"temperature has {len(shape)} dimension{'s' if len(shape) > 1 else ''}, shape {shape}: give an array "
                    "of shape (nx, ny, nz), or a number; T[:, :, None] has one cell along z")
    made = _grid(grid, shape, periodic)
    return Tracer(made, _walls(walls, made), _medium(medium), **solver)


def solve(temperature: Any, grid: GridLike, medium: MediumLike, walls: WallsLike = None, *,
          periodic: str = "", update: int = 0, progress: Callable[[Progress], object] | None = None,
          **solver: Any) -> Result:
    """Solves a problem made of arrays, in one call; returns a Result.

    temperature [K]: array of shape (nx, ny, nz), or a number.
    grid: a Grid, or one thing for each axis: its length [m], coordinates of its cell faces, or an Axis.
    medium: a grey absorption coefficient [1/m] as number or array, mole fractions at 101325 Pa such as
    {'H2O': 0.2}, a Medium or a SpectralTable.
    walls: the temperature [K] of black walls on all sides, a Wall for all, or {'x_low': 500, ...}.
    periodic: letters of the axes that are periodic and have no walls, 'xy' for instance.
    Other keyword arguments are keys of [solver] in case files: rays_per_cell=256, target_error=0.01.
    update and progress are those of Tracer.solve(). To solve for several temperatures, make a Tracer
    or call solve_many(), which set up the problem once.
    """
    return _tracer(temperature, grid, medium, walls, periodic, solver).solve(temperature, update, progress)


def solve_many(temperatures: Iterable[Any], grid: GridLike, medium: MediumLike,
               walls: WallsLike = None, *, periodic: str = "",
               progress: Callable[[int, Progress], object] | None = None,
               **solver: Any) -> Iterator[Result]:
    """Solves one problem for many temperatures, such as the snapshots of a simulation.

    Returns an iterator over the Results, in order. Each is computed when it is asked for, so that only
    those that are kept take memory. Grid, medium and walls are set up once, and the k-distributions and
    scenes of one solution serve the next. Snapshot i is update i: it has rays of its own, and an average
    over n snapshots has an error smaller by about sqrt(n).
    progress is called with the number of the snapshot and a Progress, a few times a second.
    The other arguments are those of solve(); lengths in grid take their cells from the first temperature.
    """
    snapshots = iter(temperatures)
    try:
        first = next(snapshots)
    except StopIteration:
        raise Error("there are no temperatures, give at least one") from None
    tracer = _tracer(first, grid, medium, walls, periodic, solver)

    def results() -> Iterator[Result]:
        number, temperature = 0, first
        while True:
            heard = None if progress is None else (lambda so_far, number=number: progress(number, so_far))
            yield tracer.solve(temperature, number, heard)
            try:
                temperature = next(snapshots)
            except StopIteration:
                return
            number += 1

    return results()


def converge(temperature: Any, grid: GridLike, medium: MediumLike, walls: WallsLike = None, *,
             target: float = 0.01, periodic: str = "",
             progress: Callable[[Progress], object] | None = None, **solver: Any) -> Convergence:
    """Solves a problem once and says whether rays, levels of detail, mesh and walls are converged.

    The error of the mesh is estimated as well, which takes about as long again. target: error to reach,
    as a fraction of the root mean square of Q, of the wall fluxes and of the heat exchanged. Returns a
    Convergence, which prints as a table and has the Result as `result`. The other arguments are those of
    solve().
    """
    solver.setdefault("estimate_mesh_error", True)
    return solve(temperature, grid, medium, walls, periodic=periodic, progress=progress,
                 **solver).convergence(target)
