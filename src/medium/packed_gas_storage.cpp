#include "medium/packed_gas_storage.hpp"

#include "medium/scene_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

static_assert(most_gas_components == static_cast<int>(most_components));

std::size_t intervals_of(const GasComponent& component) {
  return std::max<std::size_t>(component.broadening.size(), 2) - 1;
}

double largest_of(const std::vector<float>& values, int threads) {
  float largest = 0.0f;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : largest)
  for (std::size_t i = 0; i < values.size(); ++i) largest = std::max(largest, values[i]);
  return static_cast<double>(largest);
}

}  // namespace

std::optional<PackedGasStorage> PackedGasStorage::make(const GasMedium& gas,
                                                       std::span<const GasListPoint> points,
                                                       const PointDensity& density, int threads) {
  constexpr std::size_t most_nodes = std::size_t{1} << 26;
  if (gas.component_count() > most_packed) return std::nullopt;
  const SceneNodes scene(gas, density, true);
  const std::size_t nodes = scene.count();
  const std::size_t steps = gas.intensity_steps();
  const std::size_t gas_nodes = (nodes - 1) / steps + 1;
  const std::size_t nodes_of_rows = gas.temperature().size() - gas.first_gas_node();

  std::size_t needed = gas.part_count() * nodes;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    if (intervals_of(component) > most_width_intervals) return std::nullopt;
    const std::size_t rows = component.rows.size() / (component.broadening.size() * nodes_of_rows);
    needed += (rows + 1) * intervals_of(component) * gas_nodes;
  }
  if (needed > most_nodes) return std::nullopt;

  PackedGasStorage packed;
  packed.nodes_ = static_cast<int>(nodes);
  packed.gas_nodes_ = static_cast<int>(gas_nodes);
  packed.components_ = static_cast<int>(gas.component_count());
  packed.first_ = static_cast<float>(scene.first());
  packed.steps_ = static_cast<float>(steps);
  packed.intensity_.resize(gas.part_count() * nodes);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const double* row = gas.blackbody_intensity(part).data() + scene.first();
    for (std::size_t t = 0; t < nodes; ++t) {
      const double next = row[std::min(t + 1, nodes - 1)];
      packed.intensity_[part * nodes + t] = {static_cast<float>(row[t]),
                                             static_cast<float>(next - row[t])};
    }
  }

  double most_amount = 0.0;
  double largest = 0.0;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const std::vector<double>& amount = gas.component(c).amount;
    most_amount = std::max(most_amount, *std::max_element(amount.begin(), amount.end()));
    largest = std::max(largest, largest_of(gas.component(c).rows, threads));
  }
  // Of numbers beyond single precision there is no row.
  if (!(most_amount * largest < 0.5 * static_cast<double>(std::numeric_limits<float>::max()))) {
    return std::nullopt;
  }
  const int exponent = short_exponent(largest);
  packed.inverse_most_ = most_amount > 0 ? static_cast<float>(1 / most_amount) : 0.0f;
  packed.scale_ = static_cast<float>(std::ldexp(most_amount, -exponent));
  if (!std::isfinite(packed.scale_)) return std::nullopt;

  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    const std::size_t layers = component.broadening.size();
    const std::size_t intervals = intervals_of(component);
    const std::size_t rows = component.rows.size() / (layers * nodes_of_rows);
    packed.intervals_[c] = static_cast<int>(intervals);
    packed.rows_[c].resize((rows + 1) * intervals * gas_nodes);
#pragma omp parallel num_threads(threads)
    {
      std::vector<std::uint32_t> code(layers * gas_nodes);
#pragma omp for schedule(static)
      for (std::size_t row = 0; row <= rows; ++row) {
        GasNode* out = packed.rows_[c].data() + row * intervals * gas_nodes;
        if (row == 0) {  // where it is transparent
          std::fill_n(out, intervals * gas_nodes, GasNode{});
          continue;
        }
        for (std::size_t layer = 0; layer < layers; ++layer) {
          const float* from = component.rows.data() + ((row - 1) * layers + layer) * nodes_of_rows;
          for (std::size_t t = 0; t < gas_nodes; ++t) {
            code[layer * gas_nodes + t] =
                short_code(std::ldexp(scene.absorption(from, t * steps), exponent));
          }
        }
        for (std::size_t i = 0; i < intervals; ++i) {
          const std::uint32_t* narrow = code.data() + i * gas_nodes;
          const std::uint32_t* wide = code.data() + std::min(i + 1, layers - 1) * gas_nodes;
          for (std::size_t t = 0; t < gas_nodes; ++t) {
            const std::size_t next = std::min(t + 1, gas_nodes - 1);
            out[i * gas_nodes + t] = {narrow[t] | narrow[next] << 16, wide[t] | wide[next] << 16};
          }
        }
      }
    }
  }

  packed.points_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    PackedPoint& point = packed.points_[i];
    point.weight = static_cast<float>(points[i].joint.weight);
    point.band = points[i].part * packed.nodes_;
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      const auto row = static_cast<std::size_t>(points[i].joint.row[c] + 1);
      point.row[c] = static_cast<int>(row * intervals_of(gas.component(c)) * gas_nodes);
    }
  }
  return packed;
}

}  // namespace ermine
