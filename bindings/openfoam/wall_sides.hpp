#pragma once

#include "cartesian_mesh.hpp"
#include "volFields.H"

#include <array>
#include <vector>

namespace ermineFoam {

/// The patches of a Cartesian mesh as ermine's six sides: walls, mirrors at planes of symmetry, or
/// periodic. Patches that ermine cannot have are refused. Collective.
class WallSides {
 public:
  /// `coeffs`: emissivity and reflection, of all patches and under "patches".
  WallSides(const Foam::fvMesh& mesh, const CartesianMesh& grid, const Foam::dictionary& coeffs);

  bool periodic(int axis) const { return periodic_[axis]; }
  /// Temperature [K] of the face cells of a whole side, lower axis fastest. Collective.
  std::vector<double> temperature(int side, const Foam::volScalarField& temperature) const;
  const std::vector<double>& emissivity(int side) const { return emissivity_[side]; }
  int reflection(int side) const { return reflection_[side]; }

  /// Values of this process's part of a side, lower axis fastest, to a field's boundary.
  void put(int side, const std::vector<double>& values, Foam::volScalarField& field) const;

 private:
  struct PatchFace {
    Foam::label patch;
    Foam::label face;    ///< within the patch
    std::int64_t whole;  ///< place on the whole side
    std::int64_t own;    ///< place on this process's part of it
  };

  PatchFace place(Foam::label patch, Foam::label face, int side, const Indices& cell) const;
  void check_complete();
  std::vector<double> summed(int side, const std::vector<double>& of_faces) const;

  const CartesianMesh& grid_;
  std::array<std::vector<PatchFace>, 6> faces_;
  std::array<Foam::label, 6> periodic_faces_{};
  std::array<bool, 3> periodic_{};
  std::array<std::vector<double>, 6> emissivity_;
  std::array<int, 6> reflection_{};
};

}  // namespace ermineFoam
