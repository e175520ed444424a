// What needs the raw spectral data: tables from lines against the lines themselves, narrow bands
// against lines, and the shipped data against what they were made of.

#include <ermine/spectra.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace ermine {
namespace {

const char* raw() { return std::getenv("ERMINE_RAW_SPECTRA"); }

#define REQUIRE_RAW() \
  if (!raw()) GTEST_SKIP() << "set ERMINE_RAW_SPECTRA to the folder with the raw spectral data"

struct LineSource {
  const char* lines;
  const char* partition_sums;
  const char* gas;
  double from_cm1;
  double to_cm1;
};
constexpr LineSource water{"h2o_main.par", "tips_H2O.csv", "H2O", 0, 6400};
constexpr LineSource carbon_dioxide{"co2_rebuilt.par", "tips_CO2.csv", "CO2", 500, 6000};

SpectralTable line_by_line(const LineSource& source, const std::vector<double>& temperature,
                           double cutoff_cm1 = 25) {
  const std::string folder = raw();
  std::vector<SpectralLine> lines;
  read_lines(folder + "/" + source.lines, [&](const SpectralLine& line) { lines.push_back(line); });
  LineByLineOptions options;
  options.from_cm1 = source.from_cm1;
  options.to_cm1 = source.to_cm1;
  options.cutoff_cm1 = cutoff_cm1;
  SpectralTable table = line_by_line_table(
      lines, PartitionSums::read(folder + "/" + source.partition_sums), temperature, options);
  table.gas = source.gas;
  return table;
}

TEST(RawSpectra, TablesFromLinesTransmitAsTheLinesDo) {
  REQUIRE_RAW();
  const SpectralTable lines = line_by_line(water, {300, 600, 1000});
  const SpectralTable table = k_distribution(lines, 50, Quadrature::gauss_legendre(16));
  for (const double kelvin : {300.0, 600.0, 1000.0}) {
    for (const double length : {0.01, 0.1, 1.0, 10.0}) {
      const TransmissivityError error = transmissivity_error(table, lines, kelvin, length);
      EXPECT_LT(error.largest, 0.005) << kelvin << " K, " << length << " m";
      EXPECT_LT(error.root_mean_square, 0.001) << kelvin << " K, " << length << " m";
    }
  }
}

/// Planck mean of the shipped parameters over that of the lines, both within the lines' range.
double ratio(const SpectralTable& lines, Species species, double kelvin) {
  KDistributionOptions options;
  options.temperature = {kelvin};
  SpectralTable narrow =
      k_distribution(shipped_parameters(species), 101325, Composition::pure(species), options);
  // Bands that the lines cover, whole.
  SpectralTable covered = narrow;
  covered.bands.clear();
  covered.absorption.clear();
  for (std::size_t b = 0; b < narrow.bands.size(); ++b) {
    const Band& band = narrow.bands[b];
    if (band.low_cm1 < lines.bands.front().low_cm1 || band.high_cm1 > lines.bands.back().high_cm1) {
      continue;
    }
    covered.bands.push_back(band);
    for (std::size_t point = 0; point < narrow.quadrature.size(); ++point) {
      covered.absorption.push_back(narrow.row(b, point)[0]);
    }
  }
  return planck_mean(covered, kelvin) / planck_mean(lines, kelvin);
}

/// Wings out to 100 1/cm: a cut-off at 25 1/cm drops 1.1 % of the area of water lines at 300 K,
/// whose half-widths reach 0.45 1/cm in the pure gas.
TEST(RawSpectra, NarrowBandsOfWaterAgreeWithLines) {
  REQUIRE_RAW();
  const SpectralTable lines = line_by_line(water, {300, 500, 700, 1000}, 100);
  for (const double kelvin : lines.temperature) {
    const double found = ratio(lines, Species::h2o, kelvin);
    RecordProperty(std::to_string(static_cast<int>(kelvin)) + "K", std::to_string(found));
    EXPECT_NEAR(found, 1.0, 0.03) << kelvin << " K";
  }
}

/// The lines at hand lack the hot bands of CO2: they fall behind the narrow-band parameters as the
/// gas gets hotter, and only then.
TEST(RawSpectra, NarrowBandsOfCarbonDioxideHaveHotBandsThatTheLinesLack) {
  REQUIRE_RAW();
  const SpectralTable lines = line_by_line(carbon_dioxide, {300, 700, 1000, 1500});
  for (const double kelvin : lines.temperature) {
    const double found = ratio(lines, Species::co2, kelvin);
    RecordProperty(std::to_string(static_cast<int>(kelvin)) + "K", std::to_string(found));
    if (kelvin <= 1000) {
      EXPECT_NEAR(found, 1.0, 0.03) << kelvin << " K";
    } else {
      EXPECT_GT(found, 1.1) << kelvin << " K";
    }
  }
}

double largest_relative_difference(const auto& a, const auto& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double scale = std::max(std::abs(double(a[i])), std::abs(double(b[i])));
    if (scale > 0) largest = std::max(largest, std::abs(double(a[i]) - double(b[i])) / scale);
  }
  return largest;
}

TEST(RawSpectra, ShippedParametersAreThoseOfTheRawFiles) {
  REQUIRE_RAW();
  for (const Species species : all_species) {
    const auto file = std::string(raw()) + "/snb_em2c2012/SNB" + std::string(name_of(species));
    const NarrowBandParameters rebuilt = extended_down(read_snb(file, species), 250);
    const NarrowBandParameters& shipped = shipped_parameters(species);
    EXPECT_EQ(rebuilt.bands, shipped.bands);
    EXPECT_EQ(rebuilt.temperature, shipped.temperature);
    EXPECT_LT(largest_relative_difference(rebuilt.mean_absorption, shipped.mean_absorption), 1e-6);
    EXPECT_LT(largest_relative_difference(rebuilt.inverse_spacing, shipped.inverse_spacing), 1e-6);
  }
}

TEST(RawSpectra, ValidationTablesAreThoseOfTheLines) {
  REQUIRE_RAW();
  for (const LineSource& source : {water, carbon_dioxide}) {
    const std::string name = source.gas == std::string("H2O") ? "h2o" : "co2";
    const SpectralTable stored = read_table(std::string(ERMINE_LINES_DIR) + "/" + name + ".h5");
    // Two of the temperatures; the tables are made one temperature at a time.
    const SpectralTable rebuilt =
        k_distribution(line_by_line(source, {500, 1000}), 50, stored.quadrature);
    ASSERT_EQ(rebuilt.bands, stored.bands);
    for (std::size_t b = 0; b < stored.bands.size(); ++b) {
      for (std::size_t point = 0; point < stored.quadrature.size(); ++point) {
        const auto row = stored.row(b, point);
        const std::vector<float> ends{row.front(), row.back()};
        EXPECT_LT(largest_relative_difference(rebuilt.row(b, point), ends), 1e-6)
            << name << ", band " << b << ", point " << point;
      }
    }
  }
}

}  // namespace
}  // namespace ermine
