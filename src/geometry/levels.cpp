#include "geometry/levels.hpp"

#include "core/check.hpp"
#include "core/thread_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ermine {
namespace {

/// Cells of the next level: half as many, but no fewer than 3, and of 5 or 7 no fewer, where the
/// odd one left over would be a large part of the axis.
int coarser(int cells) {
  const bool few_and_odd = cells < 8 && cells % 2 == 1;
  return cells < 6 || few_and_odd ? cells : (cells + 1) / 2;
}

/// Widths that differ by rounding only.
bool all_equal(std::span<const double> widths) {
  const auto [low, high] = std::minmax_element(widths.begin(), widths.end());
  return *high - *low <= 1e-9 * *high;
}

std::vector<double> pairwise(std::span<const double> widths) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < widths.size(); i += 2) {
    sums.push_back(widths[i] + (i + 1 < widths.size() ? widths[i + 1] : 0.0));
  }
  return sums;
}

/// Fewer values than this are averaged sooner by one thread than others wake up.
constexpr int worth_threads = 4096;

/// First of the cells that make up coarse cell i, and how many there are.
struct Children {
  int first;
  int count;
};

Children children(int i, int fine, int coarse) {
  if (fine == coarse) return {i, 1};
  return {2 * i, 2 * i + 1 < fine ? 2 : 1};
}

/// Values count with their weights, unless all of those are zero. Weights may be the smallest
/// numbers there are: first they are brought near 1, by a power of two, which changes no digit.
void weigh(std::span<const double> weights, std::span<Levels::Part> parts) {
  const auto first = weights.begin();
  const double largest =
      *std::max_element(first, first + static_cast<std::ptrdiff_t>(parts.size()));
  if (largest == 0) return;
  const int exponent = std::ilogb(largest);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].size *= std::ldexp(weights[i], -exponent);
  }
}

}  // namespace

Levels::Levels(const Grid& grid, int count, int steps, int threads)
    : steps_(steps), threads_(thread_count(threads)) {
  std::array<std::vector<double>, 3> widths;
  for (const std::size_t a : {0, 1, 2}) {
    for (std::size_t i = 0; i < grid.cells(a); ++i) widths[a].push_back(grid.width(a, i));
  }
  std::int64_t first_cell = 0;
  std::int64_t wall = 0;
  while (true) {
    LevelView level{};
    int stride = 1;
    for (int a = 0; a < 3; ++a) {
      const auto& row = widths[static_cast<std::size_t>(a)];
      level.cells[a] = static_cast<int>(row.size());
      level.stride[a] = stride;
      stride *= level.cells[a];
      level.width[a] = static_cast<int>(widths_.size()) + 1;
      widths_.push_back(0.0);
      widths_.insert(widths_.end(), row.begin(), row.end());
      widths_.push_back(0.0);
      if (!all_equal(row)) spacing_ = Spacing::stretched;
    }
    level.first_cell = static_cast<int>(first_cell);
    first_cell += stride;
    for (const Face face : all_faces) {
      level.wall[static_cast<int>(face)] = static_cast<int>(wall);
      const int axis = static_cast<int>(axis_of(face));
      if (grid.walled(face)) {
        wall += std::int64_t{level.cells[first_tangent(axis)]} * level.cells[second_tangent(axis)];
      }
    }
    level.wall[6] = static_cast<int>(wall);
    ERMINE_REQUIRE(first_cell + wall <= std::numeric_limits<int>::max(),
                   "the grid and its coarser levels have more than 2^31 - 1 cells and wall face "
                   "cells, use a coarser grid, or levels = 1");
    views_.push_back(level);
    if (static_cast<int>(views_.size()) == (count > 0 ? count : most_levels)) return;
    bool coarsened = false;
    for (int a = 0; a < 3; ++a) {
      if (coarser(level.cells[a]) == level.cells[a]) continue;
      auto& row = widths[static_cast<std::size_t>(a)];
      row = pairwise(row);
      coarsened = true;
    }
    if (!coarsened) return;
  }
}

std::size_t Levels::cell_count() const {
  const LevelView& last = views_.back();
  return static_cast<std::size_t>(last.first_cell) +
         static_cast<std::size_t>(last.stride[2]) * static_cast<std::size_t>(last.cells[2]);
}

std::size_t Levels::wall_cell_count() const {
  return static_cast<std::size_t>(views_.back().wall[6]);
}

double Levels::width(int level, int axis, int i) const {
  const LevelView& view = views_[static_cast<std::size_t>(level)];
  return widths_[static_cast<std::size_t>(view.width[axis] + i)];
}

template <class Visit>
void Levels::each_part(int l, int i, int j, int k, const Visit& visit) const {
  const LevelView& fine = views_[static_cast<std::size_t>(l)];
  const LevelView& coarse = views_[static_cast<std::size_t>(l) + 1];
  const Children x = children(i, fine.cells[0], coarse.cells[0]);
  const Children y = children(j, fine.cells[1], coarse.cells[1]);
  const Children z = children(k, fine.cells[2], coarse.cells[2]);
  for (int kk = z.first; kk < z.first + z.count; ++kk) {
    for (int jj = y.first; jj < y.first + y.count; ++jj) {
      const double area = width(l, 1, jj) * width(l, 2, kk);
      for (int ii = x.first; ii < x.first + x.count; ++ii) {
        visit(ii, jj, kk, width(l, 0, ii) * area);
      }
    }
  }
}

std::vector<double> Levels::coarsened(int l, const Box& fine, std::span<const double> values,
                                      const Box& coarse, Average average) const {
  std::vector<double> means(coarse.count());
  if (coarse.empty()) return means;
  std::array<int, 3> begin, end;
  for (const std::size_t a : {0, 1, 2}) {
    begin[a] = static_cast<int>(coarse.begin[a]);
    end[a] = static_cast<int>(coarse.end[a]);
  }
#pragma omp parallel for collapse(2) schedule(static) \
    num_threads(threads_) if (means.size() >= worth_threads)
  for (int k = begin[2]; k < end[2]; ++k) {
    for (int j = begin[1]; j < end[1]; ++j) {
      for (int i = begin[0]; i < end[0]; ++i) {
        std::array<Part, 8> parts;
        std::size_t n = 0;
        each_part(l, i, j, k, [&](int ii, int jj, int kk, double volume) {
          parts[n++] = {values[fine.at(ii, jj, kk)], volume};
        });
        means[coarse.at(i, j, k)] = average(std::span(parts).first(n));
      }
    }
  }
  return means;
}

std::vector<double> Levels::coarse_levels(std::span<const double> field, Average average,
                                          std::span<const double> weight) const {
  const std::size_t cells = field.size();
  std::vector<double> values(cell_count() - cells);
  for (int l = 0; l + 1 < count(); ++l) {
    const LevelView& fine = views_[static_cast<std::size_t>(l)];
    const LevelView& coarse = views_[static_cast<std::size_t>(l) + 1];
    const double* from = l == 0 ? field.data() : &values[fine.first_cell - cells];
    double* to = &values[coarse.first_cell - cells];
#pragma omp parallel for collapse(2) schedule(static) \
    num_threads(threads_) if (coarse.stride[2] * coarse.cells[2] >= worth_threads)
    for (int k = 0; k < coarse.cells[2]; ++k) {
      for (int j = 0; j < coarse.cells[1]; ++j) {
        for (int i = 0; i < coarse.cells[0]; ++i) {
          std::array<Part, 8> parts;
          std::array<double, 8> weights;
          std::size_t n = 0;
          each_part(l, i, j, k, [&](int ii, int jj, int kk, double volume) {
            const int cell = ii + jj * fine.stride[1] + kk * fine.stride[2];
            parts[n] = {from[cell], volume};
            if (!weight.empty()) weights[n] = weight[fine.first_cell + cell];
            ++n;
          });
          if (!weight.empty()) weigh(weights, std::span(parts).first(n));
          to[j * coarse.stride[1] + k * coarse.stride[2] + i] = average(std::span(parts).first(n));
        }
      }
    }
  }
  return values;
}

void Levels::extend(std::vector<double>& field, Average average,
                    std::span<const double> weight) const {
  const std::vector<double> coarse = coarse_levels(field, average, weight);
  field.insert(field.end(), coarse.begin(), coarse.end());
}

void Levels::extend_walls(std::vector<double>& field, Average average,
                          std::span<const double> weight) const {
  field.resize(wall_cell_count());
  for (int l = 0; l + 1 < count(); ++l) {
    const LevelView& fine = views_[static_cast<std::size_t>(l)];
    const LevelView& coarse = views_[static_cast<std::size_t>(l) + 1];
#pragma omp parallel for schedule(static) \
    num_threads(threads_) if (coarse.wall[6] - coarse.wall[0] >= worth_threads)
    for (int number = coarse.wall[0]; number < coarse.wall[6]; ++number) {
      const WallPlace place = wall_place(coarse, WallCellId{number});
      const int axis = place.side / 2;
      const int fast = first_tangent(axis);
      const int slow = second_tangent(axis);
      const Children u = children(place.index[fast], fine.cells[fast], coarse.cells[fast]);
      const Children v = children(place.index[slow], fine.cells[slow], coarse.cells[slow]);
      std::array<Part, 4> parts;
      std::array<double, 4> weights;
      std::size_t n = 0;
      for (int j = v.first; j < v.first + v.count; ++j) {
        for (int i = u.first; i < u.first + u.count; ++i) {
          WallPlace child{place.side, {}};
          child.index[fast] = i;
          child.index[slow] = j;
          const auto at = static_cast<std::size_t>(wall_cell(fine, child).value);
          parts[n] = {field[at], width(l, fast, i) * width(l, slow, j)};
          weights[n++] = weight.empty() ? 1.0 : weight[at];
        }
      }
      weigh(weights, std::span(parts).first(n));
      field[static_cast<std::size_t>(number)] = average(std::span(parts).first(n));
    }
  }
}

double mean(std::span<const Levels::Part> parts) {
  const double first = parts.front().value;
  double excess = 0.0;
  double size = 0.0;
  double lowest = first;
  double highest = first;
  for (const Levels::Part& part : parts) {
    excess += part.size * (part.value - first);
    size += part.size;
    lowest = std::min(lowest, part.value);
    highest = std::max(highest, part.value);
  }
  return std::clamp(first + excess / size, lowest, highest);
}

double mean_fourth_power(std::span<const Levels::Part> parts) {
  const auto fourth = [](double t) { return (t * t) * (t * t); };
  const double first = parts.front().value;
  double excess = 0.0;
  double size = 0.0;
  double coldest = first;
  double hottest = first;
  for (const Levels::Part& part : parts) {
    excess += part.size * (fourth(part.value) - fourth(first));
    size += part.size;
    coldest = std::min(coldest, part.value);
    hottest = std::max(hottest, part.value);
  }
  if (excess == 0) return first;
  return std::clamp(std::sqrt(std::sqrt(fourth(first) + excess / size)), coldest, hottest);
}

Levels::Average average_of(CoarseTemperature coarse) {
  return coarse == CoarseTemperature::mean ? mean : mean_fourth_power;
}

}  // namespace ermine
