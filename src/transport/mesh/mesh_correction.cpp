#include "transport/mesh/mesh_correction.hpp"

#include "core/block_sum.hpp"
#include "core/thread_count.hpp"
#include "medium/grey_storage.hpp"
#include "medium/point_rows.hpp"
#include "transport/draw/scene_density.hpp"
#include "transport/mesh/corrected_cells.hpp"
#include "transport/mesh/gas_samples.hpp"
#include "transport/run/gather.hpp"
#include "transport/scene/rough_cells.hpp"

#include <algorithm>

namespace ermine {
namespace {

/// Temperatures at which slopes are taken: a little below and above `kelvin`, within what is known.
struct Differences {
  double low;
  double middle;
  double high;

  /// `spacing` of nodes between which intensities are linear: differences see past their kinks.
  Differences(double kelvin, const CoveredTemperatures& covered, double spacing) {
    const auto& [coldest, hottest] = covered;
    const double half = std::min(std::max(0.02 * kelvin, spacing), (hottest - coldest) / 2);
    middle = std::clamp(kelvin, coldest + half, hottest - half);
    low = middle - half;
    high = middle + half;
  }

  /// At `kelvin`, from the states at the three.
  PointSlopes slopes(const std::array<GasState<double>, 3>& at, double kelvin,
                     double weight) const {
    const double half = middle - low;
    const double away = kelvin - middle;
    const double curving =
        (at[2].intensity - 2 * at[1].intensity + at[0].intensity) / (half * half);
    const double slope = (at[2].intensity - at[0].intensity) / (2 * half);
    const double k_slope = (at[2].absorption - at[0].absorption) / (2 * half);
    return {at[1].absorption + away * k_slope, k_slope, weight * (slope + away * curving),
            weight * curving};
  }
};

/// Fills the bins of all nodes: state(point, position) at position(kelvin), for points below
/// `count`, each with its weight.
template <class Position, class State, class Weight>
void fill(TemperatureTables& tables, const CoveredTemperatures& covered, double spacing,
          std::size_t count, int threads, const Position& position, const State& state,
          const Weight& weight) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::size_t n = 0; n < tables.nodes().size(); ++n) {
    const double kelvin = tables.nodes()[n];
    const Differences between(kelvin, covered, spacing);
    const std::array at{position(between.low), position(between.middle), position(between.high)};
    for (std::size_t p = 0; p < count; ++p) {
      tables.bins()[n].add(
          between.slopes({state(p, at[0]), state(p, at[1]), state(p, at[2])}, kelvin, weight(p)));
    }
  }
}

void fill(TemperatureTables& tables, const PointRows& rows, int threads) {
  const std::size_t nodes = rows.temperature.size();
  const CoveredTemperatures covered{std::max(rows.covered.coldest, rows.temperature.front()),
                                    std::min(rows.covered.hottest, rows.temperature.back())};
  double spacing = 0.0;
  for (std::size_t t = 0; t + 1 < nodes; ++t) {
    if (rows.temperature[t] < covered.coldest) continue;
    spacing = std::max(spacing, rows.temperature[t + 1] - rows.temperature[t]);
  }
  fill(
      tables, covered, spacing, rows.absorption.size() / nodes, threads,
      [&](double kelvin) { return position_among(rows.temperature, kelvin); },
      [&](std::size_t point, double position) {
        const auto node = std::min(static_cast<std::size_t>(position), nodes - 2);
        const double part = position - static_cast<double>(node);
        const auto between = [&](const auto& row) {
          const double* low = row.data() + point * nodes + node;
          return low[0] + part * (low[1] - low[0]);
        };
        return GasState<double>{between(rows.absorption), between(rows.intensity)};
      },
      [](std::size_t) { return 1.0; });
}

void fill(TemperatureTables& tables, const GasMedium& gas, const GasSamples& samples, int threads) {
  fill(
      tables, {gas.coldest(), gas.hottest()}, 0.0, samples.count(), threads,
      [&](double kelvin) { return position_among(gas.temperature(), kelvin); },
      [&](std::size_t sample, double coordinate) {
        return samples.at(sample, CellId{0}, coordinate);
      },
      [&](std::size_t sample) { return samples.weight(sample); });
}

/// Cells without anything that absorbs; empty where there are none.
std::vector<char> transparent_cells(const Medium& medium) {
  std::vector<char> transparent;
  if (const auto* grey = std::get_if<GreyMedium>(&medium); grey && !grey->uniform()) {
    for (const double k : grey->absorption_coefficient()) transparent.push_back(k == 0);
  }
  if (const auto* gas = std::get_if<GasMedium>(&medium); gas && gas->cell_count() > 1) {
    transparent.assign(gas->cell_count(), 1);
    for (std::size_t c = 0; c < gas->component_count(); ++c) {
      const std::vector<double>& amount = gas->component(c).amount;
      for (std::size_t i = 0; i < transparent.size(); ++i) {
        if (amount[amount.size() == 1 ? 0 : i] > 0) transparent[i] = 0;
      }
    }
  }
  return transparent;
}

/// Planes across z are shared out, where each rank has all of the temperature.
Box cells_of_rank(const Grid& grid, const TemperatureField& temperature, const Ranks& ranks) {
  Box cells = temperature.own(grid);
  if (!temperature.complete()) return cells;
  const IndexRange planes = part_of_rank(grid.cells(2), ranks);
  cells.begin[2] = static_cast<std::int64_t>(planes.begin);
  cells.end[2] = static_cast<std::int64_t>(planes.end);
  return cells;
}

/// Spectral points that stand for all of a gas: enough for tables, which are made once, and for
/// sums in every cell, where the correction need not be known better than to a few per cent.
constexpr std::size_t samples_of_tables = 4096;
constexpr std::size_t samples_of_cells = 64;
/// Optical thickness of a cell below which a point is left out there: what it misses is seen from
/// afar, in a few per cent of a few thousandths of what the point emits.
constexpr double thinnest_of_cells = 0.01;

}  // namespace

CorrectionField mesh_correction(const Tracer& tracer, const TemperatureField& temperature,
                                const Ranks& ranks) {
  const Options& options = tracer.options();
  if (!options.mesh_correction) return {};
  const Grid& grid = tracer.grid();
  const int threads = thread_count(options.threads);
  const std::vector<char> transparent = transparent_cells(tracer.medium());
  const std::vector<char> rough = rough_cells(tracer, temperature);
  CorrectedCells cells(grid, tracer.walls(), temperature, transparent, rough, options,
                       cells_of_rank(grid, temperature, ranks));
  if (cells.coldest() == cells.hottest()) return cells.take();
  if (const auto* grey = std::get_if<GreyMedium>(&tracer.medium())) {
    cells.add_point(1.0, [&](std::size_t cell, double kelvin) {
      return GasState<double>{grey->absorption_coefficient(cell), total_blackbody(kelvin)};
    });
    return cells.take();
  }
  TemperatureTables tables(cells.coldest(), cells.hottest());
  const PointDensity density = scene_density(tracer, temperature);
  if (const auto* list = std::get_if<SpectralList>(&tracer.medium())) {
    fill(tables, point_rows(*list, density, threads), threads);
  } else {
    const auto& gas = std::get<GasMedium>(tracer.medium());
    // Joint points of a mixture are many more than its tables need.
    const bool single = gas.component_count() == 1;
    if (const auto rows = single ? point_rows(gas, density, threads) : std::nullopt) {
      fill(tables, *rows, threads);
    } else if (gas.cell_count() == 1) {
      fill(tables, gas, GasSamples(gas, density, samples_of_tables), threads);
    } else {
      const GasSamples samples(gas, density, samples_of_cells, temperature.finest(), threads);
      const std::span<const double> kelvin_of = temperature.finest();
      std::vector<double> position(kelvin_of.size());
#pragma omp parallel for schedule(static) num_threads(threads)
      for (std::size_t i = 0; i < position.size(); ++i) {
        position[i] = position_among(gas.temperature(), kelvin_of[i]);
      }
      for (std::size_t s = 0; s < samples.count(); ++s) {
        const auto state = [&](std::size_t cell, double kelvin) {
          const bool own = kelvin == kelvin_of[cell];
          return samples.at(s, CellId{static_cast<int>(cell)},
                            own ? position[cell] : position_among(gas.temperature(), kelvin));
        };
        cells.add_point(samples.weight(s), state, thinnest_of_cells);
      }
      return cells.take();
    }
  }
  cells.add_tables(tables);
  return cells.take();
}

void share(CorrectionField& correction, const Grid& grid, const TemperatureField& temperature,
           Ranks& ranks) {
  std::vector<double>& q = correction.flux_divergence;
  if (ranks.alone() || q.empty()) return;
  if (!temperature.complete()) {
    share_owned(q, grid, temperature.parts(), ranks);
  } else {
    const std::size_t plane = grid.cells(0) * grid.cells(1);
    const IndexRange own = part_of_rank(grid.cells(2), ranks);
    const auto parts =
        gather(ranks, std::span<const double>(q).subspan(own.begin * plane, own.count() * plane));
    auto next = q.begin();
    for (std::size_t r = 0; r < parts.size(); ++r) {
      next = std::copy(parts[r].begin(), parts[r].end(), next);
    }
  }
  for (std::vector<double>& fluxes : correction.wall_flux) {
    // Each rank has zero where others have something: sums are exact.
    const auto all = gather(ranks, std::span<const double>(fluxes));
    std::fill(fluxes.begin(), fluxes.end(), 0.0);
    for (std::size_t r = 0; r < all.size(); ++r) {
      for (std::size_t i = 0; i < fluxes.size(); ++i) fluxes[i] += all[r][i];
    }
  }
}

void apply(const CorrectionField& correction, const Tracer& tracer, Result& result) {
  if (correction.flux_divergence.empty()) return;
  const Grid& grid = tracer.grid();
  const int threads = thread_count(tracer.options().threads);
  const double heat = block_sum(grid.cell_count(), threads, [&](std::size_t i) {
    result.flux_divergence[i] += correction.flux_divergence[i];
    result.absorption[i] -= correction.flux_divergence[i];
    return grid.volume(i) * correction.flux_divergence[i];
  });
  Ledger& ledger = result.ledger;
  ledger.gas.value += heat;
  for (const Face face : all_faces) {
    WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    for (std::size_t i = 0; i < wall.net_flux.size(); ++i) {
      const double flux = correction.wall_flux[static_cast<std::size_t>(face)][i];
      wall.net_flux[i] += flux;
      wall.heat.value += grid.face_cell_area(face, i) * flux;
      ledger.walls.value += grid.face_cell_area(face, i) * flux;
    }
  }
  ledger.total.value = ledger.gas.value + ledger.walls.value;
}

}  // namespace ermine
