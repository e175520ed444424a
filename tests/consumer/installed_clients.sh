#!/usr/bin/env bash
# Builds and runs programs that use an installed ermine, in all its languages, with CMake and with
# pkg-config, away from its sources: the examples that it has installed, which print the same numbers.
#   tests/consumer/installed_clients.sh PREFIX LANGUAGE...
# Languages: cpp (always needed, the others are compared with it), c, fortran, python (with the
# interpreter $PYTHON). Works in a temporary folder and removes it.
set -euo pipefail

prefix=$(cd "$1" && pwd)
shift
examples=$prefix/share/ermine/examples
case_file=$examples/heated_box.toml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

. "$(dirname "$0")/steps.sh"
# with_cmake LANGUAGE: the example in $examples/LANGUAGE, without optimisation, to save time.
with_cmake() {
  step "$1 with find_package"
  quietly cmake -S "$examples/$1" -B "$scratch/$1" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 "-DCMAKE_PREFIX_PATH=$prefix"
  quietly cmake --build "$scratch/$1"
}
# with_pkg_config PACKAGE COMPILER [OPTION]... SOURCE: makes $scratch/PACKAGE.
with_pkg_config() {
  local package=$1 flags headers
  shift
  step "$package with pkg-config"
  headers=$(pkg-config --variable=includedir "$package")
  [ "$(realpath -m "$headers")" = "$(realpath "$prefix/include")" ] ||
    fail "$package.pc points to $headers, not to the folder it was installed in"
  read -ra flags <<<"$(pkg-config --cflags --libs "$package")"
  quietly "$@" "${flags[@]}" -o "$scratch/$package"
}
# same_numbers COMMAND...: prints what the example in C++ does, but for the line on times.
same_numbers() {
  "$@" "$case_file" | sed '/hidden behind the flow/d' >"$scratch/printed" || fail "$*"
  if [ ! -f "$scratch/expected" ]; then
    # A heading, five rows and the error: programs that print nothing are not the same.
    [ "$(wc -l <"$scratch/printed")" -eq 7 ] || fail "$* has not printed seven lines"
    cp "$scratch/printed" "$scratch/expected"
    cat "$scratch/printed"
  fi
  diff "$scratch/expected" "$scratch/printed" || fail "$* prints other numbers"
}

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ermine.pc)")
export PKG_CONFIG_PATH
for language in "$@"; do
  case $language in
    cpp)
      with_cmake cpp
      "$scratch/cpp/slab"
      same_numbers "$scratch/cpp/heated_box"
      with_pkg_config ermine "${CXX:-c++}" "$examples/cpp/heated_box.cpp"
      same_numbers "$scratch/ermine"
      ;;
    c)
      with_cmake c
      same_numbers "$scratch/c/heated_box"
      with_pkg_config ermine-c "${CC:-cc}" -std=c99 "$examples/c/heated_box.c"
      same_numbers "$scratch/ermine-c"
      ;;
    fortran)
      with_cmake fortran
      same_numbers "$scratch/fortran/heated_box"
      with_pkg_config ermine-fortran "${FC:-gfortran}" "$examples/fortran/heated_box.f90"
      same_numbers "$scratch/ermine-fortran"
      ;;
    python)
      step "python"
      module=$(find "$prefix"/lib/python3* -path '*/ermine/__init__.py')
      PYTHONPATH=$(dirname "$(dirname "$module")")
      export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
      cd "$scratch"
      imported=$("${PYTHON:-python3}" -c 'import ermine; print(ermine._ermine.__file__)')
      [ "$(dirname "$imported")" = "$(dirname "$module")" ] || fail "import ermine found $imported"
      same_numbers "${PYTHON:-python3}" "$examples/python/heated_box.py"
      ;;
    *) fail "no such language: $language" ;;
  esac
done
printf '\nthe same numbers in %s\n' "$*"
