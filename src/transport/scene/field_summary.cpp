#include "transport/scene/field_summary.hpp"

#include "core/thread_count.hpp"
#include "transport/mesh/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace ermine {
namespace {

/// Calls visit(row, j, k) for the rows of a box of which the field has all cells, on all threads;
/// row[i] is cell i.
template <class Visit>
void each_row(const Grid& grid, const TemperatureField& field, const Box& box, int threads,
              const Visit& visit) {
  const Box all = all_cells(grid);
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads)
  for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k) {
    for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j) {
      if (box.extent(0) <= 0) continue;
      const std::size_t first = field.place(all.at(box.begin[0], j, k));
      visit(field.finest().data() + first - box.begin[0], j, k);
    }
  }
}

struct Range {
  double coldest = std::numeric_limits<double>::infinity();
  double hottest = -coldest;
};

Range range_of(const TemperatureField& field, int threads) {
  // Cells around those of this rank are other ranks': no harm is done.
  const auto values = field.finest();
  double coldest = Range().coldest;
  double hottest = Range().hottest;
#pragma omp parallel for num_threads(threads) reduction(min : coldest) reduction(max : hottest)
  for (std::size_t i = 0; i < values.size(); ++i) {
    coldest = std::min(coldest, values[i]);
    hottest = std::max(hottest, values[i]);
  }
  return {coldest, hottest};
}

/// Sums of planes of cells across each axis. In units of 2^-20 K whole numbers are exact, whoever
/// adds them up: 2^26 cells of 1e5 K fit in, and no plane has more that are looked at.
struct PlaneSums {
  struct Plane {
    std::int64_t sum = 0;
    std::int64_t cells = 0;
  };
  std::array<std::vector<Plane>, 3> planes;

  explicit PlaneSums(const Grid& grid) {
    for (const std::size_t a : {0, 1, 2}) planes[a].resize(grid.cells(a));
  }
  void add(const PlaneSums& other) {
    for (const std::size_t a : {0, 1, 2}) {
      for (std::size_t i = 0; i < planes[a].size(); ++i) {
        planes[a][i].sum += other.planes[a][i].sum;
        planes[a][i].cells += other.planes[a][i].cells;
      }
    }
  }
};

PlaneSums plane_sums(const Grid& grid, const TemperatureField& field, int threads) {
  const Box box = field.own(grid);
  // Some of the cells tell as much as all, where they are many.
  const auto stride = static_cast<std::int64_t>(grid.cell_count() / 1'000'000 + 1);
  PlaneSums all(grid);
#pragma omp parallel num_threads(threads)
  {
    PlaneSums own(grid);
#pragma omp for schedule(static)
    for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k) {
      each_row(grid, field, {{box.begin[0], box.begin[1], k}, {box.end[0], box.end[1], k + 1}}, 1,
               [&](const double* row, std::int64_t j, std::int64_t) {
                 const std::int64_t start = (j + k) % stride;
                 const std::int64_t behind = std::max<std::int64_t>(box.begin[0] - start, 0);
                 PlaneSums::Plane of_row;
                 for (std::int64_t i = start + (behind + stride - 1) / stride * stride;
                      i < box.end[0]; i += stride) {
                   const auto whole = static_cast<std::int64_t>(row[i] * 0x1p20);
                   auto& plane = own.planes[0][static_cast<std::size_t>(i)];
                   plane.sum += whole;
                   plane.cells += 1;
                   of_row.sum += whole;
                   of_row.cells += 1;
                 }
                 for (auto* plane : {&own.planes[1][static_cast<std::size_t>(j)],
                                     &own.planes[2][static_cast<std::size_t>(k)]}) {
                   plane->sum += of_row.sum;
                   plane->cells += of_row.cells;
                 }
               });
    }
#pragma omp critical(ermine_plane_sums)
    all.add(own);
  }
  return all;
}

int steepest(const PlaneSums& sums) {
  int steepest = 2;
  double largest = 0.0;
  for (const std::size_t a : {2, 0, 1}) {
    double sum = 0.0;
    double squares = 0.0;
    double count = 0.0;
    for (const PlaneSums::Plane& plane : sums.planes[a]) {
      if (plane.cells == 0) continue;
      const double mean =
          static_cast<double>(plane.sum) * 0x1p-20 / static_cast<double>(plane.cells);
      sum += mean;
      squares += mean * mean;
      count += 1;
    }
    const double variance = (squares - sum * sum / count) / count;
    // By rounding alone no axis is steeper than another.
    if (variance <= largest + 1e-9 * squares / count) continue;
    largest = variance;
    steepest = static_cast<int>(a);
  }
  return steepest;
}

bool holds(const Box& box, const std::array<std::size_t, 3>& at) {
  for (const std::size_t a : {0, 1, 2}) {
    const auto i = static_cast<std::int64_t>(at[a]);
    if (i < box.begin[a] || i >= box.end[a]) return false;
  }
  return true;
}

/// Of squares of two kinds of differences.
struct Squares {
  ExactSum first, second;

  void add(const Squares& other) {
    first.add(other.first);
    second.add(other.second);
  }
};

/// Squares of differences of neighbours along all axes [K2].
struct Differences {
  ExactSum first, second, third;
  ExactSum widths;  ///< second ones times the square of the cell's width, over that of a mean cell

  void add(const Differences& other) {
    first.add(other.first);
    second.add(other.second);
    third.add(other.third);
    widths.add(other.widths);
  }
};

/// In units of a mean cell, sums do not depend on how large it is.
double mean_width(const Grid& grid) {
  double volume = 1.0;
  for (const std::size_t a : {0, 1, 2}) {
    volume *= grid.length(a) / static_cast<double>(grid.cells(a));
  }
  return std::cbrt(volume);
}

Differences differences(const Grid& grid, const TemperatureField& field) {
  const Box box = field.own(grid);
  const std::array<std::size_t, 3> stride{1, grid.cells(0), grid.cells(0) * grid.cells(1)};
  const double mean = mean_width(grid);
  // Some of the cells tell as much as all: steps that have no divisor in common with their number
  // come to all planes alike.
  std::size_t step = grid.cell_count() / 32768 + 1;
  while (std::gcd(step, grid.cell_count()) > 1) ++step;
  Differences squares;
  for (std::size_t i = 0; i < grid.cell_count(); i += step) {
    const auto at = grid.index(i);
    if (!holds(box, at)) continue;
    for (const std::size_t a : {0, 1, 2}) {
      if (at[a] == 0 || at[a] + 1 == grid.cells(a)) continue;
      const double before = field[i - stride[a]];
      const double here = field[i];
      const double after = field[i + stride[a]];
      const double second = std::pow(after - 2 * here + before, 2);
      squares.first.add(std::pow(0.5 * (after - before), 2));
      squares.second.add(second);
      squares.widths.add(second * std::pow(grid.width(a, at[a]) / mean, 2));
      if (at[a] + 2 == grid.cells(a)) continue;
      const double next = field[i + 2 * stride[a]];
      squares.third.add(std::pow(next - 3 * after + 3 * here - before, 2));
    }
  }
  return squares;
}

FieldStructures structures_of(const Differences& squares, const Grid& grid) {
  const double first = squares.first.value();
  const double second = squares.second.value();
  if (!(first > 0) || !(second > 0)) return {0.0, mean_width(grid)};
  // A wave of phase p per cell has differences sin p, (2 sin(p/2))^2 and (2 sin(p/2))^3.
  const double phase = 2 * std::atan(0.5 * std::sqrt(second / first));
  const double kink = 2 * std::asin(std::min(0.5 * std::sqrt(squares.third.value() / second), 1.0));
  return {std::sqrt(phase * kink), mean_width(grid) * std::sqrt(squares.widths.value() / second)};
}

/// Second differences along an axis, and their slopes.
Squares structures(const Grid& grid, const TemperatureField& field, std::size_t axis, int threads,
                   std::span<const char> transparent) {
  const Stencil stencil(grid);
  const double width = mean_width(grid);
  const auto known = [&](std::size_t cell) { return transparent.empty() || !transparent[cell]; };
  // Second difference of a cell with number i along the axis; none beside walls and so on.
  const auto second = [&](std::size_t cell, std::size_t i) -> std::optional<double> {
    const Neighbour& low = stencil.neighbour(axis, i, 0);
    const Neighbour& high = stencil.neighbour(axis, i, 1);
    if (low.wall || high.wall) return {};
    if (!known(cell) || !known(low.from(cell)) || !known(high.from(cell))) return {};
    const double difference =
        stencil.width(axis, i) * ((field[high.from(cell)] - field[cell]) / high.distance -
                                  (field[cell] - field[low.from(cell)]) / low.distance);
    // Rounding of temperatures in single precision is no structure.
    constexpr double rounding = 1e-3;  // [K]
    return std::abs(difference) > rounding ? difference : 0.0;
  };
  // Some of the cells tell as much as all: steps that have no divisor in common with their number
  // come to all planes alike.
  const std::size_t cells = grid.cell_count();
  std::size_t step = cells / 65536 + 1;
  while (std::gcd(step, cells) > 1) ++step;
  const std::size_t count = (cells + step - 1) / step;
  const Box box = field.own(grid);
  Squares all;
#pragma omp parallel num_threads(threads)
  {
    Squares own;
#pragma omp for schedule(static)
    for (std::size_t sample = 0; sample < count; ++sample) {
      const std::size_t cell = sample * step;
      const auto at = grid.index(cell);
      if (!holds(box, at)) continue;
      const auto here = second(cell, at[axis]);
      if (!here) continue;
      double slopes = 0.0;
      for (const std::size_t a : {0, 1, 2}) {
        for (const std::size_t side : {0, 1}) {
          const Neighbour& face = stencil.neighbour(a, at[a], side);
          if (face.wall) continue;
          std::size_t there = at[axis];
          if (a == axis) there = (there + (side == 0 ? grid.cells(a) - 1 : 1)) % grid.cells(a);
          const auto other = second(face.from(cell), there);
          if (!other) continue;
          const double slope = (*other - *here) / face.distance * width;
          slopes += slope * slope / 2;
        }
      }
      const double volume = grid.volume(cell) / (width * width * width);
      own.first.add(volume * *here * *here);
      own.second.add(volume * slopes);
    }
#pragma omp critical(ermine_structures)
    all.add(own);
  }
  return all;
}

double wavenumber(const Squares& squares, const Grid& grid) {
  const double first = squares.first.value();
  return first > 0 ? std::sqrt(squares.second.value() / first) / mean_width(grid) : 0.0;
}

/// All of the same size, for ranks to tell each other.
struct SmallSums {
  Range range;
  Differences differences;
  std::array<Squares, 3> structures;
};

}  // namespace

std::pair<double, double> temperature_range(const TemperatureField& field, int threads) {
  if (!field.complete()) return {field.parts().summary.coldest, field.parts().summary.hottest};
  const Range range = range_of(field, threads);
  return {range.coldest, range.hottest};
}

int steepest_axis(const Grid& grid, const TemperatureField& field, int threads) {
  if (!field.complete()) return field.parts().summary.steepest_axis;
  return steepest(plane_sums(grid, field, threads));
}

FieldStructures field_structures(const Grid& grid, const TemperatureField& field) {
  if (!field.complete()) return field.parts().summary.structures;
  return structures_of(differences(grid, field), grid);
}

double structure_wavenumber(const Grid& grid, const TemperatureField& field, std::size_t axis,
                            int threads, std::span<const char> transparent) {
  if (!field.complete()) return field.parts().summary.wavenumber[axis];
  return wavenumber(structures(grid, field, axis, threads, transparent), grid);
}

FieldSummary summary_of(const Tracer& tracer, const TemperatureField& field, Ranks& ranks) {
  const Grid& grid = tracer.grid();
  const int threads = thread_count(tracer.options().threads);
  SmallSums own{range_of(field, threads), differences(grid, field), {}};
  if (tracer.options().mesh_correction) {
    for (const std::size_t a : {0, 1, 2}) {
      own.structures[a] = structures(grid, field, a, threads, {});
    }
  }
  SmallSums all;
  for (const SmallSums& of_rank : gather_one(ranks, own)) {
    all.range.coldest = std::min(all.range.coldest, of_rank.range.coldest);
    all.range.hottest = std::max(all.range.hottest, of_rank.range.hottest);
    all.differences.add(of_rank.differences);
    for (const std::size_t a : {0, 1, 2}) all.structures[a].add(of_rank.structures[a]);
  }
  const PlaneSums own_planes = plane_sums(grid, field, threads);
  PlaneSums planes(grid);
  for (const std::size_t a : {0, 1, 2}) {
    const auto all_planes = gather(ranks, std::span<const PlaneSums::Plane>(own_planes.planes[a]));
    for (std::size_t r = 0; r < all_planes.size(); ++r) {
      for (std::size_t i = 0; i < planes.planes[a].size(); ++i) {
        planes.planes[a][i].sum += all_planes[r][i].sum;
        planes.planes[a][i].cells += all_planes[r][i].cells;
      }
    }
  }
  FieldSummary summary;
  summary.coldest = all.range.coldest;
  summary.hottest = all.range.hottest;
  summary.steepest_axis = steepest(planes);
  summary.structures = structures_of(all.differences, grid);
  for (const std::size_t a : {0, 1, 2}) {
    summary.wavenumber[a] = wavenumber(all.structures[a], grid);
  }
  return summary;
}

}  // namespace ermine
