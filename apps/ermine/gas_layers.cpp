#include "gas_layers.hpp"

#include <ermine/narrow_band.hpp>
#include <ermine/planck.hpp>

#include "reference/exponential_integral.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

namespace ermine::cli {
namespace {

/// Absorption coefficients [1/m] of one species in one layer.
SpectralTable layer_table(const GasLayer& layer, Species species, double pressure) {
  // The temperature of the layer is a node: nothing is interpolated.
  return k_distribution(shipped_parameters(species), pressure, layer.composition,
                        {.temperature = {layer.temperature, layer.temperature + 1}});
}

class LayerSum {
 public:
  LayerSum(std::span<const GasLayer> layers, double pressure) : layers_(layers) {
    for (const Species species : all_species) {
      const bool there = std::any_of(layers.begin(), layers.end(), [&](const GasLayer& layer) {
        return layer.composition[species] > 0;
      });
      if (!there) continue;
      std::vector<SpectralTable>& tables = gases_.emplace_back();
      for (const GasLayer& layer : layers) tables.push_back(layer_table(layer, species, pressure));
      for (const Band& band : tables.front().bands) {
        if (std::find(bands_.begin(), bands_.end(), band) == bands_.end()) bands_.push_back(band);
      }
    }
  }

  double flux() const {
    std::vector<double> parts(bands_.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t band = 0; band < bands_.size(); ++band) parts[band] = of_band(bands_[band]);
    double sum = 0.0;
    for (const double part : parts) sum += part;
    return std::numbers::pi * sum;
  }

 private:
  /// Intensity of one band that arrives, mean over the hemisphere.
  double of_band(const Band& band) const {
    std::vector<double> intensity;
    for (const GasLayer& layer : layers_) {
      intensity.push_back(planck_intensity(band, layer.temperature));
    }
    const std::vector<double> nothing(layers_.size(), 0.0);
    return combine(band, intensity, 0, nothing, 1.0);
  }

  /// Sum over the points of this and all further species, with the layers' depths so far.
  double combine(const Band& band, const std::vector<double>& intensity, std::size_t gas,
                 const std::vector<double>& depths, double weight) const {
    if (gas == gases_.size()) return weight * arriving(intensity, depths);
    const std::vector<SpectralTable>& tables = gases_[gas];
    const auto& bands = tables.front().bands;
    const auto found = std::find(bands.begin(), bands.end(), band);
    if (found == bands.end()) return combine(band, intensity, gas + 1, depths, weight);
    const auto number = static_cast<std::size_t>(found - bands.begin());
    double sum = 0.0;
    for (std::size_t point = 0; point < tables.front().quadrature.size(); ++point) {
      std::vector<double> deeper = depths;
      for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        deeper[layer] +=
            static_cast<double>(tables[layer].row(number, point)[0]) * layers_[layer].length;
      }
      sum += combine(band, intensity, gas + 1, deeper,
                     weight * tables.front().quadrature.weight[point]);
    }
    return sum;
  }

  /// Each layer emits through those behind it.
  double arriving(const std::vector<double>& intensity, const std::vector<double>& depths) const {
    double sum = 0.0;
    double behind = 0.0;
    double passed = 1.0;  // 2 E3 of what is behind
    for (std::size_t layer = layers_.size(); layer-- > 0;) {
      behind += depths[layer];
      const double next = 2 * reference::exponential_integral(3, behind);
      sum += intensity[layer] * (passed - next);
      passed = next;
    }
    return sum;
  }

  std::span<const GasLayer> layers_;
  std::vector<std::vector<SpectralTable>> gases_;  ///< one table for each layer
  std::vector<Band> bands_;                        ///< of all gases
};

}  // namespace

double flux_behind_layers(std::span<const GasLayer> layers, double pressure) {
  return LayerSum(layers, pressure).flux();
}

}  // namespace ermine::cli
