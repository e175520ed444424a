#include <ermine/output.hpp>

#include "support/problems.hpp"
#include "support/same_bits.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ermine {
namespace {

std::vector<double> swirl(const Grid& grid) {
  return test::evaluate(grid, [](std::array<double, 3> at) {
    return 600 + 300 * std::sin(4 * at[0]) * at[1] + 200 * at[2] * at[2];
  });
}

using test::expect_same_bits;

TEST(Invariance, ThreadsDoNotChangeABit) {
  const Grid grid = test::box_grid(9);
  const auto temperature = swirl(grid);
  for (const Method method : test::both_methods) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const auto solve = [&](int threads) {
        return Tracer(grid, test::six_walls(grid), test::three_points(),
                      test::with_method(method, {.backend = Backend::cpu,
                                                 .rays_per_cell = 100,
                                                 .rays_per_wall_face = 50,
                                                 .precision = precision,
                                                 .threads = threads}))
            .solve(temperature);
      };
      const Result one = solve(1);
      expect_same_bits(one, solve(2));
      expect_same_bits(one, solve(8));
    }
  }
}

TEST(Invariance, SeedAndUpdateDrawFreshRays) {
  const Grid grid = test::box_grid(4);
  const auto temperature = swirl(grid);
  for (const Method method : test::both_methods) {
    const auto solve = [&](std::uint64_t seed, std::uint32_t update) {
      return Tracer(grid, test::six_walls(grid), GreyMedium(1.0),
                    test::with_method(
                        method, {.rays_per_cell = 50, .rays_per_wall_face = 50, .seed = seed}))
          .solve(temperature, update);
    };
    expect_same_bits(solve(1, 3), solve(1, 3));
    const Result first = solve(1, 0);
    for (const Result& other : {solve(2, 0), solve(1, 1)}) {
      for (std::size_t i = 0; i < grid.cell_count(); ++i) {
        EXPECT_NE(first.flux_divergence[i], other.flux_divergence[i]);
      }
    }
  }
}

TEST(Invariance, BatchesDoNotChangeTheMean) {
  const Grid grid = test::box_grid(3);
  const auto temperature = swirl(grid);
  const auto mean = [&](int batches) {
    return Tracer(grid, test::six_walls(grid), GreyMedium(1.0),
                  test::classic({.rays_per_cell = 200, .batches = batches}))
        .solve(temperature)
        .flux_divergence;
  };
  const auto few = mean(2), many = mean(50), uneven = mean(37);
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    EXPECT_NEAR(few[i], many[i], 1e-9 * std::abs(few[i]));
    EXPECT_NEAR(few[i], uneven[i], 1e-9 * std::abs(few[i]));
  }
}

TEST(Invariance, SinglePrecisionFollowsDouble) {
  const Grid grid = test::box_grid(8);
  const auto temperature = swirl(grid);
  for (const Method method : test::both_methods) {
    const auto solve = [&](Precision precision) {
      return Tracer(grid, test::six_walls(grid), GreyMedium(1.0),
                    test::with_method(
                        method,
                        {.termination = Termination::cutoff,  // luck in the roulette is another
                         .rays_per_cell = 200,
                         .rays_per_wall_face = 200,
                         .precision = precision}))
          .solve(temperature);
    };
    const Result low = solve(Precision::single_precision);
    const Result high = solve(Precision::double_precision);
    const double scale = test::largest_magnitude(high.flux_divergence);
    for (std::size_t i = 0; i < grid.cell_count(); ++i) {
      // Same rays; a ray that grazes an edge may fall into the other cell.
      EXPECT_NEAR(low.flux_divergence[i], high.flux_divergence[i], 1e-4 * scale);
    }
  }
}

TEST(Invariance, StretchedGridGivesTheSameProfile) {
  // The same slab on a fine uniform and on a coarser stretched grid.
  const auto lateral = Axis::uniform(4, 0, 1, Boundary::periodic);
  const Axis stretched = Axis::stretched(48, 0, 1, 1.2);
  const Grid fine({Axis::uniform(96, 0, 1), lateral, lateral});
  const Grid other({stretched, lateral, lateral});
  const auto profile = [](const Grid& grid) {
    const auto temperature = test::parabola_field(grid);
    const Tracer tracer(grid, test::plates(grid, test::wall(500), test::wall(500)), GreyMedium(1.0),
                        test::classic({.rays_per_cell = 3000, .rays_per_wall_face = 2}));
    return plane_average(grid, temperature, tracer.solve(temperature), 0);
  };
  const Profile a = profile(fine), b = profile(other);
  const double scale = test::largest_magnitude(a.flux_divergence);
  for (std::size_t i = 0; i < b.coordinate.size(); ++i) {
    // Linear between the two nearest of the 96 cells, beyond the outermost centres too.
    const double position = b.coordinate[i] * 96 - 0.5;
    const auto j = static_cast<std::size_t>(std::clamp(position, 0.0, 94.0));
    const double fraction = position - static_cast<double>(j);
    const double interpolated =
        (1 - fraction) * a.flux_divergence[j] + fraction * a.flux_divergence[j + 1];
    const double error = std::hypot(a.standard_error[j], b.standard_error[i]);
    EXPECT_NEAR(b.flux_divergence[i], interpolated, 4 * error + 0.0005 * scale);
  }
}

TEST(Invariance, PermutingAxesPermutesTheAnswer) {
  const auto field = [](std::array<double, 3> at) {
    return 500 + 400 * at[0] + 200 * at[1] * at[2];
  };
  const Axis x = Axis::uniform(6, 0, 1), y = Axis::stretched(5, 0, 2, 1.0);
  const Axis z = Axis::uniform(4, 0, 1, Boundary::periodic);
  const Grid original({x, y, z}), rotated({z, x, y});
  const Wall a = test::wall(400), b = test::wall(900, 0.5), c = test::wall(600, 0.2),
             d = test::wall(700, 0.6, Reflection::specular);
  const Options options = test::classic({.rays_per_cell = 4000, .rays_per_wall_face = 1000});
  const Result one =
      Tracer(original, Walls(original, {a, b, c, d, Wall{}, Wall{}}), GreyMedium(1.0), options)
          .solve(test::evaluate(original, field));
  const Result two =
      Tracer(rotated, Walls(rotated, {Wall{}, Wall{}, a, b, c, d}), GreyMedium(1.0), options)
          .solve(test::evaluate(rotated, [&](std::array<double, 3> at) {
            return field({at[1], at[2], at[0]});
          }));
  double squares = 0.0;
  for (std::size_t cell = 0; cell < original.cell_count(); ++cell) {
    const auto [i, j, k] = original.index(cell);
    const std::size_t turned = k + 4 * (i + 6 * j);
    const double error = std::hypot(one.standard_error[cell], two.standard_error[turned]);
    const double score = (one.flux_divergence[cell] - two.flux_divergence[turned]) / error;
    EXPECT_LT(std::abs(score), 5) << cell;
    squares += score * score;
  }
  const double count = static_cast<double>(original.cell_count());
  EXPECT_NEAR(squares / count, 1.07, 5 * std::sqrt(2 / count));
}

}  // namespace
}  // namespace ermine
