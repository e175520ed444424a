#include <ermine/files.hpp>

#include "core/check.hpp"
#include "files/sha256.hpp"
#include "output_folder.hpp"
#include "spectra.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace ermine::cli {
namespace {

constexpr double most_temperatures = 10'000;

bool parse_number(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

std::vector<double> parse_temperatures(const std::string& text) {
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first == text.npos ? first : first + 1);
  double from = 0.0, to = 0.0, step = 0.0;
  ERMINE_REQUIRE(
      second != text.npos && parse_number(std::string_view(text).substr(0, first), from) &&
          parse_number(std::string_view(text).substr(first + 1, second - first - 1), to) &&
          parse_number(std::string_view(text).substr(second + 1), step),
      "{} is not FROM:TO:STEP, give three numbers in K such as 300:1500:10", text);
  ERMINE_REQUIRE(from > 0 && to >= from && step > 0,
                 "{} leads nowhere, give FROM > 0, TO >= FROM and STEP > 0 in K", text);
  const double steps = (to - from) / step;
  ERMINE_REQUIRE(steps < most_temperatures, "{} are {:.4g} temperatures, give at most {}", text,
                 steps + 1, most_temperatures);
  ERMINE_REQUIRE(std::abs(steps - std::round(steps)) < 1e-6,
                 "{} does not arrive at {} K in whole steps of {} K, change one of them", text, to,
                 step);
  std::vector<double> kelvin;
  for (double i = 0; i < std::round(steps); ++i) kelvin.push_back(from + i * step);
  kelvin.push_back(to);
  return kelvin;
}

std::vector<double> usual_temperatures(const std::vector<double>& range) {
  std::vector<double> chosen;
  for (const double kelvin : {300.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0}) {
    if (kelvin >= range.front() && kelvin <= range.back()) chosen.push_back(kelvin);
  }
  if (!chosen.empty()) return chosen;
  return range.size() == 1 ? range : std::vector<double>{range.front(), range.back()};
}

CLI::Validator temperature_range() {
  return {[](std::string& text) {
            try {
              parse_temperatures(text);
            } catch (const Error& error) {
              return std::string(error.what());
            }
            return std::string();
          },
          ""};
}

CLI::Validator number_within(double low, double high, const std::string& advice) {
  return {[=](std::string& text) {
            double value = 0.0;
            const bool good = parse_number(text, value) && value > low && value <= high;
            return good ? std::string() : text + " is out of range, " + advice;
          },
          ""};
}

void add_pressure(CLI::App& verb, double& pressure) {
  verb.add_option("--pressure", pressure, "Total pressure [Pa], default 101325")
      ->type_name("PA")
      ->check(number_within(0.0, 1e9, "give pascals above 0, up to 1e9"));
}

void add_mole_fraction(CLI::App& verb, double& mole_fraction) {
  verb.add_option("--mole-fraction", mole_fraction, "Of the gas, default 1; the rest is nitrogen")
      ->type_name("X")
      ->check(number_within(0.0, 1.0, "give a mole fraction above 0, up to 1"));
}

void add_table_options(CLI::App& verb, TableOptions& options) {
  add_pressure(verb, options.pressure);
  add_mole_fraction(verb, options.mole_fraction);
  verb.add_option("--band-width", options.band_width_cm1, "Width of the bands [1/cm]")
      ->type_name("CM1")
      ->check(number_within(0.0, 1e5, "give 1/cm above 0"));
  verb.add_option("--quadrature", options.quadrature, "Points in g: skewed or legendre")
      ->type_name("RULE")
      ->check(CLI::IsMember({"skewed", "legendre"}));
  verb.add_option("--points", options.points, "Points of the quadrature, default 16")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  verb.add_option("--temperatures", options.temperatures, "Of the table [K], such as 300:1500:10")
      ->type_name("FROM:TO:STEP")
      ->check(temperature_range());
}

Quadrature TableOptions::rule() const {
  return quadrature == "legendre" ? Quadrature::gauss_legendre(points) : Quadrature::skewed(points);
}

Species parse_species(const std::string& name) {
  const auto species = species_named(name);
  ERMINE_REQUIRE(species, "--gas {} is not known, give one of {}", name, species_names());
  return *species;
}

Manifest::Input input_of(const std::filesystem::path& file) {
  return {file.filename().string(), sha256_of_file(file)};
}

std::string this_tool() { return "ermine " ERMINE_VERSION; }

void check_output(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  ERMINE_REQUIRE(!file.filename().empty() && !std::filesystem::is_directory(file, unknown),
                 "cannot write {}, it is a folder, give the name of a file", file.string());
  ERMINE_REQUIRE(std::filesystem::is_directory(folder, unknown),
                 "cannot write {}, there is no folder {}, make it first", file.string(),
                 folder.string());
  create_folder(folder);
  require_replaceable(file);
}

}  // namespace ermine::cli
