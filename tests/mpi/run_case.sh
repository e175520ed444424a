#!/usr/bin/env bash
# `ermine run` by several processes: the same file as by one, and no process that waits forever.
#   tests/mpi/run_case.sh ERMINE MPIRUN
set -euo pipefail
command -v h5diff >/dev/null || {
  echo "skipped: no h5diff, install hdf5-tools"
  exit 77
}
ermine=$1
mpirun=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
cat >"$scratch/case.toml" <<'TOML'
temperature = "800 + 300*sin(5*x)*cos(6*z) + 100*y"
medium = { absorption_coefficient = 1.5 }
[grid]
x = { cells = 12, to = 1.0 }
y = { cells = 7, to = 1.0, stretching = 1.2 }
z = { cells = 9, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 500 }
x_high = { temperature = 600, emissivity = 0.7 }
y_low = { temperature = 900 }
y_high = { temperature = 500 }
[solver]
rays_per_cell = 64
backend = "cpu"
TOML

"$ermine" run "$scratch/case.toml" -q -o "$scratch/1"
for processes in 2 3 4; do
  timeout 900 "$mpirun" -n $processes "$ermine" run "$scratch/case.toml" -q -o "$scratch/$processes"
  for field in temperature Q Q_standard_error emission absorption; do
    h5diff "$scratch/1/case.h5" "$scratch/$processes/case.h5" "/fields/$field" ||
      fail "$field of $processes processes differs"
  done
  h5diff "$scratch/1/case.h5" "$scratch/$processes/case.h5" /walls || fail "walls differ"
  cmp "$scratch/1/case_x.csv" "$scratch/$processes/case_x.csv" || fail "profiles differ"
  [ "$(ls -A "$scratch/$processes" | wc -l)" = "$(ls -A "$scratch/1" | wc -l)" ] ||
    fail "files are left over"
done

# All fail alike: one message, no noise.
if timeout 900 "$mpirun" -n 2 "$ermine" run "$scratch/case.toml" --set temperature=-1 \
  -o "$scratch/x" 2>"$scratch/log"; then
  fail "a negative temperature was accepted"
fi
[ "$(grep -c '^ermine: error: ' "$scratch/log")" = 1 ] || fail "not one message: $(cat "$scratch/log")"

# One fails by itself: its message, and the others end.
if timeout 900 "$mpirun" -n 1 "$ermine" run "$scratch/case.toml" -q -o "$scratch/y" : \
  -n 1 "$ermine" run "$scratch/missing.toml" -q 2>"$scratch/log"; then
  fail "a missing file was accepted"
else
  [ $? -ne 124 ] || fail "the other process waits"
fi
grep -q 'missing.toml.*on rank 1' "$scratch/log" || fail "no message: $(cat "$scratch/log")"
printf 'processes agree\n'
