#pragma once

#include <ermine/grid.hpp>

#include "core/ranks.hpp"
#include "geometry/all_cells.hpp"
#include "geometry/field_windows.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace ermine {

/// How well cells resolve the structures of a temperature.
struct FieldStructures {
  /// Phase per cell [rad] of one wave with such differences of neighbours: the geometric mean of
  /// what second over first and third over second ones tell. Fronts and kinks have larger third
  /// ones than waves.
  double phase = 0.0;
  /// Width of cells along the axes that have structures [m]: root mean square, weighted with the
  /// squares of second differences; of a mean cell where there are none.
  double width = 0.0;
};

/// What is to be known of a whole field, the same bits on any number of ranks.
struct FieldSummary {
  double coldest = 0.0;  ///< [K]
  double hottest = 0.0;
  int steepest_axis = 2;                  ///< see steepest_axis()
  FieldStructures structures;             ///< see field_structures()
  std::array<double, 3> wavenumber = {};  ///< of structures along each axis [1/m]
};

/// What a rank has of a field that no rank has as a whole.
struct FieldParts {
  FieldWindows windows;
  std::vector<double> values;  ///< of all levels, as the windows say [K]
  std::vector<Box> owned;      ///< by each rank: cells whose rays it traces
  int rank;
  FieldSummary summary;

  const Box& own() const { return owned[static_cast<std::size_t>(rank)]; }
};

/// The temperature of a solution.
class TemperatureField {
 public:
  /// All of it; values are not copied.
  TemperatureField(std::span<const double> all) : finest_(all) {}
  TemperatureField(const std::vector<double>& all) : finest_(all) {}
  explicit TemperatureField(std::shared_ptr<const FieldParts> parts)
      : parts_(std::move(parts)),
        finest_(std::span(parts_->values).first(parts_->windows.count(0))) {}

  bool complete() const { return !parts_; }
  /// Of one that is not complete.
  const FieldParts& parts() const { return *parts_; }
  /// Cells of the grid, as they lie.
  std::span<const double> finest() const { return finest_; }
  std::size_t place(std::size_t cell) const {
    if (complete()) return cell;
    return static_cast<std::size_t>(
        place_of(CellId{static_cast<int>(cell)}, parts_->windows.all().data()));
  }
  double operator[](std::size_t cell) const { return finest_[place(cell)]; }
  /// Cells that this rank looks at for all: those it owns, or all of them.
  Box own(const Grid& grid) const;

 private:
  std::shared_ptr<const FieldParts> parts_;
  std::span<const double> finest_;
};

/// Cells that the rank traces which has this block: groups of tiles whose first cell lies in it.
Box owned_cells(const Grid& grid, const Box& block);

/// From the cells that each rank owns of a field to all of it, on all ranks.
void share_owned(std::vector<double>& field, const Grid& grid, const FieldParts& parts,
                 Ranks& ranks);

}  // namespace ermine
