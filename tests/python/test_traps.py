"""Host programs whose debug builds trap floating-point exceptions, as -ffpe-trap does."""

import subprocess
import sys
import textwrap

from conftest import BOX

SCRIPT = """
import ctypes, os, sys
import numpy as np
import ermine
file, folder = sys.argv[1:]
os.chdir(folder)
libm = ctypes.CDLL("libm.so.6")
INVALID, ZERO, OVERFLOW, ALL = 1, 4, 8, 61  # x86-64

def calls():
    case = ermine.read_case(file)
    case.write(case.run())
    case.report(case.run())
    ermine.run(file, method="classic")
    tracer = case.tracer()
    tracer.submit(case.temperature).wait().profile("y")
    gas = ermine.GasMedium({"H2O": 0.1, "CO2": 0.1})
    ermine.Tracer(case.grid, case.walls, gas, rays_per_cell=4).solve(case.temperature)
    radiation = ermine.Radiation(file)
    radiation.submit(case.temperature)
    radiation.wait()
    radiation.advance(case.temperature)
    radiation.save("state.h5")
    ermine.Radiation(file).load("state.h5")
    radiation.cancel()
    table = ermine.k_distribution("CO", quadrature_points=4)
    table.write("table.h5")
    ermine.read_table("table.h5").emissivity([300, 3000], 1.0)
    ermine.planck_fraction_below([1.0, 1e5], 300)
    return radiation.source

wanted = calls()
libm.feclearexcept(ALL)
assert libm.feenableexcept(INVALID | ZERO | OVERFLOW) >= 0
found = calls()
raised = libm.fetestexcept(INVALID | ZERO | OVERFLOW)
assert libm.fegetexcept() == INVALID | ZERO | OVERFLOW, "the traps of the host are gone"
libm.fedisableexcept(ALL)
print(np.array_equal(found, wanted), raised)
"""


def test_traps_and_flags_of_the_host_stay_as_they_are(box, tmp_path):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(SCRIPT), box, tmp_path],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}"
    assert done.stdout == "True 0\n"
