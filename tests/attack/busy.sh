#!/usr/bin/env bash
# Runs tests beside eight busy loops, which no test may notice.
#   tests/attack/busy.sh BUILD_DIR [CTEST_OPTION ...]     such as -L unit, or -R cli/Cli
#   LOOPS=N: that many in place of eight
set -euo pipefail
build=${1:?usage: busy.sh BUILD_DIR [CTEST_OPTION ...]}
shift
loops=()
trap 'kill "${loops[@]}" 2>/dev/null || true' EXIT
for _ in $(seq "${LOOPS:-8}"); do
  while :; do :; done &
  loops+=($!)
done
ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" "$@"
