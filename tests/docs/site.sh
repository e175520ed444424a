#!/bin/sh
# The site builds without warnings, has no dead links and needs no network. Skips where mkdocs is not installed.
# site.sh PYTHON SOURCE_DIR
if ! command -v mkdocs >/dev/null; then
  echo "skipped: no mkdocs, see tools/install_dependencies.sh --docs"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$2/tools/docs/build_site.py" "$2" "$folder"
