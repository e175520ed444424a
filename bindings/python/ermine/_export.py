"""A Result as figure of matplotlib and as Dataset of xarray, which are imported when they are needed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Optional

from ._ermine import Error, Result, __version__
from ._names import FACES

if TYPE_CHECKING:
    import matplotlib.figure
    import xarray


def _needed(module: str, package: str, call: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise ImportError(f"{call} needs {package}, which cannot be imported ({missing}): "
                          f"install it with `python -m pip install {package}`") from missing


def _longest(result: Result) -> int:
    """The axis with most cells, of those with walls if there are any."""
    axes = result.grid.axes
    walled = [i for i in range(3) if not axes[i].periodic] or [0, 1, 2]
    return max(walled, key=lambda i: len(axes[i]))


def plot(result: Result, axis: Optional[str] = None) -> matplotlib.figure.Figure:
    """Draws temperature, Q and its error with matplotlib; returns the Figure.

    On the left is the profile of Q along an axis, averaged over planes, with error bars; then
    temperature, Q and its standard error in the middle plane of the grid. axis: 'x', 'y' or 'z';
    left out: the axis with most cells, of those with walls. Figure.savefig('q.png') writes it.
    """
    _needed("matplotlib", "matplotlib", "Result.plot()")
    figure_module = importlib.import_module("matplotlib.figure")
    along = _longest(result) if axis is None else "xyz".find(axis)
    if along < 0 or (axis is not None and len(axis) != 1):
        raise Error(f"'{axis}' is no axis, give x, y or z")
    name: Any = "xyz"[along]
    others = [i for i in range(3) if i != along]
    across = max(others, key=lambda i: len(result.grid.axes[i]))
    normal = next(i for i in others if i != across)

    figure = figure_module.Figure(figsize=(14, 3.6), layout="constrained")
    profile_axes, *planes = figure.subplots(1, 4)
    profile = result.profile(name)
    profile_axes.errorbar(profile.coordinate, profile.flux_divergence, profile.standard_error,
                          marker=".", capsize=2)
    profile_axes.set(xlabel=f"{name} [m]", ylabel="Q [W/m$^3$]", title="mean over planes")

    middle = result.grid.shape[normal] // 2
    faces = [result.grid.axes[i].faces for i in (along, across)]
    for axes, values, title in zip(planes, (result.temperature, result.flux_divergence, result.standard_error),
                                   ("temperature [K]", "Q [W/m$^3$]", "standard error of Q [W/m$^3$]")):
        plane = values.take(middle, axis=normal)
        colours = axes.pcolormesh(*faces, plane.T if along < across else plane, shading="flat")
        figure.colorbar(colours, ax=axes)
        axes.set(xlabel=f"{name} [m]", ylabel=f"{'xyz'[across]} [m]", title=title)
    return figure


def to_xarray(result: Result) -> xarray.Dataset:
    """The solution as an xarray.Dataset, with coordinates, units and errors.

    Variables over x, y and z have the names of output files: temperature, Q, Q_standard_error, emission,
    absorption, mole_fraction_H2O and so on, soot_volume_fraction; those of walls are net_flux_x_low,
    net_flux_standard_error_x_low, and so on, over the two axes of the side. Attributes have the energy balance, the numbers of rays and levels, and the
    error of the mesh if it was estimated. The arrays are views of the result: copy the Dataset to change
    it.
    """
    xarray = _needed("xarray", "xarray", "Result.to_xarray()")
    axes = ("x", "y", "z")

    def variable(dimensions: Any, values: Any, unit: str, meaning: str) -> tuple[Any, Any, dict[str, str]]:
        return dimensions, values, {"units": unit, "long_name": meaning}

    data = {"temperature": variable(axes, result.temperature, "K", "gas temperature"),
            "Q": variable(axes, result.flux_divergence, "W/m3",
                          "divergence of the radiative flux, positive where the gas loses heat"),
            "Q_standard_error": variable(axes, result.standard_error, "W/m3", "error of Q, noise and bias"),
            "emission": variable(axes, result.emission, "W/m3", "emitted power"),
            "absorption": variable(axes, result.absorption, "W/m3", "absorbed power")}
    fractions = {f"mole_fraction_{species}": (fraction, f"mole fraction of {species}")
                 for species, fraction in result.mole_fractions.items()}
    if result.soot_volume_fraction is not None:
        fractions["soot_volume_fraction"] = (result.soot_volume_fraction, "volume fraction of soot")
    for name, (fraction, meaning) in fractions.items():
        data[name] = variable(axes if getattr(fraction, "ndim", 0) else (), fraction, "1", meaning)
    for face in FACES:
        if result.wall_flux(face).size:
            plane = tuple(axis for axis in axes if axis != face[0])
            data[f"net_flux_{face}"] = variable(plane, result.wall_flux(face), "W/m2",
                                                f"net flux of {face}, positive where the wall loses heat")
            data[f"net_flux_standard_error_{face}"] = variable(
                plane, result.wall_standard_error(face), "W/m2", f"error of the net flux of {face}")
    coordinates = {axis: (axis, centres, {"units": "m", "long_name": f"cell centres along {axis}"})
                   for axis, centres in zip(axes, result.grid.centres)}
    balance, mesh = result.balance, result.accuracy.mesh
    attributes = {"ermine_version": __version__,
                  "rays_per_cell": result.rays_per_cell, "levels": result.levels,
                  "relative_standard_error": result.relative_standard_error,
                  "heat_lost_by_gas_W": balance.gas.value,
                  "heat_lost_by_gas_error_W": balance.gas.standard_error,
                  "heat_lost_by_walls_W": balance.all_walls.value,
                  "heat_lost_by_walls_error_W": balance.all_walls.standard_error}
    if mesh.estimated:
        attributes["mesh_error_W_per_m3"] = mesh.error.value
    return xarray.Dataset(data, coordinates, attributes)
