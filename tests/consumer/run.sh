#!/usr/bin/env bash
# Uses ermine as other projects do: installed (CMake and pkg-config) and as a subdirectory.
#   tests/consumer/run.sh BUILD_DIR SOURCE_DIR [LANGUAGE]...
# BUILD_DIR is a finished build of SOURCE_DIR. Languages are those of installed_clients.sh, all by
# default. Works in a temporary folder and removes it.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: $0 BUILD_DIR SOURCE_DIR [LANGUAGE]..." >&2
  exit 2
fi
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- cpp c fortran python
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

. "$(dirname "$0")/steps.sh"
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

step "installed examples in $*"
"$source/tests/consumer/installed_clients.sh" "$prefix" "$@"

step "client with add_subdirectory"
# In few large files, to save time.
build_client add_subdirectory "$source/tests/consumer/add_subdirectory" \
  "-DERMINE_SOURCE_DIR=$source" -DERMINE_USE_CUDA=OFF -DCMAKE_UNITY_BUILD=ON
"$scratch/add_subdirectory/client"

printf '\nall consumers work\n'
