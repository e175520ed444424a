#!/bin/sh
# A parcel of burning gas radiates to the walls of a box: three time steps. `./run.sh 4`: on four
# processes. The folder of libermineRadiation.so must be in LD_LIBRARY_PATH.
set -eu
cd "$(dirname "$0")"
processes=${1:-1}
rm -rf 0 processor*
cp -r 0.orig 0
blockMesh > log.blockMesh
setFields > log.setFields
if [ "$processes" -gt 1 ]; then
  sed -i "s/^numberOf.*/numberOfSubdomains $processes;/; s/n ([^)]*)/n ($processes 1 1)/" system/decomposeParDict
  decomposePar > log.decomposePar
  mpirun -np "$processes" reactingFoam -parallel > log.reactingFoam
  reconstructPar -latestTime > log.reconstructPar
else
  reactingFoam > log.reactingFoam
fi
grep ermine log.reactingFoam
