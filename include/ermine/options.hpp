#pragma once

#include <cstdint>

namespace ermine {

/// classic: the paper's Algorithm 1. Random spectral point from k(Tmax) I(Tmax), random direction,
/// start at the cell centre, one grid.
enum class Method { classic };

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
  Method method = Method::classic;
  StartPoint start = StartPoint::centre;
  SpectralDensity density = SpectralDensity::emission;
  std::int64_t rays_per_cell = 1000;
  std::int64_t rays_per_wall_face = 1000;  ///< rays of each wall face cell; 0: no wall fluxes
  int batches = 32;                        ///< independent groups of rays behind the error bars
  std::uint64_t seed = 1;
  double tolerance = 1e-5;                  ///< a ray ends when its transmissivity falls to this
  std::int64_t max_crossings = 10'000'000;  ///< a ray still alive after so many cells is lost
  double max_lost_fraction = 1e-4;          ///< more lost rays than this are an error
  Precision precision = Precision::double_precision;
  int threads = 0;  ///< 0: all that the machine offers
};

}  // namespace ermine
