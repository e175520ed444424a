#include <ermine/error.hpp>
#include <ermine/output.hpp>

#include "cold_gas.hpp"
#include "comparisons.hpp"
#include "embedded.hpp"
#include "stored_curve.hpp"

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

/// Gas counts as cold below it [K].
constexpr double cold = 600;

/// Numbers of totals in stored references, behind those of sides.
constexpr std::size_t gas_total = 6;
constexpr std::size_t absorbed_by_cold = 7;
constexpr std::size_t refined_from = 10;  ///< the same on a grid of half the spacing

/// A stored reference, averages over cells: rows "x, y, Q, standard error" of the plane in the
/// middle of z, rows "number, value, standard error" of totals.
struct StoredFront {
  std::vector<std::vector<double>> plane;
  std::vector<std::vector<double>> totals;

  explicit StoredFront(const std::string& text) {
    for (std::vector<double>& row : parse_curve(text)) {
      (row.size() == 3 ? totals : plane).push_back(std::move(row));
    }
  }
};

/// Q of the plane in the middle of z: means of the cells beside it.
void add_plane(const Case& problem, const Result& result, Comparison& comparison) {
  const Grid& grid = problem.grid;
  const std::size_t layer = grid.cells(0) * grid.cells(1);
  for (std::size_t i = 0; i < layer; ++i) {
    Estimate mean;
    for (const std::size_t k : {(grid.cells(2) - 1) / 2, grid.cells(2) / 2}) {
      mean.value += result.flux_divergence[i + layer * k] / 2;
      mean.standard_error =
          std::hypot(mean.standard_error, result.standard_error[i + layer * k] / 2);
    }
    comparison.coordinate.push_back(grid.centre(0, i % grid.cells(0)));
    comparison.second_coordinate.push_back(grid.centre(1, i / grid.cells(0)));
    comparison.computed.push_back(mean.value);
    comparison.standard_error.push_back(mean.standard_error);
  }
}

/// Averages over cells balance but for noise, levels of detail and what starts at the centres of
/// smooth cells leave: 0.5 % and two standard errors, no more than 1 % in all.
Check balance_check(const Ledger& ledger) {
  const Estimate imbalance{ledger.total.value / ledger.exchanged,
                           ledger.explained_error() / ledger.exchanged};
  return {"imbalance over the heat exchanged", imbalance, 0.0,
          std::min(0.005 + 2 * imbalance.standard_error, 0.01)};
}

void add_totals(const Case& problem, const Result& result, const StoredFront& stored,
                double refined_bound, Comparison& comparison) {
  double largest = 0.0;
  for (const auto& row : stored.totals) {
    if (row[0] < 6) largest = std::max(largest, std::abs(row[1]));
  }
  for (const auto& row : stored.totals) {
    const auto number = static_cast<std::size_t>(row[0]);
    const bool refined = number >= refined_from;
    const std::size_t of = number % refined_from;
    const std::string where = refined ? ", finer grid" : "";
    if (of < 6) {
      const Face face = all_faces[of];
      const WallFlux& wall = result.wall_flux[of];
      // A side that hardly gains heat need not be known to a part of that.
      const double least = 0.1 * largest / std::abs(row[1]);
      const double share = (refined ? refined_bound : 0.01) * std::max(1.0, least);
      comparison.checks.push_back({std::string("heat lost by ") + name_of(face) + where + " [W]",
                                   wall.heat, row[1], share});
    } else if (of == gas_total && !refined) {
      comparison.checks.push_back({"heat lost by the gas [W]", result.ledger.gas, row[1], 0.01});
    } else if (of == absorbed_by_cold && !refined) {
      comparison.checks.push_back({"heat absorbed by gas below 600 K [W]",
                                   absorbed_below(cold, problem, result), row[1], 0.02});
    }
  }
  comparison.checks.push_back(balance_check(result.ledger));
}

/// `refined_bound`: of fluxes of walls, relative to those on the finer grid.
Comparison compare_front(const Case& problem, const Result& result, const std::string& text,
                         double refined_bound) {
  const StoredFront stored(text);
  Comparison comparison;
  add_plane(problem, result, comparison);
  double squares = 0.0;
  for (const auto& row : stored.plane) {
    comparison.reference.push_back(row[2]);
    comparison.reference_error.push_back(row[3]);
    squares += row[2] * row[2] / static_cast<double>(stored.plane.size());
  }
  if (comparison.reference.size() != comparison.computed.size()) {
    throw Error("the reference of " + problem.title +
                " is for the cells of its case file, leave grid cells alone");
  }
  comparison.scale = std::sqrt(squares);
  comparison.scale_name = "rms Q";
  add_totals(problem, result, stored, refined_bound, comparison);
  return comparison;
}

}  // namespace

Comparison compare_flame_sheet(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_front(problem, result, embedded::front_flame_sheet, 0.01);
}

Comparison compare_spherical_front(const Case& problem, const Result& result,
                                   const ReferenceData&) {
  return compare_front(problem, result, embedded::front_spherical_front, 0.02);
}

Comparison compare_wrinkled_front(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_front(problem, result, embedded::front_wrinkled_front, 0.02);
}

Comparison compare_jet_flame(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_front(problem, result, embedded::front_jet_flame, 0.02);
}

Comparison compare_mirror_furnace(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_front(problem, result, embedded::front_mirror_furnace, 0.02);
}

}  // namespace ermine::cli
