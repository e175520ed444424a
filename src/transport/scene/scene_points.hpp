#pragma once

#include "medium/point_density.hpp"
#include "transport/draw/point_distribution.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ermine {

/// All that products of a scene depend on besides the tracer's problem.
struct SceneKey {
  PointDensity density;
  int levels;  ///< of detail

  bool operator==(const SceneKey&) const = default;
};

/// How likely rays have which spectral point in a scene.
template <class Real>
class ScenePoints {
 public:
  using Distribution = PointDistribution<Real>;

  ScenePoints(std::vector<PointStrength> strengths, RaySampler sampler, int threads)
      : strengths_(std::move(strengths)) {
#pragma omp parallel sections num_threads(threads)
    {
#pragma omp section
      gas_.emplace(strengths_, RayOrigin::gas, sampler);
#pragma omp section
      wall_.emplace(strengths_, RayOrigin::wall, sampler);
    }
  }

  const std::vector<PointStrength>& strengths() const { return strengths_; }
  const Distribution& gas() const { return *gas_; }
  const Distribution& wall() const { return *wall_; }
  std::size_t bytes() const {
    return strengths_.size() * sizeof(PointStrength) + gas_->bytes() + wall_->bytes();
  }

 private:
  std::vector<PointStrength> strengths_;
  std::optional<Distribution> gas_, wall_;
};

}  // namespace ermine
