#pragma once

#include "reference/slab.hpp"
#include "support/problems.hpp"
#include "support/slab_march.hpp"
#include "transport/mesh/mesh_correction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace ermine::test {

/// Cells that grow by a ratio from both walls to the middle.
inline Axis growing(int cells, double ratio) {
  std::vector<double> faces{0.0};
  for (int i = 0; i < cells; ++i) {
    faces.push_back(faces.back() + std::pow(ratio, std::min(i, cells - 1 - i)));
  }
  const double end = faces.back();
  for (double& face : faces) face /= end;
  return {faces, Boundary::walled};
}

inline Grid slab_of(const Axis& axis) {
  const Axis one = Axis::uniform(1, 0, 1, Boundary::periodic);
  return Grid({axis, one, one});
}

using Profile1d = double (*)(double);

inline double wave(double x) { return 700 + 150 * std::cos(2 * std::numbers::pi * x); }
inline double tilted_wave(double x) { return 700 + 100 * std::sin(2 * std::numbers::pi * x); }

/// A grey slab three ways, each without noise.
struct GreySlab {
  Grid grid;
  std::vector<double> plain;      ///< rays through cells
  std::vector<double> corrected;  ///< the same and the correction
  std::vector<double> exact;      ///< averages over cells
  std::vector<double> exact_at_centres;
  std::array<double, 2> plain_flux, corrected_flux, exact_flux;

  GreySlab(double absorption, const Axis& axis, Profile1d temperature, const Wall& wall,
           StartPoint start = StartPoint::point, bool correction = true)
      : grid(slab_of(axis)) {
    const auto field = evaluate(grid, [&](std::array<double, 3> at) { return temperature(at[0]); });
    const double of_wall = intensity(wall.temperature[0]);
    SlabCells cells;
    for (std::size_t i = 0; i < grid.cells(0); ++i) {
      cells.width.push_back(grid.width(0, i));
      cells.absorption.push_back(absorption);
      cells.intensity.push_back(intensity(field[i]));
    }
    cells.wall_intensity = {of_wall, of_wall};
    cells.emissivity = {wall.emissivity[0], wall.emissivity[0]};
    cells.reflection = wall.reflection;
    const SlabMarch march = march_slab(cells, start);
    plain = march.flux_divergence;
    plain_flux = march.wall_flux;

    const Tracer tracer(grid, plates(grid, wall, wall), GreyMedium(absorption),
                        {.start = start, .mesh_correction = correction});
    const CorrectionField added = mesh_correction(tracer, field);
    corrected = plain;
    for (std::size_t i = 0; i < added.flux_divergence.size(); ++i) {
      corrected[i] += added.flux_divergence[i];
    }
    for (const std::size_t side : {0, 1}) {
      if (added.wall_flux[side].empty()) continue;
      corrected_flux[side] = plain_flux[side] + added.wall_flux[side][0];
    }

    const reference::SlabPoint point{[=](double) { return absorption; },
                                     [=](double x) { return intensity(temperature(x)); },
                                     {of_wall, of_wall}};
    const reference::Slab walls{0, 1, cells.emissivity};
    const reference::SlabResolution fine{1024, 24};
    std::vector<double> centres;
    for (std::size_t i = 0; i < grid.cells(0); ++i) centres.push_back(grid.centre(i)[0]);
    exact_at_centres = solve_slab(walls, {&point, 1}, centres, fine).flux_divergence;
    const auto solution = solve_slab_cells(walls, {&point, 1}, grid.axis(0).faces, fine);
    exact = solution.flux_divergence;
    exact_flux = solution.wall_flux;
  }

  /// Largest error of the cells `margin` or farther from walls, over their largest |Q|.
  double error(const std::vector<double>& q, std::size_t margin) const {
    double largest = 0.0;
    double scale = 0.0;
    for (std::size_t i = margin; i + margin < q.size(); ++i) {
      largest = std::max(largest, std::abs(q[i] - exact[i]));
      scale = std::max(scale, std::abs(exact[i]));
    }
    return largest / scale;
  }
};

}  // namespace ermine::test
