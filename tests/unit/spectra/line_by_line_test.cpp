#include <ermine/error.hpp>
#include <ermine/lines.hpp>

#include "support/hitran.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <thread>

namespace ermine {
namespace {

using test::hitran_record;
using test::lines_of;
using test::sums_of;

using std::numbers::pi;

const std::string sums_text =
    "# T[K],161,181\n200,100,101\n296,178,180\n500,400,404\n700,660,668\n1000,1200,1216\n";

/// Voigt profile by summing the convolution of its two profiles.
double convolve(double distance, double lorentz, double doppler) {
  double sum = 0.0;
  const double h = std::min(lorentz, doppler) / 20;
  const double a = std::numbers::ln2 / (doppler * doppler);
  for (double t = -9 * doppler; t <= 9 * doppler; t += h) {
    const double d = distance - t;
    sum += h * std::exp(-a * t * t) * lorentz / (d * d + lorentz * lorentz);
  }
  return sum * std::sqrt(a / pi) / pi;
}

const std::string strong_line = hitran_record("11", "1000.005000", "1.000E-20", ".0900", ".0500",
                                              "500.0000", "0.70", ".004000");

LineByLineOptions around_1000() {
  LineByLineOptions options;
  options.from_cm1 = 995;
  options.to_cm1 = 1005;
  return options;
}

TEST(LineByLine, StrongLineAtReferenceTemperature) {
  const auto k =
      line_by_line_spectrum(lines_of(strong_line), sums_of(sums_text), 296, around_1000());
  ASSERT_EQ(k.size(), 1000u);
  // Pure gas at 1 atm: n = 101325 / (1.380649e-23 * 296) = 2.479375e25 1/m3, so S n = 0.2479375
  // 1/cm2; Lorentz half-width 0.05 1/cm, no shift. Doppler half-width
  // 1000.005 sqrt(2 ln 2 * 8.314462618 * 296 / 0.018010565) / 299792458 = 1.451816e-3 1/cm.
  const auto by_hand = [](double d) { return 100 * 0.2479375 * convolve(d, 0.05, 1.451816e-3); };
  EXPECT_NEAR(k[500], by_hand(0.0), 1e-5 * k[500]);
  EXPECT_NEAR(k[500], 157.7, 0.2);  // Lorentz alone: 24.79 / (pi 0.05)
  EXPECT_NEAR(k[505], by_hand(0.05), 1e-5 * k[505]);
  EXPECT_NEAR(k[300], by_hand(2.0), 1e-5 * k[300]);
  EXPECT_NEAR(k[999], by_hand(4.99), 1e-5 * k[999]);
}

TEST(LineByLine, StrongLineAtOneThousandKelvin) {
  const auto k =
      line_by_line_spectrum(lines_of(strong_line), sums_of(sums_text), 1000, around_1000());
  const double c2 = 1.438776877;
  const double strength = 1e-20 * 178 / 1200 * std::exp(-c2 * 500 / 1000) /
                          std::exp(-c2 * 500 / 296) * (1 - std::exp(-c2 * 1000.005 / 1000)) /
                          (1 - std::exp(-c2 * 1000.005 / 296));
  const double per_cm3 = 7.338950e18;                  // 101325 / (1.380649e-23 * 1000) * 1e-6
  const double lorentz = 0.05 * std::pow(0.296, 0.7);  // 0.02132
  const double doppler = 1.451816e-3 * std::sqrt(1000.0 / 296);
  for (const int i : {0, 300, 490, 497, 499, 500, 501, 503, 800}) {
    const double d = 0.01 * (i - 500);
    const double by_hand = 100 * strength * per_cm3 * convolve(d, lorentz, doppler);
    EXPECT_NEAR(k[i] / by_hand, 1, 1e-5) << i;
  }
}

/// Three lines that overlap, of two isotopologues, not in order.
const std::string three_lines =
    hitran_record("11", "1000.300000", "2.000E-21", ".0800", "0.400", "100.0000", "0.60",
                  "-.02000") +
    hitran_record("12", "1000.100000", "5.000E-22", ".0700", "0.300", "900.0000", "0.80",
                  ".010000") +
    hitran_record("11", "1001.000000", "3.000E-22", ".1000", "0.500", "0.0000", "-.10", ".000000");

TEST(LineByLine, OverlappingLinesPointByPoint) {
  LineByLineOptions options;
  options.from_cm1 = 999;
  options.to_cm1 = 1002;
  options.step_cm1 = 0.05;
  options.pressure = 50662.5;  // 0.5 atm
  options.mole_fraction = 0.3;
  options.cutoff_cm1 = 1.2;
  const double kelvin = 700;
  const auto k = line_by_line_spectrum(lines_of(three_lines), sums_of(sums_text), kelvin, options);
  ASSERT_EQ(k.size(), 60u);

  struct Line {
    double wavenumber, centre, strength, energy, lorentz296, exponent, q296, q, gram;
  };
  // Half-widths 0.5 (0.3 self + 0.7 air), shifts 0.5 * 0.7 of that in air.
  const std::vector<Line> lines{
      {1000.3, 1000.3 - 0.007, 2e-21, 100, 0.5 * (0.12 + 0.056), 0.6, 178, 660, 18.010565},
      {1000.1, 1000.1 + 0.0035, 5e-22, 900, 0.5 * (0.09 + 0.049), 0.8, 180, 668, 20.014811},
      {1001.0, 1001.0, 3e-22, 0, 0.5 * (0.15 + 0.07), -0.1, 178, 660, 18.010565}};
  const double per_cm3 = 0.3 * 50662.5 / (1.380649e-23 * kelvin) * 1e-6;
  for (std::size_t i = 0; i < k.size(); ++i) {
    const double nu = 999.025 + 0.05 * static_cast<double>(i);
    double by_hand = 0.0;
    for (const Line& line : lines) {
      if (std::abs(nu - line.centre) > 1.2) continue;
      const auto population = [&](double t) {
        return std::exp(-1.438776877 * line.energy / t) *
               (1 - std::exp(-1.438776877 * line.wavenumber / t));
      };
      const double strength =
          line.strength * line.q296 / line.q * population(700) / population(296);
      const double lorentz = line.lorentz296 * std::pow(296.0 / 700, line.exponent);
      // Rothman et al. 1998: 3.581163e-7 nu sqrt(T / M)
      const double doppler = 3.581163e-7 * line.wavenumber * std::sqrt(700 / line.gram);
      by_hand += 100 * per_cm3 * strength * convolve(nu - line.centre, lorentz, doppler);
    }
    EXPECT_NEAR(k[i], by_hand, 1e-5 * by_hand) << nu;
  }
}

TEST(LineByLine, LinesEndAtTheCutOff) {
  auto options = around_1000();
  options.cutoff_cm1 = 2;
  const auto k = line_by_line_spectrum(lines_of(strong_line), sums_of(sums_text), 296, options);
  EXPECT_EQ(k[299], 0.0);
  EXPECT_GT(k[301], 0.0);
  EXPECT_GT(k[699], 0.0);
  EXPECT_EQ(k[701], 0.0);
  // A line outside the range reaches in.
  options.from_cm1 = 1001;
  const auto wing = line_by_line_spectrum(lines_of(strong_line), sums_of(sums_text), 296, options);
  EXPECT_NEAR(wing[50], k[650], 1e-12);
  options.from_cm1 = 1003;
  for (const double value :
       line_by_line_spectrum(lines_of(strong_line), sums_of(sums_text), 296, options)) {
    EXPECT_EQ(value, 0.0);
  }
}

TEST(LineByLine, StrengthIsConserved) {
  LineByLineOptions options;
  options.from_cm1 = 960;
  options.to_cm1 = 1040;
  const auto k = line_by_line_spectrum(lines_of(three_lines), sums_of(sums_text), 296, options);
  double found = 0.0;
  for (const double value : k) found += 0.01 * value;
  double expected = 0.0;  // with the wings cut at 25 1/cm
  for (const auto& [strength, width] : {std::pair{2e-21, 0.4}, {5e-22, 0.3}, {3e-22, 0.5}}) {
    expected += 100 * strength * 2.479375e19 * 2 / pi * std::atan(25 / width);
  }
  EXPECT_NEAR(found / expected, 1, 1e-5);
}

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += hitran_record(i % 3 ? "11" : "12", std::to_string(900 + (i * 7919) % 300) + ".1234",
                          "1.000E-2" + std::to_string(i % 10), ".0900", "0.400",
                          std::to_string(10 * i) + ".00", "0.70", ".001000");
  }
  return text;
}

TEST(LineByLine, OrderOfLinesDoesNotMatter) {
  auto lines = lines_of(many_lines());
  LineByLineOptions options;
  options.from_cm1 = 900;
  options.to_cm1 = 1200;
  const auto k = line_by_line_spectrum(lines, sums_of(sums_text), 600, options);
  std::sort(lines.begin(), lines.end(), [](const SpectralLine& a, const SpectralLine& b) {
    return a.wavenumber_cm1 < b.wavenumber_cm1;
  });
  EXPECT_EQ(line_by_line_spectrum(lines, sums_of(sums_text), 600, options), k);
}

TEST(LineByLine, ThreadsDoNotChangeABit) {
  const auto lines = lines_of(many_lines());
  const auto sums = sums_of(sums_text);
  LineByLineOptions options;
  options.from_cm1 = 900;
  options.to_cm1 = 1200;
  options.mole_fraction = 0.5;
  options.threads = 1;
  const auto one = line_by_line_spectrum(lines, sums, 600, options);
  for (const int threads : {2, 3, 0}) {
    options.threads = threads;
    EXPECT_EQ(line_by_line_spectrum(lines, sums, 600, options), one) << threads;
  }
}

TEST(LineByLine, ProgressComesFromTheCallingThread) {
  const auto lines = lines_of(many_lines());
  const auto sums = sums_of(sums_text);
  LineByLineOptions options;
  options.from_cm1 = 900;
  options.to_cm1 = 1200;
  options.threads = 3;
  const auto caller = std::this_thread::get_id();
  double last = -1;
  line_by_line_table(lines, sums, {300, 400}, options, [&](double share) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_GE(share, last);
    last = share;
  });
  EXPECT_EQ(last, 1.0);
  options.threads = 1;  // with more, others might do all blocks before the caller starts
  const auto stop = [](double share) {
    if (share < 1) throw std::runtime_error("stop");
  };
  EXPECT_THROW(line_by_line_spectrum(lines, sums, 300, options, stop), std::runtime_error);
}

TEST(LineByLine, TableHoldsSpectraByBand) {
  auto options = around_1000();
  options.mole_fraction = 0.2;
  options.pressure = 2e5;
  const auto lines = lines_of(strong_line);
  const auto sums = sums_of(sums_text);
  const auto table = line_by_line_table(lines, sums, {300, 800}, options);
  EXPECT_EQ(table.kind, TableKind::line_by_line);
  EXPECT_EQ(table.pressure, 2e5);
  EXPECT_EQ(table.mole_fraction, 0.2);
  ASSERT_EQ(table.bands.size(), 10u);
  EXPECT_EQ(table.bands[3], (Band{998, 999}));
  ASSERT_EQ(table.quadrature.size(), 100u);
  const auto k = line_by_line_spectrum(lines, sums, 800, options);
  for (std::size_t i = 0; i < k.size(); ++i) {
    EXPECT_FLOAT_EQ(table.row(i / 100, i % 100)[1], static_cast<float>(k[i]));
  }
}

TEST(LineByLine, CoarsestStepIsAThirdOfAHalfWidth) {
  const auto sums = sums_of(sums_text);
  EXPECT_NEAR(coarsest_step_cm1(lines_of(strong_line), sums, 296, around_1000()), 0.05 / 3, 1e-4);
  // A narrow line without strength does not count, one with strength does.
  const auto narrow = [](const std::string& strength) {
    return hitran_record("11", "1001.0", strength, ".01", ".01", "500.0", "0.70", "0.0");
  };
  const auto step_with = [&](const std::string& strength) {
    return coarsest_step_cm1(lines_of(strong_line + narrow(strength)), sums, 296, around_1000());
  };
  EXPECT_NEAR(step_with("1.000E-23"), 0.05 / 3, 1e-4);
  EXPECT_NEAR(step_with("1.000E-21"), 0.01 / 3, 1e-4);
}

TEST(LineByLine, BadRequestsAreRefused) {
  const auto lines = lines_of(strong_line);
  const auto sums = sums_of(sums_text);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto message_with = [&](auto change) -> std::string {
    auto options = around_1000();
    change(options);
    try {
      line_by_line_table(lines, sums, {300}, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  using O = LineByLineOptions;
  EXPECT_EQ(message_with([](O&) {}), "no error");
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), message.npos) << message << "\n  expected " << part;
  };
  expect(message_with([](O& o) { o.pressure = 0; }), "pressure is 0 Pa");
  expect(message_with([](O& o) { o.pressure = nan; }), "pressure is nan Pa");
  expect(message_with([](O& o) { o.mole_fraction = 0; }), "mole fraction is 0");
  expect(message_with([](O& o) { o.mole_fraction = 1.01; }), "mole fraction is 1.01");
  expect(message_with([](O& o) { o.from_cm1 = -1; }), "range is -1 to 1005");
  expect(message_with([](O& o) { o.to_cm1 = 995; }), "range is 995 to 995");
  expect(message_with([](O& o) { o.to_cm1 = nan; }), "range is 995 to nan");
  expect(message_with([](O& o) { o.cutoff_cm1 = 0; }), "cut-off is 0");
  expect(message_with([](O& o) { o.threads = -1; }), "threads is -1");
  expect(message_with([](O& o) { o.step_cm1 = 0; }), "step is 0");
  expect(message_with([](O& o) { o.step_cm1 = 1e-9; }), "too many");
  expect(message_with([](O& o) { o.step_cm1 = 0.03; }), "no whole number of steps");
  expect(message_with([](O& o) {
           o.step_cm1 = 0.8;
           o.to_cm1 = 999;
         }),
         "do not fill");
  expect(message_with([](O& o) { o.from_cm1 = 995.5; }), "give whole numbers");

  const auto options = around_1000();
  EXPECT_THROW(line_by_line_table(lines, sums, {}, options), Error);
  EXPECT_THROW(line_by_line_table(lines, sums, {400, 300}, options), Error);
  EXPECT_THROW(line_by_line_table(lines, sums, {300, nan}, options), Error);
  EXPECT_THROW(line_by_line_spectrum(lines, sums, 1001, options), Error);
}

TEST(LineByLine, LinesMustFitTogetherAndToTheSums) {
  const auto message_of = [](const std::string& lines, const std::string& sums) -> std::string {
    try {
      line_by_line_spectrum(lines_of(lines), sums_of(sums), 300, around_1000());
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), message.npos) << message << "\n  expected " << part;
  };
  const auto line = [](const std::string& molecule, const std::string& self,
                       const std::string& energy) {
    return hitran_record(molecule, "1000.0", "1.000E-21", ".01", self, energy, "0.70", "0.0");
  };
  expect(message_of(strong_line + line("21", ".1", "5.0"), sums_text), "of molecules 1 and 2");
  expect(message_of(line("21", ".1", "5.0"), sums_text), "of CO2 it is '626'");
  expect(message_of(line("13", ".1", "5.0"), sums_text), "not of number 3");
  expect(message_of(line("31", ".1", "5.0"), sums_text), "HITRAN molecule 3");
  expect(message_of(line("19", ".1", "5.0"), sums_text), "isotopologue 9 of H2O");
  expect(message_of(line("11", ".0", "5.0"), sums_text), "half-widths 0 (self) and 0.01 (air)");
  expect(message_of(line("11", ".1", "9999999999"), sums_text),
         "(beyond reason), check its lower-state energy");
  EXPECT_EQ(line_by_line_spectrum({}, sums_of(sums_text), 300, around_1000()),
            std::vector<double>(1000, 0.0));
}

}  // namespace
}  // namespace ermine
