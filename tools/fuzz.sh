#!/bin/sh
# Feeds arbitrary bytes to the readers of files: fuzz.sh [SECONDS], for each of them (20). Needs
# clang. Fails on any finding, which it leaves in build/fuzz/findings.
set -eu
seconds="${1:-20}"
case "$seconds" in
  ''|*[!0-9]*|0) echo "fuzz.sh: error: SECONDS is '$seconds', give a positive whole number" >&2; exit 2 ;;
esac
echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
  clang++ -x c++ -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null || {
  echo "fuzz.sh: error: no clang++ with libFuzzer, run tools/install_dependencies.sh --fuzz" >&2
  exit 1
}

root=$(cd "$(dirname "$0")/.." && pwd)
build="$root/build/fuzz"
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ \
  -DERMINE_BUILD_FUZZERS=ON -DERMINE_BUILD_APPS=OFF -DERMINE_BUILD_TESTS=OFF -DERMINE_INSTALL=OFF -DERMINE_USE_CUDA=OFF \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" -DCMAKE_UNITY_BUILD=ON >/dev/null
cmake --build "$build" --target fuzzers --parallel "$(nproc)"

mkdir -p "$build/findings"
failed=""
for program in "$build"/fuzzers/fuzz_*; do
  name=$(basename "$program")
  name=${name#fuzz_}
  corpus="$build/corpus/$name"  # grows; the seeds stay as they are
  seeds="$root/tests/fuzz/corpus/$name"
  [ -d "$seeds" ] || seeds="$corpus"
  mkdir -p "$corpus"
  log="$build/$name.log"
  if "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$build/findings/$name-" -print_final_stats=1 \
    "$corpus" "$seeds" >"$log" 2>&1; then
    echo "fuzz.sh: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, no finding"
  else
    tail -n 40 "$log"
    failed="$failed $name"
  fi
done
[ -z "$failed" ] || { echo "fuzz.sh: error: findings in:$failed, see $build/findings" >&2; exit 1; }
