#include "support/problems.hpp"
#include "support/statistics.hpp"
#include "transport/draw/point_distribution.hpp"
#include "transport/ray/sample_direction.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

constexpr int directions = 200000;

Draw draw_number(int i) {
  RayStream stream({11, 0, 0, static_cast<std::uint32_t>(i)});
  return stream.next();
}

template <class Real>
class DirectionTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(DirectionTest, Reals);

TYPED_TEST(DirectionTest, IsotropicHasTheMomentsOfTheSphere) {
  using Real = TypeParam;
  double first[3] = {}, second[3] = {}, mixed = 0;
  for (int i = 0; i < directions; ++i) {
    const Vec3<Real> d = IsotropicSampler<Real>{}(draw_number(i));
    double norm = 0;
    for (int a = 0; a < 3; ++a) {
      first[a] += d[a] / double(directions);
      second[a] += d[a] * d[a] / double(directions);
      norm += d[a] * d[a];
    }
    mixed += d[0] * d[1] / double(directions);
    ASSERT_NEAR(norm, 1.0, 4e-6);
  }
  // Variances: <d^2> = 1/3, <d^4> - <d^2>^2 = 1/5 - 1/9, <x^2 y^2> = 1/15.
  for (int a = 0; a < 3; ++a) {
    EXPECT_WITHIN_SIGMA(first[a], std::sqrt(1.0 / 3 / directions), 0.0, 4);
    EXPECT_WITHIN_SIGMA(second[a], std::sqrt((1.0 / 5 - 1.0 / 9) / directions), 1.0 / 3, 4);
  }
  EXPECT_WITHIN_SIGMA(mixed, std::sqrt(1.0 / 15 / directions), 0.0, 4);
}

TYPED_TEST(DirectionTest, CosineLeavesEverySideWithLambertsLaw) {
  using Real = TypeParam;
  for (int side = 0; side < 6; ++side) {
    double mean = 0, tangent = 0;
    for (int i = 0; i < directions; ++i) {
      const Vec3<Real> d = CosineSampler<Real>{side}(draw_number(i));
      const double normal = side % 2 == 0 ? d[side / 2] : -d[side / 2];
      ASSERT_GT(normal, 0.0);
      mean += normal / directions;
      tangent += d[(side / 2 + 1) % 3] / double(directions);
    }
    // <mu> = 2/3, <mu^2> = 1/2, <t^2> = 1/4.
    EXPECT_WITHIN_SIGMA(mean, std::sqrt((1.0 / 2 - 4.0 / 9) / directions), 2.0 / 3, 4);
    EXPECT_WITHIN_SIGMA(tangent, std::sqrt(1.0 / 4 / directions), 0.0, 4);
  }
}

/// How often each point comes in one batch of rays.
std::vector<int> count_draws(const PointSampler<double>& sample, std::size_t points) {
  std::vector<int> count(points);
  OrderedUniforms ordered(directions);
  for (int i = 0; i < directions; ++i) {
    ++count[static_cast<std::size_t>(sample(draw_number(i), ordered).value)];
  }
  return count;
}

TEST(PointSampler, DrawsInProportionAndWeighsInversely) {
  const std::vector<PointStrength> strengths{{0.0, 5.0, 1.0, 5.0},
                                             {1.0, 1.0, 1.0, 1.0},
                                             {3.0, 2.0, 1.0, 2.0},
                                             {0.0, 0.0},
                                             {1.0, 3.0, 1.0, 3.0}};
  for (const RaySampler sampler : {RaySampler::random, RaySampler::sorted}) {
    const PointDistribution<double> gas(strengths, RayOrigin::gas, sampler);
    const PointSampler<double> sample = gas.view();
    const std::vector<int> count = count_draws(sample, strengths.size());
    EXPECT_EQ(count[0], 0);
    EXPECT_EQ(count[3], 0);
    for (const int s : {1, 2, 4}) {
      const double p = 1 / sample.weight(PointId{s});
      EXPECT_NEAR(p, strengths[s].absorption * strengths[s].intensity / 10.0, 1e-15);
      EXPECT_WITHIN_SIGMA(count[s] / double(directions), std::sqrt(p * (1 - p) / directions), p, 4);
    }
  }
  const PointDistribution<double> wall(strengths, RayOrigin::wall, RaySampler::random);
  EXPECT_NEAR(1 / wall.view().weight(PointId{0}), 5.0 / 11, 1e-15);
}

TEST(PointSampler, DarkListIsDrawnEvenly) {
  const std::vector<PointStrength> strengths{{1.0, 0.0}, {0.0, 0.0}};
  for (const RaySampler sampler : {RaySampler::random, RaySampler::sorted}) {
    const PointDistribution<double> gas(strengths, RayOrigin::gas, sampler);
    const std::vector<int> count = count_draws(gas.view(), 2);
    EXPECT_WITHIN_SIGMA(count[0] / double(directions), std::sqrt(0.25 / directions), 0.5, 4);
    // Nothing shines: rays of either point have nothing to bring home.
    for (const int s : {0, 1}) EXPECT_EQ(gas.view().weight(PointId{s}), 0.0);
  }
}

}  // namespace
}  // namespace ermine
