#pragma once

#include <ermine/options.hpp>

#include "backend/in_place.hpp"
#include "transport/draw/sample_point.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace ermine {

/// Owns the arrays behind an EntrySampler: probabilities p proportional to `share`, entries in
/// increasing order of k.
class EntryDistribution {
 public:
  /// Where nothing shines every estimate is zero, whatever is drawn: then all are equally likely.
  EntryDistribution(std::span<const double> share, RaySampler sampler)
      : sorted_(sampler == RaySampler::sorted) {
    for (const double s : share) total_ += s;
    const bool dark = !(total_ > 0);
    const double all = dark ? static_cast<double>(share.size()) : total_;
    std::vector<double> sums;
    sums.reserve(share.size());
    double sum = 0.0;
    for (const double s : share) sums.push_back((sum += dark ? 1.0 : s) / all);
    // Beyond the last entry that can be drawn no quantile must fall, whatever the rounding.
    std::size_t last = share.size() - 1;
    while (!dark && share[last] == 0) --last;
    for (std::size_t s = last; s < sums.size(); ++s) sums[s] = 1.0;
    fill_guide(sums);
    cumulative_.reserve(sums.size());
    for (const double c : sums) cumulative_.push_back(sorted_ ? level(c) : c);
  }

  double total() const { return total_; }
  std::size_t bytes() const {
    return cumulative_.size() * sizeof(double) + guide_.size() * sizeof(int);
  }

  template <class Place>
  EntrySampler view(const Place& place) const {
    return {place(cumulative_), place(guide_), static_cast<int>(guide_.size()), sorted_};
  }

 private:
  static double level(double c) {
    return c < 1 ? -std::log1p(-c) : std::numeric_limits<double>::infinity();
  }

  void fill_guide(const std::vector<double>& sums) {
    std::size_t guides = 1;
    while (guides < sums.size() && guides < (std::size_t{1} << 20)) guides *= 2;
    guide_.reserve(guides);
    std::size_t entry = 0;
    for (std::size_t g = 0; g < guides; ++g) {
      while (sums[entry] <= static_cast<double>(g) / static_cast<double>(guides)) ++entry;
      guide_.push_back(static_cast<int>(entry));
    }
  }

  bool sorted_;
  double total_ = 0.0;
  std::vector<double> cumulative_;
  std::vector<int> guide_;
};

}  // namespace ermine
