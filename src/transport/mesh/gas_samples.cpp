#include "transport/mesh/gas_samples.hpp"

#include "medium/gas_strengths.hpp"
#include "medium/temperature_position.hpp"
#include "transport/gas_point_distribution.hpp"

#include <cstdint>

namespace ermine {

GasSamples::GasSamples(const GasMedium& gas, const PointDensity& density, std::size_t count,
                       std::span<const double> temperature, int threads)
    : view_{gas.blackbody_intensity(0).data(),       static_cast<int>(gas.temperature().size()),
            static_cast<int>(gas.intensity_steps()), static_cast<int>(gas.first_gas_node()),
            static_cast<int>(gas.component_count()), {}} {
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    if (component.broadening.size() > 1) {
      layer_[c].resize(temperature.size());
#pragma omp parallel for schedule(static) num_threads(threads)
      for (std::size_t i = 0; i < temperature.size(); ++i) {
        layer_[c][i] = position_among(component.broadening, gas.broadening(c, i, temperature[i]));
      }
    }
    view_.component[c] = {component.rows.data(), component.amount.data(), layer_[c].data(),
                          static_cast<int>(component.broadening.size()),
                          component.amount.size() > 1};
  }
  const GasStrengths strengths = gas_strengths(gas, density);
  const GasPointDistribution<double, most> distribution(gas, strengths, RayOrigin::gas,
                                                        RaySampler::net);
  const auto sampler = distribution.view();
  for (std::size_t s = 0; s < count; ++s) {
    RayStream stream({0, 0, 0, static_cast<std::uint32_t>(s)});
    const double u = (static_cast<double>(s) + 0.5) / static_cast<double>(count);
    points_.push_back(sampler.at(u, stream));
    weights_.push_back(sampler.weight(points_.back()) / static_cast<double>(count));
  }
}

}  // namespace ermine
