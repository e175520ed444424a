#include "support/gas.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"
#include "transport/gas_point_distribution.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace ermine {
namespace {

constexpr int gas_draws = 100000;

/// What a sampler is made of; one temperature for all cells.
template <int most>
struct Gas {
  Gas(const GasMedium& gas, const PointDensity& density, RayOrigin origin, RaySampler sampler,
      std::size_t cells = 1)
      : medium(gas),
        storage(medium, test::row_of_cells(cells), std::vector<double>(cells, density.hottest)),
        strengths(storage.strengths(density)),
        points(medium, strengths, origin, sampler) {}

  GasMedium medium;
  GasStorage<double, most> storage;
  GasStrengths strengths;
  GasPointDistribution<double, most> points;
};

constexpr std::array both_samplers{RaySampler::random, RaySampler::sorted};
constexpr std::array both_origins{RayOrigin::gas, RayOrigin::wall};

/// The points of one batch of rays.
template <int most>
std::vector<GasPoint<most>> draw_points(const GasPointSampler<double, most>& sample,
                                        int count = gas_draws) {
  OrderedUniforms ordered(static_cast<std::uint32_t>(count));
  std::vector<GasPoint<most>> points;
  for (int i = 0; i < count; ++i) {
    RayStream stream({23, 0, 0, static_cast<std::uint32_t>(i)});
    const Draw draw = stream.next();
    points.push_back(sample(draw, ordered, stream));
  }
  return points;
}

/// Every point there is: all combinations of the rows of the species in each band, with the
/// product of their quadrature weights.
template <int most>
void for_each_point(const GasMedium& medium,
                    const std::function<void(const GasPoint<most>&, double)>& visit) {
  for (std::size_t b = 0; b < medium.part_count(); ++b) {
    const std::function<void(GasPoint<most>, std::size_t, double)> choose =
        [&](GasPoint<most> point, std::size_t c, double weight) {
          if (c == medium.component_count()) return visit(point, weight);
          const int first = medium.component(c).first_row[b];
          point.row[c] = -1;
          if (first < 0) return choose(point, c + 1, weight);
          for (std::size_t g = 0; g < medium.weights().size(); ++g) {
            point.row[c] = first + static_cast<int>(g);
            choose(point, c + 1, weight * medium.weights()[g]);
          }
        };
    GasPoint<most> point{static_cast<int>(b), {}};
    choose(point, 0, 1.0);
  }
}

template <int most>
std::vector<int> key_of(const GasPoint<most>& point, std::size_t components) {
  std::vector<int> key{point.band};
  key.insert(key.end(), point.row, point.row + components);
  return key;
}

/// Points must come as often as prod(w) / weight(point) says; these add up to 1.
template <int most>
void expect_frequencies(const Gas<most>& gas) {
  const auto sample = gas.points.view();
  const std::size_t components = gas.medium.component_count();
  std::map<std::vector<int>, int> count;
  for (const auto& point : draw_points(sample)) ++count[key_of(point, components)];
  double total = 0.0;
  double chi_square = 0.0;
  int degrees = 0;
  double rare_p = 0.0, rare_count = 0.0;
  for_each_point<most>(gas.medium, [&](const GasPoint<most>& point, double product) {
    const double weight = sample.weight(point);
    const auto found = count.find(key_of(point, components));
    const int times = found == count.end() ? 0 : found->second;
    if (!(weight > 0)) {
      EXPECT_EQ(times, 0);
      return;
    }
    const double p = product / weight;
    total += p;
    if (p * gas_draws < 10) {  // lumped: chi-square wants a few in each class
      rare_p += p;
      rare_count += times;
      return;
    }
    chi_square += std::pow(times - p * gas_draws, 2) / (p * gas_draws);
    ++degrees;
  });
  EXPECT_NEAR(total, 1.0, 1e-12);
  ASSERT_GT(degrees, 3);
  EXPECT_WITHIN_SIGMA(chi_square, std::sqrt(2.0 * degrees), degrees - 1.0, 4);
  EXPECT_WITHIN_SIGMA(rare_count, std::sqrt(rare_p * gas_draws) + 1e-9, rare_p * gas_draws, 4);
}

/// The average of weight x f over draws must be the sum of prod(w) f over all points.
template <int most>
void expect_unbiased(const Gas<most>& gas, const std::function<double(const GasPoint<most>&)>& f) {
  const auto sample = gas.points.view();
  double exact = 0.0;
  for_each_point<most>(gas.medium, [&](const GasPoint<most>& point, double product) {
    exact += product * f(point);
  });
  double sum = 0.0, squares = 0.0;
  for (const GasPoint<most>& point : draw_points(sample)) {
    const double value = sample.weight(point) * f(point);
    sum += value / gas_draws;
    squares += value * value / gas_draws;
  }
  const double error = std::sqrt((squares - sum * sum) / gas_draws);
  EXPECT_GT(exact, 0.0);
  EXPECT_LT(error, 0.02 * exact);
  EXPECT_WITHIN_SIGMA(sum, error + 1e-12 * exact, exact, 4);
}

constexpr PointDensity emission{400, 1500, 0.0};
constexpr PointDensity exchange{400, 1500, 0.2, 400, 1500};  // walls of both temperatures

TEST(GasPointSampler, OneSpeciesIsDrawnInProportion) {
  for (const RayOrigin origin : both_origins) {
    for (const RaySampler sampler : both_samplers) {
      for (const double length : {0.0, 0.3}) {
        expect_frequencies(
            Gas<1>(GasMedium(test::small_table()), {300, 900, length}, origin, sampler));
      }
    }
  }
}

TEST(GasPointSampler, OneSpeciesFollowsEmission) {
  const Gas<1> gas(GasMedium(test::small_table()), {300, 1000, 0.0}, RayOrigin::gas,
                   RaySampler::random);
  const double k[] = {1.0, 1.5, 0.5, 6.0};  // at 1000 K, a node
  const double w[] = {0.4, 0.6};
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    sum += w[i % 2] * k[i] * planck_intensity(gas.medium.bands()[i < 2 ? 0 : 1], 1000);
  }
  for (int i = 0; i < 4; ++i) {
    const double strength = k[i] * planck_intensity(gas.medium.bands()[i < 2 ? 0 : 1], 1000);
    EXPECT_NEAR(gas.points.view().weight({i / 2, {i}}) * strength / sum, 1.0, 1e-12);
  }
}

TEST(GasPointSampler, MixtureIsDrawnInProportion) {
  const GasMedium uniform = test::h2o_co2();
  const GasMedium fields = test::h2o_co2_fields(3);
  for (const RayOrigin origin : both_origins) {
    for (const PointDensity& density : {emission, exchange}) {
      for (const RaySampler sampler : both_samplers) {
        expect_frequencies(Gas<4>(uniform, density, origin, sampler));
        expect_frequencies(Gas<4>(fields, density, origin, sampler, 3));
      }
    }
  }
}

TEST(GasPointSampler, MixtureHasBandsWhereOneSpeciesIsTransparent) {
  const Gas<4> gas(test::h2o_co2(), emission, RayOrigin::gas, RaySampler::random);
  int transparent = 0;
  for (const GasPoint<4>& point : draw_points(gas.points.view())) {
    for (std::size_t c = 0; c < 2; ++c) {
      const int first = gas.medium.component(c).first_row[static_cast<std::size_t>(point.band)];
      transparent += first < 0;
      ASSERT_EQ(point.row[c] < 0, first < 0);
      ASSERT_TRUE(first < 0 || (point.row[c] >= first && point.row[c] < first + 4));
    }
  }
  EXPECT_GT(transparent, 0);
}

/// What a ray of the gas weighs, k I, and one of a wall, I, each times something that is different
/// at every point.
template <int most>
std::function<double(const GasPoint<most>&)> score(const Gas<most>& gas, RayOrigin origin,
                                                   CellId cell, double kelvin) {
  return [&gas, origin, cell, kelvin](const GasPoint<most>& point) {
    const auto state = gas.storage.view().at(point, cell, gas.storage.coordinate(kelvin));
    const double strength = origin == RayOrigin::gas ? state.absorption : 1.0;
    return strength * state.intensity * std::exp(-0.3 * state.absorption);
  };
}

TEST(GasPointSampler, WeightsMakeSumsOverPoints) {
  const GasMedium mixture = test::h2o_co2();
  const GasMedium mixture_fields = test::h2o_co2_fields(3);
  for (const RayOrigin origin : both_origins) {
    for (const PointDensity& density : {emission, exchange}) {
      for (const RaySampler sampler : both_samplers) {
        const Gas<1> table(GasMedium(test::small_table()), {300, 900, density.length, 300, 900},
                           origin, sampler);
        expect_unbiased(table, score(table, origin, CellId{0}, 700));
        const Gas<4> uniform(mixture, density, origin, sampler);
        expect_unbiased(uniform, score(uniform, origin, CellId{0}, 1100));
        const Gas<4> fields(mixture_fields, density, origin, sampler, 3);
        for (const int cell : {0, 2}) {
          expect_unbiased(fields, score(fields, origin, CellId{cell}, 1500));
        }
      }
    }
  }
}

TEST(GasPointSampler, PointsDarkAtTheHottestTemperatureKeepAChance) {
  SpectralTable table = test::small_table();
  table.kind = TableKind::line_by_line;
  table.temperature = {300, 500, 1000, 1500};
  // The first point absorbs only when cold.
  table.absorption = {2, 0.5, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2};
  for (const RaySampler sampler : both_samplers) {
    const Gas<1> gas(GasMedium(table), {300, 1500, 0.0}, RayOrigin::gas, sampler);
    expect_frequencies(gas);
    expect_unbiased(gas, score(gas, RayOrigin::gas, CellId{0}, 400));
    EXPECT_GT(gas.points.view().weight({0, {0}}), 0.0);
  }
}

TEST(GasPointSampler, NothingShinesInADarkMedium) {
  SpectralTable table = test::small_table();
  std::fill(table.absorption.begin(), table.absorption.end(), 0.0F);
  const GasMedium mixture = test::h2o_co2();
  const GasMedium nothing(test::atmosphere, {{Species::h2o, {0.0}}, {Species::co, {0.0}}},
                          test::coarse());
  for (const RaySampler sampler : both_samplers) {
    const Gas<1> dark(GasMedium(table), {300, 900, 0.0}, RayOrigin::gas, sampler);
    // No temperature differs: nothing to exchange, by gas or walls.
    const Gas<4> even(mixture, {900, 900, 0.2}, RayOrigin::gas, sampler);
    const Gas<4> walls(mixture, {900, 900, 0.2}, RayOrigin::wall, sampler);
    const Gas<4> none(nothing, emission, RayOrigin::gas, sampler);
    for (const GasPoint<1>& point : draw_points(dark.points.view(), 100)) {
      EXPECT_TRUE(point.band >= 0 && point.band < 2 && point.row[0] >= 0 && point.row[0] < 4);
      EXPECT_EQ(dark.points.view().weight(point), 0.0);
    }
    for (const Gas<4>* gas : {&even, &walls, &none}) {
      for (const GasPoint<4>& drawn : draw_points(gas->points.view(), 100)) {
        EXPECT_TRUE(drawn.band >= 0 && drawn.band < static_cast<int>(gas->medium.part_count()));
        EXPECT_EQ(gas->points.view().weight(drawn), 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace ermine
