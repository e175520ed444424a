#include "transport/ray_lengths.hpp"

#include <ermine/error.hpp>

#include "support/problems.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ermine {
namespace {

const Grid mirror_grid = test::box_grid(4);
const std::vector<double> mirror_temperature(mirror_grid.cell_count(), 700.0);

Tracer box(double emissivity, const Medium& medium, Options options = {}) {
  options.backend = Backend::cpu;
  options.rays_per_cell = 16;
  return {mirror_grid, test::enclosure(mirror_grid, test::wall(500, emissivity)), medium, options};
}

/// ln(1e5) / k metres, with (4 + 4 + 4) / 2 crossings each.
TEST(RayLengths, AreThoseOfTheGasBetweenMirrors) {
  const RayLengths found =
      ray_lengths(box(0.0, GreyMedium(0.01), {.levels = 1}), mirror_temperature);
  EXPECT_NEAR(found.crossings, 11.5129 / 0.01 * 6, 1.0);
  EXPECT_EQ(found.lost_share, 0.0);
}

TEST(RayLengths, AreTracedAsPredicted) {
  const Tracer tracer = box(1e-3, GreyMedium(1e-3), {.levels = 1, .rays_per_wall_face = 0});
  const Result result = tracer.solve(mirror_temperature);
  const double traced =
      static_cast<double>(result.rays.crossings) / static_cast<double>(result.rays.traced);
  EXPECT_NEAR(ray_lengths(tracer, mirror_temperature).crossings / traced, 1.0, 0.1);
}

TEST(RayLengths, EndAtWallsThatAbsorb) {
  EXPECT_LT(ray_lengths(box(0.5, GreyMedium(1e-9)), mirror_temperature).crossings, 200);
  EXPECT_EQ(ray_lengths(box(1.0, GreyMedium(0.0)), mirror_temperature).lost_share, 0.0);
}

TEST(RayLengths, WithoutEndAreRefusedBeforeAnyIsTraced) {
  bool traced = false;
  const Tracer tracer = box(0.0, GreyMedium(1e-6));
  EXPECT_EQ(ray_lengths(tracer, mirror_temperature).lost_share, 1.0);
  for (const auto& act : std::vector<std::function<void()>>{
           [&] { tracer.solve(mirror_temperature, 0, [&](const Progress&) { traced = true; }); },
           [&] { tracer.submit(mirror_temperature); }}) {
    test::expect_error(act, {"rays cannot end", "add absorbing walls", "max_crossings"});
  }
  EXPECT_FALSE(traced);
}

/// Nothing emits, so there is nothing to trace.
TEST(RayLengths, OfNoGasDoNotMatter) {
  EXPECT_NO_THROW(box(0.0, GreyMedium(0.0)).solve(mirror_temperature));
}

TEST(RayLengths, OfAGasAreThoseOfItsPoints) {
  const auto gas = [](double fraction) {
    return GasMedium(1e5, {{Species::co2, {fraction}}, {Species::h2o, {fraction}}},
                     {.band_width_cm1 = 500,
                      .quadrature = Quadrature::skewed(4),
                      .temperature = {500, 700, 1000}});
  };
  const RayLengths dense = ray_lengths(box(0.0, gas(0.1)), mirror_temperature);
  const RayLengths thin = ray_lengths(box(0.0, gas(1e-12)), mirror_temperature);
  EXPECT_LT(dense.lost_share, 1e-3);
  EXPECT_GT(dense.crossings, 0.0);
  EXPECT_GT(thin.lost_share, 0.99);
  EXPECT_THROW(box(0.0, gas(1e-12)).solve(mirror_temperature), Error);
}

}  // namespace
}  // namespace ermine
