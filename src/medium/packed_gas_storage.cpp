#include "medium/packed_gas_storage.hpp"

#include "medium/scene_nodes.hpp"

#include <algorithm>
#include <limits>

namespace ermine {
namespace {

static_assert(most_packed == static_cast<int>(all_species.size()));

std::size_t intervals_of(const GasComponent& component) {
  return std::max<std::size_t>(component.broadening.size(), 2) - 1;
}

}  // namespace

std::optional<PackedGasStorage> PackedGasStorage::make(const GasMedium& gas,
                                                       std::span<const GasListPoint> points,
                                                       const PointDensity& density, int threads) {
  constexpr std::size_t most_nodes = std::size_t{1} << 26;
  const SceneNodes scene(gas, density);
  const std::size_t nodes = scene.count();
  const std::size_t gas_nodes = gas.temperature().size() - gas.first_gas_node();

  std::size_t needed = gas.part_count() * nodes;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    if (intervals_of(component) > most_width_intervals) return std::nullopt;
    const std::size_t rows = component.rows.size() / (component.broadening.size() * gas_nodes);
    needed += (rows + 1) * intervals_of(component) * nodes;
  }
  if (needed > most_nodes) return std::nullopt;

  PackedGasStorage packed;
  packed.nodes_ = static_cast<int>(nodes);
  packed.components_ = static_cast<int>(gas.component_count());
  packed.first_ = static_cast<float>(scene.first());
  packed.steps_ = static_cast<float>(gas.intensity_steps());
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

  std::array<std::size_t, most_packed> empty_row{};
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    const double most = *std::max_element(component.amount.begin(), component.amount.end());
    const double scale = most * static_cast<double>(share_scale);
    const std::size_t layers = component.broadening.size();
    const std::size_t intervals = intervals_of(component);
    const std::size_t rows = component.rows.size() / (layers * gas_nodes);
    empty_row[c] = rows;
    packed.intervals_[c] = static_cast<int>(intervals);
    packed.inverse_most_[c] = most > 0 ? static_cast<float>(1 / most) : 0.0f;
    packed.rows_[c].resize((rows + 1) * intervals * nodes);
    double largest = 0.0;
#pragma omp parallel num_threads(threads) reduction(max : largest)
    {
      std::vector<double> k(layers * nodes);
#pragma omp for schedule(static)
      for (std::size_t row = 0; row <= rows; ++row) {
        GasNode* out = packed.rows_[c].data() + row * intervals * nodes;
        if (row == rows) {
          std::fill_n(out, intervals * nodes, GasNode{});
          continue;
        }
        for (std::size_t layer = 0; layer < layers; ++layer) {
          const float* from = component.rows.data() + (row * layers + layer) * gas_nodes;
          for (std::size_t t = 0; t < nodes; ++t) {
            k[layer * nodes + t] = scale * scene.absorption(from, t);
          }
        }
        largest = std::max(largest, *std::max_element(k.begin(), k.end()));
        for (std::size_t i = 0; i < intervals; ++i) {
          const double* low = k.data() + i * nodes;
          const double* high = k.data() + std::min(i + 1, layers - 1) * nodes;
          for (std::size_t t = 0; t < nodes; ++t) {
            const std::size_t next = std::min(t + 1, nodes - 1);
            const double width_rise = high[t] - low[t];
            out[i * nodes + t] = {static_cast<float>(low[t]),
                                  static_cast<float>(low[next] - low[t]),
                                  static_cast<float>(width_rise),
                                  static_cast<float>(high[next] - low[next] - width_rise)};
          }
        }
      }
    }
    // Of numbers beyond single precision there is no row.
    if (largest > 0.5 * static_cast<double>(std::numeric_limits<float>::max())) return std::nullopt;
  }

  packed.points_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    PackedPoint& point = packed.points_[i];
    point.weight = static_cast<float>(points[i].joint.weight);
    point.band = points[i].part * packed.nodes_;
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      const int row = points[i].joint.row[c];
      const std::size_t of = row < 0 ? empty_row[c] : static_cast<std::size_t>(row);
      point.row[c] = static_cast<int>(of * intervals_of(gas.component(c)) * nodes);
    }
  }
  return packed;
}

}  // namespace ermine
