import subprocess

import numpy as np
import pytest

import ermine


def test_writes_the_same_bytes_as_the_tool(tool, box, tmp_path, monkeypatch):
    by_tool, by_python = tmp_path / "tool", tmp_path / "python"
    by_tool.mkdir(), by_python.mkdir()
    subprocess.run([tool, "run", box, "-q", "--set", "output.vtr=true"], cwd=by_tool, check=True)
    monkeypatch.chdir(by_python)
    case = ermine.read_case(box, {"output.vtr": True})
    case.write(case.run())
    compared = {"box.vtr", "box_x.csv", "box_y.csv"}  # all fields, and profiles with the case
    for name in compared:
        assert (by_python / name).read_bytes() == (by_tool / name).read_bytes()


def test_overrides_may_be_texts_a_dict_or_keywords(box):
    wanted = ermine.run(box, ["solver.seed=7", "solver.rays_per_cell=16"]).flux_divergence
    other = ermine.run(box, rays_per_cell=16).flux_divergence
    as_dict = {"solver.seed": np.int64(7), "solver.rays_per_cell": 16}
    assert np.array_equal(ermine.run(box, as_dict).flux_divergence, wanted)
    assert np.array_equal(ermine.run(str(box), seed=7, rays_per_cell=16).flux_divergence, wanted)
    assert not np.array_equal(other, wanted)


def test_values_of_all_types_become_toml(box):
    case = ermine.read_case(box, {"grid.z": {"faces": [0, 0.5, np.float64(0.75)], "periodic": True},
                                  "title": 'two "quoted" µ', "temperature": 1e3})
    assert case.grid.shape == (8, 6, 2)
    assert list(case.grid.axes[2].faces) == [0, 0.5, 0.75]
    assert case.title == 'two "quoted" µ'
    assert np.all(case.temperature == 1000)
    with pytest.raises(TypeError, match="complex"):
        ermine.read_case(box, {"temperature": 1j})


def test_a_case_takes_no_more_keys(box):
    case = ermine.read_case(box)
    assert np.array_equal(ermine.run(case).flux_divergence, case.run().flux_divergence)
    with pytest.raises(TypeError, match="read_case"):
        ermine.run(case, seed=2)


def test_errors_say_what_to_do(box):
    with pytest.raises(ermine.Error, match=r"^solver.levels=99: solver.levels is 99, give a whole"):
        ermine.read_case(box, levels=99)
    with pytest.raises(ermine.Error, match="unknown key 'solver.ray'"):
        ermine.run(box, ray=2)
    with pytest.raises(ermine.Error, match=r"box.toml:\d+.*temperature"):
        box.write_text(box.read_text().replace('x_high = { temperature = 500 }',
                                               'x_high = { temperature = -5 }'))
        ermine.read_case(box)
    assert issubclass(ermine.Error, RuntimeError)


def test_report_is_a_dict(box):
    case = ermine.read_case(box)
    result = case.run()
    report = case.report(result)
    assert report["rays"] == result.rays.traced > 0
    assert report["ledger"]["value"] == result.balance.sum.value
    assert report["seed"] == 1
