#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/joint_points.hpp"

#include <array>
#include <vector>

namespace ermine {

/// A value per row of each component.
using RowValues = std::array<std::vector<double>, most_components>;

/// Of the k of every row, at the largest amount [1/m]: the largest at nodes `first` to `last`,
/// counted among those of the gas, and any line width.
RowValues largest_of_rows(const GasMedium& gas, std::size_t first, std::size_t last, int threads);

/// Such values at the mean amounts of all cells.
RowValues at_mean_amounts(const GasMedium& gas, RowValues largest);

double sum_of_rows(const RowValues& values, const JointPoint& point);

/// Node of the gas at or below a temperature, counted among those of the gas.
std::size_t gas_node_below(const GasMedium& gas, double kelvin);

/// Blackbody intensity of a part of the spectrum [W/(m2 sr)].
double intensity_at(const GasMedium& gas, std::size_t part, double kelvin);

}  // namespace ermine
