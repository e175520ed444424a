#pragma once

#include <cstdint>
#include <optional>

namespace ermine {

/// What traces the rays. automatic: the first usable NVIDIA GPU, else the CPU.
enum class Backend { automatic, cpu, cuda };

/// How the spectral points of a cell's rays are drawn.
/// random: one after the other, independently.
/// sorted: the same distribution, but all points of a batch of rays are marched in increasing order
/// of k, so that rays traced side by side are about equally long.
enum class SpectralSampler { random, sorted };

/// How the GPU reads the temperature of a cell: plain loads, or through its texture units. The CPU
/// has no texture units and loads either way.
enum class FieldAccess { global, texture };

/// Temperature of a coarse cell, from those of the cells it covers: T^4 keeps the power emitted.
enum class CoarseTemperature { mean, mean_fourth_power };

/// Where in its cell, or wall face cell, a ray starts.
/// centre: at the centre, as in the paper. Q is a value at the centre, and the energy of gas and
/// walls balances up to the error of the grid.
/// uniform: anywhere in the cell. Q is an average over the cell for temperatures constant in each,
/// exchange between any two cells is reciprocal, and energy balances exactly on average.
enum class StartPoint { centre, uniform };

/// How rays are shared out among spectral points.
/// emission: as the power emitted at the highest temperature, k(Tmax) I(Tmax), as in the paper.
/// exchange: as the heat that can be exchanged, k / (1 + k l) (I(Tmax) - I(Tmin)), with l a fifth
/// of the domain: fewer rays for points so thick that they see little but their own cell.
enum class SpectralDensity { emission, exchange };

/// Precision of the ray march. Tallies are always double.
enum class Precision { single_precision, double_precision };

struct Options {
  Backend backend = Backend::automatic;
  SpectralSampler sampler = SpectralSampler::random;
  FieldAccess field_access = FieldAccess::global;
  /// Levels of detail: a ray goes so many steps on the grid, then as many on one of half the
  /// resolution, and so on; on the last level it stays. 1: the grid alone; 0: as many levels as
  /// there are, down to a few cells along each axis.
  int levels = 1;
  int steps_per_level = 5;
  CoarseTemperature coarse_temperature = CoarseTemperature::mean;
  StartPoint start = StartPoint::centre;
  SpectralDensity density = SpectralDensity::emission;
  std::int64_t rays_per_cell = 1000;
  std::int64_t rays_per_wall_face = 1000;  ///< rays of each wall face cell; 0: no wall fluxes
  /// Groups into which the rays of a cell are drawn and sorted; 0: chosen from cells and rays.
  int batches = 0;
  std::uint64_t seed = 1;
  double tolerance = 1e-5;                  ///< a ray ends when its transmissivity falls to this
  std::int64_t max_crossings = 10'000'000;  ///< a ray still alive after so many cells is lost
  double max_lost_fraction = 1e-4;          ///< more lost rays than this are an error
  Precision precision = Precision::single_precision;
  int threads = 0;  ///< of the CPU; 0: all that the machine offers
};

inline constexpr int most_levels = 16;
inline constexpr std::int64_t most_rays = std::int64_t{1} << 32;  ///< a ray number has 32 bits

/// The four variants of the paper, each an acceleration on top of the one before:
/// classic (random sampler, global memory, one grid), texture, sorted, multigrid (5 steps on each
/// of as many levels as there are, mean temperatures).
enum class Method { classic, texture, sorted, multigrid };

/// Sets sampler, field access and levels as the method has them.
void set_method(Options& options, Method method);

/// The method whose sampler, field access and levels these are, if there is one.
std::optional<Method> method_of(const Options& options);

const char* name_of(Method method);
const char* name_of(Backend backend);

}  // namespace ermine
