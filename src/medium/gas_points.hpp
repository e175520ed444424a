#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/joint_points.hpp"
#include "medium/point_density.hpp"

#include <span>
#include <vector>

namespace ermine {

/// A spectral point of a gas or mixture: one row of each species in a part of the spectrum.
struct GasListPoint {
  int part;
  JointPoint joint;
};

/// All spectral points of a gas, in increasing order of k in the middle of its temperatures, each
/// species as dense as it is anywhere.
std::vector<GasListPoint> gas_points(const GasMedium& gas, int threads);

/// What the probabilities of these points are built from, with the largest k that any line width
/// and temperature of the scene may have. Where amounts differ from cell to cell, half of the rays
/// are for the largest amounts and half for the mean ones.
std::vector<PointStrength> gas_strengths(const GasMedium& gas, std::span<const GasListPoint> points,
                                         const PointDensity& density, int threads);

/// Largest k of each of these points, at any temperature of the table [1/m].
std::vector<double> peak_absorption(const GasMedium& gas, std::span<const GasListPoint> points,
                                    int threads);

}  // namespace ermine
