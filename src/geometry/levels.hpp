#pragma once

#include <ermine/grid.hpp>
#include <ermine/options.hpp>

#include "core/box.hpp"
#include "geometry/grid_view.hpp"
#include "geometry/ray_walk.hpp"

#include <array>
#include <span>
#include <vector>

namespace ermine {

/// The grid and its coarser levels: two cells along an axis become one and an odd last one stays as
/// it is, down to 3, 4, 5 or 7 cells.
class Levels {
 public:
  /// `count` levels, or as many as there are if that is fewer or count is 0; a ray takes `steps`
  /// on each.
  /// `threads` of the CPU build coarse fields; 0: all.
  Levels(const Grid& grid, int count, int steps, int threads = 0);

  int count() const { return static_cast<int>(views_.size()); }
  int steps() const { return steps_; }
  int threads() const { return threads_; }
  const std::vector<LevelView>& views() const { return views_; }
  /// Of all levels, as LevelView::width counts them [m].
  const std::vector<double>& widths() const { return widths_; }
  Spacing spacing() const { return spacing_; }
  std::size_t cell_count() const;       ///< of all levels
  std::size_t wall_cell_count() const;  ///< of all levels

  /// Value of a coarse cell from those of its parts, each with its volume or area.
  struct Part {
    double value;
    double size;
  };
  using Average = double (*)(std::span<const Part>);

  /// The coarser levels of a field that has one value per cell of the grid. Values count with the
  /// volume of their cell and with `weight`, if it is given for the cells of all levels (where it
  /// is zero throughout a coarse cell, with the volume alone).
  std::vector<double> coarse_levels(std::span<const double> field, Average average,
                                    std::span<const double> weight = {}) const;
  /// The same in a box of level l + 1 alone, from values in one of level l that holds all parts of
  /// its cells.
  std::vector<double> coarsened(int l, const Box& fine, std::span<const double> values,
                                const Box& coarse, Average average) const;
  /// Appends them to it.
  void extend(std::vector<double>& field, Average average,
              std::span<const double> weight = {}) const;
  /// The same for a field with one value per wall face cell of the grid, and areas.
  void extend_walls(std::vector<double>& field, Average average,
                    std::span<const double> weight = {}) const;

 private:
  /// Calls visit(ii, jj, kk, volume) for the parts of cell i, j, k of level l + 1.
  template <class Visit>
  void each_part(int l, int i, int j, int k, const Visit& visit) const;
  double width(int level, int axis, int i) const;

  int steps_;
  int threads_;
  std::vector<LevelView> views_;
  std::vector<double> widths_;
  Spacing spacing_ = Spacing::uniform;
};

/// Averages of equal values are exactly that value: an isothermal enclosure stays one on all
/// levels. None leaves the range of its parts, beyond which there may be no spectral data.
double mean(std::span<const Levels::Part> parts);
double mean_fourth_power(std::span<const Levels::Part> parts);
Levels::Average average_of(CoarseTemperature coarse);

}  // namespace ermine
