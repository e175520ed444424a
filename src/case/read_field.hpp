#pragma once

#include <ermine/grid.hpp>

#include "case/section.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace ermine {

/// The points at which a field is wanted: the cells of the grid, or the face cells of one side.
/// None: the grid is not known yet, and only numbers will do.
struct FieldSites {
  std::size_t count;
  std::function<std::array<double, 3>(std::size_t)> position;
  std::vector<std::size_t> shape;  ///< of an HDF5 dataset that holds the field, slowest first
};

FieldSites cell_sites(const Grid& grid);
FieldSites face_sites(const Grid& grid, Face face);

/// What values a field may take, and how to say so.
struct FieldLimits {
  double low;
  double high;
  std::string_view advice;  ///< "give kelvin from 0 to 1e5"
};

/// Reads a field given as a number, a formula in x, y, z, a CSV profile
/// { profile = "FILE", axis = "x" } or a dataset { hdf5 = "FILE", dataset = "NAME" }.
/// Returns one value for a number, else one per site.
std::vector<double> read_field(const Section& section, std::string_view key,
                               const FieldSites& sites, const FieldLimits& limits,
                               const std::filesystem::path& folder);

}  // namespace ermine
