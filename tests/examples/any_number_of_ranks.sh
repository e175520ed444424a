#!/usr/bin/env bash
# Whether a program prints the same on 1, 2 and 4 processes.
#   any_number_of_ranks.sh MPIEXEC NUMPROC_FLAG PROGRAM CASE [LINES]
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for ranks in 1 2 4; do
  "$1" "$2" "$ranks" "$3" "$4" >"$scratch/$ranks"
done
cat "$scratch/1"
[ "$(wc -l <"$scratch/1")" -eq "${5:-8}" ]
diff "$scratch/1" "$scratch/2"
diff "$scratch/1" "$scratch/4"
