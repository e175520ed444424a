#pragma once

#include "medium/point_density.hpp"
#include "transport/entry_distribution.hpp"

#include <span>
#include <vector>

namespace ermine {

enum class RayOrigin { gas, wall };

/// Owns the probabilities p_s behind a PointSampler. Rays of the gas draw the paper's
/// p_s ~ k_s(Tmax) I_s(Tmax); rays of walls, whose estimate has no factor k, p_s ~ I_s(Tmax).
template <class Real>
class PointDistribution {
 public:
  using Sampler = PointSampler<Real>;

  PointDistribution(std::span<const PointStrength> strengths, RayOrigin origin, RaySampler sampler)
      : PointDistribution(shares(strengths, origin), sampler) {}

  template <class Place = InPlace>
  Sampler view(const Place& place = {}) const {
    return {entries_.view(place), place(inverse_)};
  }

 private:
  PointDistribution(const std::vector<double>& share, RaySampler sampler)
      : entries_(share, sampler) {
    for (const double p : share) {
      inverse_.push_back(p > 0 ? static_cast<Real>(entries_.total() / p) : Real(0));
    }
  }

  static std::vector<double> shares(std::span<const PointStrength> strengths, RayOrigin origin) {
    std::vector<double> share;
    for (const PointStrength& point : strengths) {
      share.push_back(origin == RayOrigin::gas ? point.absorption * point.intensity
                                               : point.intensity);
    }
    return share;
  }

  EntryDistribution entries_;
  std::vector<Real> inverse_;
};

}  // namespace ermine
