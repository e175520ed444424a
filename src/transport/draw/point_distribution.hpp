#pragma once

#include "medium/point_density.hpp"
#include "transport/draw/entry_distribution.hpp"
#include "transport/draw/spectral_curve.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace ermine {

enum class RayOrigin { gas, wall };

/// Owns the probabilities p_s behind a PointSampler, see PointDensity.
template <class Real>
class PointDistribution {
 public:
  using Sampler = PointSampler<Real>;

  PointDistribution(std::span<const PointStrength> strengths, RayOrigin origin, RaySampler sampler)
      : PointDistribution(shares(strengths, origin), order(strengths, origin, sampler), sampler) {
    absorption_.reserve(strengths.size());
    for (const PointStrength& point : strengths) {
      absorption_.push_back(static_cast<Real>(point.usual_absorption));
    }
  }

  std::size_t bytes() const {
    return entries_.bytes() + order_.size() * sizeof(int) +
           (inverse_.size() + absorption_.size()) * sizeof(Real);
  }
  template <class Place = InPlace>
  Sampler view(const Place& in_place = {}) const {
    const Place place = in_place.kept(copies_);
    return {entries_.view(place), place(order_), place(inverse_), place(absorption_)};
  }

 private:
  PointDistribution(const std::vector<double>& share, std::vector<int> order, RaySampler sampler)
      : order_(std::move(order)), entries_(ordered(share), sampler) {
    inverse_.reserve(share.size());
    // No ray has ever drawn what is less likely than that; numbers stay within those there are.
    constexpr double least_likely = 1e-30;
    for (const double p : share) {
      const double inverse = std::min(entries_.total() / p, 1 / least_likely);
      inverse_.push_back(p > 0 ? static_cast<Real>(inverse) : Real(0));
    }
  }

  static std::vector<double> shares(std::span<const PointStrength> strengths, RayOrigin origin) {
    std::vector<double> share;
    share.reserve(strengths.size());
    for (const PointStrength& point : strengths) {
      share.push_back(origin == RayOrigin::gas ? point.absorption * point.intensity : point.wall);
    }
    return share;
  }

  /// Of the points of a net. Others are drawn in the order of k that they come in.
  static std::vector<int> order(std::span<const PointStrength> strengths, RayOrigin origin,
                                RaySampler sampler) {
    if (sampler != RaySampler::net) return {};
    std::vector<double> softness;
    softness.reserve(strengths.size());
    for (const PointStrength& point : strengths) softness.push_back(point.softness);
    return along_spectral_curve(shares(strengths, origin), softness);
  }

  std::vector<double> ordered(const std::vector<double>& share) const {
    if (order_.empty()) return share;
    std::vector<double> values;
    values.reserve(share.size());
    for (const int point : order_) values.push_back(share[static_cast<std::size_t>(point)]);
    return values;
  }

  std::vector<int> order_;
  EntryDistribution entries_;
  std::vector<Real> inverse_;
  std::vector<Real> absorption_;
  KeptCopies copies_;
};

}  // namespace ermine
