#pragma once

#include <ermine/device.hpp>

#include "parallel/field_exchange.hpp"
#include "support/problems.hpp"
#include "support/thread_ranks.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace ermine::test {

inline std::vector<double> structures(const Grid& grid) {
  return evaluate(grid, [](std::array<double, 3> at) {
    return 700 + 250 * std::sin(4 * at[0]) * std::cos(3 * at[1]) + 200 * at[2] * at[2] +
           50 * std::sin(9 * at[0] + 7 * at[1] - 10 * at[2]);
  });
}

/// Boxes with these cuts of each axis, as shares of it.
inline std::vector<Box> boxes(const Grid& grid, const std::array<std::vector<double>, 3>& cuts) {
  std::array<std::vector<std::int64_t>, 3> faces;
  for (const std::size_t a : {0, 1, 2}) {
    const auto cells = static_cast<double>(grid.cells(a));
    faces[a].push_back(0);
    for (const double cut : cuts[a]) faces[a].push_back(std::llround(cut * cells));
    faces[a].push_back(static_cast<std::int64_t>(grid.cells(a)));
  }
  std::vector<Box> all;
  for (std::size_t k = 0; k + 1 < faces[2].size(); ++k) {
    for (std::size_t j = 0; j + 1 < faces[1].size(); ++j) {
      for (std::size_t i = 0; i + 1 < faces[0].size(); ++i) {
        all.push_back({{faces[0][i], faces[1][j], faces[2][k]},
                       {faces[0][i + 1], faces[1][j + 1], faces[2][k + 1]}});
      }
    }
  }
  return all;
}

/// Calls work(field, ranks) on ranks with these blocks, each with what it has of the temperature.
template <class Work>
void share_out(const std::vector<Box>& blocks, const Tracer& tracer,
               const std::vector<double>& temperature, const Work& work) {
  ThreadTeam::run(static_cast<int>(blocks.size()), [&](const std::shared_ptr<Ranks>& ranks) {
    const Box& block = blocks[static_cast<std::size_t>(ranks->rank())];
    const FieldExchange exchange(ranks, tracer, block);
    work(exchange(tracer, part_of(temperature, all_cells(tracer.grid()), block)), *ranks);
  });
}

inline const std::vector<std::array<std::vector<double>, 3>> tilings{
    {{{}, {}, {}}},                 // one rank
    {{{}, {}, {0.5}}},              // slabs
    {{{}, {}, {0.3, 0.6}}},         //
    {{{}, {}, {0.25, 0.5, 0.75}}},  //
    {{{0.5}, {0.5}, {}}},           // pencils
    {{{0.37}, {}, {0.71}}},         // uneven ones
    {{{0.02, 0.9}, {}, {}}},        // the first with nothing to trace
};

inline Options distributed_options(ThinStarts thin, int steps = 3) {
  return {.backend = device_available() ? Backend::cuda : Backend::cpu,
          .estimate_bias = false,
          .levels = 0,
          .steps_per_level = steps,
          .thin_starts = thin,
          .rays_per_cell = 8,
          .rays_per_wall_face = 8,
          .threads = 1};
}

inline Grid walled_grid() {
  return Grid({Axis::uniform(40, 0, 1), Axis::uniform(32, 0, 1), Axis::uniform(36, 0, 1)});
}
inline Grid channel_grid() {
  return Grid({Axis::uniform(40, 0, 1, Boundary::periodic), Axis::stretched(28, 0, 1, 1.5),
               Axis::uniform(44, 0, 1, Boundary::periodic)});
}
/// Numbers of cells that become odd ones sooner or later, on a periodic axis from the beginning.
inline Grid odd_grid() {
  return Grid({Axis::uniform(36, 0, 1, Boundary::periodic), Axis::uniform(27, 0, 1),
               Axis::uniform(35, 0, 1, Boundary::periodic)});
}

}  // namespace ermine::test
