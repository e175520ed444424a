#include "medium/gas_of_scene.hpp"

#include "medium/band_intensities.hpp"
#include "medium/scene_temperatures.hpp"
#include "medium/short_absorption.hpp"
#include "medium/smooth_rows.hpp"

#include <algorithm>
#include <utility>

namespace ermine {

/// Makes a gas at other nodes of temperature.
class GasOfScene {
 public:
  /// `intensity_steps`: intervals of the intensity between two of these nodes.
  GasOfScene(const GasMedium& gas, SceneTemperatures nodes, std::size_t intensity_steps,
             int threads)
      : gas_(gas), nodes_(std::move(nodes)), steps_(intensity_steps), threads_(threads) {}

  std::span<const double> table() const {
    return gas_.temperature().subspan(gas_.first_gas_node());
  }
  std::span<const double> gas_nodes() const {
    return std::span(nodes_.kelvin).subspan(nodes_.first_gas_node);
  }
  std::size_t values() const {
    std::size_t values = 0;
    for (std::size_t c = 0; c < gas_.component_count(); ++c) {
      values += gas_.component(c).rows.size() / table().size() * gas_nodes().size();
    }
    return values;
  }

  /// `read(values, result)` reads a row at the nodes, on any thread.
  template <class MakeReader>
  GasMedium operator()(const MakeReader& make_reader) const {
    const GasMedium::Data& from = *gas_.data_;
    GasMedium scene = gas_;
    scene.data_ = std::make_shared<GasMedium::Data>();
    GasMedium::Data& data = *scene.data_;
    data.bands = from.bands;
    data.weights = from.weights;
    data.coldest = from.coldest;
    data.hottest = from.hottest;
    data.mole_fractions = from.mole_fractions;
    data.soot = from.soot;
    data.soot_unit = from.soot_unit;
    data.particles = from.particles;
    data.particles_unit = from.particles_unit;
    data.pressure = from.pressure;
    data.options = from.options;
    data.cells = from.cells;
    data.reference = from.reference;
    data.first_gas_node = nodes_.first_gas_node;
    data.intensity_steps = steps_;
    data.intensity = band_intensities(from.bands, with_steps(nodes_.kelvin, steps_), threads_);
    for (const GasComponent& component : from.components) {
      GasComponent& same = data.components.emplace_back();
      same.gas = component.gas;
      same.smooth = component.smooth;
      same.first_row = component.first_row;
      same.band = component.band;
      same.broadening = component.broadening;
      same.amount = component.amount;
      const std::size_t old = table().size();
      const std::size_t count = gas_nodes().size();
      const std::size_t rows = component.rows.size() / old;
      same.rows.resize(rows * count);
#pragma omp parallel num_threads(threads_)
      {
        auto read = make_reader();
#pragma omp for schedule(static)
        for (std::size_t row = 0; row < rows; ++row) {
          read(component.rows.data() + row * old, same.rows.data() + row * count);
        }
      }
    }
    data.temperature = nodes_.kelvin;
    return scene;
  }

 private:
  const GasMedium& gas_;
  SceneTemperatures nodes_;
  std::size_t steps_;
  int threads_;
};

namespace {

constexpr std::size_t most_values = std::size_t{1} << 27;  // half a gigabyte

/// Reads rows at the nodes of a scene, along smooth curves.
auto smooth_reader(const SmoothRows& smooth) {
  return [&smooth] {
    return [&smooth, scratch = SmoothRows::Scratch{}](const float* values, float* result) mutable {
      smooth(values, result, scratch);
    };
  };
}

/// Numbers of the nodes of a table, of every so many, that reach from the coldest to the hottest
/// temperature of a scene.
std::vector<std::size_t> some_nodes(std::span<const double> table, const PointDensity& density,
                                    std::size_t every) {
  std::vector<std::size_t> some;
  for (std::size_t t = 0; t < table.size(); t += every) {
    if (t + every < table.size() && table[t + every] <= (1 - scene_margin) * density.coldest) {
      continue;
    }
    some.push_back(t);
    if (table[t] >= (1 + scene_margin) * density.hottest) return some;
  }
  if (some.back() + 1 < table.size()) some.push_back(table.size() - 1);
  return some;
}

/// Rounds numbers up to `largest`, and somewhat beyond, as short codes have them.
class ShortDigits {
 public:
  explicit ShortDigits(const GasMedium& gas) {
    float largest = 0.0f;
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      for (const float k : gas.component(c).rows) largest = std::max(largest, k);
    }
    // What lies between nodes may be larger.
    exponent_ = short_exponent(4 * static_cast<double>(largest));
  }
  float operator()(float k) const {
    const std::uint32_t code = short_code(std::ldexp(static_cast<double>(k), exponent_));
    return static_cast<float>(std::ldexp(static_cast<double>(lower_short(code)), -exponent_));
  }

 private:
  int exponent_;
};

}  // namespace

GasMedium gas_of_scene(const GasMedium& gas, const PointDensity& density, int threads) {
  const auto table = gas.temperature().subspan(gas.first_gas_node());
  SceneTemperatures nodes = scene_temperatures(table, density);
  if (nodes.kelvin.empty()) return gas;
  const GasOfScene scene(gas, std::move(nodes), 1, threads);
  if (scene.values() > most_values) return gas;
  const SmoothRows smooth(table, scene.gas_nodes());
  return scene(smooth_reader(smooth));
}

GasMedium short_gas_of_scene(const GasMedium& gas, const PointDensity& density, int threads) {
  const auto table = gas.temperature().subspan(gas.first_gas_node());
  const ShortDigits rounded(gas);
  SceneTemperatures nodes = scene_temperatures(table, density);
  if (!nodes.kelvin.empty()) {
    const GasOfScene scene(gas, std::move(nodes), 1, threads);
    if (scene.values() <= most_values) {
      const SmoothRows smooth(table, scene.gas_nodes());
      return scene([&] {
        return [&, read = smooth_reader(smooth)()](const float* values, float* result) mutable {
          read(values, result);
          for (std::size_t t = 0; t < smooth.count(); ++t) result[t] = rounded(result[t]);
        };
      });
    }
  }
  // Tables whose nodes are farther apart have more intervals of the intensity already.
  const std::size_t every = gas.intensity_steps() == 1 ? 3 : 1;
  const std::vector<std::size_t> some = some_nodes(table, density, every);
  nodes = {};
  if (density.coldest < table.front()) {
    const auto cold = gas.temperature().first(gas.first_gas_node());
    nodes.kelvin.assign(cold.begin(), cold.end());
  }
  nodes.first_gas_node = nodes.kelvin.size();
  for (const std::size_t t : some) nodes.kelvin.push_back(table[t]);
  const GasOfScene scene(gas, std::move(nodes), every * gas.intensity_steps(), threads);
  if (scene.values() > most_values) return gas;
  return scene([&] {
    return [&](const float* values, float* result) {
      for (const std::size_t t : some) *result++ = rounded(values[t]);
    };
  });
}

}  // namespace ermine
