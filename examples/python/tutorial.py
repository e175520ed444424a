#!/usr/bin/env python3
"""Radiation of a hot gas between two plates, from Python: a ten-minute tutorial.

    pip install .[examples]                     # in the folder of ermine; once
    python examples/python/tutorial.py          # draws tutorial.png
    python examples/python/tutorial.py out.svg  # or any other file

Burnt gas, 1 m thick and hottest in the middle, lies between a black and a grey wall. We ask how
much heat each layer of it loses by radiation, and how sure we can be.
"""

import sys

import matplotlib

matplotlib.use("Agg")  # draws into files, on machines without a screen too
import matplotlib.pyplot as plt

import ermine

# 1. The grid. Along x there are 32 cells between walls; along y and z nothing changes, and periodic
#    axes of a few cells will do. Lengths are in metres.
grid = ermine.Grid(
    ermine.Axis.uniform(32, 0.0, 1.0),
    ermine.Axis.uniform(4, 0.0, 0.5, periodic=True),
    ermine.Axis.uniform(4, 0.0, 0.5, periodic=True),
)

# 2. The temperature [K], an array of shape (nx, ny, nz): T[i, j, k] is a cell along x, y, z.
#    mesh() has the coordinates of all cell centres.
x, y, z = grid.mesh()
temperature = 500 + 2000 * x * (1 - x)

# 3. The gas and the walls. Mole fractions may be arrays, too. A number is a black wall's
#    temperature [K]; Wall(500, emissivity=0.8) is a grey one.
gas = ermine.GasMedium({"H2O": 0.2, "CO2": 0.1}, pressure=101325)  # [Pa]; the rest is nitrogen
walls = {"x_low": 500, "x_high": ermine.Wall(500, emissivity=0.8)}

# 4. The solver. Keyword arguments are the keys of [solver] in case files (docs/formats/case.md).
#    The same seed gives the same numbers, on any number of threads.
tracer = ermine.Tracer(grid, walls, gas, rays_per_cell=512, seed=1)
result = tracer.solve(temperature)

# 5. Q = emission - absorption [W/m3] is the heat that the gas loses. It comes with error bars:
#    another seed would change it by about so much.
print(f"Q in the middle   {result.flux_divergence[16, 0, 0]:9.0f} +- "
      f"{result.standard_error[16, 0, 0]:.0f} W/m3")
print(f"lost by the gas   {result.balance.gas.value:9.0f} +- "
      f"{result.balance.gas.standard_error:.0f} W")
print(f"lost by the walls {result.balance.all_walls.value:9.0f} +- "
      f"{result.balance.all_walls.standard_error:.0f} W")
print(f"{result.rays.traced / 1e6:.1f} million rays in {result.seconds.total:.1f} s")

# 6. Why is Q so small next to the emission? The gas sees itself: what one layer emits is absorbed
#    by others. A table of the gas alone tells how thick it is. Here: of its water vapour.
table = ermine.k_distribution("H2O", pressure=101325, mole_fractions={"H2O": 0.2, "CO2": 0.1})
print(f"Planck-mean absorption of its H2O at 1000 K: {table.planck_mean(1000):.2f} 1/m, "
      f"emissivity of 1 m: {table.emissivity(1000, 1.0):.2f}")

# 7. The picture: averages over planes normal to x, with error bars, and the spectrum of the H2O.
profile = result.profile("x")
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 4.2), layout="constrained")
left.errorbar(profile.coordinate, profile.flux_divergence / 1000, profile.standard_error / 1000,
              fmt=".-", capsize=3)
left.axhline(0, color="grey", lw=0.5)
left.set(xlabel="x [m]", ylabel="Q [kW/m³]", title="Heat lost by the gas, with error bars")
middle.plot(profile.coordinate, profile.emission / 1000, label="emission")
middle.plot(profile.coordinate, profile.absorption / 1000, "--", label="absorption")
middle.set(xlabel="x [m]", ylabel="kW/m³", title="What Q is the difference of")
middle.legend()
wavenumber = table.bands.mean(axis=1)
for kelvin in (500, 1000):
    right.plot(wavenumber, 1 - table.transmissivity(kelvin, 1.0), lw=0.8, label=f"{kelvin} K")
right.set(xlabel="wavenumber [1/cm]", ylabel="absorptivity of 1 m", xlim=(0, 8000),
          title="H2O, mole fraction 0.2")
right.legend()
name = sys.argv[1] if len(sys.argv) > 1 else "tutorial.png"
figure.savefig(name, dpi=150)
print("figure:", name)
