#pragma once

#include <ermine/result.hpp>

#include <array>

namespace ermine {

/// Energy balance of one update [W], of the whole grid: heat lost by radiation. In theory gas and
/// walls together lose nothing. Errors contain the noise of the rays and what is known of the bias.
/// Where wall fluxes were not computed (rays_per_wall_face = 0), those of walls are zero and `sum`
/// is the heat lost by the gas.
struct EnergyBalance {
  Estimate gas;                   ///< its error contains what of the sum nothing explains
  std::array<Estimate, 6> walls;  ///< of each side, in the order of ermine::Face; zero if periodic
  Estimate all_walls;             ///< their sum
  Estimate sum;                   ///< of gas and walls; its error as that of `gas`
  Estimate gas_bias;              ///< of `gas`, that of the levels of detail; zero on one level
  /// Part of `sum` that neither noise nor the bias of the levels of detail explains: see Ledger.
  double unexplained = 0.0;
  double exchanged = 0.0;  ///< heat exchanged, to compare with: see Ledger
};

EnergyBalance balance_of(const Result& result);

}  // namespace ermine
