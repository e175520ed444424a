"""Which errors of a Result are small enough, and what makes the others smaller."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any, Optional

import numpy as np

from ._ermine import Error, Result
from ._names import FACES


@dataclass(frozen=True)
class Check:
    """One source of error: its size, what is allowed, and what makes it smaller."""

    name: str
    """'rays', 'levels', 'thin starts', 'mesh', 'walls' or 'balance'."""
    error: Optional[float]
    """As a fraction of what it is an error of; None: not known."""
    allowed: float
    """The target, of which several independent errors may each take all."""
    meaning: str
    """What the error is, in words."""
    advice: str
    """What makes it smaller, or known; empty where it is small enough."""

    @property
    def converged(self) -> Optional[bool]:
        """Whether the error is within what is allowed; None: not known."""
        return None if self.error is None else self.error <= self.allowed


class Convergence:
    """Whether a solution is converged, and what to change if it is not. Prints as a table.

    Its attributes are the result, the target, and checks, one for each source of error, which are also
    found by name: convergence['rays'].
    """

    def __init__(self, result: Result, target: float, checks: list[Check]) -> None:
        self.result = result
        self.target = target
        self.checks = checks

    @property
    def converged(self) -> bool:
        """Whether every error is known and within the target."""
        return all(check.converged for check in self.checks)

    def _verdict(self) -> str:
        """The first line: converged, not converged, or what is not known."""
        target = f"{100 * self.target:.2g} %"
        if any(check.converged is False for check in self.checks):
            return f"NOT converged to {target}"
        unknown = [check.name for check in self.checks if check.converged is None]
        return f"not known whether converged to {target}: {', '.join(unknown)}" if unknown else f"converged to {target}"

    def __getitem__(self, name: str) -> Check:
        """The Check of a name: 'rays', 'levels', 'thin starts', 'mesh', 'walls' or 'balance'."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)

    def _rows(self) -> list[tuple[str, str, str, str]]:
        verdicts = {None: "not known", True: "yes", False: "no"}
        return [(check.name, "-" if check.error is None else f"{100 * check.error:.2g} %",
                 verdicts[check.converged], check.advice or check.meaning) for check in self.checks]

    def __repr__(self) -> str:
        head = ("error of", "error", "converged", "meaning, or what to change")
        rows = [head, *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2]), row[3]])
                 for row in rows]
        return self._verdict() + "\n" + "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{text}</th>" for text in ("error of", "error", "converged", "meaning, or what to change"))
        rows = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in self._rows())
        return f"<p>{escape(self._verdict())}</p><table><tr>{head}</tr>{rows}</table>"


def _root_mean_square(values: Any) -> float:
    return float(np.sqrt(np.mean(np.square(values)))) if np.size(values) else 0.0


def _fraction(error: float, scale: float) -> float:
    return error / scale if scale > 0 else (0.0 if error == 0 else math.inf)


def _more_rays(rays: float, error: float, allowed: float) -> int:
    """Noise falls at least as fast as the root of the number of rays; nets of a power of two are the most even."""
    return 2 ** math.ceil(math.log2(max(rays * (error / allowed) ** 2, 2)))


def _rays(result: Result, scale: float, target: float) -> Check:
    noise = result.accuracy.standard_error or _root_mean_square(result.standard_error)
    error = _fraction(noise, scale)
    advice = ""
    if error > target:
        advice = "no rays were traced from cells: give rays_per_cell"
        if result.rays_per_cell > 0 and math.isfinite(error):
            advice = (f"give rays_per_cell={_more_rays(result.rays_per_cell, error, target)} or fewer, "
                      f"or target_error={target:g}")
    return Check("rays", error, target, "noise of Q, root mean square over cells", advice)


def _levels(result: Result, scale: float, target: float) -> Check:
    accuracy = result.accuracy
    if result.levels == 1:
        return Check("levels", 0.0, target, "none: rays march through the grid itself", "")
    meaning = f"bias of Q of {result.levels} levels of detail, {result.steps_per_level} steps on each"
    if accuracy.corrected:
        return Check("levels", 0.0, target, "none: the bias of the levels was removed", "")
    if not accuracy.bias_estimated:
        return Check("levels", None, target, meaning, "give estimate_bias=True, or levels='auto'")
    # What is known only to within its own error may be as large as both together.
    error = _fraction(accuracy.bias.value + accuracy.bias.standard_error, scale)
    advice = "" if error <= target else (f"give levels='auto' with target_error={target:g}, "
                                         f"steps_per_level={2 * result.steps_per_level}, or levels=1")
    return Check("levels", error, target, meaning, advice)


def _thin(result: Result, scale: float, target: float) -> Check:
    if result.thin_below == 0:
        return Check("thin starts", 0.0, target, "none: all rays start in their own cells", "")
    error = _fraction(result.accuracy.thin_bias, scale)
    return Check("thin starts", error, target, "usual bias of rays that start between cells",
                 "" if error <= target else "give thin_starts='cells'")


def _mesh(result: Result, scale: float, target: float) -> Check:
    mesh = result.accuracy.mesh
    meaning = "error of Q that comes from the size of the cells, to a factor of a few"
    if not mesh.estimated:
        advice = "give estimate_mesh_error=True, on a grid of 8 cells or more along each axis that has walls"
        return Check("mesh", None, target, meaning, advice)
    error = _fraction(mesh.error.value + mesh.error.standard_error, scale)
    advice = ""
    if error > target:
        finer = (error / target) ** (1 / mesh.order) if mesh.order > 0 else math.inf
        advice = f"a finer grid: {finer:.1f} times the cells along each axis" if finer < 100 else "a much finer grid"
    return Check("mesh", error, target, meaning, advice)


def _wall_fluxes(result: Result, target: float) -> Optional[Check]:
    fluxes = [result.wall_flux(face).ravel() for face in FACES]
    errors = [result.wall_standard_error(face).ravel() for face in FACES]
    if all(axis.periodic for axis in result.grid.axes):
        return None
    meaning = "error of the fluxes of wall face cells, root mean square"
    if not sum(map(len, fluxes)):
        return Check("walls", None, target, meaning, "wall fluxes were not computed: give rays_per_wall_face")
    error = _fraction(_root_mean_square(np.concatenate(errors)), _root_mean_square(np.concatenate(fluxes)))
    advice = ""
    if error > target:
        advice = f"give target_wall_error={target:g}"
        if result.rays_per_wall_face > 0 and math.isfinite(error):
            advice = (f"give rays_per_wall_face={_more_rays(result.rays_per_wall_face, error, target)} or fewer, "
                      f"or target_wall_error={target:g}")
    return Check("walls", error, target, meaning, advice)


def _balance(result: Result, target: float) -> Check:
    balance = result.balance
    meaning = "part of the energy balance that noise and levels do not explain, of the heat exchanged"
    if result.rays_per_wall_face == 0 and not all(axis.periodic for axis in result.grid.axes):
        return Check("balance", None, target, meaning, "wall fluxes were not computed: give rays_per_wall_face")
    hidden_below = _fraction(balance.sum.standard_error, balance.exchanged)
    if balance.unexplained == 0 and hidden_below > target:
        return Check("balance", None, target, meaning,
                     f"its error is {100 * hidden_below:.2g} % of the heat exchanged: give more rays")
    error = _fraction(balance.unexplained, balance.exchanged)
    if error <= target:
        return Check("balance", error, target, meaning, "")
    settings = result.report()
    helps = [text for text, holds in (("mesh_correction=True", not settings["mesh_correction"]),
                                      ("levels=1", result.levels > 1),
                                      ("thin_starts='cells'", result.thin_below > 0),
                                      ("start='average'", settings["start"] == "point"),
                                      ("a finer grid", settings["start"] == "average"),
                                      ("start='uniform', which has more noise", settings["start"] == "average"))
             if holds]
    return Check("balance", error, target, meaning, "what helps: " + "; ".join(helps or ["a finer grid"]))


def convergence(result: Result, target: float = 0.01) -> Convergence:
    """Whether rays, levels of detail, mesh and walls are converged, and what to change if not.

    target: error to reach, as a fraction of the root mean square of Q, of the wall fluxes and of the
    heat exchanged. Returns a Convergence, which prints as a table. Nothing is computed anew: the error
    of the mesh is known only where the solution was asked for it (estimate_mesh_error=True), as
    converge() does.
    """
    if not 0 < target < 1:
        raise Error(f"target is {target}, give a fraction between 0 and 1, such as 0.01 for 1 %")
    scale = _root_mean_square(result.flux_divergence)
    checks = [_rays(result, scale, target), _levels(result, scale, target), _thin(result, scale, target),
              _mesh(result, scale, target), _wall_fluxes(result, target), _balance(result, target)]
    return Convergence(result, target, [check for check in checks if check is not None])
