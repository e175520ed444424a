#include "gpu/device_test.hpp"
#include "support/gas.hpp"
#include "support/problems.hpp"

#include <cuda_runtime_api.h>

namespace ermine {
namespace {

using test::solve_on_device;

class DeviceSolution : public test::DeviceTest {
 protected:
  Tracer tracer(Options options) const {
    options.backend = Backend::cuda;
    return Tracer(grid_, test::six_walls(grid_), test::h2o_co2(), options);
  }

  const Grid grid_{{Axis::stretched(13, 0, 1, 1.2), Axis::uniform(9, 0, 1),
                    Axis::uniform(10, 0, 1, Boundary::periodic)}};
  const std::vector<double> temperature_ = test::parabola_field(grid_);
};

void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.flux_divergence, b.flux_divergence);
  EXPECT_EQ(a.standard_error, b.standard_error);
  EXPECT_EQ(a.rays.crossings, b.rays.crossings);
  for (std::size_t side = 0; side < 6; ++side) {
    EXPECT_EQ(a.wall_flux[side].net_flux, b.wall_flux[side].net_flux);
  }
}

TEST_F(DeviceSolution, IsTheSameRunAfterRunAndHoweverTheWorkIsLaidOut) {
  for (const Method method : {Method::classic, Method::multigrid, Method::net}) {
    Options options{.rays_per_cell = 100, .rays_per_wall_face = 100, .batches = 7};
    set_method(options, method);
    const Tracer problem = tracer(options);
    const Result once = solve_on_device(problem, temperature_);
    expect_same_bits(once, solve_on_device(problem, temperature_));
    for (const int block : {32, 64, 96}) {
      for (const std::int64_t threads : {1, 3000, 1 << 20}) {
        expect_same_bits(once, solve_on_device(problem, temperature_, 0, {block, threads}));
      }
    }
  }
}

TEST_F(DeviceSolution, FromBlocksOfCellsIsTheSameHoweverTheWorkIsLaidOut) {
  const Grid grid = test::box_grid(18);
  const GasMedium steam(test::atmosphere, {{Species::h2o, {0.3}}}, test::coarse());
  Options options{.backend = Backend::cuda, .replicates = 5, .rays_per_cell = 500};
  options.rays_per_wall_face = 0;
  const Tracer problem(grid, test::enclosure(grid, test::wall(700)), steam, options);
  const auto temperature = test::parabola_field(grid);
  const Result once = solve_on_device(problem, temperature);
  EXPECT_GT(once.thin_below, 0.0);
  for (const int block : {32, 96}) {
    for (const std::int64_t threads : {1, 3000, 30000}) {
      const Result other = solve_on_device(problem, temperature, 0, {block, threads});
      expect_same_bits(once, other);
      EXPECT_EQ(once.ledger.gas.standard_error, other.ledger.gas.standard_error);
    }
  }
}

/// A flame and a smooth field: the GPU chooses as the CPU does.
TEST_F(DeviceSolution, ChoosesTheLevelsOfTheCpu) {
  const Grid grid({Axis::uniform(48, 0, 0.3), Axis::uniform(8, 0, 0.05, Boundary::periodic),
                   Axis::uniform(8, 0, 0.05, Boundary::periodic)});
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.1}}}, test::coarse());
  for (const double width : {0.05, 0.3}) {
    const auto temperature = test::evaluate(grid, [&](std::array<double, 3> at) {
      return 500 + 1500 * std::max(0.0, 1 - std::abs(at[0] - 0.15) / width);
    });
    std::vector<Result> found;
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      found.push_back(Tracer(grid, test::plates(grid, test::wall(500), test::wall(500)), gas,
                             {.backend = backend, .rays_per_cell = 64})
                          .solve(temperature));
    }
    EXPECT_EQ(found[0].levels, found[1].levels);
    EXPECT_EQ(found[0].steps_per_level, found[1].steps_per_level);
    EXPECT_EQ(found[0].wall_levels, found[1].wall_levels);
    EXPECT_EQ(found[0].wall_steps_per_level, found[1].wall_steps_per_level);
    EXPECT_NEAR(found[1].accuracy.bias.value, found[0].accuracy.bias.value,
                0.01 * found[0].accuracy.bias.value);
  }
}

TEST_F(DeviceSolution, SharesTheGpu) {
  // Random rays, which keep the GPU busy for longer than it takes to submit them; `ermine bench
  // coupling` says how long that is.
  const Tracer problem = tracer(test::classic({.rays_per_cell = 20000, .rays_per_wall_face = 100}));
  const Result first = problem.solve(temperature_, 1);
  const Result second = problem.solve(temperature_, 2);
  EXPECT_NE(first.flux_divergence, second.flux_divergence);
  Submission one = problem.submit(temperature_, 1);
  Submission two = problem.submit(temperature_, 2);
  expect_same_bits(first, one.wait());
  expect_same_bits(second, two.wait());
}

TEST_F(DeviceSolution, ReportsProgress) {
  std::vector<std::int64_t> done;
  std::int64_t total = 0;
  tracer(test::classic({.rays_per_cell = 64, .rays_per_wall_face = 64, .batches = 4}))
      .solve(temperature_, 0, [&](const Progress& progress) {
        done.push_back(progress.rays_done);
        total = progress.rays_total;
      });
  ASSERT_GE(done.size(), 2U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), total);
}

TEST_F(DeviceSolution, ReachesATarget) {
  Options options{.rays_per_wall_face = 0};
  options.target.error = 0.02;
  const Tracer problem = tracer(options);
  const Result result = problem.solve(temperature_);
  EXPECT_EQ(result.accuracy.stopped_by, StoppedBy::target);
  EXPECT_LE(result.accuracy.error, result.accuracy.target);
  expect_same_bits(result, problem.submit(temperature_).wait());
  options.target = {.error = 1e-6, .time_limit = 0.5};
  const Result late = tracer(options).solve(temperature_);
  EXPECT_EQ(late.accuracy.stopped_by, StoppedBy::time_limit);
  EXPECT_GT(late.accuracy.error, late.accuracy.target);
}

TEST_F(DeviceSolution, SaysWhenTheGpuHasTooLittleMemory) {
  const Grid grid = test::box_grid(128);
  const Tracer problem(grid, test::enclosure(grid, test::wall(500)), GreyMedium(1.0),
                       {.backend = Backend::cuda, .rays_per_cell = 2, .rays_per_wall_face = 0});
  const std::vector<double> temperature(grid.cell_count(), 700.0);
  solve_on_device(problem, temperature);
  cudaDeviceSynchronize();
  cudaMemPool_t pool{};
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  cudaMemPoolTrimTo(pool, 0);
  // Take all there is, down to the last few megabytes.
  std::vector<void*> hoard;
  for (std::size_t piece = std::size_t{1} << 36; piece >= (std::size_t{1} << 21); piece /= 2) {
    void* array = nullptr;
    while (cudaMalloc(&array, piece) == cudaSuccess) hoard.push_back(array);
    cudaGetLastError();
  }
  try {
    solve_on_device(problem, temperature);
    ADD_FAILURE() << "there was memory left";
  } catch (const Error& error) {
    test::expect_says(error, "the GPU has too little memory");
    test::expect_says(error, "use a coarser grid");
  }
  for (void* array : hoard) cudaFree(array);
  EXPECT_EQ(solve_on_device(problem, temperature).flux_divergence.size(), grid.cell_count());
}

TEST_F(DeviceSolution, SaysWhenRaysAreLost) {
  const Grid grid = test::box_grid(8);
  auto sides = test::enclosure(grid, test::wall(500, 0.0)).sides();
  sides[0].emissivity = {1.0};  // rays would end there
  const Tracer problem(grid, Walls(grid, sides), GreyMedium(1e-9),
                       {.backend = Backend::cuda,
                        .rays_per_cell = 100,
                        .rays_per_wall_face = 0,
                        .max_crossings = 20});
  try {
    solve_on_device(problem, std::vector<double>(grid.cell_count(), 700.0));
    ADD_FAILURE() << "no ray was lost";
  } catch (const Error& error) {
    test::expect_says(error, "rays were lost");
  }
}

TEST_F(DeviceSolution, IsChosenWhereThereIsAGpu) {
  const Tracer problem(grid_, test::six_walls(grid_), GreyMedium(1.0), {.rays_per_cell = 2});
  EXPECT_EQ(problem.backend(), Backend::cuda);
  const Result result = problem.solve(temperature_);
  EXPECT_EQ(result.device, devices().front().name);
  EXPECT_GT(result.device_memory, 0);
}

}  // namespace
}  // namespace ermine
