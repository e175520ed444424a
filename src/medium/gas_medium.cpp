#include <ermine/gas_medium.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "core/thread_count.hpp"
#include "medium/band_intensities.hpp"
#include "medium/broadening_nodes.hpp"
#include "spectra/default_temperatures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace ermine {
namespace {

/// Nodes of the intensity below the coldest gas: 1 % apart down to a fifth of it, then 0 K.
std::vector<double> colder_nodes(double coldest) {
  std::vector<double> nodes{0.0};
  for (int i = 160; i >= 1; --i) nodes.push_back(coldest * std::pow(temperature_ratio, -i));
  return nodes;
}

/// Intensity wants nodes some 1 % of the temperature apart.
std::size_t steps_for_intensity(const std::vector<double>& temperature) {
  double widest = 0.0;
  for (std::size_t t = 0; t + 1 < temperature.size(); ++t) {
    widest = std::max(widest, temperature[t + 1] / temperature[t] - 1);
  }
  return static_cast<std::size_t>(std::clamp(std::ceil(widest / 0.0101), 1.0, 64.0));
}

double value_at(const std::vector<double>& values, std::size_t cell) {
  return values[values.size() == 1 ? 0 : cell];
}

/// The span of temperatures common to all species, 1 % apart.
std::vector<double> common_temperatures(const std::vector<GasMedium::MoleFraction>& fractions) {
  double first = 0.0;
  double last = 1e9;
  for (const auto& fraction : fractions) {
    first = std::max(first, shipped_parameters(fraction.species).temperature.front());
    last = std::min(last, shipped_parameters(fraction.species).temperature.back());
  }
  return default_temperatures(first, last);
}

std::size_t check_fractions(double pressure,
                            const std::vector<GasMedium::MoleFraction>& fractions) {
  ERMINE_REQUIRE(std::isfinite(pressure) && pressure > 0, "pressure is {} Pa, give a positive one",
                 pressure);
  ERMINE_REQUIRE(!fractions.empty(),
                 "a gas needs at least one absorbing species, give its mole "
                 "fraction");
  std::size_t cells = 1;
  for (auto fraction = fractions.begin(); fraction != fractions.end(); ++fraction) {
    const auto same = [&](const auto& other) { return other.species == fraction->species; };
    ERMINE_REQUIRE(std::none_of(fractions.begin(), fraction, same),
                   "mole fraction of {} is given twice, give it once", name_of(fraction->species));
  }
  for (const auto& fraction : fractions) {
    ERMINE_REQUIRE(!fraction.values.empty() && (fraction.values.size() == 1 || cells == 1 ||
                                                fraction.values.size() == cells),
                   "mole fraction of {} has {} values, another one {}, give one value or one per "
                   "cell",
                   name_of(fraction.species), fraction.values.size(), cells);
    cells = std::max(cells, fraction.values.size());
  }
  for (std::size_t cell = 0; cell < cells; ++cell) {
    double sum = 0.0;
    for (const auto& fraction : fractions) {
      const double x = value_at(fraction.values, cell);
      ERMINE_REQUIRE(x >= 0 && x <= 1, "mole fraction of {} is {} in cell {}, give 0 to 1",
                     name_of(fraction.species), x, cell);
      sum += x;
    }
    ERMINE_REQUIRE(sum <= 1 + 1e-9,
                   "mole fractions add up to {} in cell {}, give at most 1 (the rest is nitrogen)",
                   sum, cell);
  }
  return cells;
}

/// Cells of a gas that has so many without its soot.
std::size_t check_soot(const std::vector<double>& volume_fraction, std::size_t cells) {
  const std::size_t count = volume_fraction.size();
  ERMINE_REQUIRE(count > 0 && (count == 1 || cells == 1 || count == cells),
                 "volume fraction of soot has {} values, mole fractions {}, give one value or one "
                 "per cell",
                 count, cells);
  for (std::size_t cell = 0; cell < count; ++cell) {
    const double fraction = volume_fraction[cell];
    ERMINE_REQUIRE(fraction >= 0 && fraction <= 1,
                   "volume fraction of soot is {} in cell {}, give 0 to 1", fraction, cell);
  }
  return std::max(cells, count);
}

/// Amount of soot with a volume fraction of 1, or of particles with an absorption of 1/m, see
/// GasComponent::amount.
double unit_of(const std::vector<double>& values, double pressure,
               const std::vector<GasMedium::MoleFraction>& gases) {
  constexpr double least = 1e-12;  // less than that is next to nothing, in any unit
  const auto largest_of = [](const std::vector<double>& all) {
    return *std::max_element(all.begin(), all.end());
  };
  double of_gases = 0.0;
  for (const auto& gas : gases) of_gases = std::max(of_gases, largest_of(gas.values));
  const double largest = of_gases > 0 ? of_gases * pressure : pressure;
  return largest / std::max(largest_of(values), least);
}

/// Cells of a gas that has so many without its particles.
std::size_t check_particles(const std::vector<double>& absorption, std::size_t cells) {
  const std::size_t count = absorption.size();
  ERMINE_REQUIRE(count > 0 && (count == 1 || cells == 1 || count == cells),
                 "absorption of particles has {} values, the composition {}, give one value or one "
                 "per cell",
                 count, cells);
  for (std::size_t cell = 0; cell < count; ++cell) {
    ERMINE_REQUIRE(absorption[cell] >= 0 && absorption[cell] <= 1e12,
                   "absorption of particles is {} 1/m in cell {}, give 0 to 1e12", absorption[cell],
                   cell);
  }
  return std::max(cells, count);
}

}  // namespace

GasMedium::GasMedium(SpectralTable table) : data_(std::make_shared<Data>()) {
  const FloatingPointGuard guard;
  table.check();
  ERMINE_REQUIRE(table.temperature.size() >= 2,
                 "the table of {} has one temperature, build one with at least two", table.gas);
  ERMINE_REQUIRE(table.point_count() <= std::numeric_limits<int>::max(),
                 "the table of {} has {} points, more than can be numbered ({}), build one with "
                 "fewer",
                 table.gas, table.point_count(), std::numeric_limits<int>::max());
  data_->bands = std::move(table.bands);
  data_->weights = std::move(table.quadrature.weight);
  tabulate_intensity(table.temperature);
  GasComponent component;
  component.gas = table.gas;
  for (std::size_t b = 0; b < data_->bands.size(); ++b) {
    component.band.push_back(static_cast<int>(b));
    component.first_row.push_back(static_cast<int>(b * data_->weights.size()));
  }
  component.first_row.push_back(-1);
  component.broadening = {1.0};
  component.rows = std::move(table.absorption);
  component.amount = {1.0};
  data_->pressure = table.pressure;
  data_->components.push_back(std::move(component));
}

GasMedium::GasMedium(double pressure, std::vector<MoleFraction> mole_fractions,
                     KDistributionOptions options, std::optional<Soot> soot)
    : data_(std::make_shared<Data>()) {
  const FloatingPointGuard guard;
  data_->cells = check_fractions(pressure, mole_fractions);
  data_->pressure = pressure;
  data_->weights = options.quadrature.weight;
  if (options.temperature.empty()) options.temperature = common_temperatures(mole_fractions);
  ERMINE_REQUIRE(options.temperature.size() >= 2,
                 "a gas is tabulated at {} K alone, give at least two temperatures",
                 options.temperature.front());
  data_->mole_fractions = std::move(mole_fractions);
  data_->options = options;

  for (const MoleFraction& fraction : data_->mole_fractions) {
    const double sum = std::accumulate(fraction.values.begin(), fraction.values.end(), 0.0);
    data_->reference[fraction.species] = sum / static_cast<double>(fraction.values.size());
  }
  // Bands of all species, each once: their edges agree, being multiples of one width.
  std::map<double, Band> all_bands;
  for (const MoleFraction& fraction : data_->mole_fractions) {
    for (const Band& band : k_distribution_bands(shipped_parameters(fraction.species), options)) {
      all_bands[band.low_cm1] = band;
    }
  }
  for (const auto& [low, band] : all_bands) data_->bands.push_back(band);
  if (soot) add_soot(std::move(*soot));
  for (std::size_t c = 0; c < data_->mole_fractions.size(); ++c) {
    data_->components.push_back(make_component(c, options));  // checks the temperatures
  }
  if (data_->soot) data_->components.push_back(make_soot(options.temperature));
  tabulate_intensity(options.temperature);
}

GasMedium::GasMedium(Soot soot) : data_(std::make_shared<Data>()) {
  const FloatingPointGuard guard;
  data_->pressure = 1.0;  // no gas has one: the unit of amounts
  data_->weights = {1.0};
  data_->options.temperature = default_temperatures(250.0, 5000.0);
  add_soot(std::move(soot));
  data_->components.push_back(make_soot(data_->options.temperature));
  tabulate_intensity(data_->options.temperature);
}

void GasMedium::add_soot(Soot soot) {
  data_->soot = std::move(soot);
  scale_soot();
  for (const Band& band : soot_bands(data_->bands)) data_->bands.push_back(band);
  std::sort(data_->bands.begin(), data_->bands.end(),
            [](const Band& a, const Band& b) { return a.low_cm1 < b.low_cm1; });
}

void GasMedium::scale_soot() {
  data_->cells = check_soot(data_->soot->volume_fraction, data_->cells);
  data_->soot_unit = unit_of(data_->soot->volume_fraction, data_->pressure, data_->mole_fractions);
}

GasComponent GasMedium::make_soot(const std::vector<double>& temperature) const {
  const std::size_t nodes = temperature.size();
  GasComponent component;
  component.gas = "soot";
  component.smooth = true;
  component.band.resize(data_->bands.size());
  std::iota(component.band.begin(), component.band.end(), 0);
  component.first_row = component.band;
  component.first_row.push_back(-1);
  component.broadening = {1.0};
  component.rows.resize(data_->bands.size() * nodes);
  for (const double x : data_->soot->volume_fraction) {
    component.amount.push_back(x * data_->soot_unit);
  }
  soot_planck_mean(temperature.front(), data_->soot->constant);  // refuses what threads may not
#pragma omp parallel for schedule(static) num_threads(thread_count(0))
  for (std::size_t band = 0; band < data_->bands.size(); ++band) {
    const FloatingPointGuard guard;  // once, not in every call
    for (std::size_t t = 0; t < nodes; ++t) {
      const double k = soot_absorption(data_->bands[band], temperature[t], data_->soot->constant);
      component.rows[band * nodes + t] = static_cast<float>(k / data_->soot_unit);
    }
  }
  return component;
}

GasComponent GasMedium::make_particles() const {
  const std::size_t nodes = data_->temperature.size() - data_->first_gas_node;
  GasComponent component;
  component.gas = "particles";
  component.smooth = true;
  component.band.resize(part_count());  // also what lies outside all bands
  std::iota(component.band.begin(), component.band.end(), 0);
  component.first_row = component.band;
  component.broadening = {1.0};
  component.rows.assign(part_count() * nodes, static_cast<float>(1 / data_->particles_unit));
  for (const double k : data_->particles) component.amount.push_back(k * data_->particles_unit);
  return component;
}

GasMedium GasMedium::with_particles(std::vector<double> absorption) const {
  const FloatingPointGuard guard;
  GasMedium other = *this;
  other.data_ = std::make_shared<Data>(*data_);
  Data& data = *other.data_;
  if (!data.particles.empty()) data.components.pop_back();
  data.cells = check_particles(absorption, other.cells_of_gases());
  data.particles = std::move(absorption);
  data.particles_unit = unit_of(data.particles, data.pressure, data.mole_fractions);
  data.components.push_back(other.make_particles());
  return other;
}

std::size_t GasMedium::cells_of_gases() const {
  std::size_t cells = 1;
  for (const MoleFraction& fraction : data_->mole_fractions) {
    cells = std::max(cells, fraction.values.size());
  }
  return data_->soot ? std::max(cells, data_->soot->volume_fraction.size()) : cells;
}

GasMedium GasMedium::on_cells(
    std::size_t cells,
    const std::function<std::vector<double>(std::span<const double>)>& field) const {
  const FloatingPointGuard guard;
  GasMedium other = *this;
  other.data_ = std::make_shared<Data>(*data_);
  Data& data = *other.data_;
  data.cells = cells;
  for (std::size_t c = 0; c < data.mole_fractions.size(); ++c) {
    std::vector<double>& values = data.mole_fractions[c].values;
    if (values.size() == 1) continue;
    values = field(values);
    data.components[c].amount.clear();
    for (const double x : values) data.components[c].amount.push_back(x * data.pressure);
  }
  const auto change = [&](std::vector<double>& values, double unit, GasComponent& component) {
    if (values.size() == 1) return;
    values = field(values);
    component.amount.clear();
    for (const double x : values) component.amount.push_back(x * unit);
  };
  if (data.soot) {
    change(data.soot->volume_fraction, data.soot_unit, data.components[data.mole_fractions.size()]);
  }
  if (!data.particles.empty()) {
    change(data.particles, data.particles_unit, data.components.back());
  }
  return other;
}

GasMedium GasMedium::with_mole_fraction(MoleFraction changed) const {
  const FloatingPointGuard guard;
  std::vector<MoleFraction> fractions = data_->mole_fractions;
  ERMINE_REQUIRE(!fractions.empty() || !data_->soot,
                 "there is soot alone (no gas), give mole_fractions to change its composition");
  ERMINE_REQUIRE(!fractions.empty(),
                 "the gas comes from a table (made for one composition), give it as gas or "
                 "mole_fractions to change its composition");
  std::string names;
  for (MoleFraction& fraction : fractions) {
    names += std::string(names.empty() ? "" : ", ") + std::string(name_of(fraction.species));
    if (fraction.species != changed.species) continue;
    fraction.values = std::move(changed.values);
    const GasMedium gas(data_->pressure, std::move(fractions), data_->options, data_->soot);
    return data_->particles.empty() ? gas : gas.with_particles(data_->particles);
  }
  fail("{} is not among the gases of the mixture ({}), name it in mole_fractions of the case",
       name_of(changed.species), names);
}

GasMedium GasMedium::with_soot(std::vector<double> volume_fraction) const {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(data_->soot, "there is no soot in the gas, give medium.soot in the case");
  GasMedium other = *this;
  other.data_ = std::make_shared<Data>(*data_);
  Data& data = *other.data_;
  data.soot->volume_fraction = {0.0};
  data.cells = std::max(other.cells_of_gases(), data.particles.size());
  data.soot->volume_fraction = std::move(volume_fraction);
  other.scale_soot();
  const auto nodes = temperature().subspan(first_gas_node());
  data.components[data.mole_fractions.size()] = other.make_soot({nodes.begin(), nodes.end()});
  return other;
}

GasComponent GasMedium::make_component(std::size_t number,
                                       const KDistributionOptions& options) const {
  const MoleFraction& fraction = data_->mole_fractions[number];
  const Species species = fraction.species;
  const NarrowBandParameters& parameters = shipped_parameters(species);
  GasComponent component;
  component.gas = name_of(species);
  component.first_row.assign(part_count(), -1);
  for (const Band& own : k_distribution_bands(parameters, options)) {
    const auto place = std::find(data_->bands.begin(), data_->bands.end(), own);
    const auto band = place - data_->bands.begin();
    component.first_row[static_cast<std::size_t>(band)] =
        static_cast<int>(component.band.size() * data_->weights.size());
    component.band.push_back(static_cast<int>(band));
  }
  for (const double x : fraction.values) component.amount.push_back(x * data_->pressure);

  const auto rows_for = [&](auto&& half_width_cm1) {
    return k_distribution_rows(parameters, half_width_cm1, options);
  };
  const bool uniform_gas =
      std::all_of(data_->mole_fractions.begin(), data_->mole_fractions.end(),
                  [](const MoleFraction& one) { return one.values.size() == 1; });
  if (uniform_gas) {
    const Composition uniform = composition(0);
    component.broadening = {1.0};
    component.rows = rows_for([&](double kelvin) {
      return lorentz_half_width_cm1(species, kelvin, data_->pressure, uniform);
    });
    return component;
  }
  component.broadening = broadening_nodes(
      data_->cells, options.temperature,
      [&](std::size_t cell, double kelvin) { return broadening(number, cell, kelvin); });
  component.rows = interleaved_rows(
      component.broadening.size(), options.temperature.size(), [&](std::size_t layer) {
        return rows_for([&](double kelvin) {
          const double root = component.broadening[layer];
          return root * root *
                 lorentz_half_width_cm1(species, kelvin, data_->pressure, data_->reference);
        });
      });
  return component;
}

void GasMedium::tabulate_intensity(const std::vector<double>& gas_temperature) {
  data_->coldest = gas_temperature.front();
  data_->hottest = gas_temperature.back();
  data_->temperature = colder_nodes(gas_temperature.front());
  data_->first_gas_node = data_->temperature.size();
  data_->temperature.insert(data_->temperature.end(), gas_temperature.begin(),
                            gas_temperature.end());
  data_->intensity_steps = steps_for_intensity(gas_temperature);
  data_->intensity = band_intensities(
      data_->bands, with_steps(data_->temperature, data_->intensity_steps), thread_count(0));
}

Composition GasMedium::composition(std::size_t cell) const {
  Composition composition;
  for (const MoleFraction& fraction : data_->mole_fractions) {
    composition[fraction.species] = value_at(fraction.values, cell);
  }
  return composition;
}

double GasMedium::broadening(std::size_t component, std::size_t cell, double kelvin) const {
  if (data_->cells == 1) return 1.0;
  const Species species = data_->mole_fractions[component].species;
  return std::sqrt(lorentz_half_width_cm1(species, kelvin, data_->pressure, composition(cell)) /
                   lorentz_half_width_cm1(species, kelvin, data_->pressure, data_->reference));
}

std::size_t GasMedium::point_count() const {
  std::size_t rows = 0;
  for (const GasComponent& component : data_->components) {
    rows += component.band.size() * (component.smooth ? 1 : data_->weights.size());
  }
  return rows;
}

std::vector<std::string> GasMedium::warnings() const {
  const FloatingPointGuard guard;
  std::vector<std::string> found;
  for (const MoleFraction& fraction : data_->mole_fractions) {
    const bool present =
        std::any_of(fraction.values.begin(), fraction.values.end(), [](double x) { return x > 0; });
    if (!present) continue;
    if (auto warning = pressure_warning(fraction.species, data_->pressure)) {
      found.push_back(std::move(*warning));
    }
  }
  return found;
}

std::span<const double> GasMedium::blackbody_intensity(std::size_t part) const {
  return std::span(data_->intensity).subspan(part * intensity_nodes(), intensity_nodes());
}

std::size_t GasMedium::bytes() const {
  // With the probabilities that a solution needs for every point.
  std::size_t sum = data_->intensity.size() * sizeof(double) + point_count() * 2 * sizeof(double);
  for (const GasComponent& component : data_->components) {
    sum += component.rows.size() * sizeof(float);
  }
  return sum;
}

}  // namespace ermine
