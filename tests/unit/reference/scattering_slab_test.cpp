#include "reference/scattering_slab.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ermine::reference {
namespace {

std::vector<double> faces(int cells) {
  std::vector<double> list;
  for (int i = 0; i <= cells; ++i) list.push_back(static_cast<double>(i) / cells);
  return list;
}

TEST(ScatteringSlab, WithoutScatteringIsTheExactSlab) {
  const Slab slab{0.0, 1.0, {1.0, 0.4}};
  const SlabPoint point{
      [](double x) { return 0.5 + x; }, [](double x) { return 2 + std::sin(3 * x); }, {1.0, 4.0}};
  const auto cells = faces(12);
  const auto exact = solve_slab_cells(slab, {&point, 1}, cells);
  const auto found =
      solve_scattering_slab(slab, {&point, 1}, {[](double) { return 0.0; }}, cells, {64, 32});
  for (std::size_t i = 0; i < exact.flux_divergence.size(); ++i) {
    EXPECT_NEAR(found.flux_divergence[i], exact.flux_divergence[i], 3e-4);
  }
  for (const std::size_t wall : {0, 1}) {
    EXPECT_NEAR(found.wall_flux[wall], exact.wall_flux[wall], 3e-4);
  }
}

// M. A. Heaslet & R. F. Warming, Int. J. Heat Mass Transfer 8, 979 (1965). What turns light ahead
// lets through about as much as (1 - g) of what turns it anywhere.
TEST(ScatteringSlab, LetsThroughWhatPlatesExchange) {
  const Slab slab{0.0, 1.0, {1.0, 1.0}};
  const SlabPoint point{
      [](double) { return 0.0; }, [](double) { return 0.0; }, {1 / std::numbers::pi, 0.0}};
  for (const auto& [depth, flux] : {std::pair{0.1, 0.9157}, {1.0, 0.5532}, {5.0, 0.2077}}) {
    const auto found =
        solve_scattering_slab(slab, {&point, 1}, {[d = depth](double) { return d; }}, faces(16));
    EXPECT_NEAR(found.wall_flux[0], flux, 3e-4);
    EXPECT_NEAR(found.wall_flux[0] + found.wall_flux[1], 0.0, 1e-5);
  }
  const auto ahead =
      solve_scattering_slab(slab, {&point, 1}, {[](double) { return 5.0; }, 0.8}, faces(16));
  EXPECT_NEAR(ahead.wall_flux[0], 0.5532, 0.01);
}

TEST(ScatteringSlab, KeepsItsEnergy) {
  const Slab slab{0.0, 1.0, {0.9, 0.3}};
  const SlabPoint point{
      [](double x) { return 0.5 + x; }, [](double x) { return 2 + std::sin(3 * x); }, {1.0, 4.0}};
  const auto found = solve_scattering_slab(slab, {&point, 1},
                                           {[](double x) { return 3 + 2 * std::cos(5 * x); }, -0.3},
                                           faces(16), {64, 32});
  double heat = found.wall_flux[0] + found.wall_flux[1];
  for (const double q : found.flux_divergence) heat += q / 16;
  EXPECT_NEAR(heat, 0.0, 1e-4);
  EXPECT_GT(std::abs(found.wall_flux[0]), 0.1);
}

}  // namespace
}  // namespace ermine::reference
