#pragma once

#include <ermine/case.hpp>
#include <ermine/files.hpp>
#include <ermine/result.hpp>

#include "core/ranks.hpp"

#include <span>
#include <string>
#include <vector>

namespace ermine {

/// One cell-centred field as every format names it.
struct NamedField {
  std::string name;
  std::string units;
  std::string long_name;
  std::span<const double> values;
};

/// Mole fractions of a mixture: "mole_fraction_H2O", and so on, and volume fraction and constant of
/// soot. Those of one value everywhere are in `uniform`, with one value each; a table's gas has
/// none.
struct NamedComposition {
  std::vector<NamedField> fields;
  std::vector<NamedField> uniform;
};

NamedComposition named_composition(const Case& problem);

std::vector<NamedField> named_fields(const Case& problem, const Result& result);

/// Who writes the fields of an HDF5 file.
enum class FieldWriters { first_rank, all_ranks };

/// Averages of a field over planes normal to an axis, weighted by area.
std::vector<double> plane_mean(const Grid& grid, std::span<const double> values, std::size_t axis);

/// Of arrays that are put together in memory: grid, profiles, fields (where ranks write them
/// later there is room for them only), and of walls four and three coordinates of corners.
std::size_t hdf5_bytes(const Case& problem, FieldWriters writers);

/// All there is: grid, fields, walls, profiles, case and report. Layout: docs/formats/output.md.
/// Where all ranks write the fields, there is only room for them.
void write_hdf5(const Case& problem, const Result& result, const std::string& report,
                PendingFile& file, FieldWriters writers);

/// Collective: this rank's planes of the fields of a file that has room for them.
void write_fields(const Case& problem, const Result& result, const std::filesystem::path& file,
                  Ranks& ranks);

/// XDMF description of an HDF5 result, for ParaView and VisIt. `hdf5_name` is relative to it.
std::string xdmf_text(const Case& problem, const Result& result, const std::string& hdf5_name);

/// VTK rectilinear grid with raw appended data.
void write_vtr(const Case& problem, const Result& result, PendingFile& file);

/// Plane-averaged profile with error bars.
std::string csv_text(const Case& problem, const Result& result, std::size_t axis);

}  // namespace ermine
