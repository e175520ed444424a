# Sourced by scripts that use ermine as others do; $scratch is a folder of theirs.
step() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
# quietly COMMAND...: shows the output only if the command fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "$*"
  }
}
