#include "transport/scene/temperature_field.hpp"

#include "geometry/tiles.hpp"

#include <algorithm>

namespace ermine {

Box TemperatureField::own(const Grid& grid) const {
  return complete() ? all_cells(grid) : parts_->own();
}

Box owned_cells(const Grid& grid, const Box& block) {
  Box owned;
  for (const std::size_t a : {0, 1, 2}) {
    const std::int64_t width = 2 * tile_cells[a];
    const auto cells = static_cast<std::int64_t>(grid.cells(a));
    const auto up = [&](std::int64_t i) {
      return std::min((i + width - 1) / width * width, cells);
    };
    owned.begin[a] = up(block.begin[a]);
    owned.end[a] = up(block.end[a]);
  }
  return owned;
}

void share_owned(std::vector<double>& field, const Grid& grid, const FieldParts& parts,
                 Ranks& ranks) {
  const Box all = all_cells(grid);
  const std::vector<double> own = part_of(field, all, parts.own());
  const auto of_ranks = gather(ranks, std::span<const double>(own));
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    const double* next = of_ranks[r].data();
    const Box& box = parts.owned[r];
    for_each_row(box, [&](std::int64_t j, std::int64_t k) {
      std::copy_n(next, box.extent(0), field.data() + all.at(box.begin[0], j, k));
      next += box.extent(0);
    });
  }
}

}  // namespace ermine
