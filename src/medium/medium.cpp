#include <ermine/medium.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ermine {
namespace {

/// Beyond these, products would pass the largest number of single precision: that of both, and of
/// both with any number that they are multiplied with on the way, is far below it.
constexpr double largest_absorption = 1e12;  ///< [1/m]
constexpr double largest_intensity = 1e15;   ///< [W/(m2 sr)]; a black body has it at 5e5 K

void check_range(std::span<const double> values, double most, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    ERMINE_REQUIRE(values[i] >= 0 && values[i] <= most,
                   "{} is {} at entry {}, give values from 0 to {:g}", what, values[i], i, most);
  }
}

/// "449 bands x 16 points", and how many have nothing but soot.
std::string bands_of(const GasMedium& gas) {
  std::size_t sooty = 0;
  for (std::size_t band = 0; band < gas.bands().size(); ++band) {
    bool any_lines = false;
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      any_lines = any_lines || (!gas.component(c).smooth && gas.component(c).first_row[band] >= 0);
    }
    sooty += !any_lines;
  }
  const std::size_t others = gas.bands().size() - sooty;
  if (others == 0) return fmt::format("{} bands", sooty);
  const std::string text = fmt::format("{} bands x {} points", others, gas.weights().size());
  return sooty == 0 ? text : fmt::format("{} and {} of soot alone", text, sooty);
}

}  // namespace

GreyMedium::GreyMedium(double absorption_coefficient)
    : GreyMedium(std::vector<double>{absorption_coefficient}) {}

GreyMedium::GreyMedium(std::vector<double> absorption_coefficient)
    : absorption_coefficient_(std::move(absorption_coefficient)) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(!absorption_coefficient_.empty(),
                 "a grey medium needs an absorption coefficient [1/m], give one value or a field");
  check_range(absorption_coefficient_, largest_absorption, "absorption coefficient [1/m]");
}

SpectralList::SpectralList(TemperatureNodes nodes, std::vector<double> absorption_coefficient,
                           std::vector<double> blackbody_intensity)
    : nodes_(nodes),
      absorption_coefficient_(std::move(absorption_coefficient)),
      blackbody_intensity_(std::move(blackbody_intensity)) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(
      nodes_.count >= 2 && nodes_.first >= 0 && nodes_.step > 0 && std::isfinite(nodes_.last()),
      "temperature nodes of a spectral list start at {} K with step {} K and count {}, "
      "give at least two increasing temperatures",
      nodes_.first, nodes_.step, nodes_.count);
  ERMINE_REQUIRE(!absorption_coefficient_.empty() &&
                     absorption_coefficient_.size() == blackbody_intensity_.size() &&
                     absorption_coefficient_.size() % nodes_.count == 0,
                 "a spectral list has {} absorption coefficients and {} intensities, give both "
                 "for every point and each of the {} temperatures",
                 absorption_coefficient_.size(), blackbody_intensity_.size(), nodes_.count);
  check_range(absorption_coefficient_, largest_absorption, "absorption coefficient [1/m]");
  check_range(blackbody_intensity_, largest_intensity, "blackbody intensity [W/(m2 sr)]");
}

std::span<const double> SpectralList::absorption_coefficient(std::size_t point) const {
  return std::span(absorption_coefficient_).subspan(point * nodes_.count, nodes_.count);
}

std::span<const double> SpectralList::blackbody_intensity(std::size_t point) const {
  return std::span(blackbody_intensity_).subspan(point * nodes_.count, nodes_.count);
}

namespace {

/// `added` to each of the values, or to the only one.
std::vector<double> sums(std::span<const double> values, const std::vector<double>& added) {
  ERMINE_REQUIRE(added.size() == 1 || values.size() == 1 || added.size() == values.size(),
                 "absorption of particles has {} values, that of the gas {}, give one value or one "
                 "per cell",
                 added.size(), values.size());
  std::vector<double> sum(std::max(values.size(), added.size()));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] = values[values.size() == 1 ? 0 : i] + added[added.size() == 1 ? 0 : i];
  }
  return sum;
}

SpectralList with_particles(const SpectralList& list, const std::vector<double>& absorption) {
  ERMINE_REQUIRE(absorption.size() == 1,
                 "absorption of particles has {} values beside a list of spectral points, whose "
                 "gas is the same everywhere: give one value",
                 absorption.size());
  std::vector<double> k, intensity;
  for (std::size_t point = 0; point < list.point_count(); ++point) {
    for (const double of_gas : list.absorption_coefficient(point)) {
      k.push_back(of_gas + absorption[0]);
    }
    const auto row = list.blackbody_intensity(point);
    intensity.insert(intensity.end(), row.begin(), row.end());
  }
  return SpectralList(list.nodes(), std::move(k), std::move(intensity));
}

}  // namespace

Medium with_particles(const Medium& medium, const std::vector<double>& absorption) {
  const FloatingPointGuard guard;
  check_range(absorption, largest_absorption, "absorption of particles [1/m]");
  if (const auto* grey = std::get_if<GreyMedium>(&medium)) {
    return GreyMedium(sums(grey->absorption_coefficient(), absorption));
  }
  if (const auto* list = std::get_if<SpectralList>(&medium)) {
    return with_particles(*list, absorption);
  }
  return std::get<GasMedium>(medium).with_particles(absorption);
}

std::string describe(const Medium& medium) {
  const FloatingPointGuard guard;
  if (const auto* grey = std::get_if<GreyMedium>(&medium)) {
    return grey->uniform() ? fmt::format("grey, absorption coefficient {:.6g} 1/m",
                                         grey->absorption_coefficient(0))
                           : std::string("grey, absorption coefficient from cell to cell");
  }
  if (const auto* list = std::get_if<SpectralList>(&medium)) {
    return fmt::format("list of {} spectral points, {} to {} K", list->point_count(),
                       list->nodes().first, list->nodes().last());
  }
  const auto& gas = std::get<GasMedium>(medium);
  std::string names;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    names += fmt::format("{}{}", c == 0 ? "" : " + ", gas.component(c).gas);
  }
  return fmt::format("{}, {}, {:.6g} to {:.6g} K, {:.1f} MB", names, bands_of(gas), gas.coldest(),
                     gas.hottest(), static_cast<double>(gas.bytes()) / 1e6);
}

std::vector<std::string> warnings(const Medium& medium) {
  const auto* gas = std::get_if<GasMedium>(&medium);
  return gas ? gas->warnings() : std::vector<std::string>();
}

}  // namespace ermine
