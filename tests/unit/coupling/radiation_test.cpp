#include "support/radiation.hpp"

#include <ermine/error.hpp>

#include "coupling/blocks.hpp"
#include "coupling/client_array.hpp"
#include "support/scratch.hpp"
#include "support/thread_ranks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace ermine {
namespace {

using test::coupled_case;
using test::flowing;
using test::refusal;
using test::steps_of;
using test::values_of;

TEST(Radiation, IsWhatTheTracerFinds) {
  const CoupledCase problem = coupled_case();
  const Grid& grid = *problem.grid;
  Radiation radiation(problem);
  const Tracer tracer = test::tracer_of(problem);
  for (std::uint32_t update = 0; update < 3; ++update) {
    const auto temperature = flowing(grid, update);
    radiation.submit(temperature.data());
    radiation.wait();
    const Result expected = tracer.solve(temperature, update);
    EXPECT_EQ(values_of(radiation, Quantity::source), expected.flux_divergence);
    EXPECT_EQ(values_of(radiation, Quantity::standard_error), expected.standard_error);
    EXPECT_EQ(values_of(radiation, Quantity::emission), expected.emission);
    EXPECT_EQ(values_of(radiation, Quantity::absorption), expected.absorption);
    std::vector<double> fluxes(grid.face_cell_count(Face::y_high));
    const std::array<std::int64_t, 2> shape{12, 8};
    EXPECT_EQ(radiation.wall_shape(Face::y_high), shape);
    radiation.get(WallQuantity::net_flux, Face::y_high, fluxes.data());
    EXPECT_EQ(fluxes, expected.wall_flux[3].net_flux);
  }
  EXPECT_EQ(radiation.statistics().updates, 3);
}

TEST(Radiation, SlopeOfTheEmissionIsItsDerivative) {
  CoupledCase problem = coupled_case();
  problem.medium = GreyMedium(2.0);
  Radiation radiation(problem);
  const auto temperature = flowing(*problem.grid, 0.3);
  radiation.submit(temperature.data());
  radiation.wait();
  const auto slope = values_of(radiation, Quantity::emission_slope);
  for (std::size_t i = 0; i < slope.size(); ++i) {
    const double exact = 16 * 2.0 * test::sigma * std::pow(temperature[i], 3);
    EXPECT_NEAR(slope[i], exact, 1e-3 * exact);
  }
}

TEST(Radiation, ScalesWhatHasNoUnits) {
  const CoupledCase problem = coupled_case();
  auto temperature = flowing(*problem.grid, 1.0);
  std::vector<float> theirs;
  for (double& kelvin : temperature) {
    theirs.push_back(static_cast<float>((kelvin - 300) / 50));
    kelvin = 300 + 50 * static_cast<double>(theirs.back());  // the same, not only nearly
  }
  Radiation plain(problem);
  Radiation scaled(problem);  // two in one process
  scaled.set_scaling({.offset = 300, .factor = 50, .source = 1e-3});
  plain.submit(temperature.data());
  scaled.submit(theirs.data());
  plain.wait();
  scaled.wait();
  for (const Quantity quantity : {Quantity::source, Quantity::emission_slope}) {
    const auto a = values_of(plain, quantity);
    const auto b = values_of(scaled, quantity);
    const double factor = quantity == Quantity::source ? 1e-3 : 50e-3;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_DOUBLE_EQ(b[i], factor * a[i]);
  }
}

TEST(Radiation, AdvancesWithAFixedLag) {
  const CoupledCase problem = coupled_case({.interval = 2, .lag = 3});
  Radiation radiation(problem);
  const auto seen = steps_of(radiation, 0, 8);
  const Tracer tracer = test::tracer_of(problem);
  const auto update = [&](std::uint32_t n) {
    return tracer.solve(flowing(*problem.grid, 0.2 * n), n).flux_divergence;
  };
  // Submitted at steps 0, 2, 4, ...; due at 0 (there is nothing before), 5, 7, ...
  const std::array<std::uint32_t, 8> expected{0, 0, 0, 0, 0, 1, 1, 2};
  for (std::size_t step = 0; step < expected.size(); ++step) {
    EXPECT_EQ(seen[step], update(expected[step])) << step;
  }
  EXPECT_EQ(radiation.statistics().steps, 8);
  EXPECT_EQ(radiation.statistics().updates, 4);
}

TEST(Radiation, ExtrapolatesFromTheLastTwoUpdates) {
  const CoupledCase problem = coupled_case({.interval = 2, .lag = 0, .extrapolate = true});
  Radiation radiation(problem);
  const auto seen = steps_of(radiation, 0, 4);
  EXPECT_EQ(seen[1], seen[0]);
  for (std::size_t i = 0; i < seen[0].size(); ++i) {
    EXPECT_DOUBLE_EQ(seen[3][i], seen[2][i] + 0.5 * (seen[2][i] - seen[0][i]));
  }
}

TEST(Radiation, TakesOverWhatIsReady) {
  const CoupledCase problem = coupled_case({.handover = Handover::when_ready});
  Radiation radiation(problem);
  const auto temperature = flowing(*problem.grid, 0);
  radiation.submit(temperature.data());
  while (!radiation.poll()) std::this_thread::yield();
  EXPECT_EQ(radiation.pending(), 1);
  radiation.wait();
  EXPECT_EQ(radiation.pending(), 0);
}

TEST(Radiation, CancelsWhatNobodyWants) {
  CoupledCase problem = coupled_case();
  problem.options.rays_per_cell = 1 << 16;  // would take a minute
  Radiation radiation(problem);
  const auto temperature = flowing(*problem.grid, 0);
  radiation.submit(temperature.data());
  radiation.submit(temperature.data());
  EXPECT_EQ(radiation.pending(), 2);
  radiation.cancel();
  EXPECT_EQ(radiation.pending(), 0);
  EXPECT_EQ(radiation.statistics().cancelled, 2);
  EXPECT_THROW(radiation.wait(), Error);
}

TEST(Radiation, InterruptedWaitsLeaveTheUpdatePending) {
  CoupledCase problem = coupled_case();
  problem.options.rays_per_cell = most_rays;  // for days
  Radiation radiation(problem);
  const auto temperature = flowing(*problem.grid, 0.0);
  int asked = 0;
  radiation.set_interrupt([&] { return ++asked % 2 == 0; });
  radiation.submit(temperature.data());
  for (const int times : {2, 4}) {
    EXPECT_THROW(radiation.wait(), Interrupted);
    EXPECT_EQ(asked, times);
    EXPECT_EQ(radiation.pending(), 1);
  }
  radiation.cancel();  // also within the rays of one cell
  EXPECT_EQ(radiation.pending(), 0);
}

TEST(Radiation, BlocksMayBeSetAfterFieldsWereGiven) {
  CoupledCase problem = coupled_case();
  problem.medium = GreyMedium(1.0);
  const Grid& grid = *problem.grid;
  const auto temperature = flowing(grid, 0.2);
  const auto absorption = flowing(grid, 3.0);
  Radiation alone(problem);
  alone.set_absorption(absorption.data());
  alone.submit(temperature.data());
  alone.wait();
  const auto expected = values_of(alone, Quantity::source);
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& team) {
    Radiation radiation(problem, Communicator(team));
    const Box thin_slab = cells_of(radiation.block());  // across z
    radiation.set_absorption(part_of(absorption, all_cells(grid), thin_slab).data());
    const int r = team->rank();
    radiation.set_block({{r == 0 ? 0 : 3, 0, 0}, {r == 0 ? 3 : 12, 10, 8}});
    const Box own = cells_of(radiation.block());
    radiation.submit(part_of(temperature, all_cells(grid), own).data());
    radiation.wait();
    EXPECT_EQ(values_of(radiation, Quantity::source), part_of(expected, all_cells(grid), own));
  });
}

TEST(Radiation, ParticlesMayFollowTheFlow) {
  CoupledCase problem = coupled_case();
  problem.medium = GreyMedium(1.0);
  problem.particles = {{"mist"}, {"coal", {0.2}}};
  const Grid& grid = *problem.grid;
  const auto temperature = flowing(grid, 0.2);
  std::vector<double> cloud = flowing(grid, 3.0);
  for (double& value : cloud) value /= 500;
  CoupledCase changed = problem;
  changed.particles[0].scattering = cloud;
  changed.particles[1].absorption = {0.5};
  const Result expected =
      Tracer(grid, Walls(grid, problem.walls), GreyMedium(1.5), {{cloud}}, problem.options)
          .solve(temperature);
  const auto solved = [&](Radiation& radiation, const Box& own) {
    radiation.submit(part_of(temperature, all_cells(grid), own).data());
    radiation.wait();
    return values_of(radiation, Quantity::source);
  };
  Radiation as_given(changed);
  EXPECT_EQ(solved(as_given, all_cells(grid)), expected.flux_divergence);
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& team) {
    Radiation radiation(problem, Communicator(team));
    const Box own = cells_of(radiation.block());
    radiation.set_particles("mist", ParticleProperty::scattering,
                            part_of(cloud, all_cells(grid), own).data());
    radiation.set_particles("coal", ParticleProperty::absorption, 0.5);
    EXPECT_EQ(solved(radiation, own), part_of(expected.flux_divergence, all_cells(grid), own));
  });
  const auto refused = [&](const char* name, double value) {
    return refusal([&] { as_given.set_particles(name, ParticleProperty::scattering, value); });
  };
  EXPECT_NE(refused("ash", 1.0).find("no particles \"ash\" in the medium (it has mist, coal)"),
            std::string::npos);
  EXPECT_NE(refused("mist", -1.0).find("scattering of particles \"mist\" is -1"),
            std::string::npos);
}

TEST(Radiation, ErrorsStayPositiveWhateverTheSignOfTheSource) {
  const CoupledCase problem = coupled_case();
  Radiation radiation(problem);
  radiation.set_scaling({.source = -2.0});
  radiation.submit(flowing(*problem.grid, 0).data());
  radiation.wait();
  const auto errors = values_of(radiation, Quantity::standard_error);
  EXPECT_GT(*std::min_element(errors.begin(), errors.end()), 0.0);
}

TEST(Radiation, CancelledUpdatesLeaveNoTrace) {
  CoupledCase problem = coupled_case();
  problem.options.temporal = Temporal::difference;
  std::vector<std::vector<double>> found;
  for (const bool done : {false, true}) {
    Radiation radiation(problem);
    radiation.submit(flowing(*problem.grid, 0).data());
    radiation.wait();
    radiation.submit(flowing(*problem.grid, 1).data());
    while (done && !radiation.poll()) std::this_thread::yield();
    radiation.cancel();
    radiation.submit(flowing(*problem.grid, 2).data());
    radiation.wait();
    found.push_back(values_of(radiation, Quantity::source));
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(Radiation, WaitsForNoMoreThanOneThatIsNotReady) {
  CoupledCase problem = coupled_case({.handover = Handover::when_ready});
  problem.options.rays_per_cell = 1 << 9;
  Radiation radiation(problem);
  for (int step = 0; step < 20; ++step) {
    radiation.advance(flowing(*problem.grid, 0.1 * step).data());
    EXPECT_LE(radiation.pending(), 1);
  }
}

TEST(Radiation, ReadySolutionsOfRanksNeedNoFlowSteps) {
  const CoupledCase problem = coupled_case({.handover = Handover::when_ready});
  const Grid& grid = *problem.grid;
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& team) {
    Radiation radiation(problem, Communicator(team));
    const auto own = part_of(flowing(grid, 0), all_cells(grid), cells_of(radiation.block()));
    radiation.submit(own.data());
    // Polls alone: however long the rays take, they need not wait for the next step.
    bool ready = false;
    for (int polls = 0; polls < 60'000 && !ready; ++polls) {
      ready = radiation.poll();
      if (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(ready);
    radiation.wait();
  });
}

TEST(Radiation, SaysWhatIsWrong) {
  const CoupledCase problem = coupled_case();
  Radiation radiation(problem);
  auto temperature = flowing(*problem.grid, 0);
  std::vector<double> q(temperature.size());
  EXPECT_NE(refusal([&] { radiation.get(Quantity::source, q.data()); }).find("no solution yet"),
            std::string::npos);
  EXPECT_NE(refusal([&] { radiation.wait(); }).find("nothing was submitted"), std::string::npos);
  temperature[5 + 12 * (3 + 10 * 2)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal([&] { radiation.submit(temperature.data()); }).find("cell x 5, y 3, z 2"),
            std::string::npos);
  EXPECT_NE(refusal([&] { radiation.submit(static_cast<double*>(nullptr)); }).find("null pointer"),
            std::string::npos);
  temperature[5 + 12 * (3 + 10 * 2)] = 500;
  radiation.submit(temperature.data());
  radiation.wait();
  EXPECT_NE(refusal([&] {
              radiation.set_block({{0, 0, 0}, {12, 10, 8}});
            }).find("cannot change"),
            std::string::npos);
  EXPECT_NE(refusal([&] { radiation.set_absorption(1.0); }).find("not grey"), std::string::npos);
  EXPECT_NE(refusal([&] { radiation.set_composition(Species::h2o, 0.1); }).find("no gas mixture"),
            std::string::npos);
  EXPECT_NE(refusal([&] { radiation.set_soot(1e-6); }).find("no soot in the medium"),
            std::string::npos);
  EXPECT_NE(refusal([&] { radiation.set_scaling({.factor = 0}); }).find("not 0"),
            std::string::npos);
  CoupledCase no_grid = problem;
  no_grid.grid.reset();
  EXPECT_NE(refusal([&] { Radiation(no_grid).submit(temperature.data()); }).find("set_grid"),
            std::string::npos);
}

/// A wall that was given must not get lost by another grid.
TEST(Radiation, WallsOnAxesThatBecomePeriodicAreRefused) {
  const CoupledCase problem = coupled_case();
  std::array<Axis, 3> axes;
  for (const std::size_t a : {0, 1, 2}) {
    axes[a] = problem.grid->axis(a);
    axes[a].boundary = Boundary::walled;
  }
  CoupledCase bare = problem;
  bare.walls = {};
  bare.grid.reset();
  std::array<Axis, 3> periodic = axes;
  periodic[0].boundary = Boundary::periodic;
  const auto refused = [&](Radiation& radiation) {
    const std::string message = refusal([&] { radiation.set_grid(periodic); });
    EXPECT_NE(message.find("x_low has a wall, but the axis is periodic"), std::string::npos)
        << message;
    EXPECT_NO_THROW(radiation.set_grid(axes));
  };
  CoupledCase with_walls = bare;
  for (Wall& wall : with_walls.walls) wall.temperature = {500.0};
  Radiation no_grid(with_walls);
  refused(no_grid);
  with_walls.grid = Grid(axes);
  Radiation with_grid(with_walls);
  refused(with_grid);
  Radiation second(bare);
  second.set_grid(axes);
  second.set_wall(Face::x_low, {.temperature = {500.0}});
  refused(second);
}

TEST(Radiation, ManyUpdatesLeaveNothingBehind) {
  CoupledCase problem = coupled_case();
  const Axis axis = Axis::uniform(2, 0, 1);
  problem.grid = Grid({axis, axis, axis});
  problem.options.rays_per_cell = 2;
  problem.options.rays_per_wall_face = 0;
  Radiation radiation(problem);
  const auto temperature = flowing(*problem.grid, 0);
  for (int cycle = 0; cycle < 1000; ++cycle) {  // under the leak sanitizer, too
    radiation.submit(temperature.data());
    radiation.wait();
  }
  EXPECT_EQ(radiation.statistics().updates, 1000);
}

/// Ways to share out the cells of the grid among so many.
std::vector<Block> split(const Grid& grid, int ranks, const std::string& how) {
  std::vector<Block> blocks;
  const auto n = [&](std::size_t a) { return static_cast<std::int64_t>(grid.cells(a)); };
  for (int r = 0; r < ranks; ++r) {
    Block block{{0, 0, 0}, {n(0), n(1), n(2)}};
    if (how == "slabs") {
      block.begin[0] = n(0) * r / ranks;
      block.end[0] = n(0) * (r + 1) / ranks;
    } else if (how == "pencils") {  // two along y, the rest along z
      const int rows = ranks % 2 == 0 ? 2 : 1;
      const int columns = ranks / rows;
      block.begin[1] = n(1) * (r % rows) / rows;
      block.end[1] = n(1) * (r % rows + 1) / rows;
      block.begin[2] = n(2) * (r / rows) / columns;
      block.end[2] = n(2) * (r / rows + 1) / columns;
      block.order = {2, 0, 1};
      block.halo_below = {1, 2, 0};
      block.halo_above = {0, 1, 3};
    } else {  // one plane, two planes, the rest
      block.begin[2] = std::min<std::int64_t>(r, n(2));
      block.end[2] = r + 1 == ranks ? n(2) : r + 1;
    }
    blocks.push_back(block);
  }
  return blocks;
}

/// Errors contain the bias of the levels where it is measured: not with parts of the field.
void expect_same(const EnergyBalance& one, const EnergyBalance& other, bool with_errors) {
  EXPECT_EQ(one.gas.value, other.gas.value);
  EXPECT_EQ(one.sum.value, other.sum.value);
  EXPECT_EQ(one.exchanged, other.exchanged);
  for (std::size_t face = 0; face < 6; ++face) {
    EXPECT_EQ(one.walls[face].value, other.walls[face].value);
    if (with_errors) {
      EXPECT_EQ(one.walls[face].standard_error, other.walls[face].standard_error);
    }
  }
  if (with_errors) {
    EXPECT_EQ(one.gas.standard_error, other.gas.standard_error);
  }
}

TEST(Radiation, RanksAndBlocksDoNotChangeABit) {
  const test::ScratchFolder folder;
  CoupledCase problem = coupled_case({.lag = 2});
  const Grid& grid = *problem.grid;
  problem.options.temporal = Temporal::difference;  // state that updates leave to each other, too
  Radiation with_history(problem);
  const auto with_differences = steps_of(with_history, 0, 6);
  problem.options.temporal = Temporal::continued;
  problem.options.levels = 0;  // with parts of the field none can be chosen
  Radiation alone(problem);
  const auto continued = steps_of(alone, 0, 6);
  for (const auto& [ranks, field] :
       {std::pair{2, FieldMode::replicated}, std::pair{3, FieldMode::replicated},
        std::pair{4, FieldMode::replicated}, std::pair{2, FieldMode::distributed},
        std::pair{3, FieldMode::distributed}, std::pair{4, FieldMode::distributed}}) {
    const bool distributed = field == FieldMode::distributed;
    problem.coupling.field = field;
    problem.options.temporal = distributed ? Temporal::continued : Temporal::difference;
    problem.options.levels = distributed ? 0 : automatic_levels;
    const auto& expected = distributed ? continued : with_differences;
    const EnergyBalance balance = distributed ? alone.balance() : with_history.balance();
    EXPECT_GT(balance.exchanged, 0);
    for (const std::string how : {"slabs", "pencils", "uneven"}) {
      const auto blocks = split(grid, ranks, how);
      test::ThreadTeam::run(ranks, [&](const std::shared_ptr<Ranks>& team) {
        const Block& block = blocks[static_cast<std::size_t>(team->rank())];
        const ClientArray array(block);
        const auto file = folder.path() / fmt::format("{}{}.h5", how, ranks);
        auto radiation = std::make_unique<Radiation>(problem, Communicator(team));
        radiation->set_block(block);
        for (int step = 0; step < 6; ++step) {
          if (step == 2) {  // a restart on the way, too
            radiation->save(file);
            radiation = std::make_unique<Radiation>(problem, Communicator(team));
            radiation->set_block(block);
            radiation->load(file);
            radiation->save(file);  // at once, as it was loaded
            radiation = std::make_unique<Radiation>(problem, Communicator(team));
            radiation->set_block(block);
            radiation->load(file);
          }
          const auto own = part_of(flowing(grid, 0.1 * step), all_cells(grid), cells_of(block));
          std::vector<double> theirs(array.size(), std::numeric_limits<double>::quiet_NaN());
          array.write(std::span<const double>(own), 1.0, theirs.data());
          radiation->advance(theirs.data());
          EXPECT_EQ(
              array.read(values_of(*radiation, Quantity::source).data()),
              part_of(expected[static_cast<std::size_t>(step)], all_cells(grid), cells_of(block)));
        }
        // Of the whole grid, on all ranks.
        expect_same(radiation->balance(), balance, !distributed);
      });
    }
  }
}

TEST(Radiation, OneThatFailsStopsAll) {
  const CoupledCase problem = coupled_case();
  const Grid& grid = *problem.grid;
  std::array<std::string, 3> said;
  test::ThreadTeam::run(3, [&](const std::shared_ptr<Ranks>& team) {
    Radiation radiation(problem, Communicator(team));
    auto own = part_of(flowing(grid, 0), all_cells(grid), cells_of(radiation.block()));
    if (team->rank() == 2) own[7] = -5;
    said[static_cast<std::size_t>(team->rank())] = refusal([&] { radiation.submit(own.data()); });
  });
  for (const std::string& message : said) {
    EXPECT_NE(message.find("temperature is -5 K"), std::string::npos);
    EXPECT_NE(message.find("(rank 2 of 3)"), std::string::npos);
  }
}

TEST(Radiation, BlocksThatDoNotCoverTheGridAreRefusedByAll) {
  const CoupledCase problem = coupled_case();
  std::array<std::string, 2> said;
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& team) {
    Radiation radiation(problem, Communicator(team));
    Block block{{0, 0, 4 * team->rank()}, {12, 10, 4 * team->rank() + 4}};
    if (team->rank() == 1) block.end[0] = 11;
    said[static_cast<std::size_t>(team->rank())] = refusal([&] { radiation.set_block(block); });
  });
  for (const std::string& message : said) {
    EXPECT_NE(message.find("cells x 11, y 0 to 9, z 4 to 7"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace ermine
