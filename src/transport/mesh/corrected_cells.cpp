#include "transport/mesh/corrected_cells.hpp"

#include "core/fresh_memory.hpp"
#include "transport/draw/scene_density.hpp"

#include <map>
#include <tuple>

namespace ermine {
namespace {

/// Shortest way from wall to wall along an axis [m]; infinite where there are none.
double between_walls(const Grid& grid) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const std::size_t a : {0, 1, 2}) {
    if (!grid.periodic(a)) shortest = std::min(shortest, grid.length(a));
  }
  return shortest;
}

}  // namespace

CorrectedCells::CorrectedCells(const Grid& grid, const Walls& walls,
                               const TemperatureField& temperature,
                               std::span<const char> transparent, std::span<const char> rough,
                               const Options& options, const Box& box)
    : grid_(grid),
      walls_(walls),
      temperature_(temperature),
      transparent_(transparent),
      stencil_(grid),
      threads_(thread_count(options.threads)),
      all_average_(options.start == StartPoint::uniform),
      rough_(rough),
      box_(box) {
  for (const std::size_t a : {0, 1, 2}) {
    for (std::size_t i = 0; i < grid.cells(a); ++i) {
      log_width_[a].push_back(std::log(grid.width(a, i)));
      widest_ = std::max(widest_, grid.width(a, i));
    }
  }
  std::tie(coldest_, hottest_) = temperature_range(temperature, threads_);
  reserve_pages(field_.flux_divergence, grid.cell_count(), threads_);
  field_.flux_divergence.resize(grid.cell_count());
  for (const Face face : all_faces) {
    if (options.rays_per_wall_face == 0 || !grid.walled(face)) continue;
    field_.wall_flux[static_cast<std::size_t>(face)].resize(grid.face_cell_count(face));
  }
  // Whatever the field, radiation sees nothing beyond the walls.
  const double of_domain = 2 * constants::pi / between_walls(grid);
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::size_t a : {0, 1, 2}) {
    smallest = std::min(smallest, grid.length(a) / static_cast<double>(grid.cells(a)));
  }
  for (const std::size_t a : {0, 1, 2}) {
    const double wavenumber =
        std::hypot(structure_wavenumber(grid, temperature, a, threads_, transparent), of_domain);
    structures_[a] = {wavenumber, wavenumber * smallest};
  }
}

CorrectedCells::WallSite CorrectedCells::wall_site(std::size_t cell,
                                                   const std::array<std::size_t, 3>& at,
                                                   std::size_t axis, std::size_t side) const {
  const Face face = all_faces[2 * axis + side];
  const auto [first, second] = Grid::tangents(face);
  const std::size_t face_cell = at[first] + grid_.cells(first) * at[second];
  const Neighbour& next = stencil_.neighbour(axis, at[axis], 1 - side);
  const bool next_known = !next.wall && (transparent_.empty() || !transparent_[next.from(cell)]);
  const double emissivity = walls_.emissivity(face, face_cell);
  double difference = 0.0;
  // The temperature of a wall that emits nothing means nothing.
  if (next_known && emissivity > 0) {
    const double here = temperature_[cell];
    // Half a cell on, a fifth more than half of the last difference.
    difference = limited(walls_.temperature(face, face_cell) - here,
                         0.6 * (here - temperature_[next.from(cell)]));
  }
  return {2 * axis + side, face_cell, emissivity, walls_.reflection(face), difference};
}

CorrectedCells::FaceRows CorrectedCells::face_rows(
    std::vector<TemperatureTables::Row>& rows) const {
  FaceRows found;
  for (const std::size_t a : {0, 1, 2}) {
    std::map<long, std::size_t> known;  // distances that differ by rounding are one
    for (std::size_t i = 0; i < grid_.cells(a); ++i) {
      found[a].emplace_back();
      for (const std::size_t side : {0, 1}) {
        const Neighbour& face = stencil_.neighbour(a, i, side);
        const double distance = face.wall ? stencil_.width(a, i) : face.distance;
        const auto [place, fresh] =
            known.try_emplace(std::lround(1e6 * std::log(distance)), rows.size());
        if (fresh) rows.push_back({distance, structures_[a], false});
        found[a].back()[side] = place->second;
      }
    }
  }
  return found;
}

CorrectedCells::CellRows CorrectedCells::cell_rows(
    std::vector<TemperatureTables::Row>& rows) const {
  CellRows found;
  for (const std::size_t a : {0, 1, 2}) {
    std::map<long, std::size_t> known;  // widths that differ by rounding are one
    for (std::size_t i = 0; i < grid_.cells(a); ++i) {
      const double width = stencil_.width(a, i);
      const auto [place, fresh] =
          known.try_emplace(std::lround(1e6 * std::log(width)), rows.size());
      if (fresh) rows.push_back({width, structures_[a], false});
      found[a].push_back(place->second);
    }
    if (grid_.periodic(a)) continue;
    rows[found[a].front()].at_wall = true;
    rows[found[a].back()].at_wall = true;
  }
  return found;
}

void CorrectedCells::add_tables(TemperatureTables& tables) {
  std::vector<TemperatureTables::Row> rows_of_cells, rows_of_faces;
  const CellRows cell_row = cell_rows(rows_of_cells);
  const FaceRows face_row = face_rows(rows_of_faces);
  tables.tabulate(rows_of_cells, threads_);
  tables.tabulate_fluxes(rows_of_faces, threads_);
  each_cell([&](std::size_t cell, const std::array<std::size_t, 3>& at) {
    return averages(cell) ? flux_of_tables(tables, face_row, cell, at)
                          : term_of_tables(tables, cell_row, cell, at);
  });
}

double CorrectedCells::flux_of_tables(const TemperatureTables& tables, const FaceRows& row,
                                      std::size_t cell, const std::array<std::size_t, 3>& at) {
  const double here = temperature_[cell];
  const auto position = tables.position(here);
  double sum = 0.0;
  for (const std::size_t a : {0, 1, 2}) {
    const double h = stencil_.width(a, at[a]);
    for (const std::size_t side : {0, 1}) {
      const Neighbour& face = stencil_.neighbour(a, at[a], side);
      const std::size_t of_face = row[a][at[a]][side];
      const auto rise_to = [&](double kelvin) {
        return tables.potential(of_face, tables.position(kelvin)) -
               tables.potential(of_face, position);
      };
      if (!face.wall) {
        sum += rise_to(temperature_[face.from(cell)]) / h;
        continue;
      }
      const WallSite wall = wall_site(cell, at, a, side);
      if (wall.difference == 0) continue;
      const double flux = wall.emissivity * rise_to(here + wall.difference);
      sum += flux / h;
      add_wall_flux(wall, flux);
    }
  }
  return sum;
}

double CorrectedCells::term_of_tables(const TemperatureTables& tables, const CellRows& row,
                                      std::size_t cell, const std::array<std::size_t, 3>& at) {
  const double here = temperature_[cell];
  const auto position = tables.position(here);
  double sum = 0.0;
  for (const std::size_t a : {0, 1, 2}) {
    const double h = stencil_.width(a, at[a]);
    const FaceTerms terms = tables.face(row[a][at[a]], position);
    for (const std::size_t side : {0, 1}) {
      const Neighbour& face = stencil_.neighbour(a, at[a], side);
      if (face.wall) {
        const WallSite wall = wall_site(cell, at, a, side);
        if (wall.difference == 0) continue;
        const WallTerms of_wall = tables.wall(row[a][at[a]], position);
        const auto kind = static_cast<std::size_t>(wall.reflection);
        const Quadratic term =
            wall.emissivity * of_wall.black + (1 - wall.emissivity) * of_wall.white[kind];
        sum += term(wall.difference) / (h * h);
        add_wall_flux(wall, wall.emissivity * of_wall.flux(wall.difference));
        continue;
      }
      const double difference = temperature_[face.from(cell)] - here;
      sum +=
          terms.gradient(difference) / (h * face.distance) + terms.curvature(difference) / (h * h);
    }
  }
  return sum;
}

}  // namespace ermine
