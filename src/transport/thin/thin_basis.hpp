#pragma once

#include "transport/thin/thin_view.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// A few numbers for each spectral point whose combinations stand for many samples of its k:
///   sum_s k_j(s) G(s) = sum_m of_sample[j][m] sum_s of_point[s][m] G(s)
/// for what light G may arrive, given as examples, with the smallest squared error that so few
/// numbers can have (principal components). As many samples as there are parts are taken as they
/// are.
struct ThinBasis {
  using Parts = std::array<double, thin_parts>;
  std::vector<Parts> of_sample;
  std::vector<Parts> of_point;
  double relative_error;  ///< of these sums, root mean square

  /// `samples`: point * count + sample; `light`: point * (number of examples) + example.
  ThinBasis(std::span<const float> samples, std::size_t count, std::span<const float> light,
            std::size_t points, int threads);
};

}  // namespace ermine
