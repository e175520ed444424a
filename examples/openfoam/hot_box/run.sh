#!/bin/sh
# Hot flue gas cools between walls: three time steps. `./run.sh 2`: on two processes.
# The folder of libermineRadiation.so must be in LD_LIBRARY_PATH.
set -eu
cd "$(dirname "$0")"
blockMesh > log.blockMesh
if [ "${1:-1}" -gt 1 ]; then
  decomposePar -force > log.decomposePar
  mpirun -np "$1" buoyantPimpleFoam -parallel > log.buoyantPimpleFoam
else
  buoyantPimpleFoam > log.buoyantPimpleFoam
fi
grep ermine log.buoyantPimpleFoam
