#include "medium/joint_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace ermine {
namespace {

constexpr std::size_t most_species = all_species.size();
using Windings = std::array<int, most_species>;

/// Few bands have few errors to cancel, and get longer lines.
Windings windings_for(std::size_t bands) {
  static_assert(most_species == 4);
  if (bands >= 250) return {2, 3, 5, 7};
  if (bands >= 120) return {4, 5, 7, 9};
  if (bands >= 60) return {7, 9, 11, 13};
  return {13, 17, 19, 23};
}

/// Where the line of a band begins on each axis. Steps of the Kronecker sequence that spreads most
/// evenly in three dimensions: powers of the inverse of the root of x^4 = x + 1.
double shift_of(std::size_t axis, std::size_t part) {
  constexpr double root = 1.2207440846057596;
  if (axis == 0) return 0.0;
  const double way = 0.5 + static_cast<double>(part) * std::pow(root, -static_cast<double>(axis));
  return way - std::floor(way);
}

JointPoint transparent() {
  JointPoint point{1.0, {}};
  point.row.fill(-1);
  return point;
}

/// Bands in which there may be lines.
std::size_t count_bands_of_gases(const GasMedium& gas) {
  std::vector<char> found(gas.bands().size());
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    if (gas.component(c).smooth) continue;
    for (const int band : gas.component(c).band) found[static_cast<std::size_t>(band)] = 1;
  }
  return static_cast<std::size_t>(std::count(found.begin(), found.end(), 1));
}

/// Looks at some cells first: this is asked for every part of the spectrum, and soot is often
/// absent from the first planes of a grid.
bool is_present(const GasComponent& component) {
  const std::vector<double>& amount = component.amount;
  constexpr std::size_t stride = 1009;
  for (std::size_t i = 0; i < amount.size(); i += stride) {
    if (amount[i] > 0) return true;
  }
  return std::any_of(amount.begin(), amount.end(), [](double one) { return one > 0; });
}

std::vector<JointPoint> product(const GasMedium& gas, std::size_t part,
                                std::span<const std::size_t> species) {
  std::vector<JointPoint> points{transparent()};
  for (const std::size_t c : species) {
    std::vector<JointPoint> more;
    for (const JointPoint& point : points) {
      for (std::size_t g = 0; g < gas.weights().size(); ++g) {
        JointPoint& next = more.emplace_back(point);
        next.weight *= gas.weights()[g];
        next.row[c] = gas.component(c).first_row[part] + static_cast<int>(g);
      }
    }
    points = std::move(more);
  }
  return points;
}

/// Where along the line a species goes on to its next row.
struct Cut {
  double at;
  std::size_t species;
};

std::vector<JointPoint> along_line(const GasMedium& gas, std::size_t part,
                                   std::span<const std::size_t> species, const Windings& windings) {
  const std::size_t rows = gas.weights().size();
  std::vector<double> sums(rows + 1);
  std::partial_sum(gas.weights().begin(), gas.weights().end(), sums.begin() + 1);
  for (double& sum : sums) sum /= sums.back();

  std::vector<Cut> cuts;
  JointPoint point = transparent();
  std::array<std::size_t, most_species> g{};
  for (std::size_t i = 0; i < species.size(); ++i) {
    const double shift = shift_of(i, part);
    const int turns = windings[i];
    const auto above = std::upper_bound(sums.begin() + 1, sums.end() - 1, shift);
    g[i] = static_cast<std::size_t>(above - sums.begin()) - 1;
    for (int turn = 0; turn <= turns; ++turn) {
      for (std::size_t row = 0; row < rows; ++row) {
        const double at = (turn + sums[row] - shift) / turns;
        if (at > 0 && at < 1) cuts.push_back({at, i});
      }
    }
  }
  cuts.push_back({1.0, species.size()});
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.at < b.at; });

  std::vector<JointPoint> points;
  points.reserve(cuts.size());
  double from = 0.0;
  for (const Cut& cut : cuts) {
    for (std::size_t i = 0; i < species.size(); ++i) {
      point.row[species[i]] = gas.component(species[i]).first_row[part] + static_cast<int>(g[i]);
    }
    point.weight = cut.at - from;
    from = cut.at;
    if (point.weight > 0) points.push_back(point);
    if (cut.species < species.size()) g[cut.species] = (g[cut.species] + 1) % rows;
  }
  return points;
}

std::vector<JointPoint> points_of_species(const GasMedium& gas, std::size_t part) {
  std::vector<std::size_t> species;
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    if (component.smooth || component.first_row[part] < 0) continue;
    // A gas of one species has the points of its table, even if there is none of it.
    if (gas.component_count() == 1 || is_present(component)) species.push_back(c);
  }
  const Windings windings = windings_for(count_bands_of_gases(gas));
  const auto turns = std::accumulate(windings.begin(),
                                     windings.begin() + static_cast<std::ptrdiff_t>(species.size()),
                                     std::size_t{0});
  const double rows = static_cast<double>(gas.weights().size());
  const double combinations = std::pow(rows, static_cast<double>(species.size()));
  const bool few = combinations <= rows * static_cast<double>(turns);
  if (species.size() < 2 || few) return product(gas, part, species);
  return along_line(gas, part, species, windings);
}

}  // namespace

std::vector<JointPoint> joint_points(const GasMedium& gas, std::size_t part) {
  std::vector<JointPoint> points = points_of_species(gas, part);
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    if (!component.smooth || !is_present(component)) continue;
    for (JointPoint& point : points) point.row[c] = component.first_row[part];
  }
  return points;
}

}  // namespace ermine
