#pragma once

#include <cmath>
#include <vector>

namespace ermine {

/// Ratio of neighbouring temperatures at which k and the intensity are tabulated: linear
/// interpolation of exp(-E/T) errs by (E/T)^2 (dT/T)^2 / 8 of it.
inline constexpr double temperature_ratio = 1.01;

/// Temperatures [K] from first to last, both included, at most that ratio apart.
inline std::vector<double> default_temperatures(double first, double last) {
  const double intervals = std::ceil(std::log(last / first) / std::log(temperature_ratio));
  std::vector<double> kelvin{first};
  for (int i = 1; i < intervals; ++i)
    kelvin.push_back(first * std::pow(last / first, i / intervals));
  if (last > first) kelvin.push_back(last);
  return kelvin;
}

}  // namespace ermine
