#pragma once

#include "core/id.hpp"

#include <cassert>

namespace ermine {

/// The cells of a level whose values a process has, and where they lie in its array: level after
/// level, x fastest. Along a periodic axis that is not stored as a whole they may reach beyond its
/// ends.
struct LevelWindow {
  int first_cell;   ///< number of the level's first cell among those of all levels
  int cells[3];     ///< of the level
  int origin[3];    ///< first of those stored
  int extent[3];    ///< how many are
  int unrolled[3];  ///< 1: periodic, but not stored as a whole
  int first;        ///< place of the first one

  ERMINE_FUNCTION bool complete(int a) const { return extent[a] == cells[a]; }
};

/// Where the value of a cell lies. `window`: of all levels, behind them one that begins beyond the
/// last cell.
ERMINE_FUNCTION int place_of(CellId cell, const LevelWindow* window) {
  while (cell.value >= window[1].first_cell) ++window;
  int number = cell.value - window->first_cell;
  int place = window->first;
  int stride = 1;
  for (int a = 0; a < 3; ++a) {
    int within = number % window->cells[a] - window->origin[a];
    number /= window->cells[a];
    if (window->unrolled[a]) {
      if (within < 0) within += window->cells[a];
      if (within >= window->cells[a]) within -= window->cells[a];
    }
    assert(within >= 0 && within < window->extent[a] && "a ray has left its window");
    place += within * stride;
    stride *= window->extent[a];
  }
  return place;
}

}  // namespace ermine
