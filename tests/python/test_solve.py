"""Problems made of arrays in one call, and their ensembles."""

import numpy as np
import pytest

import ermine
from test_tracer import box_in_python

WALLS = {"x_low": 500, "x_high": 600, "y_low": 500, "y_high": 500}
OPTIONS = {"rays_per_cell": 32, "backend": "cpu"}


def field(shape=(8, 6, 4)):
    x = (np.arange(shape[0]) + 0.5) / shape[0]
    return 800 + 400 * np.sin(np.pi * x)[:, None, None] * np.ones(shape)


def test_one_call_is_the_same_as_a_tracer():
    grid, walls, medium, temperature = box_in_python()
    once = ermine.solve(temperature, grid, medium, walls, **OPTIONS)
    same = ermine.Tracer(grid, walls, medium, **OPTIONS).solve(temperature)
    assert np.array_equal(once.flux_divergence, same.flux_divergence)


def test_grids_from_lengths_faces_and_axes():
    temperature = field()
    wanted = ermine.Grid(ermine.Axis.uniform(8, 0.0, 1.0), ermine.Axis.uniform(6, 0.0, 0.5),
                         ermine.Axis.uniform(4, 0.0, 0.25, periodic=True))
    q = ermine.solve(temperature, wanted, 1.0, WALLS, **OPTIONS).flux_divergence
    for grid in ((1.0, 0.5, 0.25),
                 (np.linspace(0, 1, 9), np.linspace(0, 0.5, 7), list(np.linspace(0, 0.25, 5))),
                 (wanted.axes[0], 0.5, wanted.axes[2])):
        made = ermine.solve(temperature, grid, 1.0, WALLS, periodic="z", **OPTIONS)
        assert made.grid.axes[2].periodic and not made.grid.axes[0].periodic
        assert np.allclose(made.flux_divergence, q, rtol=1e-5, atol=1e-5 * abs(q).max())


def test_media_and_walls_from_what_is_at_hand():
    temperature = field()
    solve = lambda medium, walls: ermine.solve(temperature, (1, 0.5, 0.5), medium, walls,
                                               **OPTIONS).flux_divergence
    grey = solve(ermine.GreyMedium(2.0), {face: 500 for face in (*WALLS, "z_low", "z_high")})
    assert np.array_equal(grey, solve(2.0, 500))
    assert np.array_equal(grey, solve(np.full((8, 6, 4), 2.0), ermine.Wall(500)))
    assert not np.array_equal(grey, solve(2.0, ermine.Wall(500, emissivity=0.5)))
    gas = ermine.GasMedium({"H2O": 0.2})
    assert np.array_equal(solve(gas, 500), solve({"H2O": 0.2}, 500))
    table = ermine.k_distribution("H2O", mole_fractions={"H2O": 0.2})
    assert np.array_equal(solve(ermine.GasMedium.from_table(table), 500), solve(table, 500))


@pytest.mark.parametrize("change, message", [
    ({"walls": None}, "no walls at x_low, .*z_high: give walls, or name the axes in periodic"),
    ({"grid": (1.0, 1.0)}, "grid has 2 parts"),
    ({"temperature": 900.0}, "axis x is a length, but temperature is one number"),
    ({"periodic": "w"}, "periodic is 'w'"),
    ({"grid": (np.ones((2, 2)), 1.0, 1.0)}, "axis x has 2 dimensions"),
    ({"grid": (ermine.Axis.uniform(8, 0, 1), 1.0, 1.0), "periodic": "x"}, "its Axis is not periodic"),
    ({"rays_per_cel": 3}, "rays_per_cel"),
    ({"temperature": field()[:, :, 0]}, r"temperature has 2 dimensions, shape \(8, 6\): give an array of shape"),
    ({"temperature": [900.0, 1000.0]}, r"temperature has 1 dimension, shape \(2,\)"),
    ({"grid": 1.0}, "grid is 1.0, give a Grid, or one part for each of x, y and z"),
    ({"grid": None}, "grid is None, give a Grid"),
    ({"medium": "H2O"}, "medium is 'H2O', a name without an amount: give mole fractions such as {'H2O': 0.2}"),
])
def test_what_does_not_fit_is_refused(change, message):
    problem = {"temperature": field(), "grid": (1.0, 1.0, 1.0), "medium": 1.0, "walls": 500}
    with pytest.raises(ermine.Error, match=message):
        ermine.solve(**{**problem, **change})


def test_periodic_is_not_asked_twice():
    grid = ermine.Grid(*[ermine.Axis.uniform(4, 0, 1, periodic=True)] * 3)
    assert ermine.solve(900.0, grid, 1.0, **OPTIONS).wall_flux("x_low").size == 0
    with pytest.raises(ermine.Error, match="leave it out"):
        ermine.solve(900.0, grid, 1.0, periodic="x", **OPTIONS)


def test_an_ensemble_is_the_updates_of_one_tracer():
    snapshots = [field() + 50 * i for i in range(3)]
    heard = []
    results = list(ermine.solve_many(iter(snapshots), (1.0, 0.5, 0.25), 1.0, WALLS, periodic="z",
                                     progress=lambda number, so_far: heard.append(number), **OPTIONS))
    tracer = ermine.Tracer(results[0].grid, WALLS, ermine.GreyMedium(1.0), **OPTIONS)
    assert len(results) == 3
    for number, (snapshot, result) in enumerate(zip(snapshots, results)):
        assert np.array_equal(result.temperature, snapshot)
        wanted = tracer.solve(snapshot, update=number)
        assert np.array_equal(result.flux_divergence, wanted.flux_divergence)
    assert heard == sorted(heard) and set(heard) <= {0, 1, 2}


def test_ensembles_are_solved_when_they_are_asked_for():
    asked = []

    def snapshots():
        for i in range(3):
            asked.append(i)
            yield field()

    results = ermine.solve_many(snapshots(), (1.0, 0.5, 0.25), 1.0, WALLS, periodic="z", **OPTIONS)
    assert asked == [0]
    next(results)
    next(results)
    assert asked == [0, 1]
    with pytest.raises(ermine.Error, match="no temperatures"):
        ermine.solve_many([], (1.0, 0.5, 0.25), 1.0, WALLS, periodic="z")
    with pytest.raises(ermine.Error, match="rays_per_cel"):  # at once, not at the first result
        ermine.solve_many([field()], (1.0, 0.5, 0.25), 1.0, WALLS, periodic="z", rays_per_cel=1)


def test_snapshots_have_rays_of_their_own():
    one, other = ermine.solve_many([field(), field()], (1.0, 0.5, 0.25), 1.0, WALLS, periodic="z", **OPTIONS)
    difference = one.flux_divergence - other.flux_divergence
    expected = np.hypot(one.standard_error, other.standard_error)
    assert 0.3 < np.sqrt(np.mean(difference**2) / np.mean(expected**2)) < 2
