#include "transport/accuracy/ray_lengths.hpp"

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

/// ln(1e5) / k metres, with (4 + 4 + 4) / 2 crossings each; ln(100) / k where rays play the
/// roulette, by default in gas that is not so thin.
TEST(RayLengths, AreThoseOfTheGasBetweenMirrors) {
  const auto found = [](Termination termination) {
    return ray_lengths(box(0.0, GreyMedium(0.01), {.termination = termination, .levels = 1}),
                       mirror_temperature);
  };
  EXPECT_NEAR(found(Termination::cutoff).crossings, 11.5129 / 0.01 * 6, 1.0);
  EXPECT_NEAR(found(Termination::roulette).crossings, 4.6052 / 0.01 * 6, 1.0);
  EXPECT_EQ(found(Termination::automatic).crossings, found(Termination::cutoff).crossings);
  EXPECT_EQ(found(Termination::automatic).lost_share, 0.0);
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

/// Walls emit whatever the gas does.
TEST(RayLengths, OfWallsWithoutEndAreRefused) {
  const Tracer tracer = box(1e-6, GreyMedium(0.0));
  EXPECT_EQ(ray_lengths(tracer, mirror_temperature).lost_share, 1.0);
  test::expect_error([&] { tracer.solve(mirror_temperature); }, {"rays cannot end"});
  const Tracer no_wall_rays = box(1e-6, GreyMedium(0.0), {.rays_per_wall_face = 0});
  EXPECT_NO_THROW(no_wall_rays.solve(mirror_temperature));
}

TEST(RayLengths, OfWallsAreTracedAsPredicted) {
  const Tracer tracer = box(1e-2, GreyMedium(0.0), {.levels = 1, .rays_per_wall_face = 64});
  const Result result = tracer.solve(mirror_temperature);
  const double traced =
      static_cast<double>(result.rays.crossings) / static_cast<double>(result.rays.traced);
  EXPECT_NEAR(ray_lengths(tracer, mirror_temperature).crossings / traced, 1.0, 0.1);
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

/// CO absorbs in two bands. Walls emit in the windows between them, where no ray of theirs ends.
TEST(RayLengths, OfWallsInWindowsOfAGasAreLostAsPredicted) {
  const GasMedium gas(1e5, {{Species::co, {0.1}}},
                      {.band_width_cm1 = 500,
                       .quadrature = Quadrature::skewed(4),
                       .temperature = {500, 700, 1000}});
  const Tracer tracer = box(
      1e-7, gas,
      {.levels = 1, .rays_per_wall_face = 256, .max_crossings = 10'000, .max_lost_fraction = 1.0});
  const Result result = tracer.solve(mirror_temperature);
  const double lost =
      static_cast<double>(result.rays.lost) / static_cast<double>(result.rays.traced);
  EXPECT_GT(lost, 0.02);
  EXPECT_NEAR(ray_lengths(tracer, mirror_temperature).lost_share / lost, 1.0, 0.2);
  const Tracer endless = box(1e-7, gas);
  EXPECT_THROW(endless.solve(mirror_temperature), Error);
}

/// Point 0 absorbs, point 1 is a window.
SpectralList gas_and_window() {
  return {
      {.first = 300, .step = 700, .count = 2}, {1.0, 1.0, 0.0, 0.0}, {100.0, 200.0, 100.0, 200.0}};
}

TEST(RayLengths, OfAListAreThoseOfItsPoints) {
  const SpectralList list = gas_and_window();
  const auto lost_share = [&](double emissivity, SpectralDensity density) {
    return ray_lengths(box(emissivity, list, {.density = density}), mirror_temperature).lost_share;
  };
  EXPECT_EQ(lost_share(0.0, SpectralDensity::emission), 0.0);
  EXPECT_EQ(lost_share(1e-7, SpectralDensity::emission), 0.5);
  EXPECT_GT(lost_share(1e-7, SpectralDensity::exchange), 0.0);
  EXPECT_LT(lost_share(1e-7, SpectralDensity::exchange), 0.1);
}

/// Every update of a coupled run would take the time of such a look. The second field is one whose
/// window has half of the wall rays, which the first one does not know of.
TEST(RayLengths, AreLookedAtOncePerTracer) {
  const SpectralList list = gas_and_window();
  std::vector<double> varied = mirror_temperature;
  varied.front() = 1000;
  const std::vector<double> uniform(mirror_grid.cell_count(), 500.0);
  const Tracer tracer = box(1e-7, list);
  EXPECT_NO_THROW(check_rays_end(tracer, varied));
  EXPECT_NO_THROW(check_rays_end(tracer, uniform));
  EXPECT_THROW(check_rays_end(box(1e-7, list), uniform), Error);
}

}  // namespace
}  // namespace ermine
