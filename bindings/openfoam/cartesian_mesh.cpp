#include "cartesian_mesh.hpp"

#include "boundBox.H"

#include <algorithm>

namespace ermineFoam {
namespace {

using Foam::endl;
using Foam::label;

// Coordinates closer than this part of the thinnest cell are of one plane: files of meshes keep
// some ten digits.
constexpr double same_plane = 1e-3;
// A box fills its bounding box, but for such digits.
constexpr double full_box = 1e-3;

Foam::boundBox box_of(const Foam::fvMesh& mesh, label cell) {
  return Foam::boundBox(mesh.points(), mesh.cellPoints()[cell], false);
}

[[noreturn]] void refuse(const Foam::fvMesh& mesh, label cell, const char* why) {
  FatalErrorInFunction << "cell " << cell << " at " << mesh.cellCentres()[cell] << ' ' << why
                       << Foam::nl
                       << "The radiation model 'ermine' needs a mesh of boxes between planes "
                          "across x, y and z, as blockMesh makes it for a box: take such a mesh, "
                          "or another radiation model"
                       << exit(Foam::FatalError);
  std::abort();
}

/// Values of all processes, on all of them.
std::vector<double> gathered(const std::vector<double>& mine) {
  Foam::List<Foam::List<double>> all(Foam::Pstream::nProcs());
  Foam::List<double>& own = all[Foam::Pstream::myProcNo()];
  own.setSize(label(mine.size()));
  std::copy(mine.begin(), mine.end(), own.begin());
  Foam::Pstream::gatherList(all);
  Foam::Pstream::scatterList(all);
  std::vector<double> together;
  for (const Foam::List<double>& part : all) {
    together.insert(together.end(), part.begin(), part.end());
  }
  return together;
}

/// One coordinate for each plane.
std::vector<double> merged(std::vector<double> coordinates, double tolerance) {
  std::sort(coordinates.begin(), coordinates.end());
  std::vector<double> planes;
  for (auto first = coordinates.begin(); first != coordinates.end();) {
    const auto last =
        std::find_if(first, coordinates.end(), [=](double x) { return x > *first + tolerance; });
    planes.push_back(0.5 * (*first + *(last - 1)));
    first = last;
  }
  return planes;
}

}  // namespace

CartesianMesh::CartesianMesh(const Foam::fvMesh& mesh) {
  find_planes(mesh);
  find_indices(mesh);
  find_block(mesh);
}

void CartesianMesh::find_planes(const Foam::fvMesh& mesh) {
  std::array<std::vector<double>, 3> coordinates;
  Foam::vector thinnest = Foam::vector::uniform(Foam::GREAT);
  for (label cell = 0; cell < mesh.nCells(); ++cell) {
    const Foam::boundBox box = box_of(mesh, cell);
    const Foam::vector span = box.span();
    const double whole = Foam::cmptProduct(span);
    if (!(std::abs(mesh.cellVolumes()[cell] - whole) <= full_box * whole)) {
      refuse(mesh, cell, "is no box with sides along x, y, z");
    }
    thinnest = Foam::min(thinnest, span);
    for (int axis = 0; axis < 3; ++axis) {
      coordinates[axis].push_back(box.min()[axis]);
      coordinates[axis].push_back(box.max()[axis]);
    }
  }
  Foam::reduce(thinnest, Foam::minOp<Foam::vector>());
  for (int axis = 0; axis < 3; ++axis) {
    const double tolerance = same_plane * thinnest[axis];
    planes_[axis] = merged(gathered(merged(coordinates[axis], tolerance)), tolerance);
  }
}

void CartesianMesh::find_indices(const Foam::fvMesh& mesh) {
  indices_.resize(mesh.nCells());
  for (label cell = 0; cell < mesh.nCells(); ++cell) {
    const Foam::boundBox box = box_of(mesh, cell);
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double>& planes = planes_[axis];
      const auto above =
          std::upper_bound(planes.begin(), planes.end(), box.midpoint()[axis]) - planes.begin();
      const double tolerance = same_plane * (planes[above] - planes[above - 1]);
      if (std::abs(box.max()[axis] - planes[above]) > tolerance ||
          std::abs(box.min()[axis] - planes[above - 1]) > tolerance) {
        refuse(mesh, cell, "is cut by a plane between other cells, as in refined meshes");
      }
      indices_[cell][axis] = above - 1;
    }
  }
  const label count = Foam::returnReduce(mesh.nCells(), Foam::sumOp<label>());
  if (std::int64_t(count) != cells(0) * cells(1) * cells(2)) {
    FatalErrorInFunction << "the mesh has " << count << " cells between " << cells(0) << " x "
                         << cells(1) << " x " << cells(2) << " planes: it has holes, or is no box"
                         << Foam::nl
                         << "The radiation model 'ermine' needs a mesh that fills a box, as "
                            "blockMesh makes it: take such a mesh, or another radiation model"
                         << exit(Foam::FatalError);
  }
}

void CartesianMesh::find_block(const Foam::fvMesh& mesh) {
  const label count = mesh.nCells();
  order_.assign(count, -1);
  if (count == 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const auto less = [=](const Indices& a, const Indices& b) { return a[axis] < b[axis]; };
    const auto ends = std::minmax_element(indices_.begin(), indices_.end(), less);
    block_.begin[axis] = (*ends.first)[axis];
    block_.end[axis] = (*ends.second)[axis] + 1;
  }
  Indices extent;
  for (int axis = 0; axis < 3; ++axis) extent[axis] = block_.end[axis] - block_.begin[axis];
  // As many cells as the box has places, and no place without a cell: each has one.
  bool is_box = extent[0] * extent[1] * extent[2] == count;
  for (label cell = 0; is_box && cell < count; ++cell) {
    const Indices& at = indices_[cell];
    const std::int64_t place =
        at[0] - block_.begin[0] +
        extent[0] * (at[1] - block_.begin[1] + extent[1] * (at[2] - block_.begin[2]));
    is_box = order_[place] < 0;
    order_[place] = cell;
  }
  if (!is_box) {
    FatalErrorInFunction << "the " << count << " cells of process " << Foam::Pstream::myProcNo()
                         << " are no box within the mesh" << Foam::nl
                         << "The radiation model 'ermine' needs boxes: decompose with method "
                            "simple or hierarchical, with numbers of processes that divide the "
                            "numbers of cells along x, y and z"
                         << exit(Foam::FatalError);
  }
}

}  // namespace ermineFoam
