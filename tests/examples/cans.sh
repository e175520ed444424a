#!/usr/bin/env bash
# The flow code of the shape of CaNS gives the same on 1, 2 and 4 processes, bit for bit, and goes on from
# a checkpoint on another number of processes. What cans.patch puts into CaNS is what that code has.
#   cans.sh MPIEXEC NUMPROC_FLAG PROGRAM FOLDER
set -euo pipefail
mpiexec=("$1" "$2")
program=$3
folder=$4

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

sed -n 's/^+ *\(if(.*\|call .*\|use mod_radiation.*\)/\1/p' "$folder/cans.patch" >"$scratch/lines"
[ "$(wc -l <"$scratch/lines")" -ge 6 ] || fail "cans.patch has not all calls"
while read -r line; do
  call=$(sed 's/^if(.*) call/call/' <<<"$line")
  grep -qF "$call" "$folder/pencil_flow.f90" || fail "pencil_flow.f90 has not '$call' of cans.patch"
done <"$scratch/lines"

mkdir "$scratch/data"
cp "$folder/input.nml" "$folder/radiation.toml" "$scratch"
cd "$scratch"
for ranks in 4 1 2; do
  "${mpiexec[@]}" "$ranks" "$program" >"$ranks"
done
cat 1
[ "$(grep -cE '^ +[1-6] .* [0-9A-F]{16}$' 1)" -eq 6 ] || fail "there are not six steps"
diff 1 2
diff 1 4
"${mpiexec[@]}" 4 "$program" restart >restarted
diff <(grep -E '^ +[4-6] ' 1) <(grep -E '^ +[0-9] ' restarted)
