#pragma once

#include "medium/gas_storage.hpp"
#include "transport/point_distribution.hpp"
#include "transport/sample_gas_point.hpp"

#include <vector>

namespace ermine {

/// Owns the probabilities behind a GasPointSampler.
template <class Real, int most>
class GasPointDistribution {
 public:
  GasPointDistribution(const GasMedium& medium, const GasStrengths& strengths, RayOrigin origin)
      : medium_(medium), strengths_(strengths), origin_(origin) {
    const auto weights = medium.weights();
    if (origin == RayOrigin::gas) {
      for (const std::vector<double>& emission : strengths.emission) {
        for (std::size_t row = 0; row < emission.size(); ++row) {
          cumulative_.push_back(total_ += weights[row % weights.size()] * emission[row]);
        }
      }
    } else {
      for (const double intensity : strengths.intensity) {
        cumulative_.push_back(total_ += intensity);
      }
    }
    normalise(cumulative_, total_);
    double sum = 0.0;
    for (const double weight : weights) cumulative_weight_.push_back(sum += weight);
    normalise(cumulative_weight_, sum);
  }

  GasPointSampler<Real, most> view() const {
    GasPointSampler<Real, most> sampler{cumulative_.data(),
                                        strengths_.intensity.data(),
                                        cumulative_weight_.data(),
                                        total_,
                                        static_cast<int>(cumulative_.size()),
                                        static_cast<int>(cumulative_weight_.size()),
                                        static_cast<int>(medium_.component_count()),
                                        origin_ == RayOrigin::wall,
                                        {}};
    int first_entry = 0;
    for (std::size_t c = 0; c < medium_.component_count(); ++c) {
      const GasComponent& gas = medium_.component(c);
      sampler.component[c] = {strengths_.emission[c].data(), gas.first_row.data(), gas.band.data(),
                              first_entry};
      first_entry += static_cast<int>(strengths_.emission[c].size());
    }
    return sampler;
  }

 private:
  /// Where nothing shines every estimate is zero, whatever is drawn.
  static void normalise(std::vector<double>& cumulative, double total) {
    for (double& value : cumulative) value = total > 0 ? value / total : 1.0;
  }

  const GasMedium& medium_;
  const GasStrengths& strengths_;
  RayOrigin origin_;
  double total_ = 0.0;
  std::vector<double> cumulative_;
  std::vector<double> cumulative_weight_;
};

}  // namespace ermine
