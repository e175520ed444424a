#include "wall_sides.hpp"

#include "cyclicPolyPatch.H"
#include "emptyPolyPatch.H"
#include "processorCyclicPolyPatch.H"
#include "symmetryPlanePolyPatch.H"
#include "symmetryPolyPatch.H"
#include "wedgePolyPatch.H"

#include <algorithm>
#include <cmath>

namespace ermineFoam {
namespace {

using Foam::isA;
using Foam::label;
using Foam::polyPatch;

const char* const side_names[6] = {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"};

/// Axes of a side, the lower one first.
std::array<int, 2> tangents(int side) {
  const int normal = side / 2;
  return {{normal == 0 ? 1 : 0, normal == 2 ? 1 : 2}};
}

std::int64_t whole_count(const CartesianMesh& grid, int side) {
  const auto along = tangents(side);
  return grid.cells(along[0]) * grid.cells(along[1]);
}

bool is_mirror(const polyPatch& patch) {
  return isA<Foam::symmetryPolyPatch>(patch) || isA<Foam::symmetryPlanePolyPatch>(patch);
}

bool is_between_processes(const polyPatch& patch) {
  return isA<Foam::processorPolyPatch>(patch) && !isA<Foam::processorCyclicPolyPatch>(patch);
}

/// Whether a patch joins opposite sides; what ermine can make nothing of is refused.
bool is_periodic(const polyPatch& patch) {
  const char* remedy = nullptr;
  if (isA<Foam::emptyPolyPatch>(patch)) {
    remedy =
        "radiation goes in three dimensions: make it cyclic, with the patch opposite, or a "
        "symmetryPlane";
  } else if (isA<Foam::wedgePolyPatch>(patch)) {
    remedy = "the mesh must be a box: take a box, or another radiation model";
  } else if (const auto* coupled = Foam::isA<Foam::coupledPolyPatch>(patch)) {
    const bool joins =
        isA<Foam::cyclicPolyPatch>(patch) || isA<Foam::processorCyclicPolyPatch>(patch);
    if (joins && coupled->parallel()) return true;
    remedy =
        "of the coupled patches only cyclic ones, without rotation, will do: take such a "
        "one, or another radiation model";
  }
  if (remedy) {
    FatalErrorInFunction << "patch '" << patch.name() << "' is of type " << patch.type()
                         << ", which the radiation model 'ermine' cannot have" << Foam::nl << remedy
                         << exit(Foam::FatalError);
  }
  return false;
}

/// The side of the domain on which a boundary face of a cell lies.
int side_of(const polyPatch& patch, label face, const Indices& cell, const CartesianMesh& grid) {
  const Foam::vector area = patch.faceAreas()[face];
  int normal = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (std::abs(area[axis]) > std::abs(area[normal])) normal = axis;
  }
  const bool high = area[normal] > 0;
  if (cell[normal] != (high ? grid.cells(normal) - 1 : 0)) {
    FatalErrorInFunction << "face " << face << " of patch '" << patch.name() << "', at "
                         << patch.faceCentres()[face] << ", lies inside the box" << Foam::nl
                         << "The radiation model 'ermine' has walls at the six sides only: remove "
                            "baffles and bodies, or take another radiation model"
                         << exit(Foam::FatalError);
  }
  return 2 * normal + (high ? 1 : 0);
}

struct Surface {
  double emissivity;
  int reflection;
};

Surface surface_of(const polyPatch& patch, const Foam::dictionary& coeffs) {
  if (is_mirror(patch)) return {0.0, ERMINE_SPECULAR};
  const Foam::dictionary own = coeffs.subOrEmptyDict("patches").subOrEmptyDict(patch.name());
  const auto has = [&](const char* key) -> const Foam::dictionary& {
    return own.found(key) ? own : coeffs;
  };
  if (!has("emissivity").found("emissivity")) {
    FatalIOErrorInFunction(coeffs)
        << "patch '" << patch.name() << "' has no emissivity" << Foam::nl
        << "Give 'emissivity 0.8;' for all patches, or 'patches { " << patch.name()
        << " { emissivity 0.8; } }'" << exit(Foam::FatalIOError);
  }
  const double emissivity = has("emissivity").get<Foam::scalar>("emissivity");
  if (!(emissivity >= 0 && emissivity <= 1)) {
    FatalIOErrorInFunction(coeffs) << "patch '" << patch.name() << "' has emissivity " << emissivity
                                   << ", give a value from 0 to 1" << exit(Foam::FatalIOError);
  }
  const Foam::word reflection = has("reflection").getOrDefault<Foam::word>("reflection", "diffuse");
  if (reflection != "diffuse" && reflection != "specular") {
    FatalIOErrorInFunction(coeffs) << "patch '" << patch.name() << "' has reflection " << reflection
                                   << ", give diffuse or specular" << exit(Foam::FatalIOError);
  }
  return {emissivity, reflection == "specular" ? ERMINE_SPECULAR : ERMINE_DIFFUSE};
}

}  // namespace

WallSides::WallSides(const Foam::fvMesh& mesh, const CartesianMesh& grid,
                     const Foam::dictionary& coeffs)
    : grid_(grid) {
  std::array<std::vector<double>, 6> emissivity;
  std::array<int, 6> lowest, highest;
  lowest.fill(ERMINE_SPECULAR);
  highest.fill(ERMINE_DIFFUSE);
  for (const polyPatch& patch : mesh.boundaryMesh()) {
    if (patch.empty() || is_between_processes(patch)) continue;
    const bool joins = is_periodic(patch);
    const Surface surface = joins ? Surface{} : surface_of(patch, coeffs);
    for (label face = 0; face < patch.size(); ++face) {
      const Indices cell = grid.indices(patch.faceCells()[face]);
      const int side = side_of(patch, face, cell, grid);
      if (joins) {
        ++periodic_faces_[side];
        continue;
      }
      faces_[side].push_back(place(patch.index(), face, side, cell));
      emissivity[side].push_back(surface.emissivity);
      lowest[side] = std::min(lowest[side], surface.reflection);
      highest[side] = std::max(highest[side], surface.reflection);
    }
  }
  check_complete();
  for (int side = 0; side < 6; ++side) {
    if (periodic_[side / 2]) continue;
    emissivity_[side] = summed(side, emissivity[side]);
    reflection_[side] = Foam::returnReduce(highest[side], Foam::maxOp<int>());
    if (Foam::returnReduce(lowest[side], Foam::minOp<int>()) != reflection_[side]) {
      FatalIOErrorInFunction(coeffs)
          << "patches on side " << side_names[side]
          << " of the domain reflect differently (planes of symmetry are specular)" << Foam::nl
          << "The radiation model 'ermine' has one kind of reflection for each side: give all of "
             "them the same"
          << exit(Foam::FatalIOError);
    }
  }
}

WallSides::PatchFace WallSides::place(label patch, label face, int side,
                                      const Indices& cell) const {
  const auto along = tangents(side);
  const ermine_block& block = grid_.block();
  const std::int64_t own_row = block.end[along[0]] - block.begin[along[0]];
  return {
      patch, face, cell[along[0]] + grid_.cells(along[0]) * cell[along[1]],
      cell[along[0]] - block.begin[along[0]] + own_row * (cell[along[1]] - block.begin[along[1]])};
}

void WallSides::check_complete() {
  std::array<bool, 6> joined;
  for (int side = 0; side < 6; ++side) {
    const label count = Foam::returnReduce(periodic_faces_[side], Foam::sumOp<label>());
    joined[side] = count > 0;
    if (count > 0 && count != whole_count(grid_, side)) {
      FatalErrorInFunction << "side " << side_names[side] << " of the domain has " << count
                           << " cyclic faces of " << whole_count(grid_, side) << Foam::nl
                           << "The radiation model 'ermine' has sides that are cyclic as a whole, "
                              "or walls: make all patches on this side cyclic, or none"
                           << exit(Foam::FatalError);
    }
  }
  for (int axis = 0; axis < 3; ++axis) periodic_[axis] = joined[2 * axis] && joined[2 * axis + 1];
}

/// A field of the whole side on all processes, from values of this process's faces.
std::vector<double> WallSides::summed(int side, const std::vector<double>& of_faces) const {
  Foam::List<double> whole(label(whole_count(grid_, side)), 0.0);
  for (std::size_t i = 0; i < of_faces.size(); ++i) whole[faces_[side][i].whole] = of_faces[i];
  Foam::Pstream::listCombineGather(whole, Foam::plusEqOp<double>());
  Foam::Pstream::listCombineScatter(whole);
  return std::vector<double>(whole.begin(), whole.end());
}

std::vector<double> WallSides::temperature(int side, const Foam::volScalarField& field) const {
  std::vector<double> values;
  values.reserve(faces_[side].size());
  for (const PatchFace& at : faces_[side]) {
    values.push_back(field.boundaryField()[at.patch][at.face]);
  }
  return summed(side, values);
}

void WallSides::put(int side, const std::vector<double>& values,
                    Foam::volScalarField& field) const {
  for (const PatchFace& at : faces_[side]) {
    field.boundaryFieldRef()[at.patch][at.face] = values[at.own];
  }
}

}  // namespace ermineFoam
