#pragma once

#include "medium/gas_storage.hpp"
#include "transport/point_distribution.hpp"
#include "transport/sample_gas_point.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ermine {

/// Owns the probabilities behind a GasPointSampler.
template <class Real, int most>
class GasPointDistribution {
 public:
  using Sampler = GasPointSampler<Real, most>;

  GasPointDistribution(const GasMedium& medium, const GasStrengths& strengths, RayOrigin origin,
                       RaySampler sampler)
      : GasPointDistribution(medium, strengths, origin, sampler,
                             order(medium, strengths, origin, sampler)) {}

  template <class Place = InPlace>
  Sampler view(const Place& place = {}) const {
    Sampler sampler{entries_.view(place),
                    place(order_),
                    place(strengths_.wall),
                    place(cumulative_weight_),
                    entries_.total(),
                    static_cast<int>(cumulative_weight_.size()),
                    static_cast<int>(medium_.component_count()),
                    origin_ == RayOrigin::wall,
                    {}};
    int first_entry = 0;
    for (std::size_t c = 0; c < medium_.component_count(); ++c) {
      const GasComponent& gas = medium_.component(c);
      sampler.component[c] = {place(strengths_.emission[c]), place(gas.first_row), place(gas.band),
                              first_entry};
      first_entry += static_cast<int>(strengths_.emission[c].size());
    }
    return sampler;
  }

 private:
  GasPointDistribution(const GasMedium& medium, const GasStrengths& strengths, RayOrigin origin,
                       RaySampler sampler, std::vector<int> order)
      : medium_(medium),
        strengths_(strengths),
        origin_(origin),
        order_(std::move(order)),
        entries_(permuted(shares(medium, strengths, origin), order_), sampler) {
    double sum = 0.0;
    for (const double weight : medium.weights()) cumulative_weight_.push_back(sum += weight);
    for (double& value : cumulative_weight_) value /= sum;
  }

  static std::vector<int> natural_order(std::size_t count) {
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  /// Rows of all components by their k in the middle of the table: of the k of a mixture, one of
  /// several parts.
  static std::vector<int> order_by_absorption(const GasMedium& medium) {
    const std::size_t gas_nodes = medium.temperature().size() - medium.first_gas_node();
    std::vector<double> absorption;
    for (std::size_t c = 0; c < medium.component_count(); ++c) {
      const GasComponent& gas = medium.component(c);
      const double amount = *std::max_element(gas.amount.begin(), gas.amount.end());
      const std::size_t stride = gas.broadening.size() * gas_nodes;
      for (std::size_t at = gas_nodes / 2; at < gas.rows.size(); at += stride) {
        absorption.push_back(amount * static_cast<double>(gas.rows[at]));
      }
    }
    std::vector<int> order = natural_order(absorption.size());
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return absorption[static_cast<std::size_t>(a)] < absorption[static_cast<std::size_t>(b)];
    });
    return order;
  }

  /// Rays of walls have bands alone, as they lie in the spectrum. Others have rows in order of k;
  /// a net goes through them along the curve.
  static std::vector<int> order(const GasMedium& medium, const GasStrengths& strengths,
                                RayOrigin origin, RaySampler sampler) {
    if (origin == RayOrigin::wall) return natural_order(medium.part_count());
    const std::vector<int> by_absorption = order_by_absorption(medium);
    if (sampler != RaySampler::net) return by_absorption;
    std::vector<double> softness;
    const std::size_t points = medium.weights().size();
    for (std::size_t c = 0; c < medium.component_count(); ++c) {
      for (const int band : medium.component(c).band) {
        softness.insert(softness.end(), points, strengths.softness[static_cast<std::size_t>(band)]);
      }
    }
    const std::vector<int> curve =
        along_spectral_curve(permuted(shares(medium, strengths, origin), by_absorption),
                             permuted(softness, by_absorption));
    std::vector<int> order;
    for (const int entry : curve) order.push_back(by_absorption[static_cast<std::size_t>(entry)]);
    return order;
  }

  static std::vector<double> permuted(const std::vector<double>& values,
                                      const std::vector<int>& order) {
    std::vector<double> result;
    for (const int entry : order) result.push_back(values[static_cast<std::size_t>(entry)]);
    return result;
  }

  static std::vector<double> shares(const GasMedium& medium, const GasStrengths& strengths,
                                    RayOrigin origin) {
    if (origin == RayOrigin::wall) return strengths.wall;
    std::vector<double> share;
    const auto weights = medium.weights();
    for (const std::vector<double>& emission : strengths.emission) {
      for (std::size_t row = 0; row < emission.size(); ++row) {
        share.push_back(weights[row % weights.size()] * emission[row]);
      }
    }
    return share;
  }

  const GasMedium& medium_;
  const GasStrengths& strengths_;
  RayOrigin origin_;
  std::vector<int> order_;
  EntryDistribution entries_;
  std::vector<double> cumulative_weight_;
};

}  // namespace ermine
