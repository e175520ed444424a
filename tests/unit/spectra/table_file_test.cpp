#include "spectra/table_file.hpp"

#include "files/hdf5.hpp"
#include "files/input_file.hpp"
#include "files/sealed_file.hpp"
#include "support/gas.hpp"
#include "support/scratch.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <thread>

namespace ermine {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

SpectralTable full_table() {
  SpectralTable table = test::small_table();
  table.mole_fraction = 0.25;
  table.manifest = {
      {{"lines of H2O.par", std::string(64, 'a')}, {"sums.csv", std::string(64, '0')}},
      "ermine 0.1.0",
      "bands of 25 1/cm",
      "R. Rothman, 2010"};
  return table;
}

NarrowBandParameters full_parameters() {
  NarrowBandParameters parameters =
      test::parameters(2, {300, 500, 900}, {0.5, 0.25, 0, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
  parameters.species = Species::co;
  parameters.manifest = {{{"SNBCO", std::string(64, 'b')}}, "ermine", "", "somebody"};
  return parameters;
}

class TableFile : public testing::Test {
 protected:
  void expect_refused(const SpectralTable& table, const std::string& text) {
    const std::string bytes = sealed(hdf5_bytes(table), table_seal);
    test::expect_error([&] { parse_table(bytes, "some.h5"); }, {"some.h5", text});
  }
  template <class Change>
  void expect_change_refused(const Change& change, const std::string& text) {
    SpectralTable table = full_table();
    change(table);
    expect_refused(table, text);
    test::expect_error([&] { write_table(table, scratch_ / "not.h5"); }, {text});
    EXPECT_FALSE(std::filesystem::exists(scratch_ / "not.h5"));
  }
  template <class Change>
  void expect_parameters_refused(const Change& change, const std::string& text) {
    NarrowBandParameters parameters = full_parameters();
    change(parameters);
    const std::string bytes = sealed(hdf5_bytes(parameters), table_seal);
    test::expect_error([&] { parse_narrow_band(bytes, "some.h5"); }, {"some.h5", text});
  }

  test::ScratchFolder scratch_;
};

void expect_equal(const Manifest& a, const Manifest& b) {
  ASSERT_EQ(a.inputs.size(), b.inputs.size());
  for (std::size_t i = 0; i < a.inputs.size(); ++i) {
    EXPECT_EQ(a.inputs[i].name, b.inputs[i].name);
    EXPECT_EQ(a.inputs[i].checksum, b.inputs[i].checksum);
  }
  EXPECT_EQ(a.tool, b.tool);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.citation, b.citation);
}

TEST_F(TableFile, KeepsATable) {
  for (const TableKind kind : {TableKind::k_distribution, TableKind::line_by_line}) {
    SpectralTable table = full_table();
    table.kind = kind;
    if (kind == TableKind::line_by_line) table.absorption[0] = 9.0F;  // out of order
    write_table(table, scratch_ / "table.h5");
    const SpectralTable read = read_table(scratch_ / "table.h5");
    EXPECT_EQ(read.kind, kind);
    EXPECT_EQ(read.gas, table.gas);
    EXPECT_EQ(read.pressure, table.pressure);
    EXPECT_EQ(read.mole_fraction, table.mole_fraction);
    EXPECT_EQ(read.bands, table.bands);
    EXPECT_EQ(read.quadrature, table.quadrature);
    EXPECT_EQ(read.temperature, table.temperature);
    EXPECT_EQ(read.absorption, table.absorption);
    expect_equal(read.manifest, table.manifest);
    const auto any = parse_any_table(read_bytes(scratch_ / "table.h5"), "table.h5");
    EXPECT_EQ(std::get<SpectralTable>(any).kind, kind);
  }
}

TEST_F(TableFile, KeepsNarrowBandParameters) {
  const NarrowBandParameters parameters = full_parameters();
  write_narrow_band(parameters, scratch_ / "co.h5");
  const NarrowBandParameters read = read_narrow_band(scratch_ / "co.h5");
  EXPECT_EQ(read.species, Species::co);
  EXPECT_EQ(read.bands, parameters.bands);
  EXPECT_EQ(read.temperature, parameters.temperature);
  EXPECT_EQ(read.mean_absorption, parameters.mean_absorption);
  EXPECT_EQ(read.inverse_spacing, parameters.inverse_spacing);
  expect_equal(read.manifest, parameters.manifest);
  const auto any = parse_any_table(read_bytes(scratch_ / "co.h5"), "co.h5");
  EXPECT_EQ(std::get<NarrowBandParameters>(any).species, Species::co);
}

TEST_F(TableFile, EqualTablesMakeEqualFiles) {
  write_table(full_table(), scratch_ / "a.h5");
  // HDF5 would keep the second of writing, if it were allowed to.
  const std::time_t before = std::time(nullptr);
  while (std::time(nullptr) == before) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  write_table(full_table(), scratch_ / "other name.h5");
  EXPECT_EQ(read_bytes(scratch_ / "a.h5"), read_bytes(scratch_ / "other name.h5"));
  EXPECT_EQ(hdf5_bytes(full_parameters()), hdf5_bytes(full_parameters()));
}

TEST_F(TableFile, BadNumbersAreRefused) {
  const auto refuse = [&](auto change, const std::string& text) {
    expect_change_refused(change, text);
  };
  refuse([](auto& t) { t.absorption[4] = NAN; }, "absorption coefficient is nan 1/m in band 0");
  refuse([](auto& t) { t.absorption[4] = -1; }, "absorption coefficient is -1 1/m in band 0");
  refuse([](auto& t) { t.absorption[11] = INFINITY; },
         "absorption coefficient is inf 1/m in band 1, point 1, at 1000 K");
  refuse([](auto& t) { t.absorption[9] = -0.5F; }, "absorption coefficient is -0.5");
  refuse([](auto& t) { t.absorption[1] = 3.5F; },
         "absorption coefficients of band 0 fall from 3.5 to 3 1/m with g at 500 K");
  refuse([](auto& t) { t.bands[1].low_cm1 = 1499; }, "band 1 reaches from 1499 to 3000 1/cm");
  refuse([](auto& t) { t.bands[0].high_cm1 = 900; }, "band 0 reaches from 1000 to 900 1/cm");
  refuse([](auto& t) { t.bands[0].low_cm1 = -1; }, "band 0 reaches from -1");
  refuse([](auto& t) { t.bands[0].low_cm1 = not_a_number; }, "band 0 reaches from nan");
  refuse([](auto& t) { t.bands[1].high_cm1 = HUGE_VAL; }, "band 1 reaches from 2000 to inf");
  refuse([](auto& t) { t.temperature[1] = 300; }, "temperature [K] is 300 at entry 1");
  refuse([](auto& t) { t.temperature[2] = not_a_number; }, "temperature [K] is nan at entry 2");
  refuse([](auto& t) { t.temperature[0] = -300; }, "no temperatures above 0 K");
  refuse([](auto& t) { t.quadrature.weight[0] = 0.41; }, "weights add up to 1.01");
  refuse([](auto& t) { t.quadrature.weight = {1.2, -0.2}; }, "a weight of the quadrature is 1.2");
  refuse([](auto& t) { t.quadrature.weight[0] = not_a_number; },
         "a weight of the quadrature is nan");
  refuse([](auto& t) { t.quadrature.node[1] = 0.2; }, "a point of the quadrature is 0.2");
  refuse([](auto& t) { t.quadrature.node[1] = 1.0; }, "they must lie within (0, 1)");
  refuse([](auto& t) { t.pressure = 0; }, "pressure of a table is 0 Pa");
  refuse([](auto& t) { t.pressure = not_a_number; }, "pressure of a table is nan Pa");
  refuse([](auto& t) { t.mole_fraction = 1.1; }, "mole fraction of a table is 1.1");
  refuse([](auto& t) { t.mole_fraction = 0; }, "mole fraction of a table is 0");
  refuse([](auto& t) { t.gas = ""; }, "does not name its gas");
}

TEST_F(TableFile, BadParametersAreRefused) {
  const auto refuse = [&](auto change, const std::string& text) {
    expect_parameters_refused(change, text);
  };
  refuse([](auto& p) { p.mean_absorption[3] = not_a_number; }, "CO has kbar = nan");
  refuse([](auto& p) { p.mean_absorption[3] = -1; }, "CO has kbar = -1");
  refuse([](auto& p) { p.inverse_spacing[0] = 0; }, "1/delta = 0 cm");
  refuse([](auto& p) { p.temperature[1] = 200; }, "temperature 2 of");
  refuse([](auto& p) { p.temperature[0] = 0; }, "temperature 1 of");
  refuse([](auto& p) { p.bands[1].low_cm1 += 1; }, "band 2 of");
  refuse([](auto& p) { p.bands[0].low_cm1 = 70; }, "band 1 of");
}

/// A table written piece by piece, with one of them missing or different.
std::vector<char> pieces(const std::string& without, const std::string& kind = "k-distribution",
                         std::array<std::size_t, 3> shape = {1, 2, 2}) {
  Hdf5Writer out("pieces");
  for (const auto& [name, value] :
       std::initializer_list<std::pair<std::string, std::string>>{{"kind", kind},
                                                                  {"gas", "XY"},
                                                                  {"inputs", ""},
                                                                  {"tool", "t"},
                                                                  {"options", ""},
                                                                  {"citation", "c"}}) {
    if (name != without) out.attribute("/", name, value);
  }
  if (without != "pressure") out.attribute("/", "pressure", 1e5);
  if (without != "mole_fraction") out.attribute("/", "mole_fraction", 1.0);
  const auto column = [&](const std::string& name, const std::vector<double>& values) {
    if (name != without) out.write(name, std::array<std::size_t, 1>{values.size()}, values);
  };
  if (without != "bands") {
    out.write("bands", std::array<std::size_t, 2>{1, 2}, std::array<double, 2>{100, 200});
  }
  column("g", {0.25, 0.75});
  column("weight", {0.5, 0.5});
  column("temperature", {300, 400});
  const std::vector<float> values(shape[0] * shape[1] * shape[2], 1.0F);
  if (without != "absorption") out.write_compressed("absorption", shape, values);
  return out.bytes();
}

TEST_F(TableFile, MissingPiecesAreNamed) {
  const std::string whole = sealed(pieces(""), table_seal);
  EXPECT_EQ(parse_table(whole, "some.h5").gas, "XY");
  for (const std::string name : {"bands", "g", "weight", "temperature", "absorption"}) {
    const std::string bytes = sealed(pieces(name), table_seal);
    test::expect_error([&] { parse_table(bytes, "some.h5"); },
                       {"some.h5 has no dataset '" + name + "'"});
  }
  for (const std::string name :
       {"kind", "gas", "pressure", "mole_fraction", "inputs", "tool", "options", "citation"}) {
    const std::string bytes = sealed(pieces(name), table_seal);
    test::expect_error([&] { parse_table(bytes, "some.h5"); },
                       {"some.h5 has no attribute '" + name + "'"});
  }
}

TEST_F(TableFile, WrongShapesAreNamed) {
  for (const std::array<std::size_t, 3>& shape :
       std::vector<std::array<std::size_t, 3>>{{2, 2, 2}, {1, 3, 2}, {1, 2, 1}, {1, 4, 1}}) {
    const std::string bytes = sealed(pieces("", "k-distribution", shape), table_seal);
    test::expect_error([&] { parse_table(bytes, "some.h5"); },
                       {"dataset 'absorption' of some.h5 has shape", "(1, 2, 2) is needed"});
  }
}

TEST_F(TableFile, WrongKindsAreNamed) {
  const std::string other = sealed(pieces("", "weather report"), table_seal);
  test::expect_error([&] { parse_table(other, "some.h5"); }, {"some.h5 holds weather report"});
  test::expect_error([&] { parse_any_table(other, "some.h5"); }, {"some.h5 holds weather report"});
  const std::string table = sealed(hdf5_bytes(full_table()), table_seal);
  test::expect_error([&] { parse_narrow_band(table, "some.h5"); },
                     {"some.h5 holds a k-distribution table, not narrow-band parameters"});
  const std::string narrow = sealed(hdf5_bytes(full_parameters()), table_seal);
  test::expect_error([&] { parse_table(narrow, "some.h5"); },
                     {"some.h5 holds narrow-band parameters"});
  const std::string unknown = sealed(pieces("", "narrow-band parameters"), table_seal);
  test::expect_error([&] { parse_narrow_band(unknown, "some.h5"); },
                     {"some.h5: there are no narrow-band parameters of gas \"XY\""});
}

TEST_F(TableFile, WhatIsNoTableIsRefused) {
  test::expect_error([&] { read_table(scratch_ / "missing.h5"); }, {"cannot read", "missing.h5"});
  const std::string text = "not HDF5 at all";
  const std::string bytes = sealed(text, table_seal);
  test::expect_error([&] { parse_table(bytes, "some.h5"); }, {"some.h5 is not a readable HDF5"});
}

class ShippedParameters : public testing::TestWithParam<Species> {};

TEST_P(ShippedParameters, CoverWhatTheyPromise) {
  const NarrowBandParameters& parameters = shipped_parameters(GetParam());
  EXPECT_NO_THROW(parameters.check());
  EXPECT_EQ(parameters.species, GetParam());
  EXPECT_EQ(parameters.temperature.front(), 250.0);
  EXPECT_EQ(parameters.temperature.back(), GetParam() == Species::ch4 ? 2000.0 : 5000.0);
  EXPECT_GT(parameters.bands.size(), 100u);
  EXPECT_FALSE(parameters.manifest.citation.empty());
  EXPECT_FALSE(parameters.manifest.tool.empty());
  ASSERT_FALSE(parameters.manifest.inputs.empty());
  for (const Manifest::Input& input : parameters.manifest.inputs) {
    EXPECT_FALSE(input.name.empty());
    EXPECT_EQ(input.checksum.size(), 64u);
    EXPECT_EQ(input.checksum.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
  EXPECT_EQ(&parameters, &shipped_parameters(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Species, ShippedParameters, testing::ValuesIn(all_species),
                         [](const auto& param) { return std::string(name_of(param.param)); });

}  // namespace
}  // namespace ermine
