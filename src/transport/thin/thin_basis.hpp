#pragma once

#include "transport/thin/thin_view.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// A few numbers for each spectral point whose combinations are close to all of many samples of its
/// k: sample_j(s) = sum_m of_sample[j][m] of_point[s][m], with the smallest squared error that so
/// few numbers can have (principal components). As many samples as there are parts are taken as
/// they are.
struct ThinBasis {
  using Parts = std::array<double, thin_parts>;
  std::vector<Parts> of_sample;
  std::vector<Parts> of_point;
  double relative_error;  ///< of the samples, root mean square

  /// `samples`: point * count + sample. Errors of a point count with its weight squared.
  ThinBasis(std::span<const float> samples, std::size_t count, std::span<const double> weights,
            int threads);
};

}  // namespace ermine
