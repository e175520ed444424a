import gc

import numpy as np
import pytest

import ermine
from conftest import BOX


def box_in_python():
    """The problem of conftest.BOX, made of arrays."""
    grid = ermine.Grid(ermine.Axis.uniform(8, 0.0, 1.0), ermine.Axis.stretched(6, 0.0, 1.2, 1.0),
                       ermine.Axis.uniform(4, 0.0, 0.6, periodic=True))
    x, y, z = grid.mesh()
    cx, cy, cz = grid.centres
    walls = {
        "x_low": ermine.Wall(np.broadcast_to(450 + 100 * cy[:, None], (6, 4)), emissivity=0.7),
        "x_high": 500,
        "y_low": ermine.Wall(450 + 100 * cx[:, None] + 30 * cz, 0.5 + 0.3 * cx[:, None] + 0 * cz),
        "y_high": ermine.Wall(500, 0.4, reflection="specular"),
    }
    temperature = 600 + 800 * x * (1 - x) * (1 + y) * (2 - z)
    return grid, walls, ermine.GreyMedium(1 + x + 2 * y), temperature


def test_arrays_lie_as_the_case_file_has_them():
    grid, walls, medium, temperature = box_in_python()
    case = ermine.parse_case(BOX)
    assert np.allclose(case.temperature, temperature, rtol=1e-14)
    assert np.allclose(case.walls["y_low"].temperature, walls["y_low"].temperature, rtol=1e-14)
    made = ermine.Tracer(grid, walls, medium, rays_per_cell=32, backend="cpu").solve(temperature)
    read = case.run()
    scale = np.abs(read.flux_divergence).max()
    # Formulas differ in the last bits, rays do not.
    assert np.allclose(made.flux_divergence, read.flux_divergence, atol=1e-5 * scale)
    for face in walls:
        assert np.allclose(made.wall_flux(face), read.wall_flux(face), rtol=1e-4, atol=1)
    assert made.wall_flux("x_low").shape == (6, 4)
    assert made.wall_flux("y_high").shape == (8, 4)
    assert made.wall_flux("z_low").shape == (0, 0)
    assert np.isclose(made.wall_heat("x_low").value, read.wall_heat("x_low").value, rtol=1e-4)


def test_temperature_may_have_any_order_and_type():
    tracer = ermine.parse_case(BOX).tracer()
    temperature = np.round(box_in_python()[3])  # that float32 and int have, too
    wanted = tracer.solve(temperature).flux_divergence
    padded = np.zeros((10, 8, 6))
    padded[1:-1, 1:-1, 1:-1] = temperature
    for same in (np.asfortranarray(temperature), np.ascontiguousarray(temperature),
                 temperature.astype(np.float32), temperature.astype(np.int16),
                 padded[1:-1, 1:-1, 1:-1], temperature.tolist(),
                 np.ascontiguousarray(temperature.T).T, temperature[::-1].copy()[::-1]):
        assert np.array_equal(tracer.solve(same).flux_divergence, wanted)
    uniform = tracer.solve(800.0)
    assert np.all(uniform.temperature == 800)


def test_arrays_of_another_shape_are_refused():
    grid, walls, medium, temperature = box_in_python()
    tracer = ermine.Tracer(grid, walls, medium)
    with pytest.raises(ermine.Error, match=r"temperature has shape \(4, 6, 8\)"):
        tracer.solve(temperature.T)
    with pytest.raises(ermine.Error, match=r"medium has shape \(4, 6, 8\)"):
        ermine.Tracer(grid, walls, ermine.GreyMedium(temperature.T))
    with pytest.raises(ermine.Error, match=r"wall y_low has shape \(4, 8\)"):
        ermine.Tracer(grid, walls | {"y_low": walls["y_low"].temperature.T}, medium)
    with pytest.raises(ermine.Error, match="'top' is no side"):
        ermine.Tracer(grid, walls | {"top": 500}, medium)
    with pytest.raises(ermine.Error, match="z_low is on a periodic axis"):
        ermine.Tracer(grid, walls | {"z_low": 500}, medium)
    with pytest.raises(ermine.Error, match="wall x_low has no temperature"):
        ermine.Tracer(grid, {}, medium)


def test_isothermal_box_loses_nothing(slab):
    gas = ermine.GasMedium({"H2O": 0.3, "CO2": np.linspace(0, 0.2, 16).reshape(16, 1, 1)})
    result = ermine.Tracer(slab, {"x_low": 900, "x_high": 900}, gas, rays_per_cell=64).solve(900)
    assert np.all(result.flux_divergence == 0)
    assert np.all(result.emission > 0)


def test_soot_emits_its_planck_mean(slab):
    # 360 zeta(5) / pi^4 C f T / c2 times 4 sigma T^4
    planck_mean = 360 * 1.03692775514 / np.pi**4 * 4.9 * 1e-8 * 1500 / 1.438776877e-2
    emission = 4 * planck_mean * 5.670374419e-8 * 1500.0**4
    for soot in (1e-8, np.full((16, 1, 1), 1e-8)):
        gas = ermine.GasMedium({"soot": soot}, soot_constant=4.9)
        result = ermine.Tracer(slab, {"x_low": 0, "x_high": 0}, gas, rays_per_cell=64).solve(1500)
        assert np.allclose(result.emission, emission, rtol=1e-3)
    with pytest.raises(ermine.Error, match="volume fraction of soot is -1"):
        ermine.GasMedium({"H2O": 0.1, "soot": -1.0})


def test_arguments_without_a_meaning_are_refused():
    with pytest.raises(ermine.Error, match="soot_constant is given without soot"):
        ermine.GasMedium({"H2O": 0.1}, soot_constant=5)
    for name, value in (("pressure", 2e5), ("band_width_cm1", 100), ("quadrature", "legendre"),
                        ("quadrature_points", 4)):
        with pytest.raises(ermine.Error, match=f"{name} has no meaning for soot alone"):
            ermine.GasMedium({"soot": 1e-6}, **{name: value})
    assert "soot" in str(ermine.GasMedium({"H2O": 0.1, "soot": 1e-6}, 2e5, soot_constant=5))


def test_soot_by_its_refractive_index():
    assert abs(ermine.soot_constant(1.75, 1.03) - 7.0274) < 1e-4
    kelvin = np.array([[500.0, 1000.0], [1500.0, 2000.0]])
    # 360 zeta(5) / pi^4 C T / c2
    wanted = 360 * 1.03692775514 / np.pi**4 * 7 * kelvin / 1.438776877e-2
    assert np.allclose(ermine.soot_planck_mean(kelvin), wanted)
    assert np.allclose(ermine.soot_planck_mean(1000, constant=14), 2 * wanted[0, 1])
    with pytest.raises(ermine.Error, match="refractive index of soot is 0 - 1 i"):
        ermine.soot_constant(0, 1)


def test_faces_in_single_precision(slab):
    faces = np.arange(17, dtype=np.float32) * np.float32(0.1)
    for given in (faces, faces[::1], np.repeat(faces, 2)[::2]):
        assert np.array_equal(ermine.Axis(given).faces, ermine.Axis.uniform(16, 0.0, float(faces[-1])).faces)
    assert np.array_equal(ermine.Axis(faces.astype(float)).faces, faces.astype(float))
    with pytest.raises(ermine.Error, match="not increasing"):
        ermine.Axis(faces[::-1])


def test_thin_grey_gas_emits_what_it_should(slab):
    # Between cold black walls a thin gas loses 4 kappa sigma T^4, but for kappa times a metre.
    result = ermine.Tracer(slab, {"x_low": 0, "x_high": 0}, ermine.GreyMedium(1e-4)).solve(1000)
    emission = 4 * 1e-4 * 5.670374419e-8 * 1000.0**4
    assert np.allclose(result.emission, emission, rtol=1e-6)
    assert np.allclose(result.flux_divergence, emission, rtol=2e-3)


def test_weighted_sum_of_grey_gases(slab):
    sigma_over_pi = 5.670374419e-8 / np.pi
    kelvin = np.linspace(300, 1500, 121)
    black = sigma_over_pi * kelvin**4
    # One grey gas of 1 1/m, in two halves.
    halves = ermine.SpectralList(kelvin, np.ones((2, 121)), np.array([0.5 * black, 0.5 * black]))
    walls = {"x_low": 500, "x_high": 700}
    temperature = np.linspace(500, 1000, 16).reshape(16, 1, 1)
    options = {"rays_per_cell": 4096, "replicates": 16}
    sum_of_two = ermine.Tracer(slab, walls, halves, **options).solve(temperature)
    grey = ermine.Tracer(slab, walls, ermine.GreyMedium(1.0), **options).solve(temperature)
    scale = np.abs(grey.flux_divergence).max()
    assert np.allclose(sum_of_two.flux_divergence, grey.flux_divergence, atol=0.01 * scale)
    with pytest.raises(ermine.Error, match="equally spaced"):
        ermine.SpectralList(kelvin**2, np.ones((2, 121)), np.ones((2, 121)))


def test_profile_averages_planes():
    result = ermine.parse_case(BOX).run()
    profile = result.profile("y")
    volumes = result.grid.volumes
    mean = (result.flux_divergence * volumes).sum(axis=(0, 2)) / volumes.sum(axis=(0, 2))
    assert np.allclose(profile.flux_divergence, mean)
    assert np.allclose(profile.coordinate, result.grid.centres[1])
    assert profile.standard_error.shape == (6,)
    with pytest.raises(ermine.Error, match="'w' is no axis"):
        result.profile("w")


def test_arrays_outlive_their_result():
    case = ermine.parse_case(BOX)
    result = case.run()
    source = result.flux_divergence
    kept = source.copy()
    del result, case
    gc.collect()
    np.ones(10000)  # takes the memory, had it been freed
    assert np.array_equal(source, kept)
    assert source.flags.f_contiguous and not source.flags.writeable
    assert source.dtype == np.float64


def test_submissions_give_what_solve_gives():
    tracer = ermine.parse_case(BOX).tracer()
    temperature = box_in_python()[3]
    first, second = tracer.submit(temperature), tracer.submit(temperature, update=1)
    assert np.array_equal(second.wait().flux_divergence,
                          tracer.solve(temperature, update=1).flux_divergence)
    result = first.wait()
    assert np.array_equal(result.flux_divergence, tracer.solve(temperature).flux_divergence)
    assert np.array_equal(result.temperature, temperature)
    with pytest.raises(ermine.Error, match="was taken"):
        first.wait()


# Takes minutes, in many small parts.
LONG = {"grid.x.cells": 64, "grid.y.cells": 48, "grid.z.cells": 32, "solver.rays_per_cell": 8192}


@pytest.mark.parametrize("method", ["net", "classic"])
def test_progress_is_heard_and_can_end_a_run(method):
    heard = []

    class Enough(Exception):
        pass

    def listen(progress):
        heard.append(progress.rays_done)
        assert progress.rays_total > progress.rays_done
        if len(heard) == 3:
            raise Enough

    case = ermine.parse_case(BOX, overrides=LONG, method=method)
    with pytest.raises(Enough):
        case.run(progress=listen)
    assert len(heard) == 3 and sorted(heard) == heard


def test_particles_absorb_and_scatter(slab):
    walls = {"x_low": 500, "x_high": 1500}
    field = np.full((16, 1, 1), 2.0)
    gas = ermine.GreyMedium(0.5)
    clear = ermine.Tracer(slab, walls, gas, rays_per_cell=256).solve(1000)
    for scattering in (2.0, field):
        mist = gas.with_particles({"mist": {"absorption": 0.1, "scattering": scattering, "asymmetry": 0.2}})
        assert "mist, absorption 0.1 1/m, scattering 2 1/m, asymmetry 0.2" in str(mist)
        tracer = ermine.Tracer(slab, walls, mist, rays_per_cell=256)
        result = tracer.solve(1000)
        assert np.allclose(result.emission, 1.2 * clear.emission)
        assert result.report()["particles"]["mist"]["asymmetry"] == 0.2
        # A tracer's medium is what it was made from.
        again = ermine.Tracer(slab, walls, tracer.medium, rays_per_cell=256).solve(1000)
        assert np.array_equal(again.flux_divergence, result.flux_divergence)
        # Behind the mist the cold wall gets less from the hot one.
        assert result.wall_flux("x_low").mean() > clear.wall_flux("x_low").mean()
    for particles, message in (({"mist": {"scatter": 1}}, "unknown key 'scatter'"), ({"mist": 1}, "is no dict"),
                               ({"mist": {"absorption": -1}}, "is -1")):
        with pytest.raises(ermine.Error, match=message):
            gas.with_particles(particles)
    with pytest.raises(ermine.Error, match="asymmetry"):
        ermine.Tracer(slab, walls, gas.with_particles({"mist": {"scattering": 1, "asymmetry": 1}}))
    with pytest.raises(ermine.Error, match="medium"):
        ermine.Tracer(slab, walls, gas.with_particles({"mist": {"scattering": np.ones((3, 1, 1))}}))
