#include "gas_source.hpp"

#include "core/check.hpp"
#include "files/input_file.hpp"
#include "spectra.hpp"
#include "spectra/table_file.hpp"

#include <algorithm>
#include <charconv>

namespace ermine::cli {
namespace {

// Error of the mean and of transmissivities below 1e-4 (16 points: 5e-4).
constexpr int property_points = 64;

double parse_fraction(const std::string& word, std::size_t at) {
  double value = -1.0;
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data() + at, last, value);
  ERMINE_REQUIRE(error == std::errc{} && end == last && value > 0 && value <= 1,
                 "--gas {} does not give a mole fraction above 0, up to 1, write it as H2O=0.2",
                 word);
  return value;
}

}  // namespace

void add_gas_options(CLI::App& verb, GasOptions& options) {
  CLI::Option* gas =
      verb.add_option("--gas", options.gases,
                      "H2O, CO2, CO or CH4; mixtures: H2O=0.2 and so on, repeated, rest nitrogen")
          ->type_name("NAME[=X]")
          ->allow_extra_args(false);
  CLI::Option* table =
      verb.add_option("--table", options.table, "A table in place of --gas")->type_name("FILE.h5");
  gas->excludes(table);
  add_pressure(verb, options.pressure);
  add_mole_fraction(verb, options.mole_fraction);
  verb.parse_complete_callback([&verb, &options] {
    if (options.gases.empty() && options.table.empty()) {
      throw CLI::RequiredError("--gas or --table");
    }
    options.conditions_given = verb.count("--pressure") + verb.count("--mole-fraction") > 0;
  });
}

void add_temperature(CLI::App& verb, std::vector<double>& kelvin) {
  verb.add_option("--temperature", kelvin, "Gas temperatures [K]")
      ->type_name("K")
      ->check(number_within(0.0, 1e5, "give kelvin above 0"));
}

void add_length(CLI::App& verb, std::vector<double>& length) {
  verb.add_option("--length", length, "Lengths of the column of gas [m]")
      ->type_name("M")
      ->check(number_within(0.0, 1e9, "give metres above 0"));
}

GasSource::GasSource(const GasOptions& options) : pressure_(options.pressure) {
  if (!options.table.empty()) add_file(options);
  for (const std::string& word : options.gases) add_named(word, options);
  ERMINE_REQUIRE(composition_.nitrogen() > -1e-9,
                 "the mole fractions of --gas add up to {}, give at most 1",
                 1 - composition_.nitrogen());
}

void GasSource::add_parameters(const NarrowBandParameters& parameters, double mole_fraction) {
  ERMINE_REQUIRE(composition_[parameters.species] == 0.0, "--gas {} is given twice, remove one",
                 name_of(parameters.species));
  composition_[parameters.species] = mole_fraction;
  gas_.emplace_back(name_of(parameters.species));
  mole_fraction_.push_back(mole_fraction);
  coldest_ = std::max(coldest_, parameters.temperature.front());
  hottest_ = std::min(hottest_, parameters.temperature.back());
  parameters_.push_back(parameters);
}

void GasSource::add_named(const std::string& word, const GasOptions& options) {
  const std::size_t equals = word.find('=');
  ERMINE_REQUIRE(equals != word.npos || options.gases.size() == 1,
                 "--gas {} is one of several but has no mole fraction, write {}=0.2", word, word);
  ERMINE_REQUIRE(equals == word.npos || options.mole_fraction == 1.0,
                 "--gas {} and --mole-fraction both give mole fractions, remove one", word);
  add_parameters(shipped_parameters(parse_species(word.substr(0, equals))),
                 equals == word.npos ? options.mole_fraction : parse_fraction(word, equals + 1));
}

void GasSource::add_file(const GasOptions& options) {
  auto contents = parse_any_table(read_bytes(options.table), options.table);
  if (const auto* parameters = std::get_if<NarrowBandParameters>(&contents)) {
    add_parameters(*parameters, options.mole_fraction);
    return;
  }
  tables_.push_back(std::move(std::get<SpectralTable>(contents)));
  const SpectralTable& table = tables_.front();
  ERMINE_REQUIRE(!options.conditions_given,
                 "{} is for {} Pa and a mole fraction of {}, remove --pressure and --mole-fraction",
                 options.table, table.pressure, table.mole_fraction);
  gas_ = {table.gas};
  mole_fraction_ = {table.mole_fraction};
  pressure_ = table.pressure;
  coldest_ = table.temperature.front();
  hottest_ = table.temperature.back();
}

std::string GasSource::title() const {
  std::string text;
  for (std::size_t i = 0; i < gas_.size(); ++i) {
    text += (i == 0 ? "" : ", ") + gas_[i];
    if (mole_fraction_[i] < 1) text += fmt::format(" {}", mole_fraction_[i]);
  }
  double sum = 0.0;
  for (const double x : mole_fraction_) sum += x;
  if (sum < 1 - 1e-9) text += ", rest N2";
  return text + fmt::format(", {} Pa", pressure_);
}

double GasSource::single_mole_fraction(const std::string& purpose) const {
  ERMINE_REQUIRE(!is_mixture(), "{} is for one gas, give --gas once", purpose);
  return mole_fraction_.front();
}

const std::vector<SpectralTable>& GasSource::tables(std::vector<double> kelvin) {
  if (parameters_.empty()) return tables_;
  std::ranges::sort(kelvin);
  kelvin.erase(std::unique(kelvin.begin(), kelvin.end()), kelvin.end());
  tables_.clear();
  for (const NarrowBandParameters& parameters : parameters_) {
    tables_.push_back(
        k_distribution(parameters, pressure_, composition_,
                       {.quadrature = Quadrature::skewed(property_points), .temperature = kelvin}));
  }
  return tables_;
}

const SpectralTable& GasSource::single_table(const std::string& purpose,
                                             const std::vector<double>& kelvin) {
  single_mole_fraction(purpose);
  return tables(kelvin).front();
}

}  // namespace ermine::cli
