#pragma once

#include "support/gas.hpp"
#include "support/problems.hpp"
#include "transport/scene/halo_field.hpp"
#include "transport/scene/scene.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ermine::test {

/// Grids, media and tracers on which ways to march are compared.

enum class Ends { walls, slab, periodic };

inline Axis axis(int cells, Boundary boundary, bool stretched) {
  return stretched ? Axis::stretched(cells, 0, 1, 1.07, boundary)
                   : Axis::uniform(cells, 0, 1, boundary);
}

inline Grid grid_of(std::array<int, 3> cells, Ends ends, bool stretched) {
  const Boundary x = ends == Ends::periodic ? Boundary::periodic : Boundary::walled;
  const Boundary others = ends == Ends::walls ? Boundary::walled : Boundary::periodic;
  return Grid({axis(cells[0], x, stretched), axis(cells[1], others, false),
               axis(cells[2], others, stretched)});
}

struct MarchSetting {
  std::array<int, 3> cells;
  Ends ends;
  bool stretched;
  int levels;
  int steps;
};

inline auto march_settings() {
  return testing::Values(MarchSetting{{16, 12, 16}, Ends::walls, false, 1, 8},
                         MarchSetting{{16, 12, 16}, Ends::slab, false, 1, 8},
                         MarchSetting{{16, 12, 16}, Ends::periodic, false, 1, 8},
                         MarchSetting{{16, 12, 16}, Ends::slab, false, 0, 8},
                         MarchSetting{{48, 6, 12}, Ends::walls, false, 0, 3},
                         MarchSetting{{24, 24, 24}, Ends::periodic, false, 0, 12},
                         MarchSetting{{13, 9, 11}, Ends::walls, false, 0, 4},
                         MarchSetting{{37, 3, 1}, Ends::slab, false, 0, 8},
                         MarchSetting{{13, 10, 9}, Ends::walls, true, 1, 8},
                         MarchSetting{{13, 10, 9}, Ends::slab, true, 0, 5},
                         MarchSetting{{27, 7, 5}, Ends::walls, true, 0, 8},
                         MarchSetting{{21, 8, 14}, Ends::periodic, true, 0, 8});
}

inline std::vector<double> wavy_field(const Grid& grid) {
  return evaluate(grid, [](std::array<double, 3> at) {
    return 400 + 900 * at[0] * (1 - at[0]) + 300 * at[1] + 150 * std::sin(9 * at[2]);
  });
}

/// So many points that roundings of all kinds occur.
inline Medium long_table() {
  constexpr std::size_t points = 100, nodes = 21;
  std::vector<double> absorption, blackbody;
  for (std::size_t s = 0; s < points; ++s) {
    for (std::size_t node = 0; node < nodes; ++node) {
      const double t = 100.0 * static_cast<double>(node);
      absorption.push_back(0.1 * static_cast<double>(s + 1) * (1.5 - t / 2000));
      blackbody.push_back(intensity(t) * std::pow(1.07, static_cast<double>(s)));
    }
  }
  return SpectralList({0.0, 100.0, nodes}, absorption, blackbody);
}

inline Medium uneven_grey(const Grid& grid) {
  std::vector<double> k;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    k.push_back(0.2 + 0.3 * static_cast<double>(i * i % 17));
  }
  return GreyMedium(k);
}

/// A gas on the cells of a grid, each with one of the compositions of another one.
inline GasMedium spread_out(const GasMedium& gas, const Grid& grid) {
  return gas.on_cells(grid.cell_count(), [&](std::span<const double> values) {
    std::vector<double> field;
    for (std::size_t i = 0; i < grid.cell_count(); ++i) field.push_back(values[i % values.size()]);
    return field;
  });
}

/// Two species whose amounts and line widths differ from cell to cell; the second is in some only.
inline Medium uneven_gas(const Grid& grid) {
  static const GasMedium gas = [] {
    std::vector<double> h2o, co2;
    for (std::size_t i = 0; i < 187; ++i) {
      h2o.push_back(0.02 + 0.03 * static_cast<double>(i * i % 17));
      co2.push_back(i % 5 == 0 ? 0.0 : 0.02 * static_cast<double>(i % 11));
    }
    KDistributionOptions options = coarse();
    options.temperature.front() = 250;
    return GasMedium(atmosphere, {{Species::h2o, h2o}, {Species::co2, co2}}, options);
  }();
  return spread_out(gas, grid);
}

/// All four species.
inline Medium four_gases(const Grid& grid) {
  static const GasMedium gas = [] {
    std::vector<double> field;
    for (std::size_t i = 0; i < 13; ++i) {
      field.push_back(0.01 * static_cast<double>(1 + i * i % 13));
    }
    KDistributionOptions options = coarse();
    options.temperature = {250, 700, 1200, 2000};
    return GasMedium(atmosphere,
                     {{Species::h2o, field},
                      {Species::co2, {0.1}},
                      {Species::co, field},
                      {Species::ch4, {0.05}}},
                     options);
  }();
  return spread_out(gas, grid);
}

/// All four species and soot.
inline Medium five_components(const Grid& grid) {
  static const GasMedium gas = [] {
    std::vector<double> field, soot;
    for (std::size_t i = 0; i < 13; ++i) {
      field.push_back(0.01 * static_cast<double>(1 + i * i % 13));
      soot.push_back(i % 4 == 0 ? 0.0 : 2e-7 * static_cast<double>(i * i % 11));
    }
    KDistributionOptions options = coarse();
    options.temperature = {250, 700, 1200, 2000};
    return GasMedium(atmosphere,
                     {{Species::h2o, field},
                      {Species::co2, {0.1}},
                      {Species::co, field},
                      {Species::ch4, {0.05}}},
                     options, Soot{soot});
  }();
  return spread_out(gas, grid);
}

inline Options net_options(int levels, int steps) {
  Options options;
  set_method(options, Method::net);
  options.levels = levels;
  options.steps_per_level = steps;
  options.tolerance = 1e-7;
  options.termination = Termination::cutoff;  // rays that play have luck of their own
  return options;
}

/// Calls visit(trace) with the CellTracer of a net.
template <class Visit>
void with_cell_tracer(const Tracer& tracer, const std::vector<double>& temperature,
                      const Visit& visit) {
  const Options& options = tracer.options();
  const Levels levels(tracer.grid(), options.levels, options.steps_per_level);
  with_scene_in<float>(tracer, levels, temperature, {}, [&](auto& scene) {
    using SceneType = std::remove_reference_t<decltype(scene)>;
    if constexpr (has_halo<typename SceneType::View>) {
      const InPlace place;
      const PlainField<float> field{place(scene.coordinate())};
      scene.template with_spacing<NetRays>([&]<Spacing spacing>() {
        visit(scene.template cell_tracer<NetRays>(
            scene.template march<spacing, Detail::levelled>(place, field), place, 3));
      });
    } else {
      FAIL();
    }
  });
}

/// Calls visit(cells, walls) with the CellTracer and the WallTracer of a net.
template <class Visit>
void with_wall_tracer(const Tracer& tracer, const std::vector<double>& temperature,
                      const Visit& visit) {
  const Options& options = tracer.options();
  const Levels levels(tracer.grid(), options.levels, options.steps_per_level);
  with_scene_in<float>(tracer, levels, temperature, {}, [&](auto& scene) {
    using SceneType = std::remove_reference_t<decltype(scene)>;
    if constexpr (has_halo<typename SceneType::View>) {
      const InPlace place;
      const PlainField<float> field{place(scene.coordinate())};
      const auto walls = scene.template wall_tracer<NetRays>(
          scene.template march<Spacing::stretched, Detail::levelled>(place, field), place, 3);
      scene.template with_spacing<NetRays>([&]<Spacing spacing>() {
        visit(scene.template cell_tracer<NetRays>(
                  scene.template march<spacing, Detail::levelled>(place, field), place, 3),
              walls);
      });
    } else {
      FAIL();
    }
  });
}

/// Coordinate of the hottest cell.
template <class CellTrace>
float hottest(const CellTrace& trace) {
  float coordinate = 0;
  for (int i = 0; i < trace.origin_count(); ++i) {
    coordinate = std::max(coordinate, trace.march.coordinate[CellId{i}]);
  }
  return coordinate;
}

/// Most that the rays of a cell's net can find [W/m3].
template <class CellTrace>
double most_found(const CellTrace& trace, CellId cell, const Replicate& replicate, float hot) {
  const auto& march = trace.march;
  const auto batch = trace.rays.batch(cell.value, trace.tiles().tile_of(cell), 0, replicate);
  double sum = 0.0;
  for (std::uint32_t ray = 0; ray < replicate.rays; ++ray) {
    Draw draw;
    RayStream stream;
    const PointId point = trace.rays.next(batch, ray, draw, stream);
    const float k = march.medium.at(point, cell, march.coordinate[cell]).absorption;
    const float intensity = march.medium.blackbody(point, hot);
    sum += 4 * constants::pi * static_cast<double>(k * trace.rays.weight(point) * intensity);
  }
  return sum;
}

}  // namespace ermine::test
