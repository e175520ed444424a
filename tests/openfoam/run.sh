#!/bin/sh
# One test of the radiation model for OpenFOAM, in a fresh folder:
#   run.sh NAME
# ERMINE is the tool, CHECK the program from check_model.cpp, PLUGIN the folder of the library.
# Exit code 77: OpenFOAM's programs are not there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=$1
if [ -z "${WM_PROJECT_DIR:-}" ] && [ -d /usr/share/openfoam/etc ]; then
  export WM_PROJECT_DIR=/usr/share/openfoam  # Debian's, which needs nothing else
fi
command -v blockMesh > /dev/null || {
  echo "skipped: no OpenFOAM here, install the package openfoam or source the bashrc of yours"
  exit 77
}
export LD_LIBRARY_PATH="$PLUGIN${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs a program, and shows what it said if it fails.
quietly() {
  "$@" > log 2>&1 || { cat log; exit 1; }
}

# mesh FILE; decompose METHOD N PROCESSES
mesh() {
  cp "$1" system/blockMeshDict
  quietly blockMesh
}
decompose() {
  sed -i "s/^method .*/method $1;/; s/n ([^)]*)/n ($2)/; s/^numberOf.*/numberOfSubdomains $3;/" \
    system/decomposeParDict
  quietly decomposePar
}

# What ermine finds without OpenFOAM, and the mesh; solve NAME [NAME_OF_THE_MESH]
solve() {
  cp "$here/$1/radiation.toml" constant
  quietly "$ERMINE" run constant/radiation.toml --quiet -o reference \
    --set solver.rays_per_cell=64
  mesh "$here/${2:-$1}/blockMeshDict"
}
agrees() {
  "$@" -reference "$PWD/reference/radiation.h5"
}

# The numbers of a field of OpenFOAM, one in a line, cells before faces.
numbers() {
  grep -E '^-?[0-9][0-9.e+-]*$' "$1"
}

# refused WORDS COMMAND...: the program stops with a message that has these words in it.
refused() {
  words=$1
  shift
  if "$@" > log 2>&1; then
    cat log
    echo "was not refused"
    exit 1
  fi
  tr '\n' ' ' < log | tr -s ' ' | grep -q "$words" || { cat log; exit 1; }
}

cp -r "$here/case" "$scratch/case"
cd "$scratch/case"
cp "$here/walls/radiation.toml" constant
case $name in
  walls) solve walls && agrees "$CHECK" && ls 0.001/qr 0.001/ermineQ 0.001/ermineQError ;;
  renumbered) solve walls && quietly renumberMesh -overwrite -constant && agrees "$CHECK" ;;
  walls_ranks)
    solve walls
    decompose simple "2 1 1" 2
    agrees mpirun -np 2 "$CHECK" -parallel ;;
  walls_boxes)
    solve walls
    decompose hierarchical "1 2 2" 4
    agrees mpirun -np 4 "$CHECK" -parallel ;;
  periodic) solve periodic && agrees "$CHECK" -grey ;;
  periodic_ranks)
    solve periodic
    decompose simple "1 2 1" 2
    agrees mpirun -np 2 "$CHECK" -parallel -grey ;;
  composition*)
    cp -r "$here/composition/case/." .
    solve composition periodic
    # What OpenFOAM gives must replace this.
    sed -i 's/^H2O = .*/H2O = 0.01/; s/^CO2 = .*/CO2 = 0.01/; s/^volume_fraction = .*/volume_fraction = 1e-9/' \
      constant/radiation.toml
    case $name in
      composition) agrees "$CHECK" -composition ;;
      composition_ranks)
        agrees "$CHECK" -composition > 1
        decompose simple "1 2 1" 2
        agrees mpirun -np 2 "$CHECK" -parallel -composition > 2
        rm -rf processor*
        decompose hierarchical "2 2 1" 4
        agrees mpirun -np 4 "$CHECK" -parallel -composition > 4
        grep checksum 1
        for ranks in 2 4; do
          [ "$(grep checksum $ranks)" = "$(grep checksum 1)" ]
        done ;;
      composition_stranger)
        sed -i 's/^    composition .*/    composition (H2O CO);/' constant/radiationProperties
        refused "composition names 'CO', which the thermo package does not have" "$CHECK" ;;
      composition_unnamed)
        sed -i '/^    composition /d; /^    soot /d' constant/radiationProperties
        "$CHECK" > log || { cat log; exit 1; }
        grep "give 'composition 2(H2O CO2);'" log ;;
    esac ;;
  sheared) mesh "$here/meshes/sheared" && refused "is no box with sides along x, y, z" "$CHECK" ;;
  refined)
    mesh "$here/meshes/box"
    cp "$here/meshes/topoSetDict" system
    quietly topoSet
    quietly refineHexMesh -overwrite corner
    refused "is cut by a plane between other cells" "$CHECK" ;;
  corner) mesh "$here/meshes/corner" && refused "has holes, or is no box" "$CHECK" ;;
  empty) mesh "$here/meshes/empty" && refused "'front_and_back' is of type empty" "$CHECK" ;;
  baffle)
    mesh "$here/meshes/box"
    cp "$here/meshes/createBafflesDict" system
    quietly createBaffles -overwrite
    cp "$here"/case/0/* 0  # which it has filled with zeros
    refused "of patch 'screen', at (.*), lies inside the box" "$CHECK" ;;
  no_boxes)
    mesh "$here/meshes/box"
    decompose simple "3 1 1" 3
    refused "are no box within the mesh" mpirun -np 3 "$CHECK" -parallel ;;
  no_emissivity)
    mesh "$here/meshes/box"
    sed -i '/emissivity  1;/d' constant/radiationProperties
    refused "patch 'walls' has no emissivity" "$CHECK" ;;
  mixed_side)
    mesh "$here/walls/blockMeshDict"
    sed -i '/window_left/s/specular/diffuse/' constant/radiationProperties
    refused "patches on side z_high of the domain reflect differently" "$CHECK" ;;
  no_case)
    mesh "$here/meshes/box"
    rm constant/radiation.toml
    refused "constant/radiation.toml" "$CHECK" ;;
  example)
    cp -r "$here/../../examples/openfoam/hot_box" "$scratch/hot_box"
    cd "$scratch/hot_box"
    sed -i "s/rays_per_cell = 256/rays_per_cell = 64/" constant/radiation.toml
    quietly ./run.sh
    ls 0.006/qr 0.006/ermineQ 0.006/ermineQError
    # The flow is solved to some digits only, so that later updates may differ in their last ones.
    grep -o "ermine: update .* % of Q" log.buoyantPimpleFoam | tee serial
    grep -q "ermine: update 2" serial
    quietly ./run.sh 2
    ls processor1/0.006/qr processor1/0.006/ermineQ
    grep -o "ermine: update .* % of Q" log.buoyantPimpleFoam | head -n 1 | grep -xFf - serial ;;
  reacting)
    cp -r "$here/../../examples/openfoam/reacting_box" "$scratch/reacting_box"
    cd "$scratch/reacting_box"
    sed -i "s/rays_per_cell = 256/rays_per_cell = 64/" constant/radiation.toml
    for processes in 1 2 4; do
      quietly ./run.sh $processes
      grep -q "ermine: update 3" log.reactingFoam
      for field in ermineQ T qr; do
        numbers 0.003/$field > $field.$processes
        # The flow is solved to some digits only; rays are the same.
        paste $field.1 $field.$processes | awk -v what="$field on $processes processes" '
          { d = $2 - $1; d = d < 0 ? -d : d; a = $1 < 0 ? -$1 : $1
            if (d > difference) difference = d
            if (a > largest) largest = a }
          END { print what ": largest " largest ", differs by " difference + 0
                exit !(NR > 100 && largest > 0 && difference <= 1e-6 * largest) }'
      done
      # The floor takes up the heat of radiation and becomes warmer than the 500 K below it.
      sed -n '/ floor/,/}/p' 0.003/T > floor
      numbers floor | awk '$1 > 505 && $1 < 1600 { ++warm }
        END { print warm " warm faces"; exit !(warm > 100) }'
      rm -rf 0.003
    done ;;
  *) echo "no test $name" && exit 2 ;;
esac
