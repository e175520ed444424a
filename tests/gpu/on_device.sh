#!/bin/sh
# on_device.sh ERMINE COMMAND...: runs the command where there is a GPU, else says that it skips (77).
tool=$1
shift
"$tool" info --json | grep -q '"backend": "cuda"' || {
  echo "skipped: no usable GPU (ermine info says why); needs one of NVIDIA and a build with CUDA"
  exit 77
}
exec "$@"
