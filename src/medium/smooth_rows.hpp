#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// Reads rows tabulated at some temperatures [K] at others, which lie within: along a cubic in
/// ln T through the logarithms, the same slope on both sides of a node, so that neither k nor an
/// intensity has a kink there. Where neighbours differ by more than a quarter the cubic is kept
/// monotone. Next to a value of zero, or to 0 K, rows are linear in T.
class SmoothRows {
 public:
  /// At least two nodes; both increase.
  SmoothRows(std::span<const double> from, std::span<const double> to);

  std::size_t count() const { return place_.size(); }

  /// Work space of one thread.
  struct Scratch {
    std::vector<double> log, slope;
  };

  /// `values` at the old nodes, not negative, become `result` at the new ones.
  template <class From, class To>
  void operator()(const From* values, To* result, Scratch& scratch) const {
    scratch.log.resize(end_ - begin_);
    for (std::size_t i = begin_; i < end_; ++i) {
      scratch.log[i - begin_] = std::log(static_cast<double>(values[i]));
    }
    find_slopes(scratch);
    for (std::size_t t = 0; t < place_.size(); ++t) {
      result[t] = static_cast<To>(at(place_[t], static_cast<double>(values[place_[t].node]),
                                     static_cast<double>(values[place_[t].node + 1]), scratch));
    }
  }

 private:
  struct Place {
    std::size_t node;
    double fraction;      ///< of the way to the next node, in T
    double log_fraction;  ///< in ln T
  };

  void find_slopes(Scratch& scratch) const;
  double at(const Place& place, double low, double high, const Scratch& scratch) const;

  std::vector<double> log_kelvin_;  ///< of the nodes from begin_ to end_
  std::vector<Place> place_;
  std::size_t begin_ = 0;  ///< nodes that any new one needs
  std::size_t end_ = 0;
};

}  // namespace ermine
