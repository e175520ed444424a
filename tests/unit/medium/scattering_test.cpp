#include <ermine/tracer.hpp>

#include "medium/scattering_view.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// Mean of f(u) over evenly spaced u.
template <class Function>
double mean_of(const Function& f) {
  constexpr int count = 200000;
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += f((i + 0.5) / count);
  return sum / count;
}

// Its moments are the powers of g: E[P_n(cos)] = g^n.
TEST(ScatteringCosine, HasTheMomentsOfHenyeyAndGreenstein) {
  for (const double g : {-0.9, -0.3, -1e-9, 0.0, 1e-4, 0.5, 0.95}) {
    EXPECT_NEAR(mean_of([&](double u) { return scattering_cosine(g, u); }), g, 1e-8);
    const auto second = [&](double u) {
      const double cosine = scattering_cosine(g, u);
      return (3 * cosine * cosine - 1) / 2;
    };
    EXPECT_NEAR(mean_of(second), g * g, 1e-8);
  }
}

TEST(ScatteringCosine, StaysInRangeInSinglePrecision) {
  for (const float g : {-0.999f, -0.5f, 0.0f, 1e-6f, 0.5f, 0.999f}) {
    for (const float u : {0x1p-24f, 0.25f, 0.5f, 0.75f, 1 - 0x1p-24f}) {
      EXPECT_GE(scattering_cosine(g, u), -1.0f);
      EXPECT_LE(scattering_cosine(g, u), 1.0f);
      EXPECT_NEAR(scattering_cosine(g, u), scattering_cosine(double{g}, double{u}), 2e-4);
    }
  }
}

TEST(Turned, MakesTheAngleAndStaysOfUnitLength) {
  for (const Vec3<double> direction :
       {Vec3<double>{{0, 0, 1}}, Vec3<double>{{0, 0, -1}}, Vec3<double>{{1, 0, 0}},
        Vec3<double>{{0.6, -0.8, 0}}, Vec3<double>{{0.48, 0.6, -0.64}}}) {
    for (const double cosine : {-1.0, -0.3, 0.0, 0.9, 1.0}) {
      Vec3<double> sum{};
      constexpr int turns = 8;
      for (int i = 0; i < turns; ++i) {
        const Vec3<double> after = turned(direction, cosine, i / double{turns});
        double length = 0.0, along = 0.0;
        for (int a = 0; a < 3; ++a) {
          length += after[a] * after[a];
          along += after[a] * direction[a];
          sum[a] += after[a] / turns;
        }
        EXPECT_NEAR(length, 1.0, 1e-12);
        EXPECT_NEAR(along, cosine, 1e-12);
      }
      // All around the direction alike.
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(sum[a], cosine * direction[a], 1e-7);
    }
  }
}

TEST(Scattering, IsRefusedOutsideItsRange) {
  const Grid grid = test::slab_grid(4);
  const Walls walls = test::plates(grid, test::wall(300), test::wall(500));
  const auto refused = [&](std::vector<Scattering> classes, const char* why) {
    try {
      Tracer(grid, walls, GreyMedium(1.0), std::move(classes), {});
      ADD_FAILURE() << "taken: " << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused({{{-1.0}}}, "scattering coefficient is -1 1/m");
  refused({{{std::nan("")}}}, "scattering coefficient is nan 1/m");
  refused({{{1.0, 2.0}}}, "2 values");
  refused({{{}}}, "0 values");
  refused({{{1.0}, 1.0}}, "asymmetry");
  refused(std::vector<Scattering>(9, {{1.0}}), "at most 8");
}

}  // namespace
}  // namespace ermine
