#include "transport/scene/rough_cells.hpp"

#include "core/thread_count.hpp"
#include "transport/mesh/stencil.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// Change of slope from one side of a cell to the other, times its width, over its value: beyond
/// it a field is not smooth.
constexpr double roughest_temperature = 0.15;
constexpr double roughest_amount = 0.5;
/// Optical thickness of a cell, of scattering that turns light round, beyond which cells are thick
/// for light that wanders about in them, however little it is absorbed.
constexpr double thickest_scattering = 0.2;

/// What is known of a solution's fields from cell to cell.
class Fields {
 public:
  Fields(const Tracer& tracer, const TemperatureField& temperature)
      : grid_(tracer.grid()),
        walls_(tracer.walls()),
        temperature_(temperature),
        scattering_(tracer.scattering()),
        stencil_(tracer.grid()) {
    if (const auto* grey = std::get_if<GreyMedium>(&tracer.medium()); grey && !grey->uniform()) {
      amounts_.push_back(grey->absorption_coefficient());
    }
    if (const auto* gas = std::get_if<GasMedium>(&tracer.medium())) {
      for (std::size_t c = 0; c < gas->component_count(); ++c) {
        const std::vector<double>& amount = gas->component(c).amount;
        if (amount.size() > 1) amounts_.emplace_back(amount);
      }
    }
    for (const Scattering& particles : tracer.scattering()) {
      if (particles.coefficient.size() > 1) amounts_.emplace_back(particles.coefficient);
    }
  }

  /// Whether neighbours let expect something else of a cell, or the cell of its wall, or whether it
  /// is thick for light that is scattered.
  bool jumps(std::size_t cell, const std::array<std::size_t, 3>& at) const {
    double turns = 0.0;  // [1/m]
    for (const Scattering& particles : scattering_) {
      turns += (1 - particles.asymmetry) * particles.at(cell);
    }
    for (const std::size_t a : {0, 1, 2}) {
      const double width = stencil_.width(a, at[a]);
      if (turns * width > thickest_scattering) return true;
      const std::array faces{stencil_.neighbour(a, at[a], 0), stencil_.neighbour(a, at[a], 1)};
      if (faces[0].wall && faces[1].wall) return true;
      const double here = temperature_[cell];
      double change = 0.0;
      for (const std::size_t side : {0, 1}) {
        change += width * (beyond(faces[side], cell, at, a, side) - here) / faces[side].distance;
      }
      if (std::abs(change) > roughest_temperature * here) return true;
      for (const std::span<const double> amount : amounts_) {
        const auto behind = [&](const Neighbour& face) {  // a wall: nothing changes
          return amount[face.wall ? cell : face.from(cell)];
        };
        const double low = behind(faces[0]);
        const double high = behind(faces[1]);
        const double change_of_amount = width * ((low - amount[cell]) / faces[0].distance +
                                                 (high - amount[cell]) / faces[1].distance);
        const double most = std::max({low, amount[cell], high});
        if (std::abs(change_of_amount) > roughest_amount * most) return true;
      }
    }
    return false;
  }

  /// Whether it jumps in the cell or in a neighbour, which jumps(cell, at) tells.
  template <class Jumps>
  bool around(std::size_t cell, const std::array<std::size_t, 3>& at, const Jumps& jumps) const {
    if (jumps(cell, at)) return true;
    for (const std::size_t a : {0, 1, 2}) {
      for (const std::size_t side : {0, 1}) {
        const Neighbour& face = stencil_.neighbour(a, at[a], side);
        if (face.wall) continue;
        std::array<std::size_t, 3> next = at;
        next[a] = face.from(cell) / stride(a) % grid_.cells(a);
        if (jumps(face.from(cell), next)) return true;
      }
    }
    return false;
  }

 private:
  std::size_t stride(std::size_t axis) const {
    return axis == 0 ? 1 : (axis == 1 ? grid_.cells(0) : grid_.cells(0) * grid_.cells(1));
  }

  /// Temperature behind a face.
  double beyond(const Neighbour& face, std::size_t cell, const std::array<std::size_t, 3>& at,
                std::size_t axis, std::size_t side) const {
    if (!face.wall) return temperature_[face.from(cell)];
    const Face wall = all_faces[2 * axis + side];
    const auto [first, second] = Grid::tangents(wall);
    const std::size_t face_cell = at[first] + grid_.cells(first) * at[second];
    // The temperature of a wall that emits nothing means nothing: it is a plane of symmetry.
    return walls_.emissivity(wall, face_cell) > 0 ? walls_.temperature(wall, face_cell)
                                                  : temperature_[cell];
  }

  const Grid& grid_;
  const Walls& walls_;
  const TemperatureField& temperature_;
  std::span<const Scattering> scattering_;
  Stencil stencil_;
  std::vector<std::span<const double>> amounts_;
};

}  // namespace

std::vector<char> rough_cells(const Tracer& tracer, const TemperatureField& temperature) {
  const Options& options = tracer.options();
  if (options.start != StartPoint::average) return {};
  const Grid& grid = tracer.grid();
  const Fields fields(tracer, temperature);
  const Box all = all_cells(grid);
  const int threads = thread_count(options.threads);
  const auto for_each = [&](const Box& box, std::vector<char>& found, const auto& find) {
    found.resize(grid.cell_count());
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads)
    for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k) {
      for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j) {
        for (std::int64_t i = box.begin[0]; i < box.end[0]; ++i) {
          const std::size_t cell = all.at(i, j, k);
          found[cell] = find(cell, std::array{at(i), at(j), at(k)});
        }
      }
    }
  };
  using Place = std::array<std::size_t, 3>;
  std::vector<char> jumps;  // of all cells, where they are known: each is asked for seven times
  if (temperature.complete()) {
    for_each(all, jumps, [&](std::size_t cell, const Place& at) { return fields.jumps(cell, at); });
  }
  const auto known = [&](std::size_t cell, const Place& at) {
    return jumps.empty() ? fields.jumps(cell, at) : jumps[cell] != 0;
  };
  std::vector<char> rough;
  for_each(temperature.own(grid), rough,
           [&](std::size_t cell, const Place& at) { return fields.around(cell, at, known); });
  return rough;
}

std::vector<char> changed_starts(const std::vector<char>& rough, const Tracer& tracer,
                                 std::span<const double> earlier) {
  if (rough.empty()) return {};
  std::vector<char> changed = rough_cells(tracer, TemperatureField(earlier));
  for (std::size_t i = 0; i < changed.size(); ++i) changed[i] = changed[i] != rough[i];
  return changed;
}

}  // namespace ermine
