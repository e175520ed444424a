#include <ermine/error.hpp>
#include <ermine/lines.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

constexpr int per_band = 100;

/// Line-by-line table over 1000 to 1000 + bands, k given at wavenumber and temperature index.
template <class K>
SpectralTable table_of(int bands, K k) {
  SpectralTable table;
  table.kind = TableKind::line_by_line;
  table.gas = "H2O";
  table.pressure = 101325;
  table.mole_fraction = 0.5;
  table.temperature = {300, 400};
  table.quadrature = Quadrature::equal_parts(per_band);
  table.manifest.tool = "by hand";
  for (int b = 0; b < bands; ++b) {
    table.bands.push_back({1000.0 + b, 1001.0 + b});
    for (int i = 0; i < per_band; ++i) {
      for (int t = 0; t < 2; ++t) {
        table.absorption.push_back(static_cast<float>(k(b + (i + 0.5) / per_band, t)));
      }
    }
  }
  return table;
}

/// Rises from 1 to 6 1/m over every 10 1/cm, falls from 6 to 1 at the other temperature.
double sawtooth(double distance, int t) {
  const double within = std::fmod(distance, 10.0) / 10;
  return 1 + 5 * (t == 0 ? within : 1 - within);
}

TEST(KDistribution, LinearSpectrumIsExact) {
  const auto lines = table_of(20, sawtooth);
  const auto table = k_distribution(lines, 10, Quadrature::gauss_legendre(8));
  EXPECT_NO_THROW(table.check());
  EXPECT_EQ(table.kind, TableKind::k_distribution);
  EXPECT_EQ(table.gas, "H2O");
  EXPECT_EQ(table.manifest.tool, "by hand");
  EXPECT_EQ(table.pressure, 101325);
  EXPECT_EQ(table.mole_fraction, 0.5);
  EXPECT_EQ(table.temperature, lines.temperature);
  EXPECT_EQ(table.bands, (std::vector<Band>{{1000, 1010}, {1010, 1020}}));
  for (std::size_t b = 0; b < 2; ++b) {
    double mean = 0.0;
    for (std::size_t p = 0; p < 8; ++p) {
      for (std::size_t t = 0; t < 2; ++t) {
        EXPECT_NEAR(table.row(b, p)[t], 1 + 5 * table.quadrature.node[p], 1e-6);
      }
      mean += table.quadrature.weight[p] * table.row(b, p)[0];
    }
    EXPECT_NEAR(mean, 3.5, 1e-6);
  }
}

TEST(KDistribution, LinearSpectrumKeepsItsTransmissivity) {
  const auto lines = table_of(20, sawtooth);
  const auto table = k_distribution(lines, 10, Quadrature::gauss_legendre(8));
  for (const double length : {0.01, 0.1, 1.0, 10.0}) {
    double sum = 0.0;
    for (std::size_t p = 0; p < 8; ++p) {
      sum += table.quadrature.weight[p] * std::exp(-length * table.row(1, p)[1]);
    }
    const double exact = (std::exp(-length) - std::exp(-6 * length)) / (5 * length);
    EXPECT_NEAR(sum, exact, 1e-4);
    const auto error = transmissivity_error(table, lines, 400, length);
    EXPECT_EQ(error.kelvin, 400);
    EXPECT_EQ(error.length, length);
    EXPECT_LT(error.largest, 1e-4);
    EXPECT_LE(error.root_mean_square, error.largest);
  }
}

TEST(KDistribution, LastBandMayBeNarrower) {
  const auto table =
      k_distribution(table_of(25, [](double d, int) { return d; }), 10, Quadrature::equal_parts(2));
  ASSERT_EQ(table.bands.size(), 3u);
  EXPECT_EQ(table.bands[2], (Band{1020, 1025}));
  EXPECT_NEAR(table.row(1, 0)[0], 12.5, 1e-5);
  EXPECT_NEAR(table.row(2, 1)[0], 23.75, 1e-5);
}

TEST(KDistribution, EndsOfTheSampleAreItsExtremes) {
  const auto table = k_distribution(table_of(1, [](double d, int) { return d; }), 1,
                                    Quadrature{{0.001, 0.999}, {0.5, 0.5}});
  EXPECT_FLOAT_EQ(table.row(0, 0)[0], 0.005F);
  EXPECT_FLOAT_EQ(table.row(0, 1)[0], 0.995F);
}

TEST(KDistribution, TransmissivityErrorIsTheDifferenceOfBandMeans) {
  // Two bands of constant k; the k-distribution is off in the second only.
  const auto lines = table_of(4, [](double d, int) { return d < 2 ? 1.0 : 2.0; });
  auto table = k_distribution(lines, 2, Quadrature::equal_parts(2));
  EXPECT_LT(transmissivity_error(table, lines, 300, 1.0).largest, 1e-12);
  for (std::size_t i = 4; i < 8; ++i) table.absorption[i] = 3.0F;
  const auto error = transmissivity_error(table, lines, 350, 1.0);
  EXPECT_NEAR(error.largest, std::exp(-2.0) - std::exp(-3.0), 1e-12);
  EXPECT_NEAR(error.root_mean_square, error.largest / std::sqrt(2.0), 1e-12);
}

TEST(KDistribution, MisfitsAreRefused) {
  const auto lines = table_of(4, sawtooth);
  const auto quadrature = Quadrature::equal_parts(2);
  const auto table = k_distribution(lines, 2, quadrature);
  EXPECT_THROW(k_distribution(table, 2, quadrature), Error);
  for (const double width : {0.0, -1.0, 0.5, 1.5, std::nan(""), 1e300}) {
    EXPECT_THROW(k_distribution(lines, width, quadrature), Error) << width;
  }
  EXPECT_THROW(k_distribution(lines, 2, {}), Error);
  EXPECT_THROW(k_distribution(lines, 2, Quadrature{{0.5}, {0.5, 0.5}}), Error);
  EXPECT_THROW(k_distribution(lines, 2, Quadrature{{0.0, 1.0}, {0.5, 0.5}}), Error);
  auto gap = lines;
  gap.bands[3] = {1004, 1005};
  EXPECT_THROW(k_distribution(gap, 2, quadrature), Error);
  auto broken = lines;
  broken.absorption[7] = std::nanf("");
  EXPECT_THROW(k_distribution(broken, 2, quadrature), Error);
  EXPECT_THROW(transmissivity_error(table, table_of(3, sawtooth), 300, 1.0), Error);
  EXPECT_THROW(transmissivity_error(table, lines, 500, 1.0), Error);
}

}  // namespace
}  // namespace ermine
