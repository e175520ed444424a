#!/bin/sh
# Installs what ermine needs to build and test on Debian and Ubuntu. Does nothing, and needs no
# rights, where everything is there. With --plot also what `ermine plot` needs, with --fuzz what
# tools/fuzz.sh needs, with --python what the tests of the Python module need, with --docs what `make docs`
# and the tests of the documentation need, with --report the browser in which tests open the pages of
# `ermine validate --report` and `ermine bench --report`, with --deb what `make
# deb` needs.
set -eu

packages="g++ gfortran cmake ninja-build make pkg-config libfmt-dev libtomlplusplus-dev
  nlohmann-json3-dev libcli11-dev libmuparser-dev libhdf5-dev libcerf-dev libgtest-dev libfftw3-dev
  libopenmpi-dev openmpi-bin libhdf5-openmpi-dev hdf5-tools"
[ "${1:-}" = "--plot" ] && packages="$packages python3-h5py python3-matplotlib"
[ "${1:-}" = "--python" ] && packages="$packages python3-dev python3-numpy python3-pybind11
  pybind11-dev python3-pytest python3-matplotlib python3-xarray python3-nbclient python3-ipykernel"
[ "${1:-}" = "--docs" ] && packages="mkdocs mkdocs-material python3-pymdownx python3-h5py python3-matplotlib"
[ "${1:-}" = "--report" ] && packages="$packages chromium"
[ "${1:-}" = "--deb" ] && packages="$packages python3-dev python3-pybind11 pybind11-dev dpkg-dev file"
if [ "${1:-}" = "--fuzz" ]; then
  # libFuzzer comes in a package named after the version of clang.
  version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p')
  packages="$packages clang${version:+ libclang-rt-$version-dev}"
fi

missing=""
for package in $packages; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "install_dependencies.sh: error: no apt-get here, install by hand:$missing" >&2
  exit 1
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install_dependencies.sh: error: not root and no sudo, run as root: apt-get install$missing" >&2
    exit 1
  fi
  sudo="sudo"
fi
echo "installing:$missing"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
