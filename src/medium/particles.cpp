#include <ermine/particles.hpp>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fp_guard.hpp"

#include <algorithm>

namespace ermine {
namespace {

double value_at(const std::vector<double>& values, std::size_t i) {
  return values[values.size() == 1 ? 0 : i];
}

bool any(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double one) { return one != 0; });
}

}  // namespace

std::vector<double> Particles::coefficient(const std::vector<double>& number_density,
                                           const std::vector<double>& diameter, double efficiency) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(!number_density.empty() && !diameter.empty() &&
                     (number_density.size() == 1 || diameter.size() == 1 ||
                      number_density.size() == diameter.size()),
                 "number density of particles has {} values, their diameter {}, give one value or "
                 "one per cell",
                 number_density.size(), diameter.size());
  std::vector<double> values(std::max(number_density.size(), diameter.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double across = value_at(diameter, i);
    values[i] = efficiency * constants::pi / 4 * across * across * value_at(number_density, i);
  }
  return values;
}

Medium with_particles(const Medium& medium, const std::vector<Particles>& particles) {
  const FloatingPointGuard guard;
  std::vector<double> sum{0.0};
  for (const Particles& one : particles) {
    const std::size_t count = one.absorption.size();
    ERMINE_REQUIRE(count > 0 && (count == 1 || sum.size() == 1 || count == sum.size()),
                   "absorption of particles \"{}\" has {} values, that of others {}, give one "
                   "value or one per cell",
                   one.name, count, sum.size());
    if (count > sum.size()) sum.assign(count, sum.front());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += value_at(one.absorption, i);
  }
  // A gas without them is faster, but one whose particles vary must not change its kind with them.
  if (sum.size() == 1 && !any(sum)) return medium;
  return with_particles(medium, sum);
}

std::string describe(const Particles& particles) {
  const auto coefficient = [](const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least == *most ? fmt::format("{:.4g} 1/m", *least)
                           : fmt::format("{:.4g} to {:.4g} 1/m", *least, *most);
  };
  return fmt::format("{}, absorption {}, scattering {}, asymmetry {:.4g}", particles.name,
                     coefficient(particles.absorption), coefficient(particles.scattering),
                     particles.asymmetry);
}

std::vector<Scattering> scattering_of(const std::vector<Particles>& particles) {
  std::vector<Scattering> found;
  for (const Particles& one : particles) {
    if (any(one.scattering)) found.push_back({one.scattering, one.asymmetry});
  }
  return found;
}

}  // namespace ermine
