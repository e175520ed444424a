#include <ermine/narrow_band.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "files/input_file.hpp"
#include "spectra/atmosphere.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

namespace ermine {
namespace {

constexpr double first_kelvin = 300.0;
constexpr double kelvin_step = 100.0;
constexpr double transparent_below = 1e-19;  // [1/(cm atm)]; the files write 1e-20 for none
constexpr double per_cm_atm = 100.0 / pascal_per_atmosphere;  // [1/(m Pa)]

struct Row {
  int line;
  std::vector<double> number;  // band centre, then one for each temperature
};

double parse_number(std::string_view word, const std::string& name, int line) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  ERMINE_REQUIRE(error == std::errc{} && end == word.data() + word.size() && std::isfinite(value),
                 "{}:{}: '{}' is not a finite number, correct the file", name, line,
                 word.substr(0, 40));
  ERMINE_REQUIRE(value >= 0.0, "{}:{}: {} is negative, correct the file", name, line, value);
  return value;
}

std::vector<double> parse_line(std::string_view text, const std::string& name, int line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
       at = text.find_first_not_of(blanks, at)) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    numbers.push_back(parse_number(text.substr(at, end - at), name, line));
    at = end;
  }
  return numbers;
}

std::vector<Row> parse_rows(std::istream& in, const std::string& name) {
  std::vector<Row> rows;
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    std::vector<double> numbers = parse_line(text, name, line);
    if (numbers.empty()) continue;
    ERMINE_REQUIRE(numbers.size() >= 2,
                   "{}:{}: only one number, give a band centre and a value for each temperature",
                   name, line);
    ERMINE_REQUIRE(rows.empty() || numbers.size() == rows.front().number.size(),
                   "{}:{}: found {} columns, the first row has {}, give all rows the same", name,
                   line, numbers.size(), rows.front().number.size());
    rows.push_back({line, std::move(numbers)});
  }
  ERMINE_REQUIRE(!in.bad(), "reading {} failed, check the disk", name);
  return rows;
}

/// Bands around the centres of the first half of the rows.
std::vector<Band> make_bands(std::span<const Row> rows, const std::string& name) {
  const double first = rows[0].number[0];
  const double width = rows[1].number[0] - first;
  ERMINE_REQUIRE(width > 0.0,
                 "{}:{}: band centre {} 1/cm is not above the one before, {} 1/cm, "
                 "sort the rows",
                 name, rows[1].line, rows[1].number[0], first);
  ERMINE_REQUIRE(first >= 0.5 * width,
                 "{}:{}: the band around {} 1/cm with a width of {} 1/cm begins below zero, "
                 "correct the centre",
                 name, rows[0].line, first, width);
  std::vector<Band> bands;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    const double expected = first + static_cast<double>(b) * width;
    ERMINE_REQUIRE(std::abs(rows[b].number[0] - expected) <= 1e-6 * width,
                   "{}:{}: band centre {} 1/cm breaks the step of {} 1/cm, which must be the same "
                   "between all rows, expected {} 1/cm",
                   name, rows[b].line, rows[b].number[0], width, expected);
    // From the first centre, so that neighbours share their edge to the last digit.
    const auto edge = [&](std::size_t i) { return first + (static_cast<double>(i) - 0.5) * width; };
    bands.push_back({edge(b), edge(b + 1)});
  }
  return bands;
}

std::string citation(Species species) {
  return species == Species::ch4
             ? "M.-Y. Perrin, A. Soufiani, Approximate radiative properties of methane at high "
               "temperature, J. Quant. Spectrosc. Radiat. Transfer 103 (2007) 3-13"
             : "P. Riviere, A. Soufiani, Updated band model parameters for H2O, CO2, CH4 and CO "
               "radiation at high temperature, Int. J. Heat Mass Transfer 55 (2012) 3349-3358";
}

}  // namespace

NarrowBandParameters read_snb(std::istream& in, const std::string& name, Species species) {
  const FloatingPointGuard guard;
  const std::vector<Row> rows = parse_rows(in, name);
  ERMINE_REQUIRE(!rows.empty(), "{}:1: the file is empty, give rows of band centre and parameters",
                 name);
  ERMINE_REQUIRE(rows.size() % 2 == 0,
                 "{}:{}: the file has {} rows, an odd number, give one row of kbar and one of "
                 "1/delta for each band",
                 name, rows.back().line, rows.size());
  const std::size_t count = rows.size() / 2;
  ERMINE_REQUIRE(count >= 2, "{}:{}: the file has one band, give at least two", name,
                 rows.back().line);

  NarrowBandParameters parameters;
  parameters.species = species;
  parameters.bands = make_bands(std::span(rows).first(count), name);
  const std::size_t columns = rows.front().number.size();
  for (std::size_t t = 0; t + 1 < columns; ++t) {
    parameters.temperature.push_back(first_kelvin + kelvin_step * static_cast<double>(t));
  }
  for (std::size_t b = 0; b < count; ++b) {
    const Row& mean = rows[b];
    const Row& inverse = rows[b + count];
    ERMINE_REQUIRE(inverse.number[0] == mean.number[0],
                   "{}:{}: band centre {} 1/cm differs from {} 1/cm in line {}, the second half "
                   "of the file must repeat the centres of the first",
                   name, inverse.line, inverse.number[0], mean.number[0], mean.line);
    for (std::size_t c = 1; c < columns; ++c) {
      ERMINE_REQUIRE(inverse.number[c] > 0.0,
                     "{}:{}: 1/delta is zero in column {}, give a positive number", name,
                     inverse.line, c + 1);
      const double kbar = mean.number[c];
      parameters.mean_absorption.push_back(kbar < transparent_below ? 0.0 : kbar * per_cm_atm);
      parameters.inverse_spacing.push_back(inverse.number[c]);
    }
  }
  parameters.manifest.citation = citation(species);
  parameters.check();
  return parameters;
}

NarrowBandParameters read_snb(const std::filesystem::path& file, Species species) {
  require_regular(file);
  std::ifstream in(file);
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  return read_snb(in, file.string(), species);
}

}  // namespace ermine
