#include "parallel/field_exchange.hpp"

#include "transport/scene/field_summary.hpp"
#include "transport/scene/levels_of.hpp"

#include <utility>

namespace ermine {
namespace {

/// Cells of the next level whose first part lies in a box.
Box begun_in(const Box& fine, const LevelView& level, const LevelView& coarse) {
  Box box = fine;
  for (const std::size_t axis : {0, 1, 2}) {
    const int a = static_cast<int>(axis);
    if (coarse.cells[a] == level.cells[a]) continue;
    box.begin[axis] = (fine.begin[axis] + 1) / 2;
    box.end[axis] = (fine.end[axis] + 1) / 2;
  }
  return box;
}

std::array<bool, 3> periodic_axes(const Grid& grid) {
  return {grid.periodic(0), grid.periodic(1), grid.periodic(2)};
}

}  // namespace

FieldExchange::FieldExchange(std::shared_ptr<Ranks> ranks, const Tracer& tracer, const Box& block)
    : ranks_(std::move(ranks)),
      levels_(levels_of(tracer, FieldKnown::windows)),
      owned_(gather_one(*ranks_, owned_cells(tracer.grid(), block))),
      windows_(levels_, periodic_axes(tracer.grid()),
               owned_[static_cast<std::size_t>(ranks_->rank())]) {
  Box own = owned_[static_cast<std::size_t>(ranks_->rank())];
  for (int l = 0; l < levels_.count(); ++l) {
    to_level_.emplace_back(ranks_, l == 0 ? block : own, windows_.box(l), windows_.period(l));
    own_.push_back(own);
    const auto level = static_cast<std::size_t>(l);
    if (l + 1 < levels_.count()) {
      own = begun_in(own, levels_.views()[level], levels_.views()[level + 1]);
    }
  }
}

TemperatureField FieldExchange::operator()(const Tracer& tracer,
                                           std::span<const double> block) const {
  FieldParts parts{windows_, {}, owned_, ranks_->rank(), {}};
  parts.values.reserve(windows_.count());
  std::vector<double> level = to_level_.front()(block);
  const Levels::Average average = average_of(tracer.options().coarse_temperature);
  for (int l = 0; l < levels_.count(); ++l) {
    if (l > 0) {
      const Box& own = own_[static_cast<std::size_t>(l)];
      const auto means = levels_.coarsened(l - 1, windows_.box(l - 1), level, own, average);
      level = to_level_[static_cast<std::size_t>(l)](std::span<const double>(means));
    }
    parts.values.insert(parts.values.end(), level.begin(), level.end());
  }
  const auto known = std::make_shared<FieldParts>(std::move(parts));
  known->summary = summary_of(tracer, TemperatureField(known), *ranks_);
  return TemperatureField(known);
}

}  // namespace ermine
