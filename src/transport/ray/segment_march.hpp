#pragma once

#include "core/single.hpp"
#include "geometry/tiles.hpp"
#include "transport/draw/net_rays.hpp"
#include "transport/ray/halo_gas.hpp"
#include "transport/ray/segment_walls.hpp"
#include "transport/ray/trace_cell.hpp"
#include "transport/ray/trace_wall.hpp"

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
  // Of averages, see leave_cell():
  float crossing[3];
  float usual_absorption;
};

/// The march of March for a GPU's warp, one thread for each cell of a tile: rays walk in segments
/// of up to `halo` steps on one level, without a look at where they are (see LaneScene) and almost
/// without branches. Between segments, ends of periodic axes, coarser levels, the tolerance and the
/// roulette are seen to: so a ray ends at the end of a segment, up to 7 cells late, as those of
/// LaneMarch do on a CPU. `CellTrace` is the CellTracer of a net, or its WallTracer.
///
/// Black walls end a ray without a branch. Where walls may be `reflecting`, a segment ends at a
/// wall, too: the ray goes on from there with what is left of it.
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
  static constexpr bool among_walls = reflecting;  ///< that may reflect

  /// The same where walls may reflect.
  ERMINE_FUNCTION SegmentMarch<CellTrace, fields, true, Entry> among_reflecting_walls() const {
    return {trace, entry, width, levels, earlier};
  }

  /// Where rays start.
  struct Start {
    Vec3<int> index;
    int cell;  ///< its entry
    Batch batch;
    bool averages;             ///< they start all over the cell, or face cell
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
    return start(level, index, trace.rays.batch(cell.value, tile, image, replicate),
                 trace.averages(cell));
  }

  ERMINE_FUNCTION Face start(const HaloLevel& level, WallCellId wall, int tile,
                             const Replicate& replicate) const {
    const WallPlace place = wall_place(trace.march.grid.finest, wall);
    return {start(level, place.index, trace.rays.batch(wall.value, tile, 0, replicate),
                  trace.start_point != StartPoint::point),
            place.side, trace.march.walls.coordinate[wall.value],
            trace.march.walls.emissivity[wall.value]};
  }

  /// Of a node, see ThinView.
  ERMINE_FUNCTION Corner corner(const HaloLevel& level, const Vec3<int>& node, float position,
                                const Batch& batch) const {
    return {start(level, {{2 * node[0], 2 * node[1], 2 * node[2]}}, batch, false), position};
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
               number,
               {},
               0.0f};
    ray.weight *= row_weight(ray.row);
    if (trace.start_point != StartPoint::point) {
      const Vec3<float> crossing = trace.rays.template crossing<float>(batch, number, stream);
      ERMINE_UNROLL
      for (int a = 0; a < 3; ++a) ray.crossing[a] = crossing[a];
      ray.usual_absorption = trace.rays.sampler.usual_absorption[point.value];
    }
    if constexpr (std::is_same_v<typename CellTrace::Origin, CellId>) {
      aim(ray.words, mirrored(batch.shift, batch.image), ray.slope);
    }
    return ray;
  }

  /// A ray on its way.
  struct Flight {
    SegmentRay<fields> ray;
    float strength[fields];
    int level = 0;   ///< number of the one it is on
    int steps = 0;   ///< that it may go on this level
    int here = 0;    ///< of these, left
    int beyond = 0;  ///< left for all coarser levels
    std::uint32_t draws = 0;
    Finding finding;
  };

  /// Starts a ray. Nothing is to be followed where it has traced() nothing.
  ERMINE_FUNCTION Flight launch(const HaloLevel* level, const Start& from,
                                const Common& common) const {
    Flight flight;
    flight.ray = aimed(from, common);
    begin(level[0], from, flight.ray);
    constexpr float four_pi = 12.5663706f;
    CellExit<float> exit;
    if (from.averages) exit = leave_cell(common, flight.ray);
    ERMINE_UNROLL
    for (int f = 0; f < fields; ++f) {
      const HaloGas gas = at(f, flight.ray.cell, common.row);
      flight.strength[f] = gas.absorption * four_pi * common.weight;
      if (from.averages) flight.strength[f] *= exit.share(gas.absorption);
      flight.ray.beam[f].intensity = gas.intensity;
      if (flight.strength[f] > 0) ++flight.finding.traced;
      if (fields > 1 && !(flight.strength[f] > 0)) flight.ray.beam[f].transmissivity = 0;
    }
    enter_level(0, trace.march.max_crossings, flight);
    return flight;
  }
  ERMINE_FUNCTION Flight launch(const HaloLevel* level, const Face& from,
                                const Common& common) const {
    constexpr float pi = 3.14159265f;
    Flight flight;
    flight.strength[0] = pi * from.emissivity * common.weight;
    flight.finding.traced = flight.strength[0] > 0;
    const NetWords& shift = from.batch.shift;
    const Draw draw{{common.words.first ^ shift.first, common.words.second ^ shift.second, 0, 0}};
    const Vec3<float> direction = CosineSampler<float>{from.side}(draw);
    SegmentRay<fields>& ray = flight.ray;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) ray.slope[a] = slope_of(direction[a], a);
    begin(level[0], from, ray);
    const int axis = from.side / 2;
    if (from.averages) {
      ERMINE_UNROLL
      for (int a = 0; a < 3; ++a) ray.next[a] *= 2 * common.crossing[a];
    }
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      if (a == axis) ray.next[a] = walk().across(ray, a) * std::abs(ray.slope[a]);
    }
    ray.beam[0].intensity = halo_wall_intensity(medium(), from.coordinate, common.row);
    enter_level(0, trace.march.max_crossings, flight);
    return flight;
  }
  ERMINE_FUNCTION Flight launch(const HaloLevel* level, const Corner& from,
                                const Common& common) const {
    Flight flight;
    flight.ray = aimed(from.lowest, common);
    begin(level[0], from, flight.ray);
    flight.ray.beam[0].intensity = halo_intensity(medium(), from.position, common.row);
    flight.strength[0] = 1;
    flight.finding.traced = 1;
    enter_level(0, trace.march.max_crossings, flight);
    return flight;
  }

  /// Follows a ray to its end. `level`: all of them, wherever they are fast to read.
  template <class Origin>
  ERMINE_FUNCTION Finding operator()(const HaloLevel* level, const Origin& from,
                                     const Common& common) const {
    Flight flight = launch(level, from, common);
    Finding& finding = flight.finding;
    if (finding.traced == 0) return finding;
    const Batch& batch = batch_of(from);
    const RayKey key{trace.rays.seed, trace.rays.update, batch.origin, batch.first + common.number};
    while (follow(level, common.row, key, flight)) {
    }
    finding.value = flight.strength[0] * flight.ray.beam[0].difference;
    if constexpr (fields > 1) {
      finding.earlier = flight.strength[1] * flight.ray.beam[1].difference;
    }
    return finding;
  }

 private:
  ERMINE_FUNCTION static const Batch& batch_of(const Start& start) { return start.batch; }
  ERMINE_FUNCTION static const Batch& batch_of(const Corner& corner) { return corner.lowest.batch; }

  static constexpr bool uniform = March::spacing == Spacing::uniform;
  /// Rays know their places without a search.
  static constexpr bool placed = !uniform || reflecting;
  using Ray = SegmentRay<fields>;
  using Walk = std::conditional_t<reflecting, SegmentWalkToWall<March::spacing>,
                                  SegmentWalk<March::spacing, placed>>;

  ERMINE_FUNCTION Walk walk() const {
    if constexpr (reflecting) {
      return {{trace.march.grid, width}};
    } else {
      return {trace.march.grid, width};
    }
  }
  ERMINE_FUNCTION const Medium& medium() const { return trace.march.medium; }

  ERMINE_FUNCTION Start start(const HaloLevel& level, const Vec3<int>& index, const Batch& batch,
                              bool averages) const {
    Start start{index, level.first, batch, averages, {}};
    const auto image_bits = static_cast<std::uint32_t>(batch.image);
    ERMINE_UNROLL
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
      ERMINE_UNROLL
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
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) slope[a] = slope_of(direction[a], a);
  }
  ERMINE_FUNCTION float slope_of(float direction, int a) const {
    const float scale = uniform ? trace.march.grid.uniform_width[a] * log2_e : log2_e;
    return scale * reciprocal(direction);
  }

  ERMINE_FUNCTION void begin(const HaloLevel& level, const Start& from, Ray& ray) const {
    ray.cell = from.cell;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      ray.next[a] = 0.5f * std::abs(ray.slope[a]);
      if constexpr (placed) ray.at[a] = level.width[a] + from.index[a];
      if constexpr (!uniform) ray.next[a] *= width[ray.at[a]];
    }
  }
  /// In that of the cells around a corner that lies ahead.
  ERMINE_FUNCTION void begin(const HaloLevel& level, const Corner& from, Ray& ray) const {
    ray.cell = from.lowest.cell;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      const int ahead = ray.slope[a] > 0;
      ray.cell += ahead * level.stride[a];
      ray.next[a] = std::abs(ray.slope[a]);
      if constexpr (placed) ray.at[a] = level.width[a] + from.lowest.index[a] + ahead;
      if constexpr (!uniform) ray.next[a] *= width[ray.at[a]];
    }
  }
  /// Moves a ray from the centre of its cell to where it leaves it.
  ERMINE_FUNCTION CellExit<float> leave_cell(const Common& common, Ray& ray) const {
    Vec3<float> through;
    Vec3<float> crossing;
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) {
      through[a] = 2 * ray.next[a] * ln_2;
      crossing[a] = common.crossing[a];
    }
    const CellExit<float> exit = ermine::leave_cell(through, crossing, common.usual_absorption);
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) ray.next[a] = exit.ahead[a] * log2_e;
    return exit;
  }

  ERMINE_FUNCTION HaloGas at(int field, int cell, const Row& row) const {
    return halo_gas(medium(), fields > 1 && field > 0 ? earlier[cell] : entry[cell], row);
  }

  /// With so many crossings left.
  ERMINE_FUNCTION void enter_level(int number, int left, Flight& flight) const {
    const bool last = number + 1 >= levels;
    flight.level = number;
    flight.steps = last || left < trace.march.grid.steps ? left : trace.march.grid.steps;
    flight.here = flight.steps;
    flight.beyond = left - flight.steps;
  }

  /// Through one segment; false when the ray has come to its end.
  ERMINE_FUNCTION bool follow(const HaloLevel* levels_here, const Row& row, const RayKey& key,
                              Flight& flight) const {
    const HaloLevel& level = levels_here[flight.level];
    if constexpr (reflecting) {
      // Rays pause after as many steps as without walls.
      const auto to_pause = [&] { return halo - ((flight.steps - flight.here) & (halo - 1)); };
      const int most = flight.here < to_pause() ? flight.here : to_pause();
      if (cross_to_wall(level, most, row, flight)) {
        if (!meet_wall(level, row, key, flight) || ends(key, flight)) return false;
      }
      if (flight.here > 0 && to_pause() < halo) return true;
    } else if (flight.here >= halo) {
      cross<halo>(level, halo, row, flight);
    } else {
      cross<0>(level, flight.here, row, flight);
    }
    if (ends(key, flight)) return false;
    if (flight.here == 0 && flight.beyond == 0) {  // no crossings are left
      for (const Beam& beam : flight.ray.beam) {
        flight.finding.lost += fields == 1 || beam.transmissivity > 0;
      }
      return false;
    }
    const bool coarsens = flight.here == 0;
    walk().settle(level, levels_here[flight.level + coarsens], coarsens, flight.ray);
    if (coarsens) enter_level(flight.level + 1, flight.beyond, flight);
    return true;
  }

  /// In all fields. One in which it has ended leaves no trace in the others.
  ERMINE_FUNCTION bool ends(const RayKey& key, Flight& flight) const {
    const float tolerance = trace.march.tolerance > faintest ? trace.march.tolerance : faintest;
    if constexpr (fields == 1) {
      float& transmissivity = flight.ray.beam[0].transmissivity;
      if (transmissivity > tolerance) return false;
      if (!trace.march.roulette || !(transmissivity > faintest)) return true;
      if (!wins(key, flight.draws++)) return true;
      transmissivity *= 10;
      return false;
    }
    bool all = true;
    for (Beam& beam : flight.ray.beam) {
      if (beam.transmissivity > tolerance) {
        all = false;
      } else {
        beam.transmissivity = 0;
      }
    }
    return all;
  }

  /// As March::ends().
  ERMINE_FUNCTION static bool wins(const RayKey& key, std::uint32_t draw) {
    return RayStream(key, draw).next().word[0] < winning_words;
  }

  /// `fixed`: number of steps that the compiler may know, or 0.
  template <int fixed>
  ERMINE_FUNCTION void cross(const HaloLevel& level, int steps, const Row& row,
                             Flight& flight) const {
    Ray& ray = flight.ray;
    int stride[3];
    strides_of(level, ray, stride);
    float length = 0;
    const int count = fixed ? fixed : steps;
    ERMINE_UNROLL
    for (int step = 0; step < count; ++step) {
      assert(level.holds(ray.cell) && "a ray has left its window");
      HaloGas gas[fields];
      ERMINE_UNROLL
      for (int f = 0; f < fields; ++f) gas[f] = at(f, ray.cell, row);
      const float travelled = walk().advance(stride, length, ray);
      ERMINE_UNROLL
      for (int f = 0; f < fields; ++f) {
        ray.beam[f].pass(gas[f].absorption, gas[f].intensity, travelled);
        if (gas[f].wall) ray.beam[f].transmissivity = 0;
        flight.finding.crossings += ray.beam[f].transmissivity > faintest;
      }
    }
    ERMINE_UNROLL
    for (int a = 0; a < 3; ++a) ray.next[a] -= length;
    flight.here -= count;
  }

  /// At most `most` steps, and no farther than into a wall; true if the ray has come to one.
  ERMINE_FUNCTION bool cross_to_wall(const HaloLevel& level, int most, const Row& row,
                                     Flight& flight) const {
    Ray& ray = flight.ray;
    auto counters = walk().counters(level, ray, most);
    int stride[3];
    strides_of(level, ray, stride);
    float length = 0;
    ERMINE_UNROLL
    for (int step = 0; step < halo; ++step) {
      assert(level.holds(ray.cell) && "a ray has left its window");
      const bool goes = counters.go_on();
      HaloGas gas[fields];
      ERMINE_UNROLL
      for (int f = 0; f < fields; ++f) gas[f] = at(f, ray.cell, row);
      const float travelled = walk().advance(stride, length, counters, ray);
      ERMINE_UNROLL
      for (int f = 0; f < fields; ++f) {
        Beam& beam = ray.beam[f];
        // One that has stopped stays as it is.
        beam.pass(gas[f].absorption, goes ? gas[f].intensity : beam.intensity, travelled);
        flight.finding.crossings += goes && beam.transmissivity > faintest;
      }
    }
    flight.here -= counters.steps();
    return walk().stop(level, counters, length, ray);
  }

  /// At a wall, which is where the ray has just come to: as March::meet_wall(). False if nothing is
  /// left of the ray.
  ERMINE_FUNCTION bool meet_wall(const HaloLevel& level, const Row& row, const RayKey& key,
                                 Flight& flight) const {
    Ray& ray = flight.ray;
    const WallPlace place = walk().wall_of(level, ray);
    const WallsView<float>& walls = trace.march.walls;
    const int wall = wall_cell(trace.march.grid.level[flight.level], place).value;
    const float emissivity = walls.emissivity[wall];
    const float emitted = halo_wall_intensity(medium(), walls.coordinate[wall], row);
    bool any = false;
    for (Beam& beam : ray.beam) {
      beam.difference =
          fused(beam.transmissivity * emissivity, beam.intensity - emitted, beam.difference);
      beam.transmissivity *= 1 - emissivity;
      any = any || beam.transmissivity > faintest;
    }
    if (!any) return false;
    if (walls.specular[place.side]) {
      walk().reflect(level, place.side, ray);
    } else {
      walk().leave(level, place.side, RayStream(key, flight.draws++).next(), ray);
    }
    return true;
  }
};

}  // namespace ermine
