import numpy as np
import pytest

import ermine

SIGMA = 5.670374419e-8  # [W/(m2 K4)]


def test_planck_functions_are_vectorised():
    kelvin = np.array([300.0, 1000.0, 2500.0])
    power = np.pi * ermine.planck_intensity(0, 1e7, kelvin)
    assert np.allclose(power, SIGMA * kelvin**4, rtol=1e-6)
    fractions = ermine.planck_fraction_below([[1000.0], [1e9]], kelvin)
    assert fractions.shape == (2, 3)
    assert np.allclose(fractions[1], 1)
    assert np.all(np.diff(fractions[0]) < 0)  # hotter: less at small wavenumbers
    # Half of a blackbody's power lies below 1/(4107 um K), as tables have it.
    assert abs(ermine.planck_fraction_below(1e4 / 4107 * 1000, 1000.0) - 0.5) < 1e-3


def test_properties_are_those_of_the_documentation():
    water, carbon_dioxide = ermine.k_distribution("H2O"), ermine.k_distribution("CO2")
    assert np.allclose(water.planck_mean([300, 1000, 2500]), [53.42, 5.134, 0.6191], rtol=5e-4)
    emissivity = carbon_dioxide.emissivity([500, 1000], [[0.1], [1.0]])
    assert np.allclose(emissivity, [[0.1016, 0.1124], [0.1705, 0.1982]], atol=6e-5)
    mixture = {"H2O": 0.2, "CO2": 0.1}
    tables = [ermine.k_distribution(gas, mole_fractions=mixture) for gas in mixture]
    assert np.allclose(ermine.emissivity(tables, [1000, 1500], 1.0), [0.3147, 0.2359], atol=6e-5)
    assert "Riviere" in ermine.shipped_parameters("H2O").citation


def test_tables_have_arrays():
    table = ermine.k_distribution("CO", 2e5, band_width_cm1=100, quadrature="legendre",
                                  quadrature_points=8, temperature=[300, 600, 1200])
    bands, points, nodes = table.absorption.shape
    assert (points, nodes) == (8, 3) and table.bands.shape == (bands, 2)
    assert np.all(np.diff(table.absorption, axis=1) >= 0)
    assert np.isclose(table.weights.sum(), 1) and np.all(np.diff(table.g) > 0)
    assert list(table.temperature) == [300, 600, 1200] and table.pressure == 2e5
    # The mean of the transmissivity of the points, by hand.
    by_hand = np.exp(-table.absorption[:, :, 1].astype(float) * 0.3) @ table.weights
    assert np.allclose(table.transmissivity(600, 0.3), by_hand, rtol=1e-6)
    assert table.transmissivity([[300], [600]], [0.1, 1, 10]).shape == (bands, 2, 3)


def test_a_table_of_your_own(tmp_path, slab):
    kelvin = np.linspace(300, 2000, 18)
    grey = np.full((1, 4, 18), 2.0)  # the same 2 1/m everywhere between 10 and 40000 1/cm
    table = ermine.SpectralTable(grey, [[10, 40000]], kelvin, pressure=1e5, gas="soot")
    assert np.allclose(table.transmissivity(1000, 0.5), np.exp(-1))
    table.write(tmp_path / "soot.h5")
    read = ermine.read_table(tmp_path / "soot.h5")
    assert read.gas == "soot" and np.array_equal(read.absorption, table.absorption)
    walls = {"x_low": 500, "x_high": 500}
    medium = ermine.GasMedium.from_table(read)
    assert medium.temperature_range == (300, 2000)
    options = {"rays_per_cell": 1024, "replicates": 16}
    q = ermine.Tracer(slab, walls, medium, **options).solve(1000).flux_divergence
    as_grey = ermine.Tracer(slab, walls, ermine.GreyMedium(2.0), **options).solve(1000)
    assert np.allclose(q, as_grey.flux_divergence, rtol=0.02)
    with pytest.raises(ermine.Error, match=r"bands has shape \(1, 3\), give \(1, 2\)"):
        ermine.SpectralTable(grey, [[10, 20, 30]], kelvin, 1e5)
    with pytest.raises(ermine.Error):
        ermine.SpectralTable(-grey, [[10, 40000]], kelvin, 1e5)


def hitran_record(wavenumber, strength):
    """160 columns, of a line of CO that is 0.06 1/cm wide."""
    record = f" 51{wavenumber:12.6f}{strength:10.3E} 1.000E+00.0600.0600  100.00000.70-.002000"
    return record.ljust(159) + "1\n"


def test_lines_become_tables(tmp_path):
    lines, sums = tmp_path / "lines.par", tmp_path / "sums.csv"
    lines.write_text("".join(hitran_record(2150 + 2.5 * i, 1e-20 * i) for i in range(1, 4)))
    sums.write_text("# T[K],26\n200,72\n300,108\n400,145\n500,181\n")
    table = ermine.line_by_line_table(lines, sums, [300, 400], gas="CO", start_cm1=2150,
                                      stop_cm1=2160, step_cm1=0.01)
    assert table.kind == "line-by-line" and table.absorption.shape == (10, 100, 2)
    # A Lorentz line: strength times molecules per volume over pi times the half-width.
    peak = 3e-20 * 1e2 * 101325 / 1.380649e-23 / 300 * 1e-6 / (np.pi * 0.0597)
    assert np.isclose(table.absorption[:, :, 0].max(), peak, rtol=0.02)
    sorted_table = table.k_distribution(band_width_cm1=10, quadrature_points=32)
    assert sorted_table.kind == "k-distribution" and len(sorted_table.bands) == 1
    assert np.isclose(sorted_table.transmissivity(300, 0.01)[0],
                      table.transmissivity(300, 0.01).mean(), atol=5e-3)


def test_unknown_gases_are_refused():
    with pytest.raises(ermine.Error, match="'SO2' is not known, give one of H2O, CO2"):
        ermine.k_distribution("SO2")
    with pytest.raises(ermine.Error, match="quadrature is 'even'"):
        ermine.k_distribution("H2O", quadrature="even")
    width = ermine.lorentz_half_width("H2O", [300, 1200], 101325, {"H2O": 0.1})
    assert width[0] > width[1] > 0
