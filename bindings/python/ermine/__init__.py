"""Radiative heat transfer in hot gases by reciprocal Monte Carlo.

    import ermine

    result = ermine.run("case.toml", rays_per_cell=512)   # as `ermine run` does
    result.flux_divergence                                # Q [W/m3], shape (nx, ny, nz)
    result.standard_error                                 # of Q

    result = ermine.solve(T, grid=(1.0, 0.5, 0.5), medium={"H2O": 0.2}, walls=500)   # arrays

solve(), solve_many() and Tracer solve problems made in Python, converge() says whether the answer is
converged, Radiation is for flow solvers, k_distribution() and SpectralTable are about spectra of
gases.

Fields are arrays of shape (nx, ny, nz): T[i, j, k] is the cell number i along x, j along y, k along
z. What comes back lies in memory with x fastest (Fortran order); what goes in may have any order,
be a slice, and be of any type of number. All units are SI, but for wavenumbers [1/cm].
"""

from ._ermine import (
    Accuracy,
    Axis,
    Case,
    CouplingStatistics,
    EnergyBalance,
    Error,
    Estimate,
    GasMedium,
    GreyMedium,
    Grid,
    Medium,
    MeshError,
    NarrowBandParameters,
    Profile,
    Progress,
    Radiation,
    RayCounts,
    Result,
    Seconds,
    SpectralList,
    SpectralTable,
    Submission,
    Tracer,
    Wall,
    __version__,
    built_with_cuda,
    built_with_mpi,
    emissivity,
    k_distribution,
    line_by_line_table,
    lorentz_half_width,
    parse_case,
    planck_fraction_below,
    planck_intensity,
    read_case,
    read_snb,
    read_table,
    run,
    shipped_parameters,
    soot_constant,
    soot_planck_mean,
    why_no_device,
)
from . import _convergence, _export, _show
from ._convergence import Check, Convergence
from ._solve import converge, solve, solve_many

# Methods of the compiled class that are written in Python; the stub of it has their types.
for _name, _method in {
    "convergence": _convergence.convergence,
    "plot": _export.plot,
    "to_xarray": _export.to_xarray,
    "__repr__": _show.text,
    "_repr_html_": _show.html,
}.items():
    setattr(Result, _name, _method)
del _method
setattr(EnergyBalance, "__repr__", _show.balance_text)

__all__ = [
    "Accuracy",
    "Axis",
    "Case",
    "Check",
    "Convergence",
    "CouplingStatistics",
    "EnergyBalance",
    "Error",
    "Estimate",
    "GasMedium",
    "GreyMedium",
    "Grid",
    "Medium",
    "MeshError",
    "NarrowBandParameters",
    "Profile",
    "Progress",
    "Radiation",
    "RayCounts",
    "Result",
    "Seconds",
    "SpectralList",
    "SpectralTable",
    "Submission",
    "Tracer",
    "Wall",
    "__version__",
    "built_with_cuda",
    "built_with_mpi",
    "converge",
    "emissivity",
    "k_distribution",
    "line_by_line_table",
    "lorentz_half_width",
    "parse_case",
    "planck_fraction_below",
    "planck_intensity",
    "read_case",
    "read_snb",
    "read_table",
    "run",
    "shipped_parameters",
    "solve",
    "solve_many",
    "soot_constant",
    "soot_planck_mean",
    "why_no_device",
]

# Messages and help() name things as callers do.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "ermine"
del _name
