#pragma once

#include <ermine/case.hpp>
#include <ermine/files.hpp>
#include <ermine/result.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace ermine {

/// Averages over planes normal to one axis, each with its standard error where it is a Monte Carlo
/// number. One entry per cell of the axis.
struct Profile {
  std::size_t axis = 0;
  std::vector<double> coordinate;  ///< cell centres [m]
  std::vector<double> temperature;
  std::vector<double> flux_divergence;
  std::vector<double> standard_error;
  std::vector<double> emission;
  std::vector<double> absorption;
};

Profile plane_average(const Grid& grid, const std::vector<double>& temperature,
                      const Result& result, std::size_t axis);

/// Axes along which a profile says something: the walled ones, or all if none is walled.
std::vector<std::size_t> profile_axes(const Grid& grid);

/// What the answer to a case must not be trusted with, a sentence each, for people: warnings of its
/// medium, and of cells as thick as Result::thickest_cell says.
std::vector<std::string> warnings(const Case& problem, double thickest_cell);

/// The run report as one JSON object (see docs/formats/output.md).
std::string report_json(const Case& problem, const Result& result,
                        const std::vector<std::filesystem::path>& files);

/// What the files that the case asks for take on the disk [bytes], about.
double output_bytes(const Case& problem);

/// Memory that a result and the writing of it take [bytes], about.
double output_memory(const Case& problem);

/// Creates the output folder and checks, before hours are spent, that the files will fit there. As
/// long as what is returned lives, another run that wants to write files of this name is refused.
FileLock prepare_output(const Case& problem);

/// Writes all files the case asks for. Each appears under its final name only when all are
/// complete. Returns their paths.
/// All processes of a communicator that share a result call it; each writes a part of the fields
/// where HDF5 can do that, else the first one writes all.
std::vector<std::filesystem::path> write_output(const Case& problem, const Result& result,
                                                const Communicator& communicator = {});

/// Mean net flux of a side that has fluxes [W/m2].
Estimate mean_flux(const Grid& grid, Face face, const WallFlux& wall);
/// That of its face cell where it is largest, whatever its sign.
Estimate largest_flux(const WallFlux& wall);

}  // namespace ermine
