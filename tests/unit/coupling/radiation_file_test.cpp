#include "support/radiation.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

/// States that a coupled run saves and goes on from.
namespace ermine {
namespace {

using test::coupled_case;
using test::refusal;
using test::steps_of;
using test::values_of;

TEST(RadiationFile, GoesOnFromAFileAsIfItHadNeverStopped) {
  const test::ScratchFolder folder;
  for (const CouplingOptions& how :
       {CouplingOptions{.interval = 1, .lag = 2},
        CouplingOptions{.interval = 3, .lag = 1, .extrapolate = true}}) {
    CoupledCase problem = coupled_case(how);
    problem.options.temporal = how.extrapolate ? Temporal::difference : Temporal::continued;
    Radiation through(problem);
    const auto expected = steps_of(through, 0, 11);
    Radiation before(problem);
    steps_of(before, 0, 6);
    before.save(folder.path() / "state.h5");
    // Saving does not disturb it.
    EXPECT_EQ(steps_of(before, 6, 11), std::vector(expected.begin() + 6, expected.end()));
    Radiation after(problem);
    after.load(folder.path() / "state.h5");
    EXPECT_EQ(values_of(after, Quantity::source), expected[5]);
    EXPECT_EQ(steps_of(after, 6, 11), std::vector(expected.begin() + 6, expected.end()));
    EXPECT_EQ(after.statistics().updates, through.statistics().updates);
  }
}

TEST(RadiationFile, RefusesFilesOfOtherRuns) {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "state.h5";
  CoupledCase problem = coupled_case();
  Radiation radiation(problem);
  steps_of(radiation, 0, 1);
  radiation.save(file);
  problem.options.seed = 7;
  Radiation other(problem);
  EXPECT_NE(refusal([&] { other.load(file); }).find("saved with seed 1"), std::string::npos);
  Radiation finer(coupled_case());
  const Axis axis = Axis::uniform(4, 0, 1);
  finer.set_grid({axis, axis, axis});
  EXPECT_NE(refusal([&] { finer.load(file); }).find("12 x 10 x 8"), std::string::npos);
  EXPECT_NE(refusal([&] { Radiation(coupled_case()).load(folder.path() / "none.h5"); }),
            "not refused");
}

TEST(RadiationFile, SaysWhichPartOfTheProblemIsAnother) {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "state.h5";
  CoupledCase problem = coupled_case();
  problem.options.rays_per_cell = 2;
  const auto saved = [&] {
    Radiation radiation(problem);
    steps_of(radiation, 0, 1);
    radiation.save(file);
  };
  const auto refused = [&](const CoupledCase& other, const std::string& part) {
    const std::string message = refusal([&] { Radiation(other).load(file); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("state.h5"), std::string::npos) << message;
  };
  problem.medium = GreyMedium(2.0);
  saved();
  Radiation(problem).load(file);
  CoupledCase other = problem;
  other.medium = GreyMedium(3.0);
  refused(other,
          "saved with absorption coefficient [1/m] 2, this run has absorption coefficient "
          "[1/m] 3");
  other.medium = coupled_case().medium;
  refused(other, "saved with gas (grey), this run has gas (list of 3 spectral points)");
  other = problem;
  other.walls[2].temperature = {123.0};
  refused(other, "another temperature of wall y_low");
  // Small beside a temperature, and another wall all the same.
  other = problem;
  other.walls[3].emissivity = {problem.walls[3].emissivity[0] - 1e-4};
  refused(other, "another emissivity of wall y_high");
  other = problem;
  auto axes = std::array{problem.grid->axis(0), problem.grid->axis(1), problem.grid->axis(2)};
  axes[2].faces[1] *= 1.01;
  other.grid = Grid(axes);
  refused(other, "another grid along z");

  const auto gas = [](double pressure, double fraction) {
    return GasMedium(pressure, {{Species::h2o, {fraction}}},
                     {.band_width_cm1 = 1000, .temperature = {300, 900, 1500}});
  };
  problem.medium = gas(1e5, 0.2);
  saved();
  Radiation(problem).load(file);
  other = problem;
  other.medium = gas(2e5, 0.2);
  refused(other, "pressure [Pa] 100000, this run has pressure [Pa] 200000");
  other.medium = gas(1e5, 0.3);
  refused(other, "amount of H2O");
}

/// Not in the flow code's time: a flipped bit of the state itself, which HDF5 would not notice.
TEST(RadiationFile, DamagedFilesAreRefused) {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "state.h5";
  CoupledCase problem = coupled_case();
  problem.options.rays_per_cell = 2;
  Radiation radiation(problem);
  steps_of(radiation, 0, 2);
  radiation.save(file);
  std::string bytes(std::filesystem::file_size(file), '\0');
  std::ifstream(file, std::ios::binary).read(bytes.data(), std::ssize(bytes));
  EXPECT_EQ(bytes, radiation.save_state());
  Radiation again(problem);
  again.load_state(bytes);
  for (std::size_t n = 0; n < 60; ++n) {
    std::string damaged = bytes;
    const std::size_t at = n * 7919 % bytes.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << n % 8));
    std::ofstream(file, std::ios::binary) << damaged;
    EXPECT_NE(refusal([&] { Radiation(problem).load(file); }), "not refused") << "byte " << at;
    EXPECT_NE(refusal([&] { Radiation(problem).load_state(damaged); }), "not refused");
  }
  std::ofstream(file, std::ios::binary) << bytes.substr(512);
  EXPECT_NE(refusal([&] { Radiation(problem).load(file); }).find("ermine 0.1"), std::string::npos);
}

/// All that there is of a solution, not the source alone.
TEST(RadiationFile, LoadsEveryQuantityBitForBit) {
  CoupledCase problem = coupled_case({.interval = 2, .lag = 1});
  Radiation before(problem);
  steps_of(before, 0, 3);
  const std::string state = before.save_state();
  Radiation after(problem);
  after.load_state(state);
  for (const Quantity quantity : {Quantity::source, Quantity::standard_error, Quantity::emission,
                                  Quantity::absorption, Quantity::emission_slope}) {
    EXPECT_EQ(values_of(before, quantity), values_of(after, quantity));
  }
  EXPECT_EQ(before.statistics().relative_error, after.statistics().relative_error);
  EXPECT_EQ(before.statistics().error, after.statistics().error);
}

/// Two solutions of four numbers and a byte: one in use, one that is not due yet.
TEST(RadiationFile, HasNoMoreThanIsNeeded) {
  CoupledCase problem = coupled_case();
  const Axis axis = Axis::uniform(16, 0, 1, Boundary::periodic);
  problem.grid = Grid({axis, axis, axis});
  problem.options.rays_per_cell = 2;
  problem.medium = GreyMedium(2.0);
  Radiation radiation(problem);
  steps_of(radiation, 0, 4);
  EXPECT_EQ(radiation.pending(), 1);
  const auto size = static_cast<double>(radiation.save_state().size());
  EXPECT_LT(size / static_cast<double>(problem.grid->cell_count()), 70);
}

}  // namespace
}  // namespace ermine
