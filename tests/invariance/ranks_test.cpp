#include "support/gas.hpp"
#include "support/problems.hpp"
#include "support/same_bits.hpp"
#include "support/thread_ranks.hpp"
#include "transport/run/solving.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

std::vector<double> waves(const Grid& grid) {
  return test::evaluate(grid, [](std::array<double, 3> at) {
    return 700 + 250 * std::sin(4 * at[0]) * std::cos(3 * at[1]) + 200 * at[2] * at[2];
  });
}

/// What so many ranks find together, each of them.
std::vector<Result> solve_by(int size, const Tracer& tracer,
                             const std::vector<double>& temperature) {
  std::vector<Result> results(static_cast<std::size_t>(size));
  test::ThreadTeam::run(size, [&](const std::shared_ptr<Ranks>& ranks) {
    results[static_cast<std::size_t>(ranks->rank())] =
        solve(tracer, temperature, {.update = 2, .ranks = ranks.get(), .emission_slope = true});
  });
  return results;
}

void expect_same_by_ranks(const Tracer& tracer, const std::vector<double>& temperature) {
  const Result alone = tracer.solve(temperature, 2);
  for (const int size : {2, 3, 4}) {
    for (const Result& result : solve_by(size, tracer, temperature)) {
      test::expect_same_bits(alone, result);
      EXPECT_EQ(alone.accuracy.error, result.accuracy.error);
      EXPECT_EQ(alone.accuracy.mesh.error.value, result.accuracy.mesh.error.value);
      EXPECT_EQ(alone.tile_correlation, result.tile_correlation);
    }
  }
}

TEST(Ranks, DoNotChangeABit) {
  const Grid grid({Axis::uniform(9, 0, 1), Axis::stretched(7, 0, 1, 1.5),
                   Axis::uniform(6, 0, 1, Boundary::periodic)});
  for (const Method method : {Method::classic, Method::sorted, Method::multigrid, Method::net}) {
    expect_same_by_ranks(Tracer(grid, test::six_walls(grid), test::three_points(),
                                test::with_method(method, {.backend = Backend::cpu,
                                                           .rays_per_cell = 64,
                                                           .rays_per_wall_face = 32,
                                                           .threads = 1})),
                         waves(grid));
  }
}

TEST(Ranks, DoNotChangeSootAmongGases) {
  const Grid grid = test::box_grid(7);
  std::vector<double> soot;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    soot.push_back(1e-7 * static_cast<double>(i * i % 13));
  }
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.2}}, {Species::co2, {0.1}}},
                      test::coarse(), Soot{soot});
  for (const Method method : {Method::classic, Method::net}) {
    expect_same_by_ranks(Tracer(grid, test::six_walls(grid), gas,
                                test::with_method(method, {.backend = Backend::cpu,
                                                           .rays_per_cell = 64,
                                                           .rays_per_wall_face = 32,
                                                           .threads = 1})),
                         waves(grid));
  }
}

TEST(Ranks, DoNotChangeTheChoiceOfLevels) {
  const Grid grid({Axis::uniform(40, 0, 1), Axis::uniform(8, 0, 0.2, Boundary::periodic),
                   Axis::uniform(8, 0, 0.2, Boundary::periodic)});
  const Tracer tracer(
      grid, test::plates(grid, test::wall(400), test::wall(900)), test::three_points(),
      {.backend = Backend::cpu, .rays_per_cell = 16, .rays_per_wall_face = 16, .threads = 1});
  const Result alone = tracer.solve(waves(grid), 2);
  EXPECT_GT(alone.rays.traced, 100'000);  // most of them chose
  expect_same_by_ranks(tracer, waves(grid));
  for (const Result& result : solve_by(3, tracer, waves(grid))) {
    EXPECT_EQ(result.levels, alone.levels);
    EXPECT_EQ(result.steps_per_level, alone.steps_per_level);
    EXPECT_EQ(result.wall_levels, alone.wall_levels);
    EXPECT_EQ(result.wall_steps_per_level, alone.wall_steps_per_level);
  }
}

TEST(Ranks, DoNotChangeThinStarts) {
  const Grid grid = test::box_grid(16);
  const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(),
                      {.backend = Backend::cpu,
                       .levels = 0,
                       .rays_per_cell = 32,
                       .rays_per_wall_face = 16,
                       .threads = 1});
  ASSERT_GT(tracer.solve(waves(grid), 2).thin_below, 0.0);
  expect_same_by_ranks(tracer, waves(grid));
}

TEST(Ranks, DoNotChangeUpdatesThatAreDifferences) {
  const Grid grid = test::box_grid(16);
  const Options options{.backend = Backend::cpu,
                        .temporal = Temporal::difference,
                        .rays_per_cell = 16,
                        .rays_per_wall_face = 16,
                        .threads = 1};
  const auto walls = test::enclosure(grid, test::wall(400));
  auto moved = waves(grid);
  for (double& kelvin : moved) kelvin += 20;
  const auto updates = [&](const Communicator& some) {
    const Tracer tracer(grid, walls, test::three_points(), options, some);
    History history;
    tracer.solve(waves(grid), 0, history);
    return tracer.solve(moved, 1, history);
  };
  const Result alone = updates({});
  for (const int size : {2, 3}) {
    test::ThreadTeam::run(size, [&](const std::shared_ptr<Ranks>& ranks) {
      test::expect_same_bits(alone, updates(Communicator(ranks)));
    });
  }
}

/// One spectral point, the thicker the colder the gas is.
SpectralList one_point() {
  constexpr std::size_t nodes = 201;
  std::vector<double> absorption;
  std::vector<double> blackbody;
  for (std::size_t node = 0; node < nodes; ++node) {
    const double t = 10.0 * static_cast<double>(node);
    absorption.push_back(2.7 * (1.5 - t / 2000));
    blackbody.push_back(test::intensity(t));
  }
  return SpectralList({0.0, 10.0, nodes}, absorption, blackbody);
}

TEST(Ranks, DoNotChangeDifferencesWhereThinStartsComeAndGo) {
  const Grid grid = test::box_grid(16);
  const Options options{.backend = Backend::cpu,
                        .temporal = Temporal::difference,
                        .rays_per_cell = 16,
                        .rays_per_wall_face = 0,
                        .threads = 1};
  const auto walls = test::enclosure(grid, test::wall(400));
  const auto updates = [&](const Communicator& some) {
    const Tracer tracer(grid, walls, one_point(), options, some);
    History history;
    std::vector<Result> results;
    for (const double shift : {700.0, -400.0, 700.0, 690.0}) {
      auto temperature = waves(grid);
      for (double& kelvin : temperature) kelvin = 700 + 0.1 * (kelvin - 700) + shift;
      results.push_back(
          tracer.solve(temperature, static_cast<std::uint32_t>(results.size()), history));
    }
    return results;
  };
  const auto alone = updates({});
  EXPECT_GT(alone[0].thin_below, 0.0);
  EXPECT_EQ(alone[1].thin_below, 0.0);
  for (const int size : {2, 3}) {
    test::ThreadTeam::run(size, [&](const std::shared_ptr<Ranks>& ranks) {
      const auto shared = updates(Communicator(ranks));
      for (std::size_t i = 0; i < alone.size(); ++i) test::expect_same_bits(alone[i], shared[i]);
    });
  }
}

TEST(Ranks, DoNotChangeTheWayToATarget) {
  const Grid grid = test::box_grid(16);
  for (const bool unbiased : {false, true}) {
    expect_same_by_ranks(Tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(),
                                {.backend = Backend::cpu,
                                 .target = {.error = 0.03},
                                 .unbiased = unbiased,
                                 .estimate_mesh_error = !unbiased,
                                 .rays_per_wall_face = 16,
                                 .threads = 1}),
                         waves(grid));
  }
}

TEST(Ranks, MoreThanThereIsWorkFor) {
  const Grid grid = test::box_grid(2);
  const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), GreyMedium(1.0),
                      {.backend = Backend::cpu, .rays_per_cell = 16, .threads = 1});
  const Result alone = tracer.solve(waves(grid), 2);
  for (const Result& result : solve_by(5, tracer, waves(grid))) {
    test::expect_same_bits(alone, result);
  }
}

}  // namespace
}  // namespace ermine
