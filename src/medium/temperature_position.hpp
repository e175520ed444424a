#pragma once

#include "core/check.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ermine {

/// Position of a value among increasing nodes, as a fractional number; the caller checks the ends.
inline double position_among(std::span<const double> nodes, double value) {
  const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, value);
  const auto i = static_cast<std::size_t>(above - nodes.begin()) - 1;
  return static_cast<double>(i) + (value - nodes[i]) / (nodes[i + 1] - nodes[i]);
}

/// position_among() nodes, bit for bit, for many values: a table of equally wide bins tells where
/// to begin, nothing is searched for.
class NodePositions {
 public:
  explicit NodePositions(std::vector<double> nodes)
      : nodes_(std::move(nodes)), begin_(4 * nodes_.size()) {
    const double bins = static_cast<double>(begin_.size());
    per_unit_ = bins / (nodes_.back() - nodes_.front());
    // From the bin before, as values close to the end of one may be taken for the next's.
    for (std::size_t bin = 1, i = 0; bin < begin_.size(); ++bin) {
      i = interval_from(i, nodes_.front() + static_cast<double>(bin - 1) / per_unit_);
      begin_[bin] = static_cast<int>(i);
    }
  }

  const std::vector<double>& nodes() const { return nodes_; }

  double operator()(double value) const {
    const double last = static_cast<double>(begin_.size() - 1);
    const double bin = std::clamp((value - nodes_.front()) * per_unit_, 0.0, last);
    const auto begin = static_cast<std::size_t>(begin_[static_cast<std::size_t>(bin)]);
    const std::size_t i = interval_from(begin, value);
    return static_cast<double>(i) + (value - nodes_[i]) / (nodes_[i + 1] - nodes_[i]);
  }

 private:
  std::size_t interval_from(std::size_t i, double value) const {
    while (i + 2 < nodes_.size() && nodes_[i + 1] <= value) ++i;
    return i;
  }

  std::vector<double> nodes_;
  std::vector<int> begin_;
  double per_unit_;
};

/// Temperatures of the gas that spectral data cover [K].
struct CoveredTemperatures {
  double coldest;
  double hottest;

  bool hold(double temperature) const { return temperature >= coldest && temperature <= hottest; }

  void check_gas(double temperature) const {
    ERMINE_REQUIRE(hold(temperature),
                   "temperature {} K is outside the spectral data ({} to {} K), keep it within",
                   temperature, coldest, hottest);
  }

  /// Walls only emit, so they may be colder than any gas.
  void check_wall(double temperature) const {
    ERMINE_REQUIRE(temperature <= hottest,
                   "wall temperature {} K is above the spectral data (up to {} K), keep it below",
                   temperature, hottest);
  }
};

}  // namespace ermine
