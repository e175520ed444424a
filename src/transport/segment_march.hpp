#pragma once

#include "core/single.hpp"
#include "geometry/tiles.hpp"
#include "transport/halo_field.hpp"
#include "transport/net_rays.hpp"
#include "transport/trace_cell.hpp"
#include "transport/trace_wall.hpp"

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace ermine {

/// What the rays of one number have in common in all cells of a tile.
template <class Row>
struct alignas(16) TileRay {
  float slope[3];  ///< where directions of cells differ in signs only
  float weight;    ///< 1 / p_s, with what intensities in the row are to be multiplied by
  NetWords words;  ///< of the net
  Row row;         ///< of the spectral point
  std::uint32_t number;
};

/// The march of March for a GPU's warp, one thread for each cell of a tile: rays walk in segments
/// of up to `halo` steps on one level, without a look at where they are (see LaneScene) and almost
/// without branches. Between segments, ends of periodic axes, coarser levels, the tolerance and the
/// roulette are seen to: so a ray ends at the end of a segment, up to 7 cells late, as those of
/// LaneMarch do on a CPU. `CellTrace` is the CellTracer of a net, or its WallTracer. Rays start at
/// the centres of cells or face cells.
///
/// Black walls end a ray without a branch. Where `reflecting` walls may be, a ray looks at every
/// cell for one, and goes on from it with what is left of its segment.
///
/// With two fields each ray is followed in both at once, as if in one after the other: where it
/// goes is the same. There is no roulette then, nor are there corners.
template <class CellTraceType, int fields = 1, bool reflecting = false,
          class EntryType = HaloEntry<typename CellTraceType::March::Medium>>
struct SegmentMarch {
  using CellTrace = CellTraceType;
  using March = typename CellTrace::March;
  using Medium = typename March::Medium;
  using Batch = typename CellTrace::Rays::Batch;
  using Entry = EntryType;
  using Row = HaloRow<Medium>;
  using Common = TileRay<Row>;

  CellTrace trace;
  const Entry* entry;
  const float* width;  ///< [m]
  int levels;
  const Entry* earlier = nullptr;  ///< of the second field

  static constexpr int field_count = fields;

  /// The same where walls may reflect.
  ERMINE_FUNCTION SegmentMarch<CellTrace, fields, true, Entry> among_reflecting_walls() const {
    return {trace, entry, width, levels, earlier};
  }

  /// Where rays start.
  struct Start {
    Vec3<int> index;
    int cell;  ///< its entry
    Batch batch;
    Vec3<std::uint32_t> sign;  ///< bits by which slopes differ from those of the tile
  };

  /// The same between 2 x 2 x 2 cells.
  struct Corner {
    Start lowest;    ///< of these cells
    float position;  ///< of their mean temperature among the nodes of rows
  };

  /// The same at the centre of a face cell of a wall, where CellTrace is the WallTracer of a net.
  /// Its cell is that before the wall.
  struct Face : Start {
    int side;
    float coordinate;  ///< of the wall's temperature
    float emissivity;
  };

  /// What a ray finds.
  struct Finding {
    float value = 0;  ///< estimate of Q [W/m3] or of a flux [W/m2]; from a corner D [W/(m2 sr)]
    int crossings = 0;
    int traced = 0;     ///< fields in which there was something to trace
    int lost = 0;       ///< fields in which it is
    float earlier = 0;  ///< value in the second field
  };

  ERMINE_FUNCTION Start start(const HaloLevel& level, CellId cell, int tile,
                              const Replicate& replicate) const {
    const Vec3<int> index = trace.march.grid.finest.index(cell);
    const int image = CellTrace::image(index);
    return start(level, index, trace.rays.batch(cell.value, tile, image, replicate));
  }

  ERMINE_FUNCTION Face start(const HaloLevel& level, WallCellId wall, int tile,
                             const Replicate& replicate) const {
    const WallPlace place = wall_place(trace.march.grid.finest, wall);
    return {start(level, place.index, trace.rays.batch(wall.value, tile, 0, replicate)), place.side,
            trace.march.walls.coordinate[wall.value], trace.march.walls.emissivity[wall.value]};
  }

  /// Of a node, see ThinView.
  ERMINE_FUNCTION Corner corner(const HaloLevel& level, const Vec3<int>& node, float position,
                                const Batch& batch) const {
    return {start(level, {{2 * node[0], 2 * node[1], 2 * node[2]}}, batch), position};
  }

  /// `batch` may be that of any cell of the tile.
  ERMINE_FUNCTION Common common(const Batch& batch, std::uint32_t number,
                                PointId* drawn = nullptr) const {
    Draw unused;
    RayStream stream;
    const PointId point = trace.rays.next(batch, number, unused, stream);
    if (drawn) *drawn = point;
    Common ray{{},
               trace.rays.weight(point),
               net_words(number, {0, 0}),
               halo_row(trace.march.medium, point),
               number};
    ray.weight *= row_weight(ray.row);
    if constexpr (std::is_same_v<typename CellTrace::Origin, CellId>) {
      aim(ray.words, mirrored(batch.shift, batch.image), ray.slope);
    }
    return ray;
  }

  /// Follows a ray. `level`: all of them, wherever they are fast to read.
  ERMINE_FUNCTION Finding operator()(const HaloLevel* level, const Start& from,
                                     const Common& common) const {
    Ray ray = aimed(from, common);
    begin(level[0], from, ray);
    Finding finding;
    constexpr float four_pi = 12.5663706f;
    float strength[fields];
    for (int f = 0; f < fields; ++f) {
      const Gas gas = at(f, ray.cell, common.row);
      strength[f] = gas.absorption * four_pi * common.weight;
      ray.beam[f].intensity = gas.intensity;
      if (strength[f] > 0) ++finding.traced;
      if (fields > 1 && !(strength[f] > 0)) ray.beam[f].transmissivity = 0;
    }
    if (finding.traced == 0) return finding;
    finding.lost = walk(level, from, common, ray, finding.crossings);
    finding.value = strength[0] * ray.beam[0].difference;
    if constexpr (fields > 1) finding.earlier = strength[1] * ray.beam[1].difference;
    return finding;
  }
  ERMINE_FUNCTION Finding operator()(const HaloLevel* level, const Face& from,
                                     const Common& common) const {
    constexpr float pi = 3.14159265f;
    const float strength = pi * from.emissivity * common.weight;
    Finding finding;
    if (!(strength > 0)) return finding;
    finding.traced = 1;
    const NetWords& shift = from.batch.shift;
    const Draw draw{{common.words.first ^ shift.first, common.words.second ^ shift.second, 0, 0}};
    const Vec3<float> direction = CosineSampler<float>{from.side}(draw);
    Ray ray;
    for (int a = 0; a < 3; ++a) ray.slope[a] = slope_of(direction[a], a);
    begin(level[0], from, ray);
    const int axis = from.side / 2;
    ray.next[axis] = across(ray, axis) * std::abs(ray.slope[axis]);
    ray.beam[0].intensity = intensity_at(from.coordinate, common.row);
    finding.lost = walk(level, from, common, ray, finding.crossings);
    finding.value = strength * ray.beam[0].difference;
    return finding;
  }
  ERMINE_FUNCTION Finding operator()(const HaloLevel* level, const Corner& from,
                                     const Common& common) const {
    Ray ray = aimed(from.lowest, common);
    begin(level[0], from, ray);
    ray.beam[0].intensity = intensity_at_position(from.position, common.row);
    Finding finding;
    finding.traced = 1;
    finding.lost = walk(level, from.lowest, common, ray, finding.crossings);
    finding.value = ray.beam[0].difference;
    return finding;
  }

 private:
  static constexpr bool uniform = March::spacing == Spacing::uniform;

  /// What a ray sees of a field.
  struct Beam {
    float transmissivity = 1;
    float intensity;
    float difference = 0;
  };

  struct Ray {
    float next[3];   ///< ray length to the next face of each axis
    float slope[3];  ///< as in RayWalk, negative if the ray goes backwards
    int cell;        ///< its entry
    int at[3];       ///< number of its width, with stretched spacing
    Beam beam[fields];
  };

  struct Gas {
    float absorption;
    float intensity;
    bool wall;  ///< black
  };

  ERMINE_FUNCTION Start start(const HaloLevel& level, const Vec3<int>& index,
                              const Batch& batch) const {
    Start start{index, level.first, batch, {}};
    const auto image_bits = static_cast<std::uint32_t>(batch.image);
    for (int a = 0; a < 3; ++a) {
      start.cell += index[a] * level.stride[a];
      // Of mu, cosine and sine, in the order of IsotropicSampler.
      const int bit = (a + 3 - trace.rays.polar_axis()) % 3;
      start.sign[a] = image_bits >> bit << 31;
    }
    return start;
  }

  ERMINE_FUNCTION Ray aimed(const Start& from, const Common& common) const {
    Ray ray;
    if (trace.rays.shifts == Shifts::cell) {
      aim(common.words, from.batch.shift, ray.slope);
    } else {
      for (int a = 0; a < 3; ++a) {
        ray.slope[a] = with_sign_flipped(common.slope[a], from.sign[a]);
      }
    }
    return ray;
  }

  /// Slopes of a cell with these shifts.
  ERMINE_FUNCTION void aim(const NetWords& words, const NetWords& shift, float (&slope)[3]) const {
    const Draw draw{{words.first ^ shift.first, words.second ^ shift.second, 0, 0}};
    const Vec3<float> direction = IsotropicSampler<float>{trace.rays.polar_axis()}(draw);
    for (int a = 0; a < 3; ++a) slope[a] = slope_of(direction[a], a);
  }
  ERMINE_FUNCTION float slope_of(float direction, int a) const {
    const float scale = uniform ? trace.march.grid.uniform_width[a] * log2_e : log2_e;
    return scale * reciprocal(direction);
  }

  ERMINE_FUNCTION void begin(const HaloLevel& level, const Start& from, Ray& ray) const {
    ray.cell = from.cell;
    for (int a = 0; a < 3; ++a) {
      ray.next[a] = 0.5f * std::abs(ray.slope[a]);
      if constexpr (!uniform) {
        ray.at[a] = level.width[a] + from.index[a];
        ray.next[a] *= width[ray.at[a]];
      }
    }
  }
  /// In that of the cells around a corner that lies ahead.
  ERMINE_FUNCTION void begin(const HaloLevel& level, const Corner& from, Ray& ray) const {
    ray.cell = from.lowest.cell;
    for (int a = 0; a < 3; ++a) {
      const int ahead = ray.slope[a] > 0;
      ray.cell += ahead * level.stride[a];
      ray.next[a] = std::abs(ray.slope[a]);
      if constexpr (!uniform) {
        ray.at[a] = level.width[a] + from.lowest.index[a] + ahead;
        ray.next[a] *= width[ray.at[a]];
      }
    }
  }

  template <int components>
  ERMINE_FUNCTION Gas at(const GasEntry<components>& cell, const PackedPoint& row) const {
    const PackedGasView& gas = trace.march.medium.packed;
    const WholeAndFraction node = in_parts(std::abs(cell.position));
    const IntensityNode low = gas.intensity[row.band + node.whole];
    float absorption = 0;
    constexpr int most = components < most_packed ? components : most_packed;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int c = 0; c < most; ++c) {
      if (c >= gas.components) break;
      const std::uint32_t code = cell.component[c];
      const GasNode k = gas.node[c][row.row[c] + width_interval(code) * gas.nodes + node.whole];
      absorption = fused(scaled_share(code), absorption_at(k, node.fraction, width_fraction(code)),
                         absorption);
    }
    return {absorption, fused(node.fraction, low.rise, low.intensity), std::signbit(cell.position)};
  }
  ERMINE_FUNCTION Gas at(float coordinate, int row) const {
    const WholeAndFraction node = in_parts(std::abs(coordinate));
    const PointNode<float> low = trace.march.medium.node[row + node.whole];
    return {fused(node.fraction, low.absorption_rise, low.absorption),
            fused(node.fraction, low.intensity_rise, low.intensity), std::signbit(coordinate)};
  }
  ERMINE_FUNCTION Gas at(int field, int cell, const Row& row) const {
    return at(fields > 1 && field > 0 ? earlier[cell] : entry[cell], row);
  }
  ERMINE_FUNCTION Gas at(const GreyEntry& grey, int) const {
    return {grey.absorption, grey.intensity, grey.absorption < 0};
  }

  /// To its end; returns the number of fields in which it is lost.
  ERMINE_FUNCTION int walk(const HaloLevel* level, const Start& from, const Common& common,
                           Ray& ray, int& crossings) const {
    const RayKey key{trace.rays.seed, trace.rays.update, from.batch.origin,
                     from.batch.first + common.number};
    std::uint32_t draws = 0;
    int left = trace.march.max_crossings;
    for (int number = 0; left > 0; ++number) {
      const bool last = number + 1 >= levels;
      int here = last || left < trace.march.grid.steps ? left : trace.march.grid.steps;
      left -= here;
      while (here > 0) {
        if constexpr (reflecting) {
          cross_between_walls(level[number], number, here < halo ? here : halo, common.row, key,
                              draws, ray, crossings);
        } else if (here >= halo) {
          cross<halo>(level[number], halo, common.row, ray, crossings);
        } else {
          cross<0>(level[number], here, common.row, ray, crossings);
        }
        here -= here < halo ? here : halo;
        if (ends(key, draws, ray)) return 0;
        settle(level[number], level[number + (here == 0 && !last)], here == 0 && !last, ray);
      }
    }
    int lost = 0;
    for (const Beam& beam : ray.beam) lost += fields == 1 || beam.transmissivity > 0;
    return lost;
  }

  /// In all fields. One in which it has ended leaves no trace in the others.
  ERMINE_FUNCTION bool ends(const RayKey& key, std::uint32_t& draws, Ray& ray) const {
    if constexpr (fields == 1) return ends(key, draws, ray.beam[0].transmissivity);
    const float tolerance = trace.march.tolerance > faintest ? trace.march.tolerance : faintest;
    bool all = true;
    for (Beam& beam : ray.beam) {
      if (beam.transmissivity > tolerance) {
        all = false;
      } else {
        beam.transmissivity = 0;
      }
    }
    return all;
  }

  ERMINE_FUNCTION bool ends(const RayKey& key, std::uint32_t& draws, float& transmissivity) const {
    const float tolerance = trace.march.tolerance > faintest ? trace.march.tolerance : faintest;
    if (transmissivity > tolerance) return false;
    if (!trace.march.roulette || !(transmissivity > faintest) || !wins(key, draws++)) return true;
    transmissivity *= 10;
    return false;
  }

  /// As March::ends().
  ERMINE_FUNCTION static bool wins(const RayKey& key, std::uint32_t draw) {
    return RayStream(key, draw).next().word[0] < winning_words;
  }

  /// `fixed`: number of steps that the compiler may know, or 0.
  template <int fixed>
  ERMINE_FUNCTION void cross(const HaloLevel& level, int steps, const Row& row, Ray& ray,
                             int& crossings) const {
    int stride[3];
    for (int a = 0; a < 3; ++a) stride[a] = ray.slope[a] < 0 ? -level.stride[a] : level.stride[a];
    float length = 0;
    const int count = fixed ? fixed : steps;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int step = 0; step < count; ++step) {
      assert(level.holds(ray.cell) && "a ray has left its window");
      Gas gas[fields];
      for (int f = 0; f < fields; ++f) gas[f] = at(f, ray.cell, row);
      const float travelled = advance(stride, length, ray);
      for (int f = 0; f < fields; ++f) {
        pass(gas[f], travelled, ray.beam[f]);
        if (gas[f].wall) ray.beam[f].transmissivity = 0;
        crossings += ray.beam[f].transmissivity > faintest;
      }
    }
    for (int a = 0; a < 3; ++a) ray.next[a] -= length;
  }

  /// To the next face and into the cell behind it; returns the way there. `length`: from the start
  /// of the segment.
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

  /// Through a cell.
  ERMINE_FUNCTION static void pass(const Gas& gas, float travelled, Beam& beam) {
    beam.difference = fused(beam.transmissivity, beam.intensity - gas.intensity, beam.difference);
    beam.intensity = gas.intensity;
    beam.transmissivity *= halvings(gas.absorption * travelled);
  }

  ERMINE_FUNCTION bool in_wall(int cell) const { return is_wall(entry[cell]); }

  /// A segment of `steps` steps, on from every wall that it comes to.
  ERMINE_FUNCTION void cross_between_walls(const HaloLevel& level, int number, int steps,
                                           const Row& row, const RayKey& key, std::uint32_t& draws,
                                           Ray& ray, int& crossings) const {
    for (;;) {
      steps -= cross_to_wall(level, steps, row, ray, crossings);
      if (!in_wall(ray.cell)) return;
      if (!meet_wall(level, number, row, key, draws, ray)) return;
    }
  }

  /// At most `steps` steps, and no farther than into a wall; returns their number.
  ERMINE_FUNCTION int cross_to_wall(const HaloLevel& level, int steps, const Row& row, Ray& ray,
                                    int& crossings) const {
    int stride[3];
    for (int a = 0; a < 3; ++a) stride[a] = ray.slope[a] < 0 ? -level.stride[a] : level.stride[a];
    float length = 0;
    int step = 0;
    for (; step < steps && !in_wall(ray.cell); ++step) {
      assert(level.holds(ray.cell) && "a ray has left its window");
      Gas gas[fields];
      for (int f = 0; f < fields; ++f) gas[f] = at(f, ray.cell, row);
      const float travelled = advance(stride, length, ray);
      for (int f = 0; f < fields; ++f) {
        pass(gas[f], travelled, ray.beam[f]);
        crossings += ray.beam[f].transmissivity > faintest;
      }
    }
    for (int a = 0; a < 3; ++a) ray.next[a] -= length;
    return step;
  }

  /// At a wall, which is where the ray has just come to: as March::meet_wall(). False if nothing is
  /// left of the ray.
  ERMINE_FUNCTION bool meet_wall(const HaloLevel& level, int number, const Row& row,
                                 const RayKey& key, std::uint32_t& draws, Ray& ray) const {
    int index[3];
    find(level, ray, index);
    WallPlace place{0, {}};
    int axis = 0;
    for (int a = 0; a < 3; ++a) {
      const HaloPlace within = halo_place(index[a], level.cells[a], trace.march.grid.periodic[a]);
      place.index[a] = within.index;
      if (within.side < 0) continue;
      axis = a;
      place.side = 2 * a + (index[a] < 0 ? 0 : 1);
    }
    const WallsView<float>& walls = trace.march.walls;
    const int wall = wall_cell(trace.march.grid.level[number], place).value;
    const float emissivity = walls.emissivity[wall];
    const float emitted = intensity_at(walls.coordinate[wall], row);
    bool any = false;
    for (Beam& beam : ray.beam) {
      beam.difference =
          fused(beam.transmissivity * emissivity, beam.intensity - emitted, beam.difference);
      beam.transmissivity *= 1 - emissivity;
      any = any || beam.transmissivity > faintest;
    }
    if (!any) return false;
    const int back = place.side % 2 == 0 ? 1 : -1;  // into the cell before the wall
    ray.cell += back * level.stride[axis];
    if constexpr (!uniform) ray.at[axis] += back;
    index[axis] += back;
    if (walls.specular[place.side]) {
      ray.slope[axis] = -ray.slope[axis];
      ray.next[axis] = across(ray, axis) * std::abs(ray.slope[axis]);
    } else {
      leave(level, index, place.side, RayStream(key, draws++).next(), ray);
    }
    return true;
  }

  /// Leaves a wall for the cell with this index in a direction of its own, see
  /// RayWalk::restart_at_wall().
  ERMINE_FUNCTION void leave(const HaloLevel& level, const int (&index)[3], int side,
                             const Draw& draw, Ray& ray) const {
    const Vec3<float> direction = CosineSampler<float>{side}(draw);
    for (int a = 0; a < 3; ++a) {
      // Lengths along the axis, in units of the cell where all are equally wide.
      const float whole = across(ray, a);
      float ahead = a == side / 2 ? whole : ray.next[a] / std::abs(ray.slope[a]);
      ahead = ahead < 0 ? 0.0f : smaller(ahead, whole);
      const bool turns = (direction[a] < 0) != (ray.slope[a] < 0);
      if (turns && a != side / 2) ahead = whole - ahead;
      const float scale = uniform ? width[level.width[a] + index[a]] * log2_e : log2_e;
      ray.slope[a] = scale * reciprocal(direction[a]);
      ray.next[a] = ahead * std::abs(ray.slope[a]);
    }
  }

  /// Width of the ray's cell along an axis, in the unit of slopes.
  ERMINE_FUNCTION float across(const Ray& ray, int a) const {
    if constexpr (uniform) return 1.0f;
    return width[ray.at[a]];
  }

  ERMINE_FUNCTION float intensity_at(float coordinate, const Row& row) const {
    if constexpr (is_gas<Medium>) {
      return intensity_at_position(trace.march.medium.packed_position(coordinate), row);
    }
    return intensity_at_position(coordinate, row);
  }
  ERMINE_FUNCTION float intensity_at_position(float position, const Row& row) const {
    if constexpr (is_table<Medium>) return at(position, row).intensity;
    if constexpr (is_gas<Medium>) return at(Entry{position, {}}, row).intensity;
    return position;
  }

  ERMINE_FUNCTION void enter(int a, int stride, Ray& ray) const {
    if constexpr (uniform) {
      ray.next[a] += std::abs(ray.slope[a]);
    } else {
      ray.at[a] += stride < 0 ? -1 : 1;
      ray.next[a] += width[ray.at[a]] * std::abs(ray.slope[a]);
    }
    ray.cell += stride;
  }

  /// Back from beyond periodic ends, and on to the next level (see RayWalk::coarsen()) or not.
  ERMINE_FUNCTION void settle(const HaloLevel& level, const HaloLevel& next, bool coarsens,
                              Ray& ray) const {
    int index[3];
    find(level, ray, index);
    ray.cell = next.first;
    for (int a = 0; a < 3; ++a) {
      int i = index[a];
      if (level.wraps[a]) i = level.wrapped(i, a);
      const int halved = coarsens ? level.halved[a] : 0;
      coarsen(level, a, i, halved, ray);
      // A wall comes behind the last cell, also behind an odd one that has no other half.
      if (!uniform && !trace.march.grid.periodic[a] && i >= level.cells[a]) i += halved;
      i >>= halved;
      if (next.wraps[a] != level.wraps[a]) i = next.wrapped(i, a);
      ray.cell += i * next.stride[a];
      if constexpr (!uniform) ray.at[a] = next.width[a] + i;
    }
  }

  /// Where a ray is, counted on into the halo.
  ERMINE_FUNCTION static void find(const HaloLevel& level, const Ray& ray, int (&index)[3]) {
    if constexpr (uniform) {
      level.index(ray.cell, index);
    } else {
      for (int a = 0; a < 3; ++a) index[a] = ray.at[a] - level.width[a];
    }
  }

  /// `halved`: 0 or 1.
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
      const bool unrolled = trace.march.grid.periodic[a] && !fine.wraps[a];
      if (paired && (unrolled || (ahead >= 0 && ahead < fine.cells[a]))) {
        ray.next[a] += width[fine.width[a] + ahead] * std::abs(ray.slope[a]);
      }
    }
  }
};

}  // namespace ermine
