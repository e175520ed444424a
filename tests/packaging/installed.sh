#!/usr/bin/env bash
# `make run` builds all that `cmake --install` installs: installed.sh BUILD_DIR
# Each file that an install rule names and that the build makes is needed by the target `installed`.
set -euo pipefail

cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ ! -f build.ninja ]; then
  echo "not built with Ninja, which tells what a target runs: configure with -G Ninja"
  exit 77
fi
ninja -t commands installed >"$scratch/commands"
find . -name cmake_install.cmake -exec grep -hoE "\"$PWD/[^\"]+\"" {} + | tr -d '"' |
  sed "s|^$PWD/||" | LC_ALL=C sort -u >"$scratch/named"
ninja -t targets all | sed 's/: [A-Za-z_].*$//' | LC_ALL=C sort -u >"$scratch/made"
LC_ALL=C comm -12 "$scratch/named" "$scratch/made" >"$scratch/wanted"
if ! grep -qx ermine "$scratch/wanted"; then
  echo "FAILED: the tool is not among what is installed" >&2
  exit 1
fi
missing=$(while read -r file; do
  grep -qE "[ /]${file//./\\.}( |$)" "$scratch/commands" || echo "$file"
done <"$scratch/wanted")
if [ -n "$missing" ]; then
  printf 'FAILED: installed, but not built by the target installed:\n%s\n' "$missing" >&2
  exit 1
fi
echo "$(wc -l <"$scratch/wanted") files are installed, and built before"
