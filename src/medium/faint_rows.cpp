#include "medium/faint_rows.hpp"

#include "core/sorted_order.hpp"
#include "medium/row_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ermine {
namespace {

constexpr double most_left_out = 5e-4;

constexpr std::size_t temperatures = 4;
constexpr std::size_t lights = 3;
constexpr std::size_t ways = 4;
/// What a species exchanges at a spectral point, at each temperature, by each light, in each way.
using Exchange = std::array<double, temperatures * lights * ways>;

/// Exchange at the points of a scene, and how much of k is due to each species.
class SpeciesShares {
 public:
  SpeciesShares(const GasMedium& gas, std::span<const GasListPoint> points,
                const PointDensity& density, int threads)
      : gas_(gas), points_(points), density_(density) {
    const std::size_t last = gas.temperature().size() - gas.first_gas_node() - 1;
    for (std::size_t t = 0; t < temperatures; ++t) {
      const double way = static_cast<double>(t) / (temperatures - 1);
      kelvin_[t] = density.coldest + way * (density.hottest - density.coldest);
      const std::size_t node = gas_node_below(gas, kelvin_[t]);
      absorption_[t] = largest_of_rows(gas, node, std::min(node + 1, last), threads);
    }
  }

  /// Largest share of a species in k, at any of the temperatures.
  double share(std::size_t species, std::size_t point) const {
    double largest = 0.0;
    for (std::size_t t = 0; t < temperatures; ++t) {
      const double k = of_species(species, point, t);
      if (k > 0) largest = std::max(largest, k / sum_of_rows(absorption_[t], points_[point].joint));
    }
    return largest;
  }

  Exchange exchange(std::size_t species, std::size_t point) const {
    const auto part = static_cast<std::size_t>(points_[point].part);
    const double weight = points_[point].joint.weight;
    const auto absorbed = [&](double k) { return -std::expm1(-k * density_.reach()); };
    Exchange found{};
    double* next = found.data();
    for (std::size_t t = 0; t < temperatures; ++t) {
      const double k = of_species(species, point, t);
      const double of_others = absorbed(sum_of_rows(absorption_[t], points_[point].joint));
      for (const double kelvin : {kelvin_[t], density_.hottest, density_.wall_hottest}) {
        const double light = weight * intensity_at(gas_, part, kelvin);
        for (const double of_light : {light, light * of_others}) {
          *next++ = k * of_light;
          *next++ = absorbed(k) * of_light;
        }
      }
    }
    return found;
  }

 private:
  double of_species(std::size_t species, std::size_t point, std::size_t t) const {
    return absorption_[t][species][static_cast<std::size_t>(points_[point].joint.row[species])];
  }

  const GasMedium& gas_;
  std::span<const GasListPoint> points_;
  const PointDensity& density_;
  std::array<double, temperatures> kelvin_;
  std::array<RowValues, temperatures> absorption_;
};

}  // namespace

std::vector<GasListPoint> without_faint_rows(const GasMedium& gas, std::vector<GasListPoint> points,
                                             const PointDensity& density, int threads) {
  if (gas.component_count() < 2 || density.emission()) return points;
  const SpeciesShares shares(gas, points, density, threads);
  std::vector<GasListPoint> kept = points;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    std::vector<std::size_t> with;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].joint.row[c] >= 0) with.push_back(i);
    }
    std::vector<double> share(with.size());
    std::vector<Exchange> exchange(with.size());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < with.size(); ++i) {
      share[i] = shares.share(c, with[i]);
      exchange[i] = shares.exchange(c, with[i]);
    }
    Exchange all{};
    for (const Exchange& one : exchange) {
      for (std::size_t m = 0; m < all.size(); ++m) all[m] += one[m];
    }
    Exchange left_out{};
    for (const std::size_t i : sorted_order<std::size_t>(share)) {
      bool small = true;
      for (std::size_t m = 0; m < all.size(); ++m) {
        left_out[m] += exchange[i][m];
        small = small && left_out[m] <= most_left_out * all[m];
      }
      if (!small) break;
      kept[with[i]].joint.row[c] = -1;
    }
  }
  return kept;
}

}  // namespace ermine
