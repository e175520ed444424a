import os
import subprocess
import sys

import numpy as np
import pytest

import ermine
from conftest import BOX


@pytest.fixture
def temperature():
    return ermine.parse_case(BOX).temperature


def test_first_update_is_what_run_gives(box, temperature):
    radiation = ermine.Radiation(box)
    radiation.advance(temperature)
    result = ermine.run(box)
    assert np.array_equal(radiation.source, result.flux_divergence)
    assert np.array_equal(radiation.standard_error, result.standard_error)
    assert np.array_equal(radiation.emission, result.emission)
    assert np.array_equal(radiation.absorption, result.absorption)
    for face in ("x_low", "x_high", "y_low", "y_high"):
        assert np.array_equal(radiation.wall_flux(face), result.wall_flux(face))
        assert np.array_equal(radiation.wall_standard_error(face),
                              result.wall_standard_error(face))
    for mine, its in ((radiation.balance.gas, result.balance.gas), (radiation.balance.sum, result.balance.sum),
                      (radiation.balance.walls["y_high"], result.wall_heat("y_high"))):
        assert mine.value == its.value and mine.standard_error == its.standard_error > 0
    # Grey: emission goes with the fourth power.
    assert np.allclose(radiation.emission_slope, 4 * result.emission / temperature, rtol=1e-3)


def test_updates_are_numbered_as_those_of_a_tracer(box, temperature):
    tracer = ermine.read_case(box).tracer()
    radiation = ermine.Radiation(box)
    radiation.submit(temperature)
    radiation.submit(temperature + 10)
    assert radiation.pending == 2
    radiation.wait()
    assert np.array_equal(radiation.source, tracer.solve(temperature).flux_divergence)
    while not radiation.poll():
        pass
    radiation.wait()
    second = tracer.solve(temperature + 10, update=1).flux_divergence
    assert np.array_equal(radiation.source, second)
    assert not np.array_equal(second, tracer.solve(temperature + 10).flux_divergence)
    assert radiation.pending == 0 and radiation.statistics.updates == 2
    with pytest.raises(ermine.Error, match="nothing was submitted"):
        radiation.wait()


def test_a_wrong_shape_is_no_step(box, temperature):
    radiation = ermine.Radiation(box, {"coupling.interval": 3})
    for step in range(5):
        before = radiation.statistics.steps
        with pytest.raises(ermine.Error, match="temperature has shape"):
            radiation.advance(temperature[1:])
        assert radiation.statistics.steps == before == step
        radiation.advance(temperature)
    assert radiation.statistics.updates == 2


def test_cancelled_updates_are_forgotten(box, temperature):
    radiation = ermine.Radiation(box)
    radiation.submit(temperature)
    radiation.cancel()
    assert radiation.pending == 0 and radiation.statistics.cancelled == 1
    with pytest.raises(ermine.Error, match="no solution yet"):
        radiation.source


def test_arrays_of_any_order_and_both_precisions(box, temperature):
    radiation = ermine.Radiation(box, {"coupling.lag": 0})
    padded = np.zeros((10, 8, 6), dtype=np.float32)
    padded[1:-1, 1:-1, 1:-1] = np.round(temperature)
    found = []
    for same in (np.round(temperature), padded[1:-1, 1:-1, 1:-1],
                 np.ascontiguousarray(np.round(temperature))):
        radiation = ermine.Radiation(box, {"coupling.lag": 0})
        radiation.advance(same)
        found.append(radiation.source)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    with pytest.raises(ermine.Error, match=r"temperature has shape \(4, 6, 8\), give \(8, 6, 4\)"):
        radiation.advance(temperature.T)


def test_the_problem_may_come_from_the_flow_solver(box, temperature, tmp_path):
    wanted = ermine.run(box).flux_divergence
    bare = tmp_path / "bare.toml"
    bare.write_text("medium = { absorption_coefficient = 1.0 }\n[walls]\n" +
                    "".join(f"{face} = {{ temperature = 300 }}\n"
                            for face in ("x_low", "x_high", "y_low", "y_high")) +
                    "[solver]\nrays_per_cell = 32\nbackend = 'cpu'\n")
    case = ermine.read_case(box)
    radiation = ermine.Radiation(bare)
    with pytest.raises(ermine.Error, match="set_grid"):
        radiation.grid
    radiation.set_grid(*case.grid.axes)
    radiation.set_block((0, 0, 0), case.grid.shape)
    x, y, z = case.grid.mesh()
    radiation.set_absorption(1 + x + 2 * y)
    for face, wall in case.walls.items():
        radiation.set_wall(face, wall)
    radiation.set_scaling(offset=100, factor=2, source=0.001)
    radiation.advance((temperature - 100) / 2)
    assert np.allclose(radiation.source, 0.001 * wanted, atol=1e-5 * np.abs(0.001 * wanted).max())
    assert radiation.block == ((0, 0, 0), (8, 6, 4)) and radiation.shape == (8, 6, 4)
    assert "8 x 6 x 4 cells" in radiation.describe()


def test_description_names_walls_rays_steps_and_scaling(box):
    radiation = ermine.Radiation(box, {"coupling.interval": 5, "coupling.lag": 4})
    text = radiation.describe()
    for words in ("walls x_low 457 to 563 K with emissivity 0.7, x_high 500 K, y_low",
                  "y_high 500 K with emissivity 0.4, specular;", "32 rays per cell",
                  "an update every 5 steps, taken over 4 steps later"):
        assert words in text
    assert "theirs" not in text
    radiation.set_scaling(offset=300, factor=500, source=0.25)
    assert "T [K] = 300 + 500 * theirs, Q [W/m3] times 0.25" in radiation.describe()
    assert "an update every step, taken over one step later" in ermine.Radiation(box).describe()
    waits = ermine.Radiation(box, {"coupling.lag": 0, "coupling.extrapolate": True}, target_error=0.02,
                             target_wall_error=0.1)
    assert "rays until the error of Q is 0.02 of Q and that of wall fluxes is 0.1 of them" in waits.describe()
    assert "waited for, extrapolated" in waits.describe()
    ready = ermine.Radiation(box, {"coupling.handover": "when_ready"}, rays_per_wall_face=9)
    assert "taken over when it is ready" in ready.describe() and "9 per wall face cell" in ready.describe()


def test_composition(slab, tmp_path):
    file = tmp_path / "gas.toml"
    file.write_text("[medium]\npressure = 101325\nmole_fractions = { H2O = 0.1 }\n"
                    "[walls]\nx_low = { temperature = 500 }\nx_high = { temperature = 500 }\n")
    field = np.linspace(0.1, 0.3, 16).reshape(16, 1, 1)
    radiation = ermine.Radiation(file, rays_per_cell=64)
    radiation.set_grid(*slab.axes)
    found = []
    for fraction in (0.3, field, field.astype(np.float32), 0.3):
        radiation.set_composition("H2O", fraction)
        radiation.submit(np.full((16, 1, 1), 1000.0))
        radiation.wait()
        found.append(radiation.emission)
    assert np.array_equal(found[0], found[3])
    assert np.allclose(found[1], found[2], rtol=1e-5)
    assert found[1][0] < 0.5 * found[0][0] and np.isclose(found[1][15], found[0][15], rtol=1e-3)


def test_soot(slab, tmp_path):
    file = tmp_path / "sooty.toml"
    file.write_text("[medium]\npressure = 101325\nmole_fractions = { H2O = 0.1 }\n"
                    "soot = { volume_fraction = 1e-7 }\n"
                    "[walls]\nx_low = { temperature = 500 }\nx_high = { temperature = 500 }\n")
    field = np.linspace(0, 2e-6, 16).reshape(16, 1, 1)
    radiation = ermine.Radiation(file, rays_per_cell=64)
    radiation.set_grid(*slab.axes)
    found = []
    for fraction in (2e-6, field, field.astype(np.float32), 0.0):
        radiation.set_composition("soot", fraction)
        radiation.submit(np.full((16, 1, 1), 1000.0))
        radiation.wait()
        found.append(radiation.emission)
    assert np.allclose(found[1], found[2], rtol=1e-5)
    assert np.allclose(found[1][15], found[0][15], rtol=1e-3)
    assert np.allclose(found[1][0], found[3][0], rtol=1e-3)
    assert np.all(found[0] > 1.5 * found[3])
    with pytest.raises(ermine.Error, match=r"the volume fraction of soot has shape \(16,\)"):
        radiation.set_composition("soot", np.zeros(16))


def test_restart_goes_on_as_if_never_stopped(box, temperature, tmp_path):
    options = {"coupling.interval": 2, "coupling.lag": 1}
    through, before, after = (ermine.Radiation(box, options) for _ in range(3))
    for step in range(3):
        through.advance(temperature + step)
        before.advance(temperature + step)
    before.save(tmp_path / "state.h5")
    after.load(tmp_path / "state.h5")
    for name in ("gas", "all_walls", "sum", "gas_bias"):
        mine, its = (getattr(radiation.balance, name) for radiation in (after, before))
        assert (mine.value, mine.standard_error) == (its.value, its.standard_error)
    assert after.balance.exchanged == before.balance.exchanged > 0
    assert after.balance.unexplained == before.balance.unexplained
    assert repr(after.balance.walls) == repr(before.balance.walls)
    for step in range(3, 6):
        through.advance(temperature + step)
        after.advance(temperature + step)
        assert np.array_equal(through.source, after.source)
        assert repr(through.balance) == repr(after.balance)
    assert after.statistics.steps == 6


RANKS = """
from mpi4py import MPI
import numpy, sys, ermine
radiation = ermine.Radiation(sys.argv[1], comm=MPI.COMM_WORLD)
begin, end = radiation.block
temperature = ermine.read_case(sys.argv[1]).temperature
own = temperature[tuple(slice(b, e) for b, e in zip(begin, end))]
try:
    radiation.submit(own if radiation.rank == 0 else own[1:])
    sys.exit("an array of the wrong shape was taken")
except ermine.Error as error:
    assert "shape" in str(error) or "null" in str(error), error
radiation.advance(own)
numpy.save(f"{sys.argv[2]}/{radiation.rank}.npy", radiation.source)
assert radiation.size == 2
"""


def test_two_processes_give_what_one_gives(box, tmp_path):
    pytest.importorskip("mpi4py", reason="needs mpi4py: apt-get install python3-mpi4py")
    if not ermine.built_with_mpi():
        pytest.skip("built without MPI: install libopenmpi-dev and configure again")
    script = tmp_path / "ranks.py"
    script.write_text(RANKS)
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    subprocess.run(["mpirun", "-n", "2", sys.executable, script, box, tmp_path], check=True,
                   env=os.environ | allowed, timeout=120)
    parts = [np.load(tmp_path / f"{rank}.npy") for rank in (0, 1)]
    wanted = ermine.run(box).flux_divergence
    axis = next(a for a in range(3) if parts[0].shape[a] != wanted.shape[a])
    assert np.array_equal(np.concatenate(parts, axis=axis), wanted)


def test_particles(slab, tmp_path):
    file = tmp_path / "mist.toml"
    file.write_text("[medium]\nabsorption_coefficient = 1\n[medium.particles.mist]\nabsorption = 0.5\n"
                    "[walls]\nx_low = { temperature = 500 }\nx_high = { temperature = 500 }\n")
    radiation = ermine.Radiation(file, rays_per_cell=64)
    radiation.set_grid(*slab.axes)
    temperature = np.full((16, 1, 1), 1000.0)
    found = []
    for coefficient in (0.5, np.full((16, 1, 1), 2.0), 2.0):
        radiation.set_particles("mist", "absorption", coefficient)
        radiation.submit(temperature)
        radiation.wait()
        found.append(radiation.emission)
    assert np.allclose(found[1], 2 * found[0]) and np.allclose(found[2], found[1])
    radiation.set_particles("mist", "scattering", 3.0)
    radiation.submit(temperature)
    radiation.wait()
    assert np.array_equal(radiation.emission, found[2])
    with pytest.raises(ermine.Error, match="particles have no 'colour'"):
        radiation.set_particles("mist", "colour", 1.0)
    with pytest.raises(ermine.Error, match='no particles "ash"'):
        radiation.set_particles("ash", "absorption", 1.0)
