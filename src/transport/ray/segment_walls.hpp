#pragma once

#include "transport/ray/halo_gas.hpp"
#include "transport/ray/sample_direction.hpp"
#include "transport/ray/segment_walk.hpp"

namespace ermine {

/// The way of a ray between walls that may reflect: no farther than into a wall. Where walls are is
/// known from the ray's place, not from what cells hold, so that no step waits for memory.
template <Spacing spacing>
struct SegmentWalkToWall : SegmentWalk<spacing, true> {
  using Walk = SegmentWalk<spacing, true>;
  using Walk::grid;
  using Walk::uniform;
  using Walk::width;

  /// Four bytes: steps along x, y and z, and all of them. Where one comes to 128, the ray stops.
  struct Counters {
    std::uint32_t begin;
    std::uint32_t now;

    ERMINE_FUNCTION bool go_on() const { return (now & 0x80808080u) == 0; }
    ERMINE_FUNCTION int steps() const { return static_cast<int>((now - begin) >> 24); }
    ERMINE_FUNCTION int steps(int a) const {
      return static_cast<int>((now - begin) >> (8 * a) & 255u);
    }
  };

  /// Of a ray that may go `most` steps, at most `halo`.
  template <class Ray>
  ERMINE_FUNCTION Counters counters(const HaloLevel& level, const Ray& ray, int most) const {
    std::uint32_t begin = (128u - static_cast<std::uint32_t>(most)) << 24;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      if (grid.periodic[a]) continue;
      const int i = ray.at[a] - level.width[a];
      const int left = ray.slope[a] < 0 ? i : level.cells[a] - 1 - i;
      begin += static_cast<std::uint32_t>(127 - (left < halo ? left : halo)) << (8 * a);
    }
    return {begin, begin};
  }

  /// One step, or none of a ray that has stopped; returns the length travelled.
  template <class Ray>
  ERMINE_FUNCTION float advance(const int (&stride)[3], float& length, Counters& counters,
                                Ray& ray) const {
    const bool goes = counters.go_on();
    const float nearest = smaller(smaller(ray.next[0], ray.next[1]), ray.next[2]);
    const float travelled = goes ? nearest - length : 0.0f;
    length = goes ? nearest : length;
    const bool x = ray.next[0] <= nearest;
    const bool y = !x && ray.next[1] <= nearest;
    const int cells = x ? stride[0] : (y ? stride[1] : stride[2]);
    const std::uint32_t count = x ? 0x01000001u : (y ? 0x01000100u : 0x01010000u);
    ray.cell += goes ? cells : 0;
    counters.now += goes ? count : 0u;
    if constexpr (uniform) {
      ray.next[0] += x && goes ? std::abs(ray.slope[0]) : 0.0f;
      ray.next[1] += y && goes ? std::abs(ray.slope[1]) : 0.0f;
      ray.next[2] += !x && !y && goes ? std::abs(ray.slope[2]) : 0.0f;
    } else {
      const bool moves[3] = {x && goes, y && goes, !x && !y && goes};
      ERMINE_UNROLL
      for (int a = 0; a < 3; ++a) {
        if (!moves[a]) continue;
        ray.at[a] += stride[a] < 0 ? -1 : 1;
        ray.next[a] += width[ray.at[a]] * std::abs(ray.slope[a]);
      }
    }
    return travelled;
  }

  /// After a segment: lengths count from where the ray is. True if it has come to a wall.
  template <class Ray>
  ERMINE_FUNCTION bool stop(const HaloLevel& level, const Counters& counters, float length,
                            Ray& ray) const {
    bool in_wall = false;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      ray.next[a] -= length;
      if constexpr (uniform) {
        ray.at[a] += ray.slope[a] < 0 ? -counters.steps(a) : counters.steps(a);
      }
      const int i = ray.at[a] - level.width[a];
      in_wall = in_wall || (!grid.periodic[a] && (i < 0 || i >= level.cells[a]));
    }
    return in_wall;
  }

  /// The wall that a ray stands in.
  template <class Ray>
  ERMINE_FUNCTION WallPlace wall_of(const HaloLevel& level, const Ray& ray) const {
    WallPlace place{0, {}};
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      const int i = ray.at[a] - level.width[a];
      const HaloPlace within = halo_place(i, level.cells[a], grid.periodic[a]);
      place.index[a] = within.index;
      if (within.side >= 0) place.side = 2 * a + (i < 0 ? 0 : 1);
    }
    return place;
  }

  /// Back into the cell before the wall, mirrored.
  template <class Ray>
  ERMINE_FUNCTION void reflect(const HaloLevel& level, int side, Ray& ray) const {
    const int axis = step_back(level, side, ray);
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      if (a != axis) continue;
      ray.slope[a] = -ray.slope[a];
      ray.next[a] = this->across(ray, a) * std::abs(ray.slope[a]);
    }
  }

  /// The same in a direction of its own, see RayWalk::restart().
  template <class Ray>
  ERMINE_FUNCTION void leave(const HaloLevel& level, int side, const Draw& draw, Ray& ray) const {
    const int axis = step_back(level, side, ray);
    const Vec3<float> direction = CosineSampler<float>{side}(draw);
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      // Lengths along the axis, in units of the cell where all are equally wide.
      const float whole = this->across(ray, a);
      float ahead = a == axis ? whole : ray.next[a] / std::abs(ray.slope[a]);
      ahead = ahead < 0 ? 0.0f : smaller(ahead, whole);
      const bool turns = (direction[a] < 0) != (ray.slope[a] < 0);
      if (turns && a != axis) ahead = whole - ahead;
      const float scale = uniform ? width[ray.at[a]] * log2_e : log2_e;
      ray.slope[a] = scale * reciprocal(direction[a]);
      ray.next[a] = ahead * std::abs(ray.slope[a]);
    }
  }

 private:
  /// Returns the axis.
  template <class Ray>
  ERMINE_FUNCTION int step_back(const HaloLevel& level, int side, Ray& ray) const {
    const int back = side % 2 == 0 ? 1 : -1;
    const int axis = side / 2;
    ray.cell += back * level.stride[axis];
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) ray.at[a] += a == axis ? back : 0;
    return axis;
  }
};

}  // namespace ermine
