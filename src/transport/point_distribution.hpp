#pragma once

#include "medium/medium_storage.hpp"
#include "transport/sample_point.hpp"

#include <span>
#include <vector>

namespace ermine {

enum class RayOrigin { gas, wall };

/// Owns the probabilities p_s behind a PointSampler. Rays of the gas draw the paper's
/// p_s ~ k_s(Tmax) I_s(Tmax); rays of walls, whose estimate has no factor k, p_s ~ I_s(Tmax).
template <class Real>
class PointDistribution {
 public:
  PointDistribution(std::span<const PointStrength> strengths, RayOrigin origin) {
    std::vector<double> share;
    double total = 0.0;
    for (const PointStrength& point : strengths) {
      share.push_back(origin == RayOrigin::gas ? point.absorption * point.intensity
                                               : point.intensity);
      total += share.back();
      cumulative_.push_back(total);
    }
    // Nothing shines: every estimate is zero, whatever is drawn.
    if (!(total > 0)) {
      share.assign(share.size(), 1.0);
      total = static_cast<double>(share.size());
      for (std::size_t s = 0; s < share.size(); ++s) cumulative_[s] = static_cast<double>(s + 1);
    }
    for (double& c : cumulative_) c /= total;
    for (const double p : share) {
      inverse_.push_back(p > 0 ? static_cast<Real>(total / p) : Real(0));
    }
  }

  PointSampler<Real> view() const {
    return {cumulative_.data(), inverse_.data(), static_cast<int>(inverse_.size())};
  }

 private:
  std::vector<double> cumulative_;
  std::vector<Real> inverse_;
};

}  // namespace ermine
