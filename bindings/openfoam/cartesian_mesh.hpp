#pragma once

#include <ermine/ermine.h>

#include "fvMesh.H"

#include <array>
#include <cstdint>
#include <vector>

namespace ermineFoam {

using Indices = std::array<std::int64_t, 3>;

/// A mesh whose cells are the boxes between planes across x, y and z, in any order, as ermine's
/// grid. Other meshes are refused. Collective.
class CartesianMesh {
 public:
  explicit CartesianMesh(const Foam::fvMesh& mesh);

  /// Increasing coordinates [m] of the planes across an axis, of all processes.
  const std::vector<double>& planes(int axis) const { return planes_[axis]; }
  std::int64_t cells(int axis) const { return std::int64_t(planes_[axis].size()) - 1; }
  /// Where a cell of this process is in the whole grid.
  Indices indices(Foam::label cell) const { return indices_[cell]; }
  /// The cells of this process; its arrays have x fastest.
  const ermine_block& block() const { return block_; }
  /// Cells of this process in the order of such arrays.
  const std::vector<Foam::label>& order() const { return order_; }

 private:
  void find_planes(const Foam::fvMesh& mesh);
  void find_indices(const Foam::fvMesh& mesh);
  void find_block(const Foam::fvMesh& mesh);

  std::array<std::vector<double>, 3> planes_;
  std::vector<Indices> indices_;
  ermine_block block_{};
  std::vector<Foam::label> order_;
};

}  // namespace ermineFoam
