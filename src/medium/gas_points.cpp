#include "medium/gas_points.hpp"

#include "core/sorted_order.hpp"
#include "medium/row_values.hpp"

#include <algorithm>

namespace ermine {
namespace {

std::vector<double> sums_of_rows(const RowValues& values, std::span<const GasListPoint> points) {
  std::vector<double> sums(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) sums[i] = sum_of_rows(values, points[i].joint);
  return sums;
}

}  // namespace

std::vector<GasListPoint> gas_points(const GasMedium& gas, int threads) {
  std::vector<GasListPoint> points;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    for (const JointPoint& joint : joint_points(gas, part)) {
      points.push_back({static_cast<int>(part), joint});
    }
  }
  const std::size_t middle = (gas.temperature().size() - gas.first_gas_node()) / 2;
  const auto order = sorted_order<std::size_t>(
      sums_of_rows(largest_of_rows(gas, middle, middle, threads), points));
  std::vector<GasListPoint> sorted;
  sorted.reserve(points.size());
  for (const std::size_t i : order) sorted.push_back(points[i]);
  return sorted;
}

std::vector<double> peak_absorption(const GasMedium& gas, std::span<const GasListPoint> points,
                                    int threads) {
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  return sums_of_rows(largest_of_rows(gas, 0, nodes - 1, threads), points);
}

namespace {

/// Half of the rays as one has it, half as the other: whichever fits a cell, it has at least half
/// of the rays that it needs.
std::vector<PointStrength> half_and_half(std::vector<PointStrength> one,
                                         std::span<const PointStrength> other) {
  const auto share = [](const PointStrength& point) { return point.absorption * point.intensity; };
  const auto ratio = [&](const auto& of) {
    double first = 0.0, second = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      first += of(one[i]);
      second += of(other[i]);
    }
    return second > 0 ? first / second : 0.0;
  };
  const double of_gas = ratio(share);
  const double of_walls = ratio([](const PointStrength& point) { return point.wall; });
  for (std::size_t i = 0; i < one.size(); ++i) {
    PointStrength& point = one[i];
    if (point.intensity > 0) {
      const double more = of_gas * share(other[i]) / point.intensity;
      point.absorption = 0.5 * (point.absorption + more);
    }
    point.wall = 0.5 * (point.wall + of_walls * other[i].wall);
  }
  return one;
}

bool any_field(const GasMedium& gas) {
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    if (gas.component(c).amount.size() > 1) return true;
  }
  return false;
}

}  // namespace

std::vector<PointStrength> gas_strengths(const GasMedium& gas, std::span<const GasListPoint> points,
                                         const PointDensity& density, int threads) {
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  const std::size_t hot = gas_node_below(gas, density.hottest);
  const std::size_t last = std::min(hot + 1, nodes - 1);
  const RowValues hottest = largest_of_rows(gas, hot, last, threads);
  const RowValues largest =
      largest_of_rows(gas, density.emission() ? 0 : gas_node_below(gas, density.coldest),
                      density.emission() ? nodes - 1 : last, threads);

  struct PartStrength {
    double hottest, largest, coldest, between_walls;
  };
  std::vector<PartStrength> of_part;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const auto row = gas.blackbody_intensity(part);
    of_part.push_back({intensity_at(gas, part, density.hottest), row.back(),
                       intensity_at(gas, part, density.coldest),
                       intensity_at(gas, part, density.wall_hottest) -
                           intensity_at(gas, part, density.wall_coldest)});
  }
  const auto strengths_of = [&](const RowValues& hottest_rows, const RowValues& largest_rows) {
    std::vector<PointStrength> strengths(points.size());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const JointPoint& joint = points[i].joint;
      const PartStrength& part = of_part[static_cast<std::size_t>(points[i].part)];
      strengths[i] = point_strength(
          density,
          {.hottest_absorption = sum_of_rows(hottest_rows, joint),
           .largest_absorption = sum_of_rows(largest_rows, joint),
           .hottest_intensity = joint.weight * part.hottest,
           .largest_intensity = joint.weight * (density.emission() ? part.largest : part.hottest),
           .coldest_intensity = joint.weight * part.coldest,
           .between_walls = joint.weight * part.between_walls});
    }
    return strengths;
  };
  std::vector<PointStrength> strengths = strengths_of(hottest, largest);
  if (density.emission() || !any_field(gas)) return strengths;
  // What is dense in a few cells, such as a cloud, must not draw the rays of all the others.
  return half_and_half(std::move(strengths),
                       strengths_of(at_mean_amounts(gas, hottest), at_mean_amounts(gas, largest)));
}

}  // namespace ermine
