#include "transport/mesh/coarsening.hpp"

#include <algorithm>

namespace ermine {

std::vector<std::size_t> Coarsening::groups(std::size_t cells) {
  std::vector<std::size_t> first;
  if (cells < 4) {
    for (std::size_t i = 0; i <= cells; ++i) first.push_back(i);
    return first;
  }
  for (std::size_t i = 0; i + 1 < cells; i += 2) first.push_back(i);
  first.push_back(cells);  // of an odd number, the last three are one
  return first;
}

Grid Coarsening::coarsened(const Grid& fine) {
  std::array<Axis, 3> axes;
  for (const std::size_t a : {0, 1, 2}) {
    axes[a].boundary = fine.axis(a).boundary;
    for (const std::size_t face : groups(fine.cells(a))) {
      axes[a].faces.push_back(fine.axis(a).faces[face]);
    }
  }
  return Grid(std::move(axes));
}

Coarsening::Coarsening(const Grid& fine) : fine_(fine), coarse_(coarsened(fine)) {
  for (const std::size_t a : {0, 1, 2}) {
    at_centre_[a] = centre_taps(a);
    average_[a] = average_taps(a);
  }
}

Coarsening::AxisTaps Coarsening::centre_taps(std::size_t axis) const {
  const auto count = static_cast<std::ptrdiff_t>(fine_.cells(axis));
  const bool periodic = fine_.periodic(axis);
  const auto nodes = std::min<std::ptrdiff_t>(4, count);
  // Beyond the ends of a periodic axis it goes on.
  const auto wrapped = [&](std::ptrdiff_t i) { return (i % count + count) % count; };
  const auto centre = [&](std::ptrdiff_t i) {
    const auto rounds = static_cast<double>((i - wrapped(i)) / count);
    return fine_.centre(axis, static_cast<std::size_t>(wrapped(i))) + rounds * fine_.length(axis);
  };
  const auto first_of = groups(fine_.cells(axis));
  AxisTaps taps;
  for (std::size_t c = 0; c < coarse_.cells(axis); ++c) {
    const double x = coarse_.centre(axis, c);
    auto first = static_cast<std::ptrdiff_t>(first_of[c] + first_of[c + 1]) / 2 - nodes / 2;
    if (first_of[c + 1] - first_of[c] == 1)
      first = static_cast<std::ptrdiff_t>(c) - (nodes - 1) / 2;
    if (!periodic) first = std::clamp<std::ptrdiff_t>(first, 0, count - nodes);
    Taps of_cell;
    for (std::ptrdiff_t m = 0; m < nodes; ++m) {
      double weight = 1.0;
      for (std::ptrdiff_t n = 0; n < nodes; ++n) {
        if (n == m) continue;
        weight *= (x - centre(first + n)) / (centre(first + m) - centre(first + n));
      }
      of_cell.cell[static_cast<std::size_t>(m)] = static_cast<std::size_t>(wrapped(first + m));
      of_cell.weight[static_cast<std::size_t>(m)] = weight;
    }
    taps.push_back(of_cell);
  }
  return taps;
}

Coarsening::AxisTaps Coarsening::average_taps(std::size_t axis) const {
  const auto first_of = groups(fine_.cells(axis));
  AxisTaps taps;
  for (std::size_t c = 0; c < coarse_.cells(axis); ++c) {
    Taps of_cell;
    for (std::size_t i = first_of[c]; i < first_of[c + 1]; ++i) {
      of_cell.cell[i - first_of[c]] = i;
      of_cell.weight[i - first_of[c]] = fine_.width(axis, i) / coarse_.width(axis, c);
    }
    taps.push_back(of_cell);
  }
  return taps;
}

std::vector<double> Coarsening::reduced(std::span<const double> field,
                                        std::span<const AxisTaps* const> axes,
                                        std::vector<std::size_t> sizes) {
  std::vector<double> values(field.begin(), field.end());
  std::size_t stride = 1;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const AxisTaps& taps = *axes[a];
    const std::size_t outer = values.size() / (stride * sizes[a]);
    std::vector<double> next(outer * taps.size() * stride);
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t c = 0; c < taps.size(); ++c) {
        for (std::size_t m = 0; m < 4; ++m) {
          const double weight = taps[c].weight[m];
          if (weight == 0) continue;
          const double* from = values.data() + (o * sizes[a] + taps[c].cell[m]) * stride;
          double* to = next.data() + (o * taps.size() + c) * stride;
          for (std::size_t i = 0; i < stride; ++i) to[i] += weight * from[i];
        }
      }
    }
    values = std::move(next);
    stride *= taps.size();
  }
  return values;
}

std::vector<double> Coarsening::in_range(std::span<const double> field,
                                         std::span<const AxisTaps* const> axes,
                                         std::vector<std::size_t> sizes) const {
  if (field.size() == 1) return {field.front()};
  const auto [least, most] = std::minmax_element(field.begin(), field.end());
  std::vector<double> values = reduced(field, axes, std::move(sizes));
  for (double& value : values) value = std::clamp(value, *least, *most);
  return values;
}

std::vector<double> Coarsening::over_cells(std::span<const double> field,
                                           const std::array<AxisTaps, 3>& taps) const {
  const std::array<const AxisTaps*, 3> axes{&taps[0], &taps[1], &taps[2]};
  return reduced(field, axes, {fine_.cells(0), fine_.cells(1), fine_.cells(2)});
}

std::vector<double> Coarsening::variance(std::span<const double> errors, double correlation,
                                         const std::array<AxisTaps, 3>& taps) const {
  std::array<AxisTaps, 3> squared = taps;
  for (AxisTaps& axis : squared) {
    for (Taps& of_cell : axis) {
      for (double& weight : of_cell.weight) weight *= weight;
    }
  }
  std::vector<double> variances(errors.begin(), errors.end());
  for (double& value : variances) value *= value;
  std::vector<double> sum = over_cells(variances, squared);
  const std::vector<double> together = over_cells(errors, taps);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] = (1 - correlation) * sum[i] + correlation * together[i] * together[i];
  }
  return sum;
}

std::vector<double> Coarsening::at_centres(std::span<const double> field) const {
  return over_cells(field, at_centre_);
}

std::vector<double> Coarsening::averages(std::span<const double> field) const {
  return over_cells(field, average_);
}

std::vector<double> Coarsening::variance_at_centres(std::span<const double> errors,
                                                    double correlation) const {
  return variance(errors, correlation, at_centre_);
}

std::vector<double> Coarsening::variance_of_averages(std::span<const double> errors,
                                                     double correlation) const {
  return variance(errors, correlation, average_);
}

Walls Coarsening::walls(const Walls& fine) const {
  std::array<Wall, 6> sides = fine.sides();
  for (const Face face : all_faces) {
    if (!fine_.walled(face)) continue;
    Wall& wall = sides[static_cast<std::size_t>(face)];
    const auto [first, second] = Grid::tangents(face);
    const std::array<const AxisTaps*, 2> axes{&at_centre_[first], &at_centre_[second]};
    for (auto* field : {&wall.temperature, &wall.emissivity}) {
      *field = in_range(*field, axes, {fine_.cells(first), fine_.cells(second)});
    }
  }
  return Walls(coarse_, std::move(sides));
}

std::vector<double> Coarsening::within_range(std::span<const double> field) const {
  const std::array<const AxisTaps*, 3> axes{&at_centre_[0], &at_centre_[1], &at_centre_[2]};
  return in_range(field, axes, {fine_.cells(0), fine_.cells(1), fine_.cells(2)});
}

Medium Coarsening::medium(const Medium& fine) const {
  if (const auto* grey = std::get_if<GreyMedium>(&fine)) {
    if (grey->uniform()) return fine;
    return GreyMedium(within_range(grey->absorption_coefficient()));
  }
  if (const auto* gas = std::get_if<GasMedium>(&fine); gas && gas->cell_count() > 1) {
    return gas->on_cells(coarse_.cell_count(),
                         [&](std::span<const double> field) { return within_range(field); });
  }
  return fine;
}

std::vector<Scattering> Coarsening::scattering(std::vector<Scattering> fine) const {
  for (Scattering& particles : fine) {
    std::vector<double>& coefficient = particles.coefficient;
    if (coefficient.size() > 1) coefficient = within_range(coefficient);
  }
  return fine;
}

}  // namespace ermine
