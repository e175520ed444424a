#include "scaling_model.hpp"

#include "geometry/levels.hpp"

#include <algorithm>

namespace ermine::cli {

double replicated_field_bytes(const Grid& grid, const Options& options) {
  const Levels levels(grid, options.levels, options.steps_per_level);
  return static_cast<double>(levels.cell_count() * sizeof(float));
}

void set_efficiencies(std::vector<ScalingRow>& strong, std::vector<ScalingRow>& weak) {
  for (ScalingRow& row : strong) {
    row.efficiency = strong.front().seconds / (row.seconds * row.processes);
  }
  for (ScalingRow& row : weak) row.efficiency = weak.front().seconds / row.seconds;
}

ScalingModel::ScalingModel(const std::vector<ScalingRow>& strong)
    : cells_(strong.front().cells),
      field_bytes_per_cell_(strong.front().field_bytes / strong.front().cells),
      setup_(strong.front().setup_seconds / strong.front().cells),
      tracing_((strong.front().seconds - strong.front().setup_seconds) / strong.front().cells) {
  const ScalingRow& last = strong.back();
  const int p = last.processes;
  if (p == 1) return;
  // Each sends what it knows of its N / p cells to p - 1 others.
  bytes_per_cell_ = last.bytes_sent / (p - 1) / (last.cells / p);
  const double received = bytes_per_cell_ * last.cells * (p - 1) / p;
  const double more = last.seconds - setup_ * last.cells - tracing_ * last.cells / p;
  if (received > 0) per_byte_ = std::max(more, 0.0) / received;
}

ScalingRow ScalingModel::row(int processes, double cells, double ideal) const {
  ScalingRow row;
  row.processes = processes;
  row.cells = cells;
  const double share = 1.0 - 1.0 / processes;
  row.setup_seconds = setup_ * cells;
  row.bytes_sent = bytes_per_cell_ * cells * share;
  row.seconds = row.setup_seconds + tracing_ * cells / processes +
                per_byte_ * bytes_per_cell_ * cells * share;
  row.field_bytes = field_bytes_per_cell_ * cells;
  row.efficiency = ideal * (setup_ + tracing_) * cells_ / row.seconds;
  return row;
}

}  // namespace ermine::cli
