#!/usr/bin/env bash
# Uses ermine as other projects do: installed (CMake and pkg-config) and as a subdirectory.
#   tests/consumer/run.sh BUILD_DIR SOURCE_DIR
# BUILD_DIR is a finished build of SOURCE_DIR. Works in a temporary folder and removes it.
set -euo pipefail

if [ $# -ne 2 ]; then
  echo "usage: $0 BUILD_DIR SOURCE_DIR" >&2
  exit 2
fi
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

step() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
# quietly COMMAND...: shows the output only if the command fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "$*"
  }
}
# build_client NAME SOURCE [OPTIONS]: configures and builds a client in $scratch/NAME,
# without optimisation, to save time.
build_client() {
  local name=$1 from=$2
  shift 2
  quietly cmake -S "$from" -B "$scratch/$name" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@"
  quietly cmake --build "$scratch/$name"
}

step "install $build"
quietly cmake --install "$build" --prefix "$prefix"
for file in bash-completion/completions/ermine zsh/site-functions/_ermine man/man1/ermine.1; do
  [ -s "$prefix/share/$file" ] || fail "share/$file is not installed"
done

step "installed headers are those of include/ermine and version.hpp"
{
  (cd "$source/include" && find . -type f)
  echo ./ermine/version.hpp
} | LC_ALL=C sort >"$scratch/expected"
(cd "$prefix/include" && find . -type f) | LC_ALL=C sort >"$scratch/installed"
diff "$scratch/expected" "$scratch/installed" || fail "installed headers differ (< wanted, > found)"

step "client with find_package"
build_client find_package "$source/tests/consumer/find_package" "-DCMAKE_PREFIX_PATH=$prefix"
"$scratch/find_package/client"
"$scratch/find_package/gas_properties"

step "examples/cpp with find_package"
build_client examples "$source/examples/cpp" "-DCMAKE_PREFIX_PATH=$prefix"
"$scratch/examples/slab"
"$scratch/examples/heated_box" "$source/examples/heated_box.toml"

step "examples/c with find_package"
build_client examples_c "$source/examples/c" "-DCMAKE_PREFIX_PATH=$prefix"
"$scratch/examples_c/heated_box" "$source/examples/heated_box.toml"

if [ -n "$(find "$prefix" -name ermine.mod)" ]; then
  step "examples/fortran with find_package"
  build_client examples_fortran "$source/examples/fortran" "-DCMAKE_PREFIX_PATH=$prefix"
  "$scratch/examples_fortran/heated_box" "$source/examples/heated_box.toml"
fi

step "client with pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ermine.pc)")
export PKG_CONFIG_PATH
headers=$(pkg-config --variable=includedir ermine)
[ "$(realpath -m "$headers")" = "$(realpath "$prefix/include")" ] ||
  fail "ermine.pc points to $headers, not to the folder it was installed in"
read -ra flags <<<"$(pkg-config --cflags --libs ermine)"
quietly "${CXX:-c++}" "$source/tests/consumer/find_package/main.cpp" "${flags[@]}" \
  -o "$scratch/pkg_config_client"
"$scratch/pkg_config_client"

step "C client with pkg-config"
read -ra flags <<<"$(pkg-config --cflags --libs ermine-c)"
quietly "${CC:-cc}" -std=c99 "$source/examples/c/heated_box.c" "${flags[@]}" \
  -o "$scratch/pkg_config_c_client"
"$scratch/pkg_config_c_client" "$source/examples/heated_box.toml"

step "client with add_subdirectory"
# In few large files, to save time.
build_client add_subdirectory "$source/tests/consumer/add_subdirectory" \
  "-DERMINE_SOURCE_DIR=$source" -DERMINE_USE_CUDA=OFF -DCMAKE_UNITY_BUILD=ON
"$scratch/add_subdirectory/client"

printf '\nall consumers work\n'
