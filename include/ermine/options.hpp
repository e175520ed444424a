#pragma once

#include <cstdint>
#include <optional>

namespace ermine {

/// What traces the rays. automatic: the first usable NVIDIA GPU, else the CPU.
enum class Backend { automatic, cpu, cuda };

/// How the rays of a cell are drawn.
/// random: spectral points and directions one after the other, independently.
/// sorted: the same distribution, but all points of a batch of rays are marched in increasing order
/// of k, so that rays traced side by side are about equally long.
/// net: points and directions fill the spectrum and the sphere evenly, as a randomised net of
/// quasi-Monte Carlo, in independent replicates that give the error bars.
enum class RaySampler { random, sorted, net };

/// Which cells share the random shift of the net's directions.
/// cell: none. Errors of cells are independent but for what the common spectral points leave.
/// mirrored: the cells of a tile, a box of 4 x 4 x 2 cells, up to mirror images: of each 2 x 2 x 2
/// neighbours every one has another image. Their rays are equally long, which is fast on a GPU, and
/// their errors differ.
/// tile: the cells of a tile. Fastest on a GPU, because rays of neighbours stay together, but the
/// errors within a tile are strongly correlated.
enum class Shifts { cell, mirrored, tile };

/// What the nets of successive updates of a coupled run have to do with each other.
/// independent: nothing.
/// continued: each is the next block of one sequence. Rays of all updates together fill spectrum
/// and sphere evenly, so that errors of successive updates tend to cancel; those of one update are
/// as with independent ones.
/// difference: the same, and each update only adds what has changed since the one before, found by
/// rays that are followed in both fields (History). Far smaller errors of each update, as long as
/// fields change little from one to the next; nothing lags behind.
enum class Temporal { independent, continued, difference };

/// How a ray ends that is almost absorbed.
/// automatic: roulette for rays of a net where a wall reflects, unless updates are differences;
/// cutoff elsewhere.
/// cutoff: when its transmissivity falls to the tolerance; the rest is left out.
/// roulette: below 1/100, one in ten goes on in place of the others. Nothing is left out on
/// average.
enum class Termination { automatic, cutoff, roulette };

/// How the GPU reads the temperature of a cell: plain loads, or through its texture units. The CPU
/// has no texture units and loads either way.
enum class FieldAccess { global, texture };

/// Temperature of a coarse cell, from those of the cells it covers: T^4 keeps the power emitted.
enum class CoarseTemperature { mean, mean_fourth_power };

/// What Q and wall fluxes are values of, and where rays start.
/// average: means over cells and wall face cells, which is what a finite-volume code multiplies by
/// their volumes and areas. Rays start all over cells at jumps of temperature or composition, where
/// only that balances gas and walls, and at the centres of others, which has less noise.
/// point: values at centres, where all rays start, as in the paper. Energy balances up to the error
/// of the grid, which is large where hot gas meets a cold wall.
/// uniform: as average, but rays start all over all cells. Exchange between any two of them is
/// reciprocal: on one level, with ThinStarts::cells, energy balances exactly but for noise, of
/// which there is more.
enum class StartPoint { point, average, uniform };

/// How rays are shared out among spectral points.
/// emission: as the power emitted at the highest temperature, k(Tmax) I(Tmax), as in the paper.
/// exchange: as the heat that can be exchanged, k / (1 + k l) (I(Tmax) - I(Tmin)), with l a fifth
/// of the domain: fewer rays for points so thick that they see little but their own cell.
enum class SpectralDensity { emission, exchange };

/// Where rays of optically thin spectral points start.
/// cells: in each cell, as all others.
/// blocks: at the corner in the middle of each 2 x 2 x 2 cells; what they absorb, smooth in space,
/// is interpolated. An eighth of the starts: less time for the same error, and a bias of which
/// errors contain a usual value, a quarter of a target error of 1 %. For single gases with black
/// walls in single precision, with rays of the net from centres of cells, on at least 16 cells, of
/// an even number, along each axis; others have cells, as have temperatures with fronts of a few
/// cells, absolute targets and `unbiased`.
enum class ThinStarts { cells, blocks };

/// Precision of the ray march. Tallies are always double.
enum class Precision { single_precision, double_precision };

/// What of the errors of all cells shall be below a target: their root mean square, the quantile
/// not exceeded by a given share of the cells, or the largest one.
enum class ErrorNorm { rms, quantile, maximum };

/// Error to reach: statistical error and bias together. Rays are added until it is reached, or time
/// is up.
struct ErrorTarget {
  double error = 0.0;     ///< 0: no target, rays_per_cell are traced
  bool absolute = false;  ///< in W/m3; else as a fraction of the root mean square of Q
  ErrorNorm norm = ErrorNorm::rms;
  double quantile = 0.95;  ///< share of the cells
  /// Error of the net fluxes of wall face cells to reach, root mean square as a fraction of that of
  /// the fluxes; 0: no target.
  double wall_error = 0.0;
  double time_limit = 0.0;  ///< [s]; 0: none

  bool any() const { return error > 0 || wall_error > 0; }

  friend bool operator==(const ErrorTarget&, const ErrorTarget&) = default;
};

/// Options::levels: chosen for the field at hand.
inline constexpr int automatic_levels = -1;
/// Options::rays_per_wall_face: as many as a cell has, and more on sides of few face cells.
inline constexpr std::int64_t automatic_rays = -1;

/// The defaults are those of the method net.
struct Options {
  Backend backend = Backend::automatic;
  RaySampler sampler = RaySampler::net;
  /// Net: independent ones among which the rays of a cell are shared out, at least 2; 0: 2, on
  /// grids of few cells 8. Error bars come from their differences, averaged over up to 125
  /// neighbouring cells.
  int replicates = 0;
  Shifts shifts = Shifts::mirrored;
  Temporal temporal = Temporal::continued;
  /// Differences: share of the past that each update forgets, above 0 and up to 1 (all of it); the
  /// n-th of a history 1/n at least. More for fields that change faster.
  double forgetting = 0.03;
  Termination termination = Termination::automatic;
  ErrorTarget target = {};
  /// Net: removes the bias of the levels of detail, by rays that are followed both with and without
  /// them. Done without asking where the number of levels is given and a target cannot be reached
  /// otherwise.
  bool unbiased = false;
  /// Net: estimates that bias with some rays where the number of levels is given, so that errors
  /// contain it. Where levels are chosen it is always known.
  bool estimate_bias = true;
  /// Estimates the error that comes from the size of cells, by solving on coarser meshes.
  bool estimate_mesh_error = false;
  FieldAccess field_access = FieldAccess::global;
  /// Levels of detail: a ray goes so many steps on the grid, then as many on one of half the
  /// resolution, and so on; on the last level it stays. 1: the grid alone; 0: as many levels as
  /// there are, down to a few cells along each axis.
  /// automatic_levels: rays of cells use as many levels as there are with steps_per_level steps, or
  /// 2, 4, 8 times as many, or fewer levels, or the grid alone: the first in the order of usual
  /// costs whose bias, measured by some rays, is small against the target, or against the noise
  /// that so many rays will have and 0.4 % of Q. Rays of walls have levels of their own, chosen in
  /// the same way. On small grids all use the grid alone, as do those of other samplers than the
  /// net.
  int levels = automatic_levels;
  int steps_per_level = 8;
  CoarseTemperature coarse_temperature = CoarseTemperature::mean_fourth_power;
  StartPoint start = StartPoint::average;
  /// Corrects the error of assuming a uniform temperature in each cell, as far as differences of
  /// neighbouring temperatures tell it: such cells conduct heat too fast or, the thicker they are,
  /// too slowly. Where rays start all over cells it is a flux between neighbours.
  bool mesh_correction = true;
  SpectralDensity density = SpectralDensity::exchange;
  /// Points count as thin below an optical thickness of a cell of about 0.15; less, the smaller the
  /// target error is or, where there is none, the more rays there are.
  ThinStarts thin_starts = ThinStarts::blocks;
  /// Nets of 64, 128, 256, ... rays are the most even: here, with two replicates, one of 512 each.
  /// Thin points have rays of their own besides, if they start in blocks: twice as many of each.
  std::int64_t rays_per_cell = 1024;
  /// Rays of each wall face cell; 0: no wall fluxes. With a target: at least so many.
  std::int64_t rays_per_wall_face = automatic_rays;
  /// Random and sorted rays: groups in which those of a cell are drawn; 0: chosen from cells and
  /// rays.
  int batches = 0;
  std::uint64_t seed = 1;
  double tolerance = 1e-5;                  ///< a ray ends when its transmissivity falls to this
  std::int64_t max_crossings = 10'000'000;  ///< a ray still alive after so many cells is lost
  double max_lost_fraction = 1e-4;          ///< more lost rays than this are an error
  Precision precision = Precision::single_precision;
  int threads = 0;  ///< of the CPU; 0: all that the machine offers

  friend bool operator==(const Options&, const Options&) = default;
};

inline constexpr int most_levels = 16;
inline constexpr std::int64_t most_rays = std::int64_t{1} << 32;  ///< a ray number has 32 bits

/// Ways of drawing and tracing rays: the net of this library, which is the default, and the four
/// variants of the paper, each an acceleration on top of the one before: classic (random sampler,
/// global memory, one grid), texture, sorted, multigrid (5 steps on each of as many levels as there
/// are, mean temperatures). net: the net sampler, exchange density, levels of detail that are
/// chosen for the field, mean fourth powers of temperature.
enum class Method { classic, texture, sorted, multigrid, net };

/// Sets sampler, density, field access, levels, start points, mesh correction and thin starts as
/// the method has them.
void set_method(Options& options, Method method);

/// The method whose sampler, density, field access and levels these are, if there is one.
std::optional<Method> method_of(const Options& options);

const char* name_of(Method method);
const char* name_of(StartPoint start);
const char* name_of(ThinStarts starts);
const char* name_of(Temporal temporal);
const char* name_of(Backend backend);

}  // namespace ermine
