"""What the tests share. ERMINE_TOOL names the command-line tool that they compare with."""

import os
import pathlib

import pytest

import ermine

ROOT = pathlib.Path(__file__).resolve().parents[2]

BOX = """
temperature = "600 + 800*x*(1 - x)*(1 + y)*(2 - z)"
medium = { absorption_coefficient = "1 + x + 2*y" }
[grid]
x = { cells = 8, to = 1.0 }
y = { cells = 6, to = 1.2, stretching = 1.0 }
z = { cells = 4, to = 0.6, periodic = true }
[walls]
x_low = { temperature = "450 + 100*y", emissivity = 0.7 }
x_high = { temperature = 500 }
y_low = { temperature = "450 + 100*x + 30*z", emissivity = "0.5 + 0.3*x" }
y_high = { temperature = 500, emissivity = 0.4, reflection = "specular" }
[solver]
rays_per_cell = 32
backend = "cpu"
"""


@pytest.fixture
def box(tmp_path):
    """A case file, of a small box in which everything varies."""
    file = tmp_path / "box.toml"
    file.write_text(BOX)
    return file


@pytest.fixture
def tool():
    path = os.environ.get("ERMINE_TOOL")
    if not path:
        pytest.skip("set ERMINE_TOOL to the program ermine, as ctest does")
    return path


@pytest.fixture
def slab():
    """A grid of 16 cells between two walls."""
    periodic = ermine.Axis.uniform(1, 0.0, 1.0, periodic=True)
    return ermine.Grid(ermine.Axis.uniform(16, 0.0, 1.0), periodic, periodic)
