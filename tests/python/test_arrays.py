"""What is taken for numbers, and what is refused."""

import datetime
from decimal import Decimal

import numpy as np
import pytest

import ermine
from conftest import BOX

SHAPE = (8, 6, 4)
class OfAnotherLibrary:
    """An array that speaks DLPack and nothing else."""

    def __init__(self, values, device=1):
        self.values, self.device = values, device

    def __dlpack__(self, **asked):
        return self.values.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.device, 0


class WithArray:
    def __array__(self, dtype=None, copy=None):
        return np.full(SHAPE, 900.0)


REFUSED = {
    "masked": (np.ma.masked_less(np.full(SHAPE, 900.0), 0), "masked array.*filled"),
    "masked parts": ([np.ma.masked_less(np.full(SHAPE[1:], 900.0), 0)] * 8, "masked.*filled"),
    "one masked": (np.ma.masked, "masked array"),
    "booleans": (np.ones(SHAPE, dtype=bool), "boolean"),
    "boolean": (True, "boolean"),
    "numpy's boolean": (np.True_, "boolean"),
    "list of booleans": ([[[900.0] * 4] * 6] * 7 + [[[True] * 4] * 6], "boolean"),
    "complex": (np.full(SHAPE, 900 + 1j), "complex"),
    "one complex": (900 + 0j, "complex"),
    "dates": (np.full(SHAPE, np.datetime64("2026-01-01")), "dates"),
    "durations": (np.full(SHAPE, np.timedelta64(900, "s")), "dates or times"),
    "date": (datetime.date(2026, 1, 1), "type date"),
    "texts": (np.full(SHAPE, "900"), "text"),
    "text": ("900", "text"),
    "bytes": (b"900", "text"),
    "list with text": ([[["900"] * 4] * 6] * 8, "text"),
    "objects": (np.full(SHAPE, Decimal(900)), "type ndarray"),
    "nothing": (None, "type NoneType"),
    "a dict": ({"T": 900.0}, "type dict"),
    "array on a GPU": (OfAnotherLibrary(np.full(SHAPE, 900.0), device=2), "GPU.*copy it to the host"),
    "DLPack of complex numbers": (OfAnotherLibrary(np.full(SHAPE, 900 + 1j)), "complex"),
}
TAKEN = {
    "number": 900,
    "numpy's number": np.float32(900),
    "array of no axes": np.array(900.0),
    "list": [[[900] * 4] * 6] * 8,
    "tuples": (((900.0,) * 4,) * 6,) * 8,
    "list of arrays": [np.full((6, 4), 900.0)] * 8,
    "float64": np.full(SHAPE, 900.0),
    "float32": np.full(SHAPE, 900, dtype=np.float32),
    "float16": np.full(SHAPE, 900, dtype=np.float16),
    "long double": np.full(SHAPE, 900, dtype=np.longdouble),
    "integers": np.full(SHAPE, 900, dtype=np.uint16),
    "other end first": np.full(SHAPE, 900, dtype=">f8"),
    "memory": memoryview(np.full(SHAPE, 900.0)),
    "DLPack": OfAnotherLibrary(np.full(SHAPE, 900.0)),
    "DLPack of float32, a slice": OfAnotherLibrary(np.full((8, 6, 8), 900.0, np.float32)[:, :, ::2]),
    "object with __array__": WithArray(),
}


def nested(depth):
    """One number within as many lists."""
    values = 900.0
    for _ in range(depth):
        values = [values]
    return values


@pytest.fixture(scope="module")
def case():
    return ermine.parse_case(BOX, rays_per_cell=2)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_number_is_refused(name, case, box):
    given, message = REFUSED[name]
    radiation = ermine.Radiation(box)
    calls = [case.tracer().solve, case.tracer().submit, radiation.advance, radiation.submit,
             radiation.set_absorption, lambda x: radiation.set_wall("x_low", x),
             lambda x: radiation.set_composition("H2O", x), lambda x: radiation.set_scaling(offset=x),
             ermine.GreyMedium, ermine.Wall, lambda x: ermine.Wall(500, emissivity=x),
             ermine.Axis, lambda x: ermine.Axis.uniform(4, x, 1000.0),
             lambda x: ermine.GasMedium({"H2O": x}), lambda x: ermine.planck_intensity(1, 2, x),
             lambda x: ermine.SpectralList(x, x, x), lambda x: ermine.SpectralTable(x, x, x, 1.0),
             lambda x: ermine.k_distribution("CO", temperature=[x] if np.ndim(x) == 0 else x)]
    if given is None:
        calls.pop()  # its default
    for call in calls:
        with pytest.raises(TypeError, match=f"{message}|type list"):
            call(given)
    assert radiation.pending == 0


@pytest.mark.parametrize("name", TAKEN)
def test_numbers_are_taken_in_any_form(name, case, box):
    given = TAKEN[name]
    wanted = case.tracer().solve(900.0).flux_divergence
    assert np.array_equal(case.tracer().solve(given).flux_divergence, wanted)
    given_shape = np.shape(getattr(given, "values", given))
    if len(given_shape) == 3:
        radiation = ermine.Radiation(box, rays_per_cell=2)
        radiation.advance(given)
        assert np.array_equal(radiation.source, wanted)
    radiation = ermine.Radiation(box, rays_per_cell=2)
    radiation.set_absorption(given)
    assert np.array_equal(ermine.Wall(given).temperature, np.full(given_shape, 900.0))


def test_ragged_lists_are_refused(case):
    with pytest.raises(ValueError, match="inhomogeneous|sequence"):
        case.tracer().solve([[1.0, 2.0], [3.0]])


def test_arrays_may_be_values_of_overrides(box):
    faces = np.array([0, 0.25, 0.75])
    case = ermine.read_case(box, {"grid.z": {"faces": faces, "periodic": True}})
    assert list(case.grid.axes[2].faces) == [0, 0.25, 0.75]


def test_lists_without_end_are_refused(box):
    endless, table = [], {}
    endless.append(endless)
    table["x"] = table
    for given in (endless, (endless,), nested(200000), nested(33)):
        with pytest.raises(TypeError, match="within each other"):
            ermine.GreyMedium(given)
    for given in (endless, nested(200000), table):
        with pytest.raises(TypeError, match="within each other"):
            ermine.read_case(box, {"grid.z": given})
