#!/usr/bin/env bash
# Builds the spectral data that ermine ships from the raw files it was made of.
#   tools/build_tables.sh RAW [OUTPUT]
# RAW holds snb_em2c2012/SNB{H2O,CO2,CO,CH4} (narrow-band parameters), h2o_main.par and
# co2_rebuilt.par (lines) and tips_{H2O,CO2}.csv (partition sums). Below OUTPUT (default: the source
# tree) come
#   data/*.h5               narrow-band parameters, compiled into the library
#   validation/lines/*.h5   k-distributions from lines for validation cases 10 to 12
# With --curves also validation/lines/case1?.csv, the line-by-line references of these cases:
# an hour on two cores, most of it for case 12.
set -euo pipefail

curves=no
if [ "${1:-}" = --curves ]; then
  curves=yes
  shift
fi
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: $0 [--curves] RAW [OUTPUT]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
raw=$1
output=${2:-$root}
tool=$root/build/ermine
if [ ! -x "$tool" ]; then
  echo "$0: error: $tool is missing, run make build first" >&2
  exit 1
fi
mkdir -p "$output/data" "$output/validation/lines"

for gas in H2O CO2 CO CH4; do
  "$tool" spectra from-snb "$raw/snb_em2c2012/SNB$gas" --gas $gas --parameters --extend-to 250 \
    -o "$output/data/${gas,,}.h5"
done

# from_lines GAS LINES FROM TO [OPTIONS]
from_lines() {
  local gas=$1 lines=$2 from=$3 to=$4
  shift 4
  "$tool" spectra from-lines "$raw/$lines" --partition-sums "$raw/tips_$gas.csv" --gas "$gas" \
    --from "$from" --to "$to" --temperatures 500:1000:10 \
    -o "$output/validation/lines/${gas,,}.h5" "$@"
}
if [ $curves = no ]; then
  from_lines H2O h2o_main.par 0 6400
  from_lines CO2 co2_rebuilt.par 500 6000
  exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
from_lines H2O h2o_main.par 0 6400 --line-by-line "$scratch/h2o.h5"
from_lines CO2 co2_rebuilt.par 500 6000 --line-by-line "$scratch/co2.h5"

# curve CASE TABLE RAYS COLUMNS: keeps the reference columns of what validate writes, values at the
# centres of cells. Few rays where the reference is deterministic: the verdict on the computed curve is of no interest here.
curve() {
  local number=$1 table=$2 rays=$3 columns=$4
  "$tool" validate "$number" --line-by-line "$scratch/$table" -o "$scratch" \
    --set solver.rays_per_cell="$rays" --set solver.start=point || true
  {
    echo "# Reference of validation case $number: line by line, step 0.01 1/cm, cut-off 25 1/cm, 500-1000 K in steps of 10 K,"
    echo "# $("$tool" --version), tools/build_tables.sh --curves; $5"
    cut -d, -f"$columns" "$scratch/case$number-lines.csv" | sed '1s/^/# /'
  } >"$output/validation/lines/case$number.csv"
}
curve 10 h2o.h5 2 1,4 "lines of H2O, h2o_main.par, 0-6400 1/cm; deterministic slab"
curve 11 co2.h5 2 1,4 "lines of CO2, co2_rebuilt.par, 500-6000 1/cm; deterministic slab"
curve 12 h2o.h5 20000 1,2,5,6 "lines of H2O, h2o_main.par, 0-6400 1/cm; Monte Carlo, 20000 rays per cell"
