#include "transport/mesh/gas_samples.hpp"

#include "medium/gas_points.hpp"
#include "medium/line_widths.hpp"
#include "medium/temperature_position.hpp"
#include "transport/draw/point_distribution.hpp"

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
      const LineWidths width(gas, c);
#pragma omp parallel for schedule(static) num_threads(threads)
      for (std::size_t i = 0; i < temperature.size(); ++i) {
        layer_[c][i] = position_among(component.broadening, width(i, temperature[i]));
      }
    }
    view_.component[c] = {component.rows.data(), component.amount.data(), layer_[c].data(),
                          static_cast<int>(component.broadening.size()),
                          component.amount.size() > 1};
  }
  const std::vector<GasListPoint> list = gas_points(gas, threads);
  const PointDistribution<double> distribution(gas_strengths(gas, list, density, threads),
                                               RayOrigin::gas, RaySampler::net);
  const auto sampler = distribution.view();
  for (std::size_t s = 0; s < count; ++s) {
    const double u = (static_cast<double>(s) + 0.5) / static_cast<double>(count);
    const PointId drawn = sampler.at(u);
    const GasListPoint& point = list[static_cast<std::size_t>(drawn.value)];
    GasPoint<most>& sample = points_.emplace_back();
    sample.band = point.part;
    for (std::size_t c = 0; c < most; ++c) sample.row[c] = point.joint.row[c];
    weights_.push_back(point.joint.weight * sampler.weight(drawn) / static_cast<double>(count));
  }
}

}  // namespace ermine
