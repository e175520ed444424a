"""How a Result shows itself: as text, and as a table in notebooks."""

from __future__ import annotations

import math
from html import escape

from ._ermine import EnergyBalance, Estimate, Result
from ._names import FACES

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


def with_error(estimate: Estimate, unit: str) -> str:
    """Value and error with the same prefix, to two digits of the error: '-243.0 +- 2.1 kW'."""
    size = max(abs(estimate.value), estimate.standard_error if math.isfinite(estimate.standard_error) else 0.0)
    factor, prefix = next((pair for pair in _PREFIXES if size >= pair[0]), _PREFIXES[-1])
    value, error = estimate.value / factor, estimate.standard_error / factor
    if error == 0:
        return f"{value:.4g} {prefix}{unit}"
    if not math.isfinite(error):
        return f"{value:.4g} +- {error} {prefix}{unit}"
    digits = min(max(1 - math.floor(math.log10(error)), 0), 12)
    return f"{value:.{digits}f} +- {error:.{digits}f} {prefix}{unit}"


def balance_text(balance: EnergyBalance) -> str:
    """One line: heat lost by gas and walls, and their sum."""
    parts = (("gas", balance.gas), ("walls", balance.all_walls), ("sum", balance.sum))
    return "EnergyBalance(" + ", ".join(f"{name} {with_error(part, 'W')}" for name, part in parts) + ")"


def rows(result: Result) -> list[tuple[str, str]]:
    """What a Result says of itself: names and texts."""
    q = result.flux_divergence
    accuracy, balance = result.accuracy, result.balance
    where = result.device or f"{result.backend}, {result.threads} thread{'s' if result.threads > 1 else ''}"
    table = [("grid", " x ".join(map(str, result.grid.shape)) + " cells"),
             ("temperature", f"{result.temperature.min():.5g} to {result.temperature.max():.5g} K"),
             ("Q", f"{q.min():.4g} to {q.max():.4g} W/m3, error {100 * result.relative_standard_error:.2g} %"),
             ("rays", f"{result.rays_per_cell:.4g} per cell, {result.rays_per_wall_face:.4g} per wall face cell"),
             ("levels of detail", "1" if result.levels == 1 else
              f"{result.levels}, {result.steps_per_level} steps on each")]
    if result.levels > 1 and accuracy.bias_estimated and not accuracy.corrected:
        table.append(("bias of levels", with_error(accuracy.bias, "W/m3")))
    if accuracy.mesh.estimated:
        table.append(("error of the mesh", with_error(accuracy.mesh.error, "W/m3")))
    if accuracy.target > 0:
        table.append(("target", f"{accuracy.target:.4g} W/m3, {accuracy.error:.4g} found "
                                f"(stopped by {accuracy.stopped_by.replace('_', ' ')})"))
    table.append(("heat lost by gas", with_error(balance.gas, "W")))
    table += [(f"heat lost by {face}", with_error(balance.walls[face], "W"))
              for face in FACES if result.wall_flux(face).size]
    if result.rays_per_wall_face > 0:
        table.append(("sum (exact: 0)", with_error(balance.sum, "W")))
    table.append(("time", f"{result.seconds.total:.3g} s on {where}"))
    return table


def text(result: Result) -> str:
    """The table as lines of text."""
    table = rows(result)
    width = max(len(name) for name, _ in table)
    return "ermine.Result\n" + "\n".join(f"  {name.ljust(width)}  {said}" for name, said in table)


def html(result: Result) -> str:
    """The table for notebooks."""
    body = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                   f"<td style='text-align:left'>{escape(said).replace('+-', '&plusmn;')}</td></tr>"
                   for name, said in rows(result))
    return f"<table><caption>ermine.Result</caption>{body}</table>"
