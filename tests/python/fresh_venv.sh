#!/usr/bin/env bash
# Installs ermine with pip in a new virtual environment, as a new user does, and runs the tutorial.
#   tests/python/fresh_venv.sh [SOURCE_DIR] [PYTHON]
# Needs an index of Python packages and compiles the whole library: minutes, without ccache. Not
# part of the tests that run by default: ctest -C Pip -R fresh_venv. Without GPU kernels, which take
# longer still, unless ERMINE_USE_CUDA says otherwise.
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
"${pip[@]}" install "$source[examples]" \
  --config-settings=cmake.define.ERMINE_USE_CUDA="${ERMINE_USE_CUDA:-OFF}" \
  --config-settings=build-dir="$scratch/build"
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
