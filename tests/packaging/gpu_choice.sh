#!/usr/bin/env bash
# Which GPUs the build sees, with a driver that is made up: gpu_choice.sh SOURCE_DIR CMAKE
set -euo pipefail

source=$1
cmake=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# sees EXPECTED DEVICE_FILE: runs the script of the build with the nvidia-smi in $scratch first.
sees() {
  local found
  found=$(PATH="$scratch:$PATH" "$cmake" -D "ERMINE_GPU_DEVICE_FILE=$2" \
    -P "$source/cmake/ErmineVisibleGpu.cmake" 2>&1)
  if [ "$found" != "-- $1" ]; then
    printf 'FAILED: expected %s\n        found    %s\n' "-- $1" "$found" >&2
    exit 1
  fi
}
# driver EXIT_CODE TEXT: an nvidia-smi that prints the text.
driver() {
  printf '#!/bin/sh\nprintf "%s"\nexit %s\n' "$2" "$1" >"$scratch/nvidia-smi"
  chmod +x "$scratch/nvidia-smi"
}

driver 0 '9.0\n'
sees "visible ON, architectures '90'" /absent
driver 0 '8.6\n9.0\n8.6\n12.0\n'
sees "visible ON, architectures '86;90;120'" /absent
driver 0 'No devices were found\n'
sees "visible OFF, architectures ''" /absent
driver 9 "NVIDIA-SMI 535.1 has failed because it couldn't communicate with the NVIDIA driver\n"
sees "visible OFF, architectures ''" /absent
touch "$scratch/nvidia0"
sees "visible ON, architectures ''" "$scratch/nvidia0"
echo "GPUs are seen where there are some"
