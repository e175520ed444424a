#!/usr/bin/env bash
# Makes packages of a finished build, as `make deb` does of its own, and looks what is in them.
#   tests/packaging/contents.sh BUILD_DIR
# Skips (77) where the tools of Debian are not there. Works in a temporary folder and removes it.
set -euo pipefail

build=$(cd "$1" && pwd)
for tool in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null || {
    echo "skipped: no $tool here, install it with tools/install_dependencies.sh --deb"
    exit 77
  }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

cd "$build"
cpack -G DEB -B "$scratch/work" -D "CPACK_OUTPUT_FILE_PREFIX=$scratch" \
  -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  fail "cpack"
}
cmake --install "$build" --prefix "$scratch/installed" >/dev/null
cd "$scratch"
# files PACKAGE: those in it, below /usr.
files() { dpkg-deb --fsys-tarfile "$1"_*.deb | tar -t | grep -v '/$' | sed 's|^\./usr/||'; }

for package in *.deb; do files "${package%%_*}"; done | LC_ALL=C sort >packaged
# The plug-in for OpenFOAM is of one version of OpenFOAM: for those who build it.
(cd installed && find . -type f | sed 's|^\./||' | grep -v libermineRadiation) | LC_ALL=C sort >installed.list
diff installed.list packaged || fail "not every installed file is in one package (< installed, > packaged)"

files ermine >tool
for file in bin/ermine share/man/man1/ermine.1 share/doc/ermine/LICENSE share/ermine/examples/grey_box.toml; do
  grep -qx "$file" tool || fail "$file is not in the package ermine"
done
grep -E '^(include|lib)/|channel$' tool && fail "the package ermine has what belongs to others"
depends=$(dpkg-deb -f ermine_*.deb Depends)
echo "ermine depends on $depends"
[[ $depends == *libhdf5* ]] || fail "no dependency on libhdf5: dpkg-shlibdeps has not looked at the tool"
[[ $depends != *fftw* && $depends != *-dev* ]] || fail "the package ermine needs what only others need"
if [ -f "$(echo ermine-channel_*.deb)" ]; then
  [[ $(dpkg-deb -f ermine-channel_*.deb Depends) == *fftw* ]] || fail "ermine-channel without FFTW"
fi
files libermine-dev | grep -qx include/ermine/ermine.h || fail "no ermine.h in libermine-dev"
