#include "transport/scene/field_memory.hpp"

#include "geometry/grid_storage.hpp"
#include "transport/scene/halo_field.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/scene/temperature_field.hpp"

namespace ermine {
namespace {

/// Of a cell with its halo; 0: rays march without.
std::size_t entry_size(const Tracer& tracer) {
  const Options& options = tracer.options();
  if (options.sampler != RaySampler::net || options.precision != Precision::single_precision) {
    return 0;
  }
  if (std::holds_alternative<GreyMedium>(tracer.medium())) return sizeof(GreyEntry);
  const auto* gas = std::get_if<GasMedium>(&tracer.medium());
  if (!gas || gas->cell_count() == 1) return sizeof(float);
  return gas->component_count() > GasEntry<3>::components ? sizeof(GasEntry<7>)
                                                          : sizeof(GasEntry<3>);
}

}  // namespace

FieldMemory field_memory(const Tracer& tracer, const FieldWindows* windows) {
  const Levels levels = levels_of(tracer, windows ? FieldKnown::windows : FieldKnown::whole);
  const std::size_t cells = windows ? windows->count() : levels.cell_count();
  const bool single = tracer.options().precision == Precision::single_precision;
  FieldMemory memory;
  memory.kelvin = static_cast<std::int64_t>(
      sizeof(double) * (windows ? windows->count() : tracer.grid().cell_count()));
  memory.coordinate = static_cast<std::int64_t>((single ? sizeof(float) : sizeof(double)) * cells);
  const GridStorage<float> grid(tracer.grid(), levels);
  if (HaloLevels::fit(grid.view())) {
    const HaloLevels halos(grid.view(), windows ? windows->all().data() : nullptr);
    memory.entries = static_cast<std::int64_t>(entry_size(tracer) * halos.entries());
  }
  return memory;
}

FieldMemory field_memory(const Tracer& tracer, const Box& block) {
  const Grid& grid = tracer.grid();
  const FieldWindows windows(levels_of(tracer, FieldKnown::windows),
                             {grid.periodic(0), grid.periodic(1), grid.periodic(2)},
                             owned_cells(grid, block));
  return field_memory(tracer, &windows);
}

}  // namespace ermine
