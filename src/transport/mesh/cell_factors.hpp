#pragma once

#include <ermine/walls.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace ermine {

/// k [1/m] below which gas has no correction: it emits nothing that counts, and what is divided by
/// k would be beyond the largest numbers.
inline constexpr double least_corrected_absorption = 1e-100;

/// Waves that a field is made of.
struct Structures {
  double wavenumber = 0.0;  ///< q [1/m]; 0: of any length
  double phase = 0.0;       ///< q times the smallest width of cells
};

/// What cells of constant temperature make of the diffusion of heat, with rays from their centres
/// but for `exchange`, as functions of the optical thickness tau = k h of a cell
/// (docs/theory/mesh.md has the derivation). For cells much thinner than a mean free path all of
/// them vanish as tau^2, but for `wall_flux`, which does as tau.
struct CellFactors {
  /// 1 - f: what the march leaves out of -(4 pi / 3 k) I'', as a part of it.
  double curvature = 0.0;
  /// 1 - g: the same of -(4 pi / 3) (1/k)' I'.
  double gradient = 0.0;
  /// omega, for a cell at a wall of emissivity 1, and of emissivity 0 reflecting diffusely or as a
  /// mirror; it is linear in the emissivity.
  double black_wall = 0.0;
  std::array<double, 2> white_wall{};  ///< by ermine::Reflection
  /// psi: what is missing from the intensity that arrives at a wall, over the rise of I across the
  /// cell.
  double wall_flux = 0.0;
  /// 1 - f of rays that start all over their cells: what is missing from the flux through a face
  /// between two cells, as a part of the flux of diffusion. It is (3/2) tau psi.
  double exchange = 0.0;

  double white(Reflection reflection) const {
    return white_wall[static_cast<std::size_t>(reflection)];
  }

  /// For structures of a field in a gas of absorption coefficient k [1/m], in cells of optical
  /// thickness tau: what thin cells miss is seen from far away, through the mean intensity, which a
  /// gas has (k/q) atan(q/k) of.
  CellFactors for_structures(double tau, const Structures& field, double absorption) const;
};

/// Integrals over all directions, to about 1e-10.
CellFactors cell_factors(double tau);

/// cell_factors() by linear interpolation in ln tau; beyond its ends by their limits.
class CellFactorTable {
 public:
  static constexpr double step = 1.0 / 16;  ///< of ln tau

  CellFactors operator()(double log_tau) const;

  static const CellFactorTable& instance();  ///< made at its first use

 private:
  CellFactorTable();

  std::vector<CellFactors> nodes_;
};

}  // namespace ermine
