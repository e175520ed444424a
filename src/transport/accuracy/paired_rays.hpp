#pragma once

#include "transport/net/replicates.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ermine {

/// Some of the numbers from `first` on, spread over all of them.
std::vector<int> spread_over(std::size_t first, std::size_t all, std::size_t most,
                             std::uint64_t seed);

/// Total over `all` tiles from those of `tiles.size()` of them, each with what noise leaves unknown
/// of it: the scatter of tiles has its noise in it, and counts where some are left out.
Estimate extrapolated(std::span<const Estimate> tiles, std::size_t all);

/// Origins of some tiles, whose rays are followed at two resolutions. Numbers are those of origins
/// in their tiles, tile after tile; those beyond the grid have no origin.
class PairedRays {
 public:
  /// Nets of each origin, and rays of each of them: many small ones, as a GPU traces all at once.
  static constexpr int nets = 16;
  static constexpr std::uint32_t rays_of_net = 8;

  /// `levels`: as many as there are.
  PairedRays(ReplicateTracer& rays, Sum sum, std::vector<int> tiles, int levels);

  void follow(const Resolution& resolution);

  std::size_t tiles() const { return tiles_.size(); }
  /// Cells crossed, as a share of those crossed on one level.
  double cost() const {
    return static_cast<double>(crossings_) /
           static_cast<double>(std::max<std::int64_t>(crossings_of_one_, 1));
  }

  /// Calls visit(origin, number) for the origins of a tile.
  template <class Visit>
  void each(std::size_t tile, const Visit& visit) const {
    for (std::size_t i = tile * cells_per_tile; i < (tile + 1) * cells_per_tile; ++i) {
      if (origin_[i] >= 0) visit(static_cast<std::size_t>(origin_[i]), i);
    }
  }
  /// Value on one level, and what a resolution changes: means over nets with their errors.
  const Estimate& value(std::size_t number) const { return value_[number]; }
  const Estimate& change(std::size_t number) const { return changed_[number]; }

  /// Totals of tiles, of values on one level and of changes, with sizes of origins.
  template <class Size>
  std::vector<Estimate> values(const Size& size, IndexRange tiles) const {
    return totals(one_, size, tiles);
  }
  template <class Size>
  std::vector<Estimate> changes(const Size& size, IndexRange tiles) const {
    return totals(change_, size, tiles);
  }

 private:
  std::vector<double> traced(const Resolution& resolution, std::int64_t& crossings);
  /// Over nets, of each origin.
  std::vector<Estimate> moments(const std::vector<double>& means) const;

  template <class Size>
  std::vector<Estimate> totals(const std::vector<double>& means, const Size& size,
                               IndexRange tiles) const {
    std::vector<double> sizes(origin_.size());
    for (std::size_t i = tiles.begin * cells_per_tile; i < tiles.end * cells_per_tile; ++i) {
      if (origin_[i] >= 0) sizes[i] = size(static_cast<std::size_t>(origin_[i]));
    }
    std::vector<Estimate> found;
    for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) {
      Tally tally;
      for (std::size_t r = 0; r < nets; ++r) {
        double sum = 0.0;
        for (std::size_t i = tile * cells_per_tile; i < (tile + 1) * cells_per_tile; ++i) {
          sum += sizes[i] * means[r * origin_.size() + i];
        }
        tally.add(sum);
      }
      found.push_back(tally.estimate());
    }
    return found;
  }

  ReplicateTracer& rays_;
  Sum sum_;
  std::vector<int> tiles_;
  std::vector<int> origin_;           ///< negative: beyond the grid
  std::vector<double> one_, change_;  ///< of each net: net * origins + number
  std::vector<Estimate> value_, changed_;
  std::int64_t crossings_of_one_ = 0;
  std::int64_t crossings_ = 0;
};

}  // namespace ermine
