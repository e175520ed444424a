#pragma once

#include "geometry/grid_view.hpp"
#include "geometry/level_window.hpp"
#include "medium/gas_view.hpp"
#include "medium/medium_view.hpp"
#include "transport/scene/lane_scene.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace ermine {

/// n / d for 0 <= n < 2^31 and 2 <= d, as a product (T. Granlund & P. L. Montgomery, PLDI 1994).
struct Divisor {
  std::uint32_t factor;
  int shift;

  static Divisor by(int d) {
    int bits = 1;
    while ((std::int64_t{1} << bits) < d) ++bits;
    const auto divisor = static_cast<std::uint64_t>(d);
    const std::uint64_t factor = ((std::uint64_t{1} << (31 + bits)) + divisor - 1) / divisor;
    return {static_cast<std::uint32_t>(factor), bits - 1};
  }
  ERMINE_FUNCTION int operator()(int n) const {
    const std::uint64_t product = std::uint64_t{static_cast<std::uint32_t>(n)} * factor;
    return static_cast<int>(static_cast<std::uint32_t>(product >> 32) >> shift);
  }
};

/// A level of the grid with a halo, or what a process has of it: cells are entries of an array, x
/// fastest.
struct HaloLevel : LaneLevel {
  int begin;         ///< first entry of the halo
  int halved[3];     ///< 1: the axis is coarser on the next level
  Divisor row;       ///< entries of a row
  Divisor plane;     ///< entries of a plane
  float inverse[3];  ///< 1 / cells

  ERMINE_FUNCTION std::int64_t entries() const { return std::int64_t{stride[2]} * planes; }
  ERMINE_FUNCTION bool holds(int entry) const {
    return entry >= begin && entry < begin + entries();
  }
  /// Of an entry, counted on into the halo.
  ERMINE_FUNCTION void index(int entry, int (&at)[3]) const {
    const int number = entry - begin;
    const int k = plane(number);
    const int within = number - k * stride[2];
    const int j = row(within);
    at[0] = within - j * stride[1] + low[0];
    at[1] = j + low[1];
    at[2] = k + low[2];
  }
  /// The cell that a place beyond the end of a periodic axis stands for.
  ERMINE_FUNCTION int wrapped(int i, int a) const {
    if (cells[a] >= halo) {
      if (i < 0) i += cells[a];
      return i < cells[a] ? i : i - cells[a];
    }
    const float turns = (static_cast<float>(i) + 0.5f) * inverse[a];
    return i - static_cast<int>(std::floor(turns)) * cells[a];
  }
};

template <class Medium>
inline constexpr bool is_table = std::is_same_v<Medium, PointTableView<float>>;
template <class Medium>
inline constexpr bool is_gas = false;
template <int most>
inline constexpr bool is_gas<GasView<float, most>> = true;
/// Whether rays in a medium may walk through halos.
template <class Medium>
inline constexpr bool has_halo =
    is_table<Medium> || std::is_same_v<Medium, GreyView<float>> || is_gas<Medium>;

/// What a cell of a halo holds, and which rows a spectral point has: the number of its first node,
/// but of a gas those of several components.
template <class Medium>
struct HaloTypes {
  using Entry = std::conditional_t<is_table<Medium>, float, GreyEntry>;
  using Row = int;
};
template <int most>
struct HaloTypes<GasView<float, most>> {
  using Entry = GasEntry<3>;  ///< or that of more components, see with_entry()
  using Row = PackedPoint;
};
template <class Medium>
using HaloEntry = typename HaloTypes<Medium>::Entry;
template <class Medium>
using HaloRow = typename HaloTypes<Medium>::Row;

/// Whether this can be, of a view on the host.
template <class Medium>
bool has_rows_for_halo(const Medium& medium) {
  if constexpr (is_gas<Medium>) return medium.packed.point != nullptr;
  return has_halo<Medium>;
}

/// Calls visit.template operator()<Entry>() with the smallest that holds a cell of the medium.
template <class Medium, class Visit>
auto with_entry(const Medium& medium, const Visit& visit) {
  if constexpr (is_gas<Medium>) {
    static_assert(most_packed <= GasEntry<7>::components);
    if (medium.packed.components > GasEntry<3>::components) {
      return visit.template operator()<GasEntry<7>>();
    }
  }
  return visit.template operator()<HaloEntry<Medium>>();
}

/// Row of a spectral point.
ERMINE_FUNCTION int halo_row(const PointTableView<float>& table, PointId point) {
  return point.value * table.nodes;
}
ERMINE_FUNCTION int halo_row(const GreyView<float>&, PointId) { return 0; }
template <int most>
ERMINE_FUNCTION PackedPoint halo_row(const GasView<float, most>& gas, PointId point) {
  return gas.packed.point[point.value];
}
/// What intensities in its row are to be multiplied by.
ERMINE_FUNCTION float row_weight(int) { return 1.0f; }
ERMINE_FUNCTION float row_weight(const PackedPoint& row) { return row.weight; }

/// Entries of gas and walls, see GreyEntry.
template <class Entry>
ERMINE_FUNCTION Entry gas_entry(const PointTableView<float>&, CellId, float coordinate) {
  return coordinate;
}
template <class Entry>
ERMINE_FUNCTION Entry wall_entry(const PointTableView<float>&, float coordinate) {
  return -coordinate;
}
ERMINE_FUNCTION bool is_wall(float entry) { return std::signbit(entry); }

template <class Entry>
ERMINE_FUNCTION Entry gas_entry(const GreyView<float>& grey, CellId cell, float coordinate) {
  const GasState<float> gas = grey.at(PointId{0}, cell, coordinate);
  return {gas.absorption, gas.intensity};
}
template <class Entry>
ERMINE_FUNCTION Entry wall_entry(const GreyView<float>&, float coordinate) {
  return {-1, coordinate};
}
ERMINE_FUNCTION bool is_wall(const GreyEntry& entry) { return entry.absorption < 0; }

template <class Entry, int most>
ERMINE_FUNCTION Entry gas_entry(const GasView<float, most>& gas, CellId cell, float coordinate) {
  return gas.template packed_entry<Entry>(cell, coordinate);
}
template <class Entry, int most>
ERMINE_FUNCTION Entry wall_entry(const GasView<float, most>& gas, float coordinate) {
  // Not a minus sign: compilers may take that of a difference for one with its parts swapped, whose
  // zero has none.
  return {std::copysign(gas.packed_position(coordinate), -1.0f), {}};
}
template <int components>
ERMINE_FUNCTION bool is_wall(const GasEntry<components>& entry) {
  return std::signbit(entry.position);
}

/// Where a place on an axis with its halo lies: in a cell, in the wall next to it (side 0 or 1), or
/// beyond (side 2).
struct HaloPlace {
  int index;
  int side;  ///< -1: in a cell
};
ERMINE_FUNCTION HaloPlace halo_place(int i, int cells, bool periodic) {
  if (periodic) return {(i % cells + cells) % cells, -1};
  if (i < 0) return {0, i == -1 ? 0 : 2};
  if (i >= cells) return {cells - 1, i == cells ? 1 : 2};
  return {i, -1};
}

/// What an entry of a level holds. `view`: the same level without its halo.
template <class Entry, class March>
ERMINE_FUNCTION Entry halo_entry(const March& march, const LevelView& view, const HaloLevel& level,
                                 int entry) {
  int place[3];
  level.index(entry, place);
  HaloPlace at[3];
  for (int a = 0; a < 3; ++a) {
    at[a] = halo_place(place[a], level.cells[a], march.grid.periodic[a]);
  }
  const Vec3<int> index{{at[0].index, at[1].index, at[2].index}};
  int side = -1;
  int beyond = 0;
  for (int a = 0; a < 3; ++a) {
    if (at[a].side < 0) continue;
    ++beyond;
    side = at[a].side < 2 ? 2 * a + at[a].side : -1;
  }
  // Only rays that have ended come to where two walls meet, or behind a wall.
  if (beyond == 1 && side >= 0) {
    const WallCellId wall = wall_cell(view, {side, index});
    return wall_entry<Entry>(march.medium, march.walls.coordinate[wall.value]);
  }
  const CellId cell = view.cell(index);
  return gas_entry<Entry>(march.medium, cell, march.coordinate[cell]);
}

/// The levels of a grid with their halos, and the widths of their cells.
class HaloLevels {
 public:
  /// `grid` lies on the host, as does `window`: of all levels, null where they are complete.
  explicit HaloLevels(const GridView<float>& grid, const LevelWindow* window = nullptr) {
    for (int l = 0; l < grid.levels; ++l) {
      const LevelView& view = grid.level[l];
      HaloLevel level{};
      level.begin = static_cast<int>(entries_);
      std::int64_t size = 1;
      std::int64_t first = entries_;
      for (int a = 0; a < 3; ++a) {
        const int cells = view.cells[a];
        const Entries entries = entries_of(cells, a, window ? window + l : nullptr);
        level.cells[a] = cells;
        level.low[a] = entries.low;
        level.wraps[a] = grid.periodic[a] && !(window && window[l].unrolled[a]);
        level.inverse[a] = 1.0f / static_cast<float>(cells);
        level.stride[a] = static_cast<int>(size);
        first -= entries.low * size;
        size *= entries.high - entries.low;
        // One more at each end: a ray that has just come to a wall may go on for a whole segment.
        level.width[a] = static_cast<int>(widths_.size()) + 1 - entries.low;
        for (int i = entries.low - 1; i <= entries.high; ++i) {
          const HaloPlace place = halo_place(i, cells, grid.periodic[a]);
          widths_.push_back(place.side < 0 ? grid.width[view.width[a] + place.index] : 0.0f);
        }
        if (l + 1 < grid.levels && grid.level[l + 1].cells[a] < cells) level.halved[a] = 1;
      }
      level.first = static_cast<int>(first);
      level.planes = static_cast<int>(size / level.stride[2]);
      level.row = Divisor::by(level.stride[1]);
      level.plane = Divisor::by(level.stride[2]);
      entries_ += size;
      levels_.push_back(level);
    }
  }

  const std::vector<HaloLevel>& levels() const { return levels_; }
  const std::vector<float>& widths() const { return widths_; }
  std::size_t entries() const { return static_cast<std::size_t>(entries_); }

  /// Whether the entries of a grid can be counted, and are not many times more than its cells:
  /// along an axis of one cell there are 17.
  static bool fit(const GridView<float>& grid) {
    constexpr double few = 1 << 24;
    double entries = 0;
    double cells = 0;
    for (int l = 0; l < grid.levels; ++l) {
      double of_level = 1;
      double inside = 1;
      for (int a = 0; a < 3; ++a) {
        of_level *= grid.level[l].cells[a] + 2 * halo;
        inside *= grid.level[l].cells[a];
      }
      entries += of_level;
      cells += inside;
    }
    return entries < std::numeric_limits<int>::max() && (entries < few || entries < 8 * cells);
  }

 private:
  struct Entries {
    int low, high;
  };
  /// Beyond the end of an axis there is a halo, but none where others have the cells beyond.
  static Entries entries_of(int cells, int a, const LevelWindow* window) {
    if (!window || window->complete(a)) return {-halo, cells + halo};
    const int low = window->origin[a];
    const int high = low + window->extent[a];
    if (window->unrolled[a]) return {low, high};
    return {low == 0 ? -halo : low, high == cells ? cells + halo : high};
  }

  std::vector<HaloLevel> levels_;
  std::vector<float> widths_;
  std::int64_t entries_ = 0;
};

/// No wall reflects. `march` lies on the host.
template <class March>
bool all_black(const March& march) {
  const int walls = march.grid.level[march.grid.levels - 1].wall[6];
  for (int i = 0; i < walls; ++i) {
    if (march.walls.emissivity[i] < 1) return false;
  }
  return true;
}

}  // namespace ermine
