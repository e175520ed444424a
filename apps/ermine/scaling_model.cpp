#include "scaling_model.hpp"

#include "transport/scene/field_memory.hpp"

#include <algorithm>

namespace ermine::cli {

namespace {

/// The block in the midst of so many of about equal size: processes share out the longest axis
/// again and again.
Box middle_block(const Grid& grid, int processes) {
  Box box;
  for (const std::size_t a : {0, 1, 2}) box.end[a] = static_cast<std::int64_t>(grid.cells(a));
  while (processes > 1) {
    int parts = 2;
    while (processes % parts != 0) ++parts;
    std::size_t longest = 2;
    for (const std::size_t a : {1, 0}) {
      if (box.extent(a) > box.extent(longest)) longest = a;
    }
    const std::int64_t first = box.begin[longest];
    const std::int64_t cells = box.extent(longest);
    box.begin[longest] = first + cells * (parts / 2) / parts;
    box.end[longest] = first + cells * (parts / 2 + 1) / parts;
    processes /= parts;
  }
  return box;
}

}  // namespace

void set_field_bytes(const Tracer& tracer, ScalingRow& row) {
  row.field_bytes = static_cast<double>(field_memory(tracer).total());
  const Box block = middle_block(tracer.grid(), row.processes);
  row.distributed_bytes = row.processes == 1 || block.empty()
                              ? row.field_bytes
                              : static_cast<double>(field_memory(tracer, block).total());
}

void set_efficiencies(std::vector<ScalingRow>& strong, std::vector<ScalingRow>& weak) {
  for (ScalingRow& row : strong) {
    row.efficiency = strong.front().seconds / (row.seconds * row.processes);
  }
  for (ScalingRow& row : weak) row.efficiency = weak.front().seconds / row.seconds;
}

ScalingModel::ScalingModel(const std::vector<ScalingRow>& strong)
    : cells_(strong.front().cells),
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
  row.efficiency = ideal * (setup_ + tracing_) * cells_ / row.seconds;
  return row;
}

}  // namespace ermine::cli
