#include "transport/accuracy/check_result.hpp"

#include <ermine/error.hpp>
#include <ermine/medium.hpp>
#include <ermine/output.hpp>

#include "coupling/client_array.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ermine {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// 3 x 2 x 2 cells, walls across x.
Grid small_grid() {
  return Grid({Axis::uniform(3, 0, 3), Axis::uniform(2, 0, 2, Boundary::periodic),
               Axis::uniform(2, 0, 2, Boundary::periodic)});
}

/// All there is, and all of it finite.
Result good_result(const Grid& grid) {
  Result result;
  for (auto* field : {&result.flux_divergence, &result.standard_error, &result.emission,
                      &result.absorption, &result.emission_slope}) {
    field->assign(grid.cell_count(), 1.0);
  }
  for (const std::size_t side : {0, 1}) {
    result.wall_flux[side] = {{1, 2, 3, 4}, {1, 1, 1, 1}, {10, 1}};
  }
  return result;
}

std::string refusal(const Grid& grid, const Result& result) {
  try {
    check_result(grid, result, 2);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckResult, LetsNumbersPass) {
  const Grid grid = small_grid();
  EXPECT_EQ(refusal(grid, good_result(grid)), "");
  EXPECT_EQ(refusal(grid, Result()), "");
}

TEST(CheckResult, NamesQuantityAndCell) {
  const Grid grid = small_grid();
  const std::array<std::pair<std::vector<double> Result::*, const char*>, 5> fields{
      {{&Result::flux_divergence, "Q is"},
       {&Result::standard_error, "standard error of Q is"},
       {&Result::emission, "emission is"},
       {&Result::absorption, "absorption is"},
       {&Result::emission_slope, "slope of the emission is"}}};
  for (const auto& [field, name] : fields) {
    for (const double value : {nan_value, infinite, -infinite}) {
      Result result = good_result(grid);
      (result.*field)[10] = value;
      (result.*field)[11] = nan_value;  // the first is told
      const std::string words = std::isnan(value) ? " not a number" : " infinite";
      EXPECT_EQ(
          refusal(grid, result)
              .rfind(name + words + " at x = 1.5, y = 1.5, z = 1.5 (cell 10), which is no answer; ",
                     0),
          0u)
          << refusal(grid, result);
    }
  }
}

TEST(CheckResult, NamesWallFacesAndTotals) {
  const Grid grid = small_grid();
  const auto refused = [&](auto&& spoil) {
    Result result = good_result(grid);
    spoil(result);
    const std::string message = refusal(grid, result);
    return message.substr(0, message.find(", which is no answer"));
  };
  EXPECT_EQ(refused([](Result& r) { r.wall_flux[1].net_flux[2] = nan_value; }),
            "net flux of wall x_high is not a number at x = 3, y = 0.5, z = 1.5 (face cell 2)");
  EXPECT_EQ(refused([](Result& r) { r.wall_flux[0].standard_error[3] = infinite; }),
            "standard error of the net flux of wall x_low is infinite at x = 0, y = 1.5, z = 1.5 "
            "(face cell 3)");
  EXPECT_EQ(refused([](Result& r) { r.wall_flux[0].heat.value = nan_value; }),
            "heat lost by wall x_low is not a number");
  EXPECT_EQ(refused([](Result& r) { r.ledger.gas.standard_error = infinite; }),
            "standard error of heat lost by the gas is infinite");
  EXPECT_EQ(refused([](Result& r) { r.ledger.walls.value = infinite; }),
            "heat lost by the walls is infinite");
  EXPECT_EQ(refused([](Result& r) { r.ledger.total.value = nan_value; }),
            "sum of what gas and walls lose is not a number");
  EXPECT_EQ(refused([](Result& r) { r.accuracy.error = nan_value; }),
            "error of Q over all cells is not a number");
  EXPECT_EQ(refused([](Result& r) { r.accuracy.bias.value = nan_value; }),
            "bias of the levels of detail is not a number");
  EXPECT_EQ(refused([](Result& r) { r.accuracy.mesh.error.value = nan_value; }),
            "error from the size of cells is not a number");
  EXPECT_EQ(refused([](Result& r) { r.thickest_cell = infinite; }),
            "optical thickness of a cell is infinite");
}

TEST(CheckResult, NothingElseIsWritten) {
  const Grid grid = small_grid();
  const Walls walls = test::plates(grid, test::wall(300), test::wall(300));
  OutputOptions output;
  output.directory = testing::TempDir();
  output.name = "not_written";
  const std::vector<double> temperature(grid.cell_count(), 500.0);
  const Case problem{"", "", grid, walls, GreyMedium(1.0), temperature, {}, output, {}, {}};
  Result result = good_result(grid);
  result.flux_divergence[3] = nan_value;
  EXPECT_THROW(write_output(problem, result), Error);
}

TEST(Media, RefuseWhatSinglePrecisionCannotMultiply) {
  for (const double k : {nan_value, infinite, -1.0, 1e13, 1e300}) {
    EXPECT_THROW(GreyMedium{k}, Error) << k;
    EXPECT_THROW(SpectralList({300, 100, 2}, {1.0, k}, {1.0, 1.0}), Error) << k;
  }
  EXPECT_THROW(SpectralList({300, 100, 2}, {1.0, 1.0}, {1.0, 1e16}), Error);
  EXPECT_NO_THROW(GreyMedium{1e12});
  EXPECT_NO_THROW(GreyMedium{1e-310});
}

TEST(ClientArray, RefusesWhatItsNumbersCannotHold) {
  const ClientArray array(Block{{0, 0, 0}, {2, 1, 1}, {}, {}, {0, 1, 2}});
  const std::vector<double> values{1.0, -1e30};
  std::array<float, 2> narrow{};
  std::array<double, 2> wide{};
  array.write(values, 1.0, narrow.data());
  EXPECT_EQ(narrow[1], -1e30f);
  EXPECT_THROW(array.write(values, 1e9, narrow.data()), Error);
  array.write(values, 1e9, wide.data());
  EXPECT_EQ(wide[1], 1e9 * -1e30);
  EXPECT_THROW(array.write(values, -1e300, wide.data()), Error);
}

}  // namespace
}  // namespace ermine
