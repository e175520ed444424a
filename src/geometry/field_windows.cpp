#include "geometry/field_windows.hpp"

#include <algorithm>
#include <limits>

namespace ermine {
namespace {

/// Cells next to a ray's that corrections for the mesh look at, and neighbours of its neighbours
/// that rough_cells() does.
constexpr int least_reach = 2;

/// [begin, end) along an axis, that of a periodic one counted on beyond its ends.
struct Reach {
  int begin;
  int end;
};

Reach dilated(const Reach& from, int steps, int cells, bool periodic) {
  const int by = std::min(steps, cells);
  const Reach to{from.begin - by, from.end + by};
  return periodic ? to : Reach{std::max(to.begin, 0), std::min(to.end, cells)};
}

/// Of a number below zero, too.
int half(int i) { return i >= 0 ? i / 2 : -((1 - i) / 2); }

}  // namespace

FieldWindows::FieldWindows(const Levels& levels, const std::array<bool, 3>& periodic,
                           const Box& box)
    : periodic_(periodic) {
  const auto& views = levels.views();
  std::array<Reach, 3> reach;
  std::array<bool, 3> complete{};
  for (const std::size_t a : {0, 1, 2}) {
    // Where nothing is traced, some cell.
    const auto begin = static_cast<int>(box.empty() ? 0 : box.begin[a]);
    reach[a] = {begin, box.empty() ? begin + 1 : static_cast<int>(box.end[a])};
  }
  int first = 0;
  for (std::size_t l = 0; l < views.size(); ++l) {
    const LevelView& view = views[l];
    const bool last = l + 1 == views.size();
    LevelWindow window{};
    window.first_cell = view.first_cell;
    window.first = first;
    int size = 1;
    for (const std::size_t axis : {0, 1, 2}) {
      const int a = static_cast<int>(axis);
      const int cells = view.cells[a];
      reach[axis] =
          dilated(reach[axis], std::max(levels.steps(), least_reach), cells, periodic[axis]);
      // Beyond the seam of an odd number of cells, pairs are others than within. A ray that has
      // been on a complete level may be anywhere.
      const bool halved = !last && views[l + 1].cells[a] < cells;
      const bool out_of_step = periodic[axis] && halved && cells % 2 != 0;
      complete[axis] =
          complete[axis] || last || out_of_step || reach[axis].end - reach[axis].begin >= cells;
      window.cells[a] = cells;
      window.origin[a] = complete[axis] ? 0 : reach[axis].begin;
      window.extent[a] = complete[axis] ? cells : reach[axis].end - reach[axis].begin;
      window.unrolled[a] = periodic[axis] && !complete[axis];
      size *= window.extent[a];
      if (halved) reach[axis] = {half(reach[axis].begin), half(reach[axis].end - 1) + 1};
    }
    windows_.push_back(window);
    first += size;
  }
  LevelWindow behind{};
  behind.first_cell = std::numeric_limits<int>::max();
  behind.first = first;
  windows_.push_back(behind);
}

Box FieldWindows::box(int level) const {
  const LevelWindow& window = this->level(level);
  Box box;
  for (const std::size_t a : {0, 1, 2}) {
    box.begin[a] = window.origin[a];
    box.end[a] = window.origin[a] + window.extent[a];
  }
  return box;
}

std::array<std::int64_t, 3> FieldWindows::period(int level) const {
  const LevelWindow& window = this->level(level);
  std::array<std::int64_t, 3> period{};
  for (const std::size_t a : {0, 1, 2}) {
    if (periodic_[a]) period[a] = window.cells[a];
  }
  return period;
}

}  // namespace ermine
