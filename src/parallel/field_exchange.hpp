#pragma once

#include <ermine/tracer.hpp>

#include "parallel/box_exchange.hpp"
#include "transport/scene/temperature_field.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ermine {

/// Shares out temperature fields as distributed levels: each rank gets the cells around those that
/// it traces, as far as rays go on each level.
class FieldExchange {
 public:
  /// Collective. `block`: cells of this rank; those of all are the grid.
  FieldExchange(std::shared_ptr<Ranks> ranks, const Tracer& tracer, const Box& block);

  /// Collective. `block`: temperatures of this rank's cells [K], x fastest. The tracer has the same
  /// grid and levels.
  TemperatureField operator()(const Tracer& tracer, std::span<const double> block) const;

  const FieldWindows& windows() const { return windows_; }

 private:
  std::shared_ptr<Ranks> ranks_;
  Levels levels_;
  std::vector<Box> owned_;  ///< by each rank
  FieldWindows windows_;
  std::vector<Box> own_;               ///< of each level, cells that this rank averages for all
  std::vector<BoxExchange> to_level_;  ///< from these, or from the block, to the window
};

}  // namespace ermine
