#!/usr/bin/env bash
# Whether two programs print the same, but for the line on times.
#   prints_the_same.sh EXPECTED_PROGRAM CASE COMMAND...
# Runs EXPECTED_PROGRAM CASE and COMMAND... CASE.
set -euo pipefail

expected_program=$1 case_file=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$expected_program" "$case_file" >"$scratch/expected"
"$@" "$case_file" >"$scratch/printed"
sed -i '/hidden behind the flow/d' "$scratch/expected" "$scratch/printed"
cat "$scratch/printed"
# A heading, five rows and the error: programs that print nothing are not the same.
[ "$(wc -l <"$scratch/expected")" -eq 7 ]
diff "$scratch/expected" "$scratch/printed"
