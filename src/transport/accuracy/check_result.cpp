#include "transport/accuracy/check_result.hpp"

#include "core/check.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace ermine {
namespace {

constexpr std::string_view advice =
    "which is no answer; try solver.precision = \"double\" (Options::precision), and look for "
    "extreme values there: absorption coefficients, mole fractions, temperatures or widths of "
    "cells that are many orders of magnitude from those around them";

const char* kind_of(double value) { return std::isnan(value) ? "not a number" : "infinite"; }

/// Number of the first value that is not finite; how many there are: none.
std::size_t first_refused(std::span<const double> values, int threads) {
  constexpr std::size_t many_values = 4096;
  std::size_t refused = values.size();
#pragma omp parallel for schedule(static) num_threads(threads) \
    reduction(min                                              \
              : refused) if (values.size() >= many_values)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) refused = std::min(refused, i);
  }
  return refused;
}

void check_cells(const Grid& grid, std::string_view what, std::span<const double> values,
                 int threads) {
  const std::size_t i = first_refused(values, threads);
  if (i == values.size()) return;
  const auto at = grid.centre(i);
  fail("{} is {} at x = {:.6g}, y = {:.6g}, z = {:.6g} (cell {}), {}", what, kind_of(values[i]),
       at[0], at[1], at[2], i, advice);
}

void check_face_cells(const Grid& grid, Face face, std::string_view what,
                      std::span<const double> values, int threads) {
  const std::size_t i = first_refused(values, threads);
  if (i == values.size()) return;
  const auto at = grid.face_cell_centre(face, i);
  fail("{} of wall {} is {} at x = {:.6g}, y = {:.6g}, z = {:.6g} (face cell {}), {}", what,
       name_of(face), kind_of(values[i]), at[0], at[1], at[2], i, advice);
}

void check_total(std::string_view what, const Estimate& total) {
  ERMINE_REQUIRE(std::isfinite(total.value), "{} is {}, {}", what, kind_of(total.value), advice);
  ERMINE_REQUIRE(std::isfinite(total.standard_error), "standard error of {} is {}, {}", what,
                 kind_of(total.standard_error), advice);
}

}  // namespace

void check_result(const Grid& grid, const Result& result, int threads) {
  check_cells(grid, "emission", result.emission, threads);
  check_cells(grid, "slope of the emission", result.emission_slope, threads);
  check_cells(grid, "Q", result.flux_divergence, threads);
  check_cells(grid, "standard error of Q", result.standard_error, threads);
  check_cells(grid, "absorption", result.absorption, threads);
  for (const Face face : all_faces) {
    const WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    check_face_cells(grid, face, "net flux", wall.net_flux, threads);
    check_face_cells(grid, face, "standard error of the net flux", wall.standard_error, threads);
    check_total(fmt::format("heat lost by wall {}", name_of(face)), wall.heat);
  }
  check_total("heat lost by the gas", result.ledger.gas);
  check_total("heat lost by the walls", result.ledger.walls);
  check_total("sum of what gas and walls lose", result.ledger.total);
  const Accuracy& accuracy = result.accuracy;
  check_total("error of Q over all cells", {accuracy.error, accuracy.standard_error});
  check_total("bias of the levels of detail", accuracy.bias);
  check_total("error from the size of cells", accuracy.mesh.error);
  ERMINE_REQUIRE(std::isfinite(result.thickest_cell), "optical thickness of a cell is {}, {}",
                 kind_of(result.thickest_cell), advice);
}

}  // namespace ermine
