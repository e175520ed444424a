#pragma once

#include "core/check.hpp"
#include "geometry/all_cells.hpp"
#include "transport/net/replicates.hpp"
#include "transport/run/solving.hpp"

#include <utility>

namespace ermine {

/// Of a history that is not empty.
inline void check_history(const Tracer& tracer, const History& history) {
  const Options& options = tracer.options();
  const Grid& grid = tracer.grid();
  const std::size_t faces = options.rays_per_wall_face > 0 ? wall_cell_count(grid) : 0;
  const auto check = [](const char* what, std::size_t found, std::size_t wanted) {
    ERMINE_REQUIRE(found == wanted,
                   "the history has {} {}, {} are needed (it is that of another grid or number of "
                   "replicates), go on with its own or a new one",
                   found, what, wanted);
  };
  check("temperatures", history.temperature.size(), grid.cell_count());
  check("values of replicates of cells", history.flux_divergence.size(),
        grid.cell_count() * static_cast<std::size_t>(options.replicates));
  check("values of replicates of wall face cells", history.wall_flux.size(),
        faces * static_cast<std::size_t>(wall_replicates(options)));
}

/// An update that goes on from a history.
class Advance {
 public:
  Advance(const Tracer& tracer, std::uint32_t update, History* history)
      : solving_{update}, history_(history) {
    if (!history) return;
    solving_.levels = history->levels;
    solving_.steps_per_level = history->steps_per_level;
    solving_.wall_levels = history->wall_levels;
    solving_.wall_steps = history->wall_steps_per_level;
    if (tracer.options().temporal != Temporal::difference) return;
    if (!history->empty()) {
      check_history(tracer, *history);
      solving_.before = history;
    }
    solving_.after = &after_;
  }
  Advance(const Advance&) = delete;
  Advance& operator=(const Advance&) = delete;

  const Solving& solving() const { return solving_; }

  /// Brings the history up to date.
  void finish(std::span<const double> temperature, const Result& result) {
    if (!history_) return;
    if (solving_.after) {
      history_->updates += 1;
      history_->temperature.assign(temperature.begin(), temperature.end());
      history_->flux_divergence = std::move(after_.flux_divergence);
      history_->wall_flux = std::move(after_.wall_flux);
    }
    if (history_->levels > 0) return;
    history_->levels = result.levels;
    history_->steps_per_level = result.steps_per_level;
    history_->wall_levels = result.wall_levels;
    history_->wall_steps_per_level = result.wall_steps_per_level;
  }

 private:
  Solving solving_;
  History* history_ = nullptr;
  History after_;
};

}  // namespace ermine
