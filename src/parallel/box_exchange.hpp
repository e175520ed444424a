#pragma once

#include "core/box.hpp"
#include "core/ranks.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace ermine {

/// Moves a field between two ways of sharing out its cells among ranks.
class BoxExchange {
 public:
  /// Collective. Boxes `from` of all ranks cover the field, each cell once; boxes `to` are wanted.
  /// Along an axis with a period (0: none) `to` may lie beyond the ends.
  BoxExchange(std::shared_ptr<Ranks> ranks, const Box& from, const Box& to,
              const std::array<std::int64_t, 3>& period = {0, 0, 0});

  /// Collective. From values of this rank's box `from` to those of its box `to`, x fastest.
  template <class T>
  std::vector<T> operator()(std::span<const T> values) const;

 private:
  /// Cells of the source box that lie in a target box shifted by some periods.
  struct Piece {
    Box source;
    std::array<std::int64_t, 3> shift;
  };
  std::vector<Piece> pieces(const Box& from, const Box& to) const;

  std::shared_ptr<Ranks> ranks_;
  std::array<std::int64_t, 3> period_;
  Box from_, to_;
  std::vector<std::vector<Piece>> sent_, received_;  ///< by rank
};

/// Brings a field together on all ranks. `boxes` of all of them cover `all`, each cell once;
/// `values` are of this rank's.
std::vector<double> gather_field(std::vector<double> values, std::span<const Box> boxes,
                                 const Box& all, Ranks& ranks);

}  // namespace ermine
