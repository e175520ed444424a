#include <ermine/error.hpp>
#include <ermine/lines.hpp>

#include "spectra/isotopologues.hpp"
#include "support/hitran.hpp"
#include "support/scratch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace ermine {
namespace {

using test::hitran_record;
using test::lines_of;
using test::sums_of;

const std::string good_record = hitran_record("11", "1000.123456", "1.250E-20", ".0919", "0.391",
                                              "1922.8291", "0.76", "-.005724");

template <class Read>
std::string message_of(Read read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The good record with a field replaced; `first` counts from 1.
std::string with(std::size_t first, const std::string& field) {
  std::string record = good_record;
  return record.replace(first - 1, field.size(), field);
}

TEST(Lines, FieldsAreRead) {
  const auto lines = lines_of(good_record);
  ASSERT_EQ(lines.size(), 1u);
  const SpectralLine& line = lines.front();
  EXPECT_EQ(line.molecule, 1);
  EXPECT_EQ(line.isotopologue, 1);
  EXPECT_EQ(line.wavenumber_cm1, 1000.123456);
  EXPECT_EQ(line.strength, 1.25e-20);
  EXPECT_EQ(line.air_half_width, 0.0919);
  EXPECT_EQ(line.self_half_width, 0.391);
  EXPECT_EQ(line.lower_energy_cm1, 1922.8291);
  EXPECT_EQ(line.width_exponent, 0.76);
  EXPECT_EQ(line.air_shift, -0.005724);
}

TEST(Lines, IsotopologuesBeyondNineAreDigitsAndLetters) {
  const auto lines = lines_of(with(3, "9") + with(3, "0") + with(3, "A") + with(3, "B"));
  ASSERT_EQ(lines.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(lines[i].isotopologue, 9 + i);
}

TEST(Lines, LineEndsBlankLinesAndBlankShiftAreFine) {
  std::string other_system = good_record;
  other_system.insert(160, "\r");
  std::string no_end = good_record;
  no_end.pop_back();
  std::string trailing = good_record;
  trailing.insert(160, "   ");
  const auto lines = lines_of(other_system + "\r\n\n" + with(60, "        ") + trailing +
                              with(120, "\xff\xfe\0x") + no_end);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[1].air_shift, 0.0);
  EXPECT_EQ(lines[4].air_shift, -0.005724);
}

TEST(Lines, BrokenRecordsAreRefused) {
  struct Case {
    std::string text, expected;
  };
  const std::vector<Case> cases{
      {"", "lines.par holds no lines"},
      {"\n\r\n  \n", "lines.par holds no lines"},
      {good_record.substr(0, 100) + "\n", "lines.par:1: the line has 100 columns"},
      {good_record.substr(0, 99) + "\r\n", "lines.par:1: the line has 99 columns"},
      {good_record + good_record.substr(0, 159) + "x1\n", "lines.par:2: the line has 161 columns"},
      {good_record + std::string(5000, 'x'), "lines.par:2: the line is longer than"},
      {with(1, " x"), "lines.par:1: columns 1-2 hold ' x'"},
      {with(1, "-1"), "columns 1-2 hold '-1'"},
      {with(1, ".5"), "columns 1-2 hold '.5'"},
      {with(3, "C"), "column 3 holds 'C'"},
      {with(3, "\x01"), "column 3 holds '?'"},
      {with(4, "         nan"),
       "columns 4-15 hold '         nan' (no finite number for the wavenumber)"},
      {with(4, "            "), "for the wavenumber"},
      {with(4, "    0.000000"), "wavenumber is 0 (must be positive)"},
      {with(4, "   -5.000000"), "wavenumber is -5"},
      {with(16, "-1.000E-20"), "strength is -1e-20 (negative)"},
      {with(16, "       inf"), "for the strength"},
      {with(16, "1.000-E-20"), "for the strength"},
      {with(16, " 1.00E-999"), "for the strength"},
      {with(16, "    +-1.00"), "for the strength"},
      {with(36, "-.001"), "air-broadened half-width is -0.001 (negative)"},
      {with(41, "-0.01"), "self-broadened half-width is -0.01 (negative)"},
      {with(41, "0,391"), "self-broadened half-width"},
      {with(46, "   -1.0000"), "lower-state energy is -1 (HITRAN marks unknown ones so"},
      {with(56, " \xc3\xa4 "), "columns 56-59 hold ' ?? ' (no finite number for the exponent"},
      {with(60, "   1.0 2"), "pressure shift"}};
  for (const Case& c : cases) {
    const std::string message = message_of([&] { lines_of(c.text); });
    EXPECT_NE(message.find(c.expected), message.npos) << message << "\n  expected " << c.expected;
  }
}

TEST(Lines, FilesThatCannotBeReadAreNamed) {
  const test::ScratchFolder scratch;
  const auto ignore = [](const SpectralLine&) {};
  const auto missing = message_of([&] { read_lines(scratch / "none.par", ignore); });
  EXPECT_NE(missing.find("none.par, check that"), missing.npos) << missing;
  EXPECT_THROW(read_lines(scratch / ".", ignore), Error);
  EXPECT_THROW(PartitionSums::read(scratch / "none.csv"), Error);
  std::ofstream(scratch / "one.par", std::ios::binary) << good_record;
  int count = 0;
  read_lines(scratch / "one.par", [&](const SpectralLine&) { ++count; });
  EXPECT_EQ(count, 1);
}

TEST(PartitionSums, AreReadAndNamed) {
  const auto sums = sums_of(
      "# from somewhere\r\n# a source; T[K],161,181\r\n\r\n1,2,3\n2,4,6\n# more\n3,8,12\n4, 16 "
      ",24");
  EXPECT_EQ(sums.isotopologues(), 2u);
  EXPECT_EQ(sums.code(1), "161");
  EXPECT_EQ(sums.code(2), "181");
  EXPECT_EQ(sums.first(), 1);
  EXPECT_EQ(sums.last(), 4);
  for (int t = 1; t <= 4; ++t) EXPECT_NEAR(sums(2, t), 1.5 * std::exp2(t), 1e-12);
}

TEST(PartitionSums, InterpolationIsCubicInTheLogarithm) {
  // Exact for these at any four temperatures, also where steps are unequal and at the ends.
  const auto q = [](double t) { return std::exp(1 + 0.2 * t - 0.03 * t * t + 0.001 * t * t * t); };
  std::string text = "# T[K],161\n";
  for (const double t : {1.0, 2.0, 5.0, 7.0, 8.0, 12.0}) {
    text += std::to_string(t) + "," + fmt::format("{}", q(t)) + "\n";
  }
  const auto sums = sums_of(text);
  for (double t = 1; t <= 12; t += 0.125) EXPECT_NEAR(sums(1, t) / q(t), 1, 1e-12) << t;
}

TEST(PartitionSums, BrokenFilesAreRefused) {
  struct Case {
    std::string text, expected;
  };
  const std::string head = "# T[K],161,181\n";
  const std::vector<Case> cases{
      {"", "sums.csv holds 0 rows"},
      {head, "sums.csv holds 0 rows"},
      {head + "1,2,3\n2,3,4\n3,4,5\n", "sums.csv holds 3 rows (interpolation needs 4)"},
      {"1,2,3\n", "sums.csv:1: numbers before the columns are named"},
      {"# T in K\n1,2,3\n", "sums.csv:2: numbers before the columns are named"},
      {"# T[K],161,,171\n", "sums.csv:1: an isotopologue has no name"},
      {head + "1,2\n", "sums.csv:2: found 2 columns, give a temperature and 2 sums"},
      {head + "1,2,3,4\n", "sums.csv:2: found 4 columns"},
      {head + "1,2,3,\n", "sums.csv:2: found 4 columns"},
      {head + "1,2,3\n1,2,3\n", "sums.csv:3: temperature 1 does not increase after 1"},
      {head + "-1,2,3\n", "sums.csv:2: '-1' is not a positive number"},
      {head + "1,0,3\n", "sums.csv:2: '0' is not a positive number"},
      {head + "1,-2,3\n", "sums.csv:2: '-2' is not a positive number"},
      {head + "1,nan,3\n", "sums.csv:2: 'nan' is not a positive number"},
      {head + "1,inf,3\n", "sums.csv:2: 'inf' is not a positive number"},
      {head + "1,\xff,3\n", "sums.csv:2: '?' is not a positive number"},
      {head + "1,,3\n", "sums.csv:2: '' is not a positive number"}};
  for (const Case& c : cases) {
    const std::string message = message_of([&] { sums_of(c.text); });
    EXPECT_NE(message.find(c.expected), message.npos) << message << "\n  expected " << c.expected;
  }
}

TEST(PartitionSums, AreNotExtrapolated) {
  const auto sums = sums_of("# T[K],161\n1,2\n2,4\n3,8\n4,16\n");
  EXPECT_THROW(sums(1, 0.99), Error);
  EXPECT_THROW(sums(1, 4.01), Error);
  EXPECT_THROW(sums(1, std::nan("")), Error);
  EXPECT_THROW(sums(2, 2), Error);
  EXPECT_THROW(sums(0, 2), Error);
  const auto message = message_of([&] { sums(1, 5.0); });
  EXPECT_NE(message.find("161 wanted at 5 K, the file holds 1 to 4 K"), message.npos) << message;
}

TEST(Isotopologues, MassesAreThoseOfTheirAtoms) {
  // Digits of a code are the last digits of mass numbers. Atomic masses: AME2020, M. Wang et al.,
  // Chinese Physics C 45 (2021) 030003.
  const auto atom = [](char element, char digit) {
    if (element == 'H') return digit == '1' ? 1.007825032 : 2.014101778;
    if (element == 'C') return digit == '2' ? 12.0 : 13.003354835;
    return digit == '6' ? 15.994914619 : digit == '7' ? 16.999131757 : 17.999159613;
  };
  struct Molecule {
    int number, isotopologues;
    std::string elements;
  };
  for (const auto& [number, isotopologues, elements] :
       {Molecule{1, 7, "HOH"}, Molecule{2, 12, "OCO"}, Molecule{5, 6, "CO"},
        Molecule{6, 4, "CHH"}}) {
    for (int i = 1; i <= isotopologues; ++i) {
      const Isotopologue& data = isotopologue(number, i);
      ASSERT_EQ(data.code.size(), elements.size());
      double mass = number == 6 ? 2 * atom('H', '1') : 0.0;  // "212" is 12C 1H3 2H
      for (std::size_t a = 0; a < elements.size(); ++a) mass += atom(elements[a], data.code[a]);
      // HITRAN's deuterium is lighter by 1e-4 g/mol.
      EXPECT_NEAR(data.molar_mass / mass, 1, 2e-5) << data.code;
    }
    EXPECT_THROW(isotopologue(number, isotopologues + 1), Error);
    EXPECT_THROW(isotopologue(number, 0), Error);
  }
  EXPECT_THROW(isotopologue(3, 1), Error);
}

TEST(RawData, BandStrengthsOfWater) {
  const char* folder = std::getenv("ERMINE_RAW_SPECTRA");
  if (!folder) GTEST_SKIP() << "set ERMINE_RAW_SPECTRA to the folder with h2o_main.par";
  struct Sum {
    double from, to, expected, found;
  };
  // [cm/molecule] at 296 K, as listed with the data.
  std::vector<Sum> sums{{50, 500, 5.14e-17, 0},
                        {1200, 2100, 1.144e-17, 0},
                        {3400, 4100, 8.32e-18, 0},
                        {5000, 5700, 8.73e-19, 0}};
  int count = 0;
  read_lines(std::filesystem::path(folder) / "h2o_main.par", [&](const SpectralLine& line) {
    ++count;
    for (Sum& sum : sums) {
      if (line.wavenumber_cm1 >= sum.from && line.wavenumber_cm1 < sum.to) {
        sum.found += line.strength;
      }
    }
  });
  EXPECT_EQ(count, 57534);
  for (const Sum& sum : sums) EXPECT_NEAR(sum.found / sum.expected, 1, 2e-3) << sum.from;
}

}  // namespace
}  // namespace ermine
