#pragma once

#include <ermine/tracer.hpp>

#include <array>
#include <span>
#include <vector>

namespace ermine {

/// A grid with half the cells along every axis that has four or more, and how fields of the one are
/// seen on the other.
class Coarsening {
 public:
  explicit Coarsening(const Grid& fine);

  const Grid& grid() const { return coarse_; }
  bool any() const { return coarse_.cell_count() < fine_.cell_count(); }

  /// Values at the centres of the coarse cells, cubic between those of the fine ones.
  std::vector<double> at_centres(std::span<const double> field) const;
  /// Averages over the coarse cells.
  std::vector<double> averages(std::span<const double> field) const;
  /// Variance of at_centres(), or of averages(), for cells whose errors have these standard
  /// deviations and this correlation with each other.
  std::vector<double> variance_at_centres(std::span<const double> errors, double correlation) const;
  std::vector<double> variance_of_averages(std::span<const double> errors,
                                           double correlation) const;

  Walls walls(const Walls& fine) const;
  Medium medium(const Medium& fine) const;
  std::vector<Scattering> scattering(std::vector<Scattering> fine) const;

 private:
  /// A value of a coarse cell along one axis, from those of up to four fine cells.
  struct Taps {
    std::array<std::size_t, 4> cell{};
    std::array<double, 4> weight{};
  };
  using AxisTaps = std::vector<Taps>;

  static Grid coarsened(const Grid& fine);
  /// First fine cell of each coarse one, and the end.
  static std::vector<std::size_t> groups(std::size_t cells);
  AxisTaps centre_taps(std::size_t axis) const;
  AxisTaps average_taps(std::size_t axis) const;
  static std::vector<double> reduced(std::span<const double> field,
                                     std::span<const AxisTaps* const> axes,
                                     std::vector<std::size_t> sizes);
  std::vector<double> over_cells(std::span<const double> field,
                                 const std::array<AxisTaps, 3>& taps) const;
  std::vector<double> variance(std::span<const double> errors, double correlation,
                               const std::array<AxisTaps, 3>& taps) const;
  /// As at_centres(), but within the range of the field: absorption must not become negative.
  std::vector<double> within_range(std::span<const double> field) const;
  std::vector<double> in_range(std::span<const double> field, std::span<const AxisTaps* const> axes,
                               std::vector<std::size_t> sizes) const;

  const Grid& fine_;
  Grid coarse_;
  std::array<AxisTaps, 3> at_centre_;
  std::array<AxisTaps, 3> average_;
};

}  // namespace ermine
