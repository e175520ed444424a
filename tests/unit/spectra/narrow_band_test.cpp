#include <ermine/error.hpp>
#include <ermine/narrow_band.hpp>

#include "spectra/band_parameters.hpp"
#include "spectra/pchip.hpp"
#include "support/gas.hpp"
#include "support/spectra.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

using test::atmosphere;
using test::malkmus;
using test::parameters;

double band_mean(const SpectralTable& table, std::size_t band, std::size_t t) {
  double sum = 0.0;
  for (std::size_t j = 0; j < table.quadrature.size(); ++j) {
    sum += table.quadrature.weight[j] * table.row(band, j)[t];
  }
  return sum;
}

double band_transmissivity(const SpectralTable& table, std::size_t band, std::size_t t,
                           double length) {
  double sum = 0.0;
  for (std::size_t j = 0; j < table.quadrature.size(); ++j) {
    sum += table.quadrature.weight[j] * std::exp(-length * table.row(band, j)[t]);
  }
  return sum;
}

TEST(MonotoneCubic, PassesThroughNodesAndNeverOvershoots) {
  const std::vector<double> x{0.0, 1.0, 3.0, 4.0, 7.0, 8.0, 9.0};
  const std::vector<double> y{0.0, 0.0, 5.0, 5.1, 1.0, 1.0, 9.0};
  const auto slope = monotone_slopes(x, y);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const auto at = [&](double t) {
      return hermite(x[i], x[i + 1], y[i], y[i + 1], slope[i], slope[i + 1], t);
    };
    EXPECT_EQ(at(x[i]), y[i]);
    EXPECT_EQ(at(x[i + 1]), y[i + 1]);
    const double sign = y[i + 1] >= y[i] ? 1.0 : -1.0;
    double last = at(x[i]);
    for (int s = 1; s <= 100; ++s) {
      const double next = at(x[i] + (x[i + 1] - x[i]) * s / 100.0);
      EXPECT_GE(sign * (next - last), -1e-14) << "interval " << i;
      last = next;
    }
  }
}

TEST(MonotoneCubic, IsExactForStraightLinesAndCloseForSmoothCurves) {
  std::vector<double> x, line, curve;
  for (double t = 0.0; t < 3.0; t += 0.1) {
    x.push_back(t * (1.0 + 0.1 * t));
    line.push_back(2.0 - 3.0 * x.back());
    curve.push_back(std::exp(-x.back()));
  }
  const auto line_slope = monotone_slopes(x, line);
  const auto curve_slope = monotone_slopes(x, curve);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double t = 0.5 * (x[i] + x[i + 1]);
    EXPECT_NEAR(hermite(x[i], x[i + 1], line[i], line[i + 1], line_slope[i], line_slope[i + 1], t),
                2.0 - 3.0 * t, 1e-13);
    EXPECT_NEAR(
        hermite(x[i], x[i + 1], curve[i], curve[i + 1], curve_slope[i], curve_slope[i + 1], t),
        std::exp(-t), 2e-4);
  }
}

TEST(BandParameters, AreExactAtNodesAndStayBetweenThem) {
  const auto data = parameters(1, {300, 400, 500, 600}, {1e-6, 5e-4, 2e-5, 1e-5}, {1, 8, 2, 3});
  std::vector<double> kelvin;
  for (double t = 300.0; t <= 600.0; t += 5.0) kelvin.push_back(t);
  const BandParameters band = interpolate(data, 0, kelvin);
  for (std::size_t i = 0; i < kelvin.size(); ++i) {
    const auto node = std::min<std::size_t>(static_cast<std::size_t>(kelvin[i] - 300.0) / 100, 2);
    const double rounding = 1e-12;
    const auto expect_between = [&](double value, double a, double b) {
      EXPECT_GE(value, std::min(a, b) * (1.0 - rounding)) << kelvin[i];
      EXPECT_LE(value, std::max(a, b) * (1.0 + rounding)) << kelvin[i];
    };
    expect_between(band.mean_absorption[i], data.mean_absorption[node],
                   data.mean_absorption[node + 1]);
    expect_between(band.inverse_spacing[i], data.inverse_spacing[node],
                   data.inverse_spacing[node + 1]);
  }
  for (std::size_t node = 0; node < 4; ++node) {
    EXPECT_EQ(band.mean_absorption[20 * node], data.mean_absorption[node]);
    EXPECT_EQ(band.inverse_spacing[20 * node], data.inverse_spacing[node]);
  }
}

TEST(BandParameters, GrowLinearlyFromATransparentNode) {
  const auto data = parameters(1, {300, 400, 500, 600}, {0, 0, 2e-5, 3e-5}, {1, 1, 9, 12});
  const BandParameters band = interpolate(data, 0, std::vector<double>{350, 400, 425, 500, 550});
  EXPECT_EQ(band.mean_absorption[0], 0.0);
  EXPECT_EQ(band.mean_absorption[1], 0.0);
  EXPECT_NEAR(band.mean_absorption[2], 0.5e-5, 1e-18);
  EXPECT_EQ(band.inverse_spacing[2], 9.0);
  EXPECT_EQ(band.mean_absorption[3], 2e-5);
  EXPECT_NEAR(band.mean_absorption[4], std::sqrt(6e-10), 1e-12);
}

TEST(NarrowBand, ExtendsDownAlongTheBoltzmannFactor) {
  auto data = parameters(3, {300, 400, 500}, {0, 0, 0, 0, 1e-9, 1e-8, 1e-9, 0, 1e-8},
                         std::vector<double>(9, 1.0));
  for (std::size_t t = 0; t < 3; ++t) {
    data.mean_absorption[t] = 3e-5 * std::exp(-1200.0 / data.temperature[t]);
    data.inverse_spacing[t] = 0.2 * std::exp(500.0 / data.temperature[t]);
  }
  const NarrowBandParameters extended = extended_down(data, 250.0);
  EXPECT_EQ(extended.temperature, (std::vector<double>{250, 300, 400, 500}));
  EXPECT_NEAR(extended.mean_absorption[0] / (3e-5 * std::exp(-1200.0 / 250.0)), 1.0, 1e-12);
  EXPECT_NEAR(extended.inverse_spacing[0] / (0.2 * std::exp(500.0 / 250.0)), 1.0, 1e-12);
  EXPECT_EQ(extended.mean_absorption[1], data.mean_absorption[0]);
  EXPECT_EQ(extended.mean_absorption[4], 0.0) << "transparent at 300 K";
  EXPECT_EQ(extended.mean_absorption[6], 1e-9);
  EXPECT_EQ(extended.mean_absorption[8], 0.0) << "transparent at 400 K";
  EXPECT_NE(extended.manifest.options.find("250 K"), std::string::npos);
  for (const double kelvin : {300.0, 0.0, -1.0}) {
    test::expect_error([&] { extended_down(data, kelvin); },
                       {"begin at 300 K", fmt::format("{} K", kelvin), "temperature"});
  }
}

TEST(NarrowBand, HalfWidthsFollowTheirLaws) {
  const Composition h2o = Composition::pure(Species::h2o);
  const Composition co2 = Composition::pure(Species::co2);
  const Composition nitrogen;
  const auto width = [](Species species, double kelvin, const Composition& composition) {
    return lorentz_half_width_cm1(species, kelvin, atmosphere, composition);
  };
  EXPECT_NEAR(width(Species::h2o, 296.0, h2o), 0.462 + 0.079, 1e-12);
  EXPECT_NEAR(width(Species::h2o, 1184.0, h2o), 0.462 / 4.0 + 0.079 / 2.0, 1e-12);
  EXPECT_NEAR(width(Species::h2o, 296.0, co2), 0.106, 1e-12);
  EXPECT_NEAR(width(Species::co2, 296.0, co2), 0.07, 1e-12);
  EXPECT_NEAR(width(Species::co2, 592.0, nitrogen), 0.058 / std::pow(2.0, 0.7), 1e-12);
  EXPECT_NEAR(width(Species::co2, 296.0, h2o), 0.10, 1e-12);
  EXPECT_NEAR(width(Species::co, 592.0, h2o), 0.12 / std::pow(2.0, 0.82), 1e-12);
  EXPECT_NEAR(width(Species::co, 592.0, co2), 0.075 / std::pow(2.0, 0.6), 1e-12);
  EXPECT_NEAR(width(Species::co, 592.0, nitrogen), 0.06 / std::pow(2.0, 0.7), 1e-12);
  EXPECT_NEAR(width(Species::ch4, 592.0, co2), 0.051 / std::pow(2.0, 0.75), 1e-12);
  EXPECT_NEAR(lorentz_half_width_cm1(Species::ch4, 296.0, 10.0 * atmosphere, co2), 0.51, 1e-12);
}

TEST(NarrowBand, HalfWidthRefusesImpossibleGases) {
  Composition too_much = Composition::pure(Species::h2o);
  too_much[Species::co2] = 0.1;
  EXPECT_THROW(lorentz_half_width_cm1(Species::h2o, 300.0, atmosphere, too_much), Error);
  EXPECT_THROW(lorentz_half_width_cm1(Species::h2o, 300.0, 0.0, {}), Error);
  EXPECT_THROW(lorentz_half_width_cm1(Species::h2o, -300.0, atmosphere, {}), Error);
}

TEST(NarrowBand, CheckFindsWhatIsWrong) {
  const auto good = parameters(2, {300, 400}, {1, 2, 3, 0}, {1, 1, 1, 1});
  EXPECT_NO_THROW(good.check());
  const auto expect_refused = [&](auto change) {
    NarrowBandParameters bad = good;
    change(bad);
    EXPECT_THROW(bad.check(), Error);
  };
  expect_refused([](auto& p) { p.bands.clear(); });
  expect_refused([](auto& p) { p.bands[1].low_cm1 += 1.0; });
  expect_refused([](auto& p) { p.temperature[1] = 300.0; });
  expect_refused([](auto& p) { p.mean_absorption[2] = -1.0; });
  expect_refused([](auto& p) { p.mean_absorption[2] = std::nan(""); });
  expect_refused([](auto& p) { p.inverse_spacing[3] = 0.0; });
  expect_refused([](auto& p) { p.inverse_spacing.pop_back(); });
}

TEST(KDistribution, HasMeanAndTransmissivityOfTheModel) {
  const auto data =
      parameters(3, {300, 600}, {2e-5, 1e-5, 0, 0, 4e-6, 3e-3}, {0.02, 2, 1, 1, 9, 90});
  Composition gas;
  gas[Species::h2o] = 0.3;
  const auto table = k_distribution(data, 2.0 * atmosphere, gas, {.temperature = {300, 600}});
  EXPECT_EQ(table.gas, "H2O");
  EXPECT_EQ(table.bands, data.bands);
  EXPECT_EQ(table.mole_fraction, 0.3);
  ASSERT_EQ(table.absorption.size(), 3U * 16 * 2);
  for (std::size_t b = 0; b < 3; ++b) {
    for (std::size_t t = 0; t < 2; ++t) {
      const double kbar = data.mean_absorption[2 * b + t] * 0.3 * 2.0 * atmosphere;
      const double gamma =
          lorentz_half_width_cm1(Species::h2o, data.temperature[t], 2.0 * atmosphere, gas);
      const double shape = 2.0 * gamma * data.inverse_spacing[2 * b + t];
      EXPECT_NEAR(band_mean(table, b, t), kbar, 3e-4 * kbar);
      for (const double length : {0.01, 0.1, 1.0, 10.0}) {
        EXPECT_NEAR(band_transmissivity(table, b, t, length), malkmus(shape, kbar * length), 5e-4);
      }
      for (std::size_t j = 1; j < 16; ++j) {
        EXPECT_GE(table.row(b, j)[t], table.row(b, j - 1)[t]);
        EXPECT_EQ(table.row(b, j - 1)[t] > 0.0F, kbar > 0.0);
      }
    }
  }
}

TEST(KDistribution, DefaultTemperaturesAreOnePerCentApart) {
  const auto data = parameters(1, {250, 300, 5000}, {1, 1, 1}, {1, 1, 1});
  const auto table = k_distribution(data, atmosphere, Composition::pure(Species::h2o));
  EXPECT_EQ(table.temperature.front(), 250.0);
  EXPECT_EQ(table.temperature.back(), 5000.0);
  for (std::size_t t = 1; t < table.temperature.size(); ++t) {
    const double ratio = table.temperature[t] / table.temperature[t - 1];
    EXPECT_GT(ratio, 1.009);
    EXPECT_LT(ratio, 1.01 + 1e-9);
  }
}

TEST(KDistribution, TemperaturesOutsideAreAnErrorWithBothNumbers) {
  const auto data = parameters(1, {300, 400}, {1, 1}, {1, 1});
  const auto gas = Composition::pure(Species::h2o);
  test::expect_error([&] { k_distribution(data, atmosphere, gas, {.temperature = {299.5}}); },
                     {"299.5 K", "300 to 400 K"});
  EXPECT_THROW(k_distribution(data, atmosphere, gas, {.temperature = {350, 340}}), Error);
  EXPECT_THROW(k_distribution(data, atmosphere, gas, {.quadrature = {}}), Error);
}

TEST(KDistribution, RowsArePerPartialPressure) {
  const auto data = parameters(2, {300, 400}, {1e-5, 2e-5, 3e-5, 1e-6}, {1, 2, 3, 4});
  const auto gas = Composition::pure(Species::h2o);
  const KDistributionOptions options{.temperature = {300, 333, 400}};
  const auto table = k_distribution(data, atmosphere, gas, options);
  const auto rows = k_distribution_rows(
      data,
      [&](double kelvin) { return lorentz_half_width_cm1(Species::h2o, kelvin, atmosphere, gas); },
      options);
  ASSERT_EQ(rows.size(), table.absorption.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(rows[i] * atmosphere, table.absorption[i], 3e-7 * table.absorption[i]);
  }
  EXPECT_THROW(k_distribution_rows(
                   data, [](double) { return 0.0; }, options),
               Error);
}

TEST(Lumps, HaveTheSameEdgesForAllSpecies) {
  const auto gas = Composition::pure(Species::h2o);
  const KDistributionOptions options{.band_width_cm1 = 100.0, .temperature = {300}};
  const auto early =
      parameters(8, {300}, std::vector<double>(8, 1e-5), std::vector<double>(8, 1.0));
  auto late = early;
  for (Band& band : late.bands) band = {band.low_cm1 + 75.0, band.high_cm1 + 75.0};
  // Centres 50 ... 225 and 125 ... 300.
  EXPECT_EQ(k_distribution(early, atmosphere, gas, options).bands,
            (std::vector<Band>{{0.0, 87.5}, {87.5, 187.5}, {187.5, 287.5}}));
  EXPECT_EQ(k_distribution(late, atmosphere, gas, options).bands,
            (std::vector<Band>{{87.5, 187.5}, {187.5, 287.5}, {287.5, 387.5}}));
  EXPECT_THROW(k_distribution(early, atmosphere, gas, {.band_width_cm1 = 60.0}), Error);
  EXPECT_THROW(k_distribution(early, atmosphere, gas, {.band_width_cm1 = 5.0}), Error);
  EXPECT_THROW(k_distribution(early, atmosphere, gas, {.band_width_cm1 = std::nan("")}), Error);
}

/// Fine enough for a lump, whose k(g) jumps where members begin: at sevenths or quarters here.
Quadrature piecewise() {
  const int pieces = 28;
  Quadrature result;
  for (int i = 0; i < pieces; ++i) {
    const Quadrature piece =
        i + 1 < pieces ? Quadrature::gauss_legendre(40) : Quadrature::skewed(100);
    for (std::size_t j = 0; j < piece.size(); ++j) {
      result.node.push_back((i + piece.node[j]) / pieces);
      result.weight.push_back(piece.weight[j] / pieces);
    }
  }
  return result;
}

TEST(Lumps, KeepMeanAndTransmissivityOfTheirMembers) {
  const std::vector<double> kbar{1e-5, 3e-8, 1e-3, 2e-5, 0.0, 1e-12, 4e-6, 4e-6};
  const std::vector<double> inverse{1.0, 0.3, 0.05, 8.0, 1.0, 2.0, 40.0, 40.0};
  const auto data = parameters(8, {300}, kbar, inverse);
  const auto gas = Composition::pure(Species::h2o);
  const double gamma = lorentz_half_width_cm1(Species::h2o, 300.0, atmosphere, gas);
  const auto table =
      k_distribution(data, atmosphere, gas,
                     {.band_width_cm1 = 100.0, .quadrature = piecewise(), .temperature = {300}});
  ASSERT_EQ(table.bands.size(), 3U);
  for (std::size_t lump = 0; lump < 3; ++lump) {
    SCOPED_TRACE(lump);
    const double width = table.bands[lump].width_cm1();
    double mean = 0.0;
    for (std::size_t b = 0; b < 8; ++b) {
      if (table.bands[lump].low_cm1 > data.bands[b].low_cm1) continue;
      if (table.bands[lump].high_cm1 < data.bands[b].high_cm1) continue;
      mean += 25.0 / width * kbar[b] * atmosphere;
    }
    EXPECT_NEAR(band_mean(table, lump, 0), mean, 1e-4 * mean);
    for (const double length : {1e-3, 0.1, 1.0, 30.0, 1e4}) {
      double expected = 1.0;
      for (std::size_t b = 0; b < 8; ++b) {
        if (table.bands[lump].low_cm1 > data.bands[b].low_cm1) continue;
        if (table.bands[lump].high_cm1 < data.bands[b].high_cm1) continue;
        const double depth = kbar[b] * atmosphere * length;
        expected -= 25.0 / width * (1.0 - malkmus(2.0 * gamma * inverse[b], depth));
      }
      EXPECT_NEAR(band_transmissivity(table, lump, 0, length), expected, 1e-4);
    }
    for (std::size_t j = 1; j < table.quadrature.size(); ++j) {
      EXPECT_GE(table.row(lump, j)[0], table.row(lump, j - 1)[0]);
    }
  }
}

TEST(Lumps, OfEqualMembersAreTheMember) {
  const auto data =
      parameters(10, {300, 400}, std::vector<double>(20, 2e-5), std::vector<double>(20, 0.7));
  const auto gas = Composition::pure(Species::h2o);
  const auto native = k_distribution(data, atmosphere, gas);
  const auto lumped = k_distribution(data, atmosphere, gas, {.band_width_cm1 = 100.0});
  ASSERT_EQ(lumped.bands[1], (Band{87.5, 187.5}));
  for (std::size_t j = 0; j < 16; ++j) {
    for (std::size_t t = 0; t < native.temperature.size(); ++t) {
      EXPECT_NEAR(lumped.row(1, j)[t], native.row(2, j)[t], 3e-7 * native.row(2, j)[t]);
    }
  }
}

}  // namespace
}  // namespace ermine
