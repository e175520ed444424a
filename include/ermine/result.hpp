#pragma once

#include <ermine/options.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ermine {

/// A Monte Carlo number and its standard error, in the same unit. Errors of results contain the
/// noise of the rays and what is known of the bias.
struct Estimate {
  double value = 0.0;
  double standard_error = 0.0;
};

/// Net heat flux of one side [W/m2], one value per face cell, positive where the wall loses heat.
/// Empty where the side is periodic or wall fluxes were not asked for.
struct WallFlux {
  std::vector<double> net_flux;
  std::vector<double> standard_error;
  Estimate heat = {};  ///< lost by the whole side [W]
  Estimate bias = {};  ///< of `heat`, that of the levels of detail [W]; zero on one level
};

/// Energy balance [W]: what the gas loses plus what the walls lose. Zero but for noise with
/// StartPoint::uniform, one level and ThinStarts::cells. With StartPoint::average zero up to what
/// starts at centres leave in the smooth parts of a field, with StartPoint::point up to the error
/// of the grid. Levels of detail and thin starts in blocks add their bias.
struct Ledger {
  Estimate gas;  ///< its error contains `unexplained`
  Estimate walls;
  Estimate total;     ///< its error contains `unexplained`
  Estimate gas_bias;  ///< of `gas`, that of the levels of detail; zero on one level
  /// Part of `total` that neither noise nor the bias of the levels explains, where it is more than
  /// twice as large as both together: what start points and the mesh leave of the balance. Zero
  /// where wall fluxes were not asked for: nothing is known of it then.
  double unexplained = 0.0;
  /// Heat that is exchanged, to compare with: the largest of what the gas loses, and of half of
  /// what all cells, or all walls, lose or gain.
  double exchanged = 0.0;

  /// Error of `total` without `unexplained`: that of noise and of the bias of the levels.
  double explained_error() const {
    const double square = total.standard_error * total.standard_error - unexplained * unexplained;
    return square > 0 ? std::sqrt(square) : 0.0;
  }
};

struct RayCounts {
  std::int64_t traced = 0;
  std::int64_t lost = 0;
  std::int64_t crossings = 0;  ///< cells crossed by all rays
};

/// Wall-clock seconds by phase.
struct Seconds {
  double setup = 0.0;
  double gas = 0.0;
  double walls = 0.0;

  double total() const { return setup + gas + walls; }
};

/// What ended a run: all rays asked for were traced, the error asked for was reached, or the time
/// limit or the largest number of rays was met before.
enum class StoppedBy { rays, target, time_limit, ray_limit };

/// Error of Q over all cells that comes from their size.
struct MeshError {
  bool estimated = false;
  Estimate error;      ///< root mean square [W/m3]; with what noise leaves unknown of it
  double order = 0.0;  ///< with which it falls with the size of cells, from 1 to 2
};

/// Root mean square of the bias of Q in cells of similar temperature [W/m3].
struct ClassBias {
  double below = 0.0;  ///< or at it [K], and above the class before
  double bias = 0.0;
};

/// Error of Q over all cells [W/m3], in the norm of the target.
struct Accuracy {
  StoppedBy stopped_by = StoppedBy::rays;
  double standard_error = 0.0;  ///< noise of the rays alone
  Estimate bias;                ///< of the levels of detail; zero on one level
  bool bias_estimated = false;
  bool corrected = false;  ///< that bias was removed by the correction: it is zero on average
  std::vector<ClassBias> bias_by_temperature;  ///< the same bias, from cold to hot; may be empty
  double thin_bias = 0.0;                      ///< of thin starts in blocks, a usual value
  double error = 0.0;                          ///< all of these together
  double target = 0.0;                         ///< 0: there was none
  double wall_error = 0.0;                     ///< root mean square over wall face cells [W/m2]
  double wall_target = 0.0;                    ///< of it; 0: there was none
  MeshError mesh;                              ///< not part of `error`: more rays do not change it

  /// Bias of cells of a temperature, that of the levels of detail, as bias_by_temperature has it.
  double bias_at(double kelvin) const {
    for (const ClassBias& of_class : bias_by_temperature) {
      if (kelvin <= of_class.below) return of_class.bias;
    }
    return bias_by_temperature.empty() ? 0.0 : bias_by_temperature.back().bias;
  }
};

/// Solution on the cells of the grid, x fastest [W/m3].
struct Result {
  std::vector<double> flux_divergence;  ///< Q = emission - absorption, positive: gas loses heat
  std::vector<double> standard_error;   ///< of Q, and of absorption: noise and bias
  std::vector<double> emission;         ///< exact, no sampling
  std::vector<double> absorption;
  std::vector<double> emission_slope;  ///< d emission / dT [W/(m3 K)]; empty: not asked for
  std::array<WallFlux, 6> wall_flux;   ///< in the order of ermine::Face
  Ledger ledger;
  RayCounts rays;
  Seconds seconds;
  Backend backend = Backend::cpu;  ///< what traced the rays: cpu or cuda
  std::string device;              ///< name of the GPU, empty on the CPU
  std::int64_t device_memory = 0;  ///< most memory held on the GPU [bytes]
  int threads = 1;                 ///< of the CPU
  int levels = 1;                  ///< levels of detail that rays of cells used
  int steps_per_level = 1;         ///< and their steps on each
  int wall_levels = 1;             ///< the same of rays of walls
  int wall_steps_per_level = 1;
  double rays_per_cell = 0.0;       ///< traced, mean over cells
  double rays_per_wall_face = 0.0;  ///< the same over wall face cells
  int replicates = 0;               ///< of the net, of each cell at least
  /// Spectral points of smaller k at the mean of the lowest and the highest temperature [1/m] were
  /// traced from blocks (Options::thin_starts); 0: none.
  double thin_below = 0.0;
  Termination termination = Termination::cutoff;  ///< of rays of cells: what `automatic` came to
  double thin_relative_bias = 0.0;  ///< that these starts usually have, of Q, root mean squares
  /// Boxes of so many cells whose errors are not independent of each other: their rays of a net
  /// have spectral points in common, or come from the same blocks.
  std::array<int, 3> tile_cells = {4, 4, 2};
  /// Correlation of the errors of two cells of such a tile: averages over cells are less certain
  /// than if all were independent.
  double tile_correlation = 0.0;
  /// The same for each layer of tiles across each axis, for averages over planes.
  std::array<std::vector<double>, 3> layer_correlation;
  Accuracy accuracy;
  /// Largest optical thickness of a cell: Planck-mean absorption coefficient times its smallest
  /// width. Above about 5 hardly any ray leaves the cell: without the mesh correction Q there is
  /// too small, and its error bar does not know.
  double thickest_cell = 0.0;

  /// Root mean square of the error of Q, noise and bias, over that of Q; 0 where Q is zero
  /// everywhere.
  double relative_standard_error() const;
};

}  // namespace ermine
