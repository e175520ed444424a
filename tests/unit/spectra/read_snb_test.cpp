#include <ermine/narrow_band.hpp>

#include "support/scratch.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace ermine {
namespace {

NarrowBandParameters read(const std::string& text) {
  std::istringstream in(text);
  return read_snb(in, "SNBTEST", Species::co2);
}

void expect_refused(const std::string& text, std::initializer_list<std::string> message) {
  SCOPED_TRACE(text);
  test::expect_error([&] { read(text); }, message);
}

TEST(ReadSnb, ConvertsUnitsAndTurnsTheFloorIntoTransparency) {
  const auto p =
      read(" 0.25E+02 1.0 2.0 1e-20\r\n50 0.5\t1.01325 9e-20\n\n25 3 4 5\n50 6 7 8\n \n");
  EXPECT_EQ(p.species, Species::co2);
  EXPECT_EQ(p.bands, (std::vector<Band>{{12.5, 37.5}, {37.5, 62.5}}));
  EXPECT_EQ(p.temperature, (std::vector<double>{300, 400, 500}));
  EXPECT_NEAR(p.mean_absorption[0], 100.0 / 101325.0, 1e-17);
  EXPECT_NEAR(p.mean_absorption[4], 1e-3, 1e-17);
  EXPECT_EQ(p.mean_absorption[2], 0.0);
  EXPECT_EQ(p.mean_absorption[5], 0.0);
  EXPECT_EQ(p.inverse_spacing, (std::vector<double>{3, 4, 5, 6, 7, 8}));
  EXPECT_FALSE(p.manifest.citation.empty());
}

TEST(ReadSnb, SaysWhereAndWhatIsWrong) {
  expect_refused("", {"SNBTEST:1:", "empty"});
  expect_refused(" \n\n", {"SNBTEST:1:", "empty"});
  expect_refused("25 1\n50 nan\n25 1\n50 1\n", {"SNBTEST:2:", "'nan'", "finite"});
  expect_refused("25 1\n50 inf\n25 1\n50 1\n", {"SNBTEST:2:", "'inf'", "finite"});
  expect_refused("25 1\n50 1e999\n25 1\n50 1\n", {"SNBTEST:2:", "'1e999'"});
  expect_refused("25 1\n50 1,5\n25 1\n50 1\n", {"SNBTEST:2:", "'1,5'"});
  expect_refused("25 1\n50 -2\n25 1\n50 1\n", {"SNBTEST:2:", "-2 is negative"});
  expect_refused("25 1\n50 1\n25 1\n", {"SNBTEST:3:", "3 rows", "odd"});
  expect_refused("25 1\n25 1\n", {"SNBTEST:2:", "one band"});
  expect_refused("25\n50\n25\n50\n", {"SNBTEST:1:", "only one number"});
  expect_refused("25 1\n50 1\n25 1\n75 1\n", {"SNBTEST:4:", "75", "50", "line 2", "repeat"});
  expect_refused("25 1 2\n50 1 2\n25 1\n50 1 2\n", {"SNBTEST:3:", "2 columns", "has 3"});
  expect_refused("25 1\n50 1\n80 1\n25 1\n50 1\n80 1\n", {"SNBTEST:3:", "80", "expected 75"});
  expect_refused("50 1\n25 1\n50 1\n25 1\n", {"SNBTEST:2:", "25", "not above", "sort"});
  expect_refused("25 1\n25 1\n25 1\n25 1\n", {"SNBTEST:2:", "not above"});
  expect_refused("5 1\n30 1\n5 1\n30 1\n", {"SNBTEST:1:", "below zero"});
  expect_refused("25 1\n50 1\n25 1\n50 0\n", {"SNBTEST:4:", "1/delta is zero", "column 2"});
}

TEST(ReadSnb, NamesTheFile) {
  const test::ScratchFolder scratch;
  const auto file = scratch / "SNBX";
  test::expect_error([&] { read_snb(file, Species::co); }, {"cannot read", "SNBX"});
  test::expect_error([&] { read_snb(scratch.path(), Species::co); }, {"cannot read"});
  std::ofstream(file) << "25 1\n50 x\n";
  test::expect_error([&] { read_snb(file, Species::co); }, {"SNBX:2: 'x'"});
  std::ofstream(file) << "25 1\n50 2\n25 3\n50 4\n";
  EXPECT_EQ(read_snb(file, Species::co).species, Species::co);
}

}  // namespace
}  // namespace ermine
