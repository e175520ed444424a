#pragma once

#include "core/single.hpp"
#include "geometry/ray_walk.hpp"
#include "transport/scene/halo_field.hpp"

#include <cmath>

namespace ermine {

/// What a ray has seen of a field.
struct Beam {
  float transmissivity = 1;
  float intensity;
  float difference = 0;

  /// Through a cell.
  ERMINE_FUNCTION void pass(float absorption, float intensity_there, float length) {
    difference = fused(transmissivity, intensity - intensity_there, difference);
    intensity = intensity_there;
    transmissivity *= halvings(absorption * length);
  }
};

/// A ray in segments.
template <int fields>
struct SegmentRay {
  float next[3];   ///< ray length to the next face of each axis
  float slope[3];  ///< as in RayWalk, negative if the ray goes backwards
  int cell;        ///< its entry
  int at[3];       ///< number of its width, where the walk is `placed`
  Beam beam[fields];
};

/// The walk of RayWalk on levels with halos. On a `placed` walk a ray knows its place along each
/// axis at any time; others find it from the entry. That of cells of different widths always is.
template <Spacing spacing, bool placed>
struct SegmentWalk {
  static constexpr bool uniform = spacing == Spacing::uniform;
  static_assert(uniform || placed);

  const GridView<float>& grid;
  const float* width;  ///< [m]

  /// To the next face and into the cell behind it; returns the way there. `length`: from the start
  /// of the segment.
  template <class Ray>
  ERMINE_FUNCTION float advance(const int (&stride)[3], float& length, Ray& ray) const {
    const float nearest = smaller(smaller(ray.next[0], ray.next[1]), ray.next[2]);
    const float travelled = nearest - length;
    length = nearest;
    const bool x = ray.next[0] <= nearest;
    const bool y = !x && ray.next[1] <= nearest;
    if (x) enter(0, stride[0], ray);
    if (y) enter(1, stride[1], ray);
    if (!x && !y) enter(2, stride[2], ray);
    return travelled;
  }

  /// Back from beyond periodic ends, and on to the next level (see RayWalk::coarsen()) or not.
  template <class Ray>
  ERMINE_FUNCTION void settle(const HaloLevel& level, const HaloLevel& next, bool coarsens,
                              Ray& ray) const {
    int index[3];
    find(level, ray, index);
    ray.cell = next.first;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      int i = index[a];
      if (level.wraps[a]) i = level.wrapped(i, a);
      const int halved = coarsens ? level.halved[a] : 0;
      coarsen(level, a, i, halved, ray);
      // A wall comes behind the last cell, also behind an odd one that has no other half.
      if (!uniform && !grid.periodic[a] && i >= level.cells[a]) i += halved;
      i >>= halved;
      if (next.wraps[a] != level.wraps[a]) i = next.wrapped(i, a);
      ray.cell += i * next.stride[a];
      if constexpr (placed) ray.at[a] = next.width[a] + i;
    }
  }

  /// Where a ray is, counted on into the halo.
  template <class Ray>
  ERMINE_FUNCTION void find(const HaloLevel& level, const Ray& ray, int (&index)[3]) const {
    if constexpr (placed) {
      ERMINE_UNROLL
      for (int a = 0; a < 3; ++a) index[a] = ray.at[a] - level.width[a];
    } else {
      level.index(ray.cell, index);
    }
  }

  /// Width of the ray's cell along an axis, in the unit of slopes.
  template <class Ray>
  ERMINE_FUNCTION float across(const Ray& ray, int a) const {
    if constexpr (uniform) return 1.0f;
    return width[ray.at[a]];
  }

 private:
  template <class Ray>
  ERMINE_FUNCTION void enter(int a, int stride, Ray& ray) const {
    if constexpr (uniform) {
      ray.next[a] += std::abs(ray.slope[a]);
    } else {
      ray.at[a] += stride < 0 ? -1 : 1;
      ray.next[a] += width[ray.at[a]] * std::abs(ray.slope[a]);
    }
    ray.cell += stride;
  }

  /// `halved`: 0 or 1.
  template <class Ray>
  ERMINE_FUNCTION void coarsen(const HaloLevel& fine, int a, int i, int halved, Ray& ray) const {
    const int back = ray.slope[a] < 0;
    // Of the two parts of a coarse cell, the lower one has its neighbour ahead going forwards.
    const bool paired = (~(i ^ back) & halved) != 0;
    if constexpr (uniform) {
      if (paired) ray.next[a] += std::abs(ray.slope[a]);
      if (halved) ray.slope[a] += ray.slope[a];
    } else {
      const int ahead = back ? i - 1 : i + 1;
      // Beyond the ends of a periodic axis that does not wrap there are as many whole pairs.
      const bool unrolled = grid.periodic[a] && !fine.wraps[a];
      if (paired && (unrolled || (ahead >= 0 && ahead < fine.cells[a]))) {
        ray.next[a] += width[fine.width[a] + ahead] * std::abs(ray.slope[a]);
      }
    }
  }
};

/// Directions of rays along an axis.
template <class Ray>
ERMINE_FUNCTION void strides_of(const HaloLevel& level, const Ray& ray, int (&stride)[3]) {
  ERMINE_UNROLL
  for (int a = 0; a < 3; ++a) stride[a] = ray.slope[a] < 0 ? -level.stride[a] : level.stride[a];
}

}  // namespace ermine
