#!/usr/bin/env bash
# Processes that were given different problems are told so, once, and end; so are those that wait for
# one that does not come.
#   tests/mpi/different_problems.sh ERMINE CHANNEL RANKS_PROGRAM MPIRUN
set -euo pipefail
ermine=$1
channel=$2
ranks=$3
mpirun=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
fail() {
  printf 'FAILED: %s\n%s\n' "$*" "$(cat "$log")" >&2
  exit 1
}
# refused WORDS COMMAND...: fails in time, and says so in one message.
refused() {
  local words=$1 code=0
  shift
  timeout 300 "$@" >"$log" 2>&1 || code=$?
  [ "$code" -ne 0 ] || fail "accepted: $words"
  [ "$code" -ne 124 ] || fail "hangs: $words"
  [ "$(grep -c 'error: ' "$log")" = 1 ] || fail "not one message: $words"
  grep -q -- "$words" "$log" || fail "message lacks: $words"
}

cat >"$scratch/case.toml" <<'TOML'
temperature = 800
medium = { absorption_coefficient = 1.5 }
[grid]
x = { cells = 6, to = 1.0 }
y = { cells = 7, to = 1.0 }
z = { cells = 8, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 500 }
x_high = { temperature = 600 }
y_low = { temperature = 900 }
y_high = { temperature = 500 }
[solver]
rays_per_cell = 16
backend = "cpu"
TOML
run=("$ermine" run "$scratch/case.toml" -q -o "$scratch")
while read -r setting words; do
  refused "$words" "$mpirun" -n 1 "${run[@]}" : -n 1 "${run[@]}" --set "$setting"
done <<'END'
temperature=700 temperature of rank 1 is not that of rank 0
grid.x.cells=7 grid.x and temperature of rank 1
solver.seed=7 solver.seed (7, not 1) of rank 1
END
scaling=("$ermine" bench scaling --grid 8 --rays 2)
refused '--repeats (2, not 3) of rank 1' "$mpirun" -n 1 "${scaling[@]}" : -n 1 "${scaling[@]}" --repeats 2

if [ -n "$channel" ]; then
  cat >"$scratch/channel.toml" <<'TOML'
[grid]
cells = [8, 4, 4]
[flow]
reynolds = 10
[time]
steps = 3
TOML
  flow=("$channel" "$scratch/channel.toml" --quiet --set "output.directory=$scratch")
  refused 'rank 1 was given another case than rank 0: time.steps (5, not 3)' \
    "$mpirun" -n 1 "${flow[@]}" : -n 1 "${flow[@]}" --set time.steps=5
  ERMINE_RANK_TIMEOUT=soon refused 'ERMINE_RANK_TIMEOUT is "soon", give seconds' "$mpirun" -n 2 "${flow[@]}"
fi

# Far above any delay of a busy machine: those that come must not be among the missing.
export ERMINE_RANK_TIMEOUT=20
for how in skip:'rank 2 has not called advance (step 2) for .* s, in which ranks 0, 1 wait' \
  absent:'not all processes of the communicator have given it to ermine'; do
  code=0
  timeout 300 "$mpirun" -n 3 "$ranks" "${how%%:*}" >"$log" 2>&1 || code=$?
  [ "$code" -ne 0 ] && [ "$code" -ne 124 ] || fail "exit code $code"
  grep -q "${how#*:}" "$log" || fail "no message: $how"
done
printf 'processes are told\n'
