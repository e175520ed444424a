#!/usr/bin/env bash
# The version is that of project() in CMakeLists.txt. The build and the wheel read it there; this
# checks what cannot: CITATION.cff, the newest release in CHANGELOG.md, and what the tool says.
#   tests/packaging/version.sh SOURCE_DIR TOOL
set -euo pipefail
cd "$1"

same() {
  [ "$2" = "$version" ] || {
    echo "FAILED: $1 has version '$2', CMakeLists.txt has $version" >&2
    exit 1
  }
  echo "$1: $2"
}
version=$(sed -n 's/^project(ermine VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
same CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
same CHANGELOG.md "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"
same "$2" "$("$2" --version | sed 's/^ermine //')"
