#pragma once

#include <ermine/gas_medium.hpp>
#include <ermine/planck.hpp>

#include <vector>

/// Small gases that many tests share.
namespace ermine::test {

inline constexpr double atmosphere = 101325.0;

/// Two bands of two points at 300, 500 and 1000 K, with a different k everywhere.
inline SpectralTable small_table() {
  SpectralTable table;
  table.gas = "H2O";
  table.pressure = atmosphere;
  table.bands = {{1000, 1500}, {2000, 3000}};
  table.quadrature = {{0.2, 0.7}, {0.4, 0.6}};
  table.temperature = {300, 500, 1000};
  table.absorption = {0.5F, 0.25F, 1.0F, 2.0F, 3.0F, 1.5F, 0.0F, 0.125F, 0.5F, 8.0F, 4.0F, 6.0F};
  table.check();
  return table;
}

/// Real gases, but with few bands, points and temperatures: quick to make.
inline KDistributionOptions coarse() {
  return {.band_width_cm1 = 500.0,
          .quadrature = Quadrature::skewed(4),
          .temperature = {300, 450, 700, 1000, 1500, 2000}};
}

/// H2O 0.2 and CO2 0.1 in nitrogen.
inline GasMedium h2o_co2(const KDistributionOptions& options = coarse()) {
  return GasMedium(atmosphere, {{Species::h2o, {0.2}}, {Species::co2, {0.1}}}, options);
}

/// H2O from 0 to 0.5, CO2 from 0.4 to 0.1 through the cells, in nitrogen.
inline GasMedium h2o_co2_fields(std::size_t cells, const KDistributionOptions& options = coarse()) {
  std::vector<double> h2o, co2;
  for (std::size_t i = 0; i < cells; ++i) {
    const double along = static_cast<double>(i) / static_cast<double>(cells - 1);
    h2o.push_back(0.5 * along);
    co2.push_back(0.4 - 0.3 * along);
  }
  return GasMedium(atmosphere, {{Species::h2o, h2o}, {Species::co2, co2}}, options);
}

}  // namespace ermine::test
