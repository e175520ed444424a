"""What a Result tells of itself: errors, files, tables, figures, convergence."""

import json
import math
import xml.etree.ElementTree

import numpy as np
import pytest

import ermine
from conftest import BOX


@pytest.fixture(scope="module")
def result():
    return ermine.parse_case(BOX).run()


def test_every_number_has_its_error(result):
    balance, report = result.balance, result.report()
    assert report["ledger"]["value"] == balance.sum.value
    assert report["ledger"]["standard_error"] == balance.sum.standard_error
    assert report["ledger"]["unexplained"] == balance.unexplained
    assert report["ledger"]["exchanged"] == balance.exchanged > 0
    assert report["ledger"]["gas"]["bias"]["value"] == balance.gas_bias.value
    assert report["ledger"]["walls"]["standard_error"] == balance.all_walls.standard_error > 0
    assert set(balance.walls) == {f"{axis}_{end}" for axis in "xyz" for end in ("low", "high")}
    for face, heat in balance.walls.items():
        assert heat.value == result.wall_heat(face).value
    assert math.isclose(sum(heat.value for heat in balance.walls.values()), balance.all_walls.value)
    assert math.isclose(balance.gas.value + balance.all_walls.value, balance.sum.value, rel_tol=1e-9,
                        abs_tol=1e-9 * balance.exchanged)
    assert report["steps_per_level"] == result.steps_per_level
    assert report["accuracy"]["thin_bias"] == result.accuracy.thin_bias
    assert report["tile_correlation"] == result.tile_correlation
    assert report["termination"] == result.termination
    assert report["wall_flux"]["x_low"]["bias"]["value"] == result.wall_bias("x_low").value
    assert (result.levels, result.wall_levels) == (1, 1)  # the grid is small


def test_wall_target_is_reported():
    # A wall target has an error to compare with it.
    result = ermine.parse_case(BOX, overrides={"solver.target_wall_error": 0.2}).run()
    assert 0 < result.accuracy.wall_error <= result.accuracy.wall_target


def test_bias_of_levels_by_temperature():
    x = np.linspace(0, 1, 32)
    temperature = (800 + 1000 * np.exp(-((x - 0.5) / 0.2)**2))[:, None, None] * np.ones((32, 32, 32))
    result = ermine.solve(temperature, (1.0, 1.0, 1.0), 2.0, 500, rays_per_cell=16, backend="cpu",
                          levels=2, steps_per_level=2)
    classes = result.accuracy.bias_by_temperature
    assert result.levels == 2 and result.steps_per_level == 2
    assert classes and [below for below, _ in classes] == sorted(below for below, _ in classes)
    assert result.accuracy.bias.value > 0 and all(bias >= 0 for _, bias in classes)


def test_files_are_those_of_a_case(tmp_path):
    case = ermine.parse_case(BOX, overrides={"output.directory": str(tmp_path / "case"),
                                             "output.vtr": True, "output.name": "box"})
    result = case.run()
    case.write(result)
    for name in ("box.h5", "box.vtr", "box.csv"):
        written = result.write(tmp_path / "result" / name)
        assert written and all(path.parent == tmp_path / "result" for path in written)
    for name in ("box.vtr", "box_x.csv", "box.xdmf"):
        mine, its = (tmp_path / folder / name for folder in ("result", "case"))
        assert mine.read_bytes() == its.read_bytes()
    assert {path.name for path in result.write(tmp_path / "other.xdmf")} == {"other.h5", "other.xdmf"}
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "result" / "box.h5") as file:
        assert np.array_equal(file["/fields/Q"][:].T, result.flux_divergence)
        assert file["/case"].asstr()[()] == case.text
        assert json.loads(file["/report"].asstr()[()])["seed"] == 1


def test_files_of_a_series_have_their_times(tmp_path, result):
    pyvista = pytest.importorskip("pyvista")
    for step in range(2):
        result.write(tmp_path / f"q_{step}.xdmf", time=0.5 * step)
        result.write(tmp_path / f"q_{step}.vtr", time=0.5 * step)
    reader = pyvista.get_reader(str(tmp_path / "q_1.xdmf"))
    assert list(reader.time_values) == [0.5]
    blocks = reader.read()
    assert blocks.keys() == ["gas", "x_low", "x_high", "y_low", "y_high"]
    cells = blocks["gas"]["Q"].reshape(result.grid.shape, order="F")
    assert np.array_equal(cells, result.flux_divergence)
    grid = pyvista.read(tmp_path / "q_1.vtr")
    assert grid.field_data["TimeValue"][0] == 0.5
    assert np.array_equal(grid["Q"].reshape(result.grid.shape, order="F"), result.flux_divergence)


def test_composition_goes_into_files_and_datasets(tmp_path):
    x = (np.arange(4) + 0.5) / 4
    water = 0.1 + 0.1 * x[:, None, None] * np.ones((4, 3, 2))
    result = ermine.solve(np.full((4, 3, 2), 1000.0), (1.0, 0.5, 0.5), {"H2O": water, "CO2": 0.05}, 500,
                          rays_per_cell=8, backend="cpu")
    assert np.array_equal(result.mole_fractions["H2O"], water) and result.mole_fractions["CO2"] == 0.05
    result.write(tmp_path / "mixture.csv")
    assert "# mole fraction of CO2: 0.05" in (tmp_path / "mixture_x.csv").read_text()
    table = np.loadtxt([line for line in (tmp_path / "mixture_x.csv").read_text().splitlines()
                        if line[0].isdigit()], delimiter=",")
    assert np.allclose(table[:, 6], water[:, 0, 0])
    assert result.report()["mole_fractions"]["CO2"] == 0.05
    pytest.importorskip("xarray")
    data = result.to_xarray()
    assert np.array_equal(data["mole_fraction_H2O"], water) and float(data["mole_fraction_CO2"]) == 0.05
    assert ermine.parse_case(BOX).run().mole_fractions == {}


def test_soot_goes_into_files_and_datasets(tmp_path):
    soot = 1e-6 * np.arange(24.0).reshape(4, 3, 2)
    result = ermine.solve(np.full((4, 3, 2), 1000.0), (1.0, 0.5, 0.5), {"H2O": 0.1, "soot": soot}, 500,
                          rays_per_cell=8, backend="cpu")
    assert np.allclose(result.soot_volume_fraction, soot) and result.mole_fractions == {"H2O": 0.1}
    result.write(tmp_path / "sooty.csv")
    assert "volume fraction of soot" in (tmp_path / "sooty_x.csv").read_text()
    assert result.report()["soot"]["constant"] == 7.0
    assert ermine.parse_case(BOX).run().soot_volume_fraction is None
    pytest.importorskip("xarray")
    assert np.allclose(result.to_xarray()["soot_volume_fraction"], soot)


def test_files_of_problems_made_in_python(tmp_path):
    result = ermine.solve(900.0, ermine.Grid(*[ermine.Axis.uniform(4, 0, 1)] * 3), 1.0, 500,
                          rays_per_cell=16, seed=7, backend="cpu")
    result.write(tmp_path / "made.vtr")
    text = (tmp_path / "made.vtr").read_bytes()[:2000].decode(errors="replace")
    assert "solver.seed=7" in text and "Made in Python" in text
    assert result.report()["seed"] == 7
    with pytest.raises(ermine.Error, match=r"'.*made.png', give a name that ends in .h5"):
        result.write(tmp_path / "made.png")
    with pytest.raises(ermine.Error, match="time is nan, give a finite number"):
        result.write(tmp_path / "made.vtr", time=float("nan"))


def test_what_a_result_shows(result):
    text, html = repr(result), result._repr_html_()
    assert text.startswith("ermine.Result\n") and "8 x 6 x 4 cells" in text
    for what in ("W/m3, error", "heat lost by gas", "heat lost by y_high", "sum (exact: 0)", "+-"):
        assert what in text
    xml.etree.ElementTree.fromstring(html.replace("&plusmn;", "+-"))
    assert "&plusmn;" in html and "heat lost by gas" in html
    assert "EnergyBalance(gas " in repr(result.balance)
    assert repr(ermine.parse_case(BOX)).startswith("Case('")
    assert "grey" in repr(ermine.parse_case(BOX).tracer())


@pytest.mark.parametrize("value, error, text", [
    (-243000.0, 2100.0, "-243.0 +- 2.1 kW"), (0.0, 0.013, "0.000 +- 0.013 W"), (5.0, 0.0, "5 W"),
    (1.5e6, 2e4, "1.500 +- 0.020 MW"), (1.0, 400.0, "1 +- 400 W")])
def test_numbers_have_the_digits_of_their_errors(value, error, text):
    from ermine._show import with_error

    class Given:
        pass

    given = Given()
    given.value, given.standard_error = value, error
    assert with_error(given, "W") == text


def test_dataset_of_xarray(result):
    xarray = pytest.importorskip("xarray")
    data = result.to_xarray()
    assert isinstance(data, xarray.Dataset)
    assert data["Q"].dims == ("x", "y", "z") and data["Q"].attrs["units"] == "W/m3"
    assert np.array_equal(data["Q"].values, result.flux_divergence)
    assert np.array_equal(data["Q_standard_error"].values, result.standard_error)
    assert np.array_equal(data["y"].values, result.grid.centres[1])
    assert data["net_flux_y_low"].dims == ("x", "z") and "net_flux_z_low" not in data
    assert np.array_equal(data["net_flux_standard_error_x_low"], result.wall_standard_error("x_low"))
    assert data.attrs["heat_lost_by_gas_error_W"] == result.balance.gas.standard_error


def test_figure(result, tmp_path):
    pytest.importorskip("matplotlib")
    result.plot().savefig(tmp_path / "q.png")
    assert (tmp_path / "q.png").stat().st_size > 10_000
    figure = result.plot("y")
    assert len(figure.axes[0].lines[0].get_xdata()) == 6
    assert np.array_equal(figure.axes[0].lines[0].get_ydata(), result.profile("y").flux_divergence)
    with pytest.raises(ermine.Error, match="'xy' is no axis"):
        result.plot("xy")


@pytest.mark.parametrize("module, call", [("matplotlib", "plot"), ("xarray", "to_xarray")])
def test_missing_packages_are_named(result, monkeypatch, module, call):
    import importlib

    real = importlib.import_module

    def without(name, *arguments):
        if name.split(".")[0] == module:
            raise ModuleNotFoundError(f"No module named '{module}'")
        return real(name, *arguments)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(ImportError, match=f"Result.{call}.. needs {module}.*pip install {module}"):
        getattr(result, call)()


def test_convergence_names_what_is_too_large(result):
    found = result.convergence(0.001)
    assert not found.converged and found["rays"].converged is False
    assert found["rays"].error == pytest.approx(result.relative_standard_error)
    assert found["mesh"].converged is None and "estimate_mesh_error" in found["mesh"].advice
    assert found["levels"].converged and found["thin starts"].converged
    assert found["walls"].converged is False
    text = repr(found)
    assert text.startswith("NOT converged to 0.1 %") and "not known" in text and "rays_per_cell=" in text
    xml.etree.ElementTree.fromstring("<div>" + found._repr_html_() + "</div>")
    loose = result.convergence(0.99)
    assert loose["rays"].converged and loose["walls"].converged and not loose["rays"].advice
    with pytest.raises(KeyError):
        found["anything"]
    with pytest.raises(ermine.Error, match="target is 5"):
        result.convergence(5)


def test_balance_hidden_by_noise_is_not_known():
    result = ermine.solve(np.full((6, 6, 6), 900.0), (1.0, 1.0, 1.0), 1.0, 500, rays_per_cell=16, levels=1,
                          start="uniform", thin_starts="cells", mesh_correction=False, backend="cpu")
    balance = result.balance
    known_to = balance.sum.standard_error / balance.exchanged
    assert balance.unexplained == 0
    assert result.convergence(1.01 * known_to)["balance"].converged
    assert result.convergence(0.99 * known_to)["balance"].converged is None


def test_what_is_not_known_is_named(result):
    assert repr(result.convergence(0.99)).startswith("not known whether converged to 99 %: mesh\n")


def test_advice_of_convergence_helps():
    # What it says of rays is enough, for a problem that has no other error.
    problem = {"temperature": 900.0, "grid": ermine.Grid(*[ermine.Axis.uniform(8, 0, 1)] * 3), "medium": 1.0,
               "walls": 500, "backend": "cpu", "seed": 3}
    before = ermine.converge(**problem, target=0.02, rays_per_cell=16)
    assert before["mesh"].error is not None and before.result.accuracy.mesh.estimated
    assert not before["rays"].converged
    rays = int(before["rays"].advice.split("rays_per_cell=")[1].split()[0])
    after = ermine.converge(**problem, target=0.02, rays_per_cell=rays)
    assert after["rays"].converged and after["rays"].error < before["rays"].error


def test_walls_that_were_not_traced_are_not_known():
    result = ermine.parse_case(BOX, overrides={"solver.rays_per_wall_face": 0}).run()
    found = result.convergence()
    assert found["walls"].converged is None and "rays_per_wall_face" in found["walls"].advice
    assert found["balance"].converged is None and not found.converged
