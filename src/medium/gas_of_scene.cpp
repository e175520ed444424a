#include "medium/gas_of_scene.hpp"

#include "medium/band_intensities.hpp"
#include "medium/scene_temperatures.hpp"
#include "medium/smooth_rows.hpp"

namespace ermine {

GasMedium gas_of_scene(const GasMedium& gas, const PointDensity& density, int threads) {
  constexpr std::size_t most_values = std::size_t{1} << 27;  // half a gigabyte
  const auto table = gas.temperature().subspan(gas.first_gas_node());
  SceneTemperatures nodes = scene_temperatures(table, density);
  if (nodes.kelvin.empty()) return gas;
  const std::span gas_nodes = std::span(nodes.kelvin).subspan(nodes.first_gas_node);
  std::size_t values = 0;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    values += gas.component(c).rows.size() / table.size() * gas_nodes.size();
  }
  if (values > most_values) return gas;

  const GasMedium::Data& from = *gas.data_;
  GasMedium scene = gas;
  scene.data_ = std::make_shared<GasMedium::Data>();
  GasMedium::Data& data = *scene.data_;
  data.bands = from.bands;
  data.weights = from.weights;
  data.coldest = from.coldest;
  data.hottest = from.hottest;
  data.mole_fractions = from.mole_fractions;
  data.pressure = from.pressure;
  data.options = from.options;
  data.cells = from.cells;
  data.reference = from.reference;
  data.first_gas_node = nodes.first_gas_node;
  data.intensity = band_intensities(from.bands, nodes.kelvin, threads);
  const SmoothRows smooth(table, gas_nodes);
  for (const GasComponent& component : from.components) {
    GasComponent& same = data.components.emplace_back();
    same.gas = component.gas;
    same.first_row = component.first_row;
    same.band = component.band;
    same.broadening = component.broadening;
    same.amount = component.amount;
    const std::size_t rows = component.rows.size() / table.size();
    same.rows.resize(rows * gas_nodes.size());
#pragma omp parallel num_threads(threads)
    {
      SmoothRows::Scratch scratch;
#pragma omp for schedule(static)
      for (std::size_t row = 0; row < rows; ++row) {
        smooth(component.rows.data() + row * table.size(),
               same.rows.data() + row * gas_nodes.size(), scratch);
      }
    }
  }
  data.temperature = std::move(nodes.kelvin);
  return scene;
}

}  // namespace ermine
