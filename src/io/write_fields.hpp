#pragma once

#include <ermine/case.hpp>
#include <ermine/result.hpp>

#include "files/pending_file.hpp"

#include <span>
#include <string>
#include <vector>

namespace ermine {

/// One cell-centred field as every format names it.
struct NamedField {
  const char* name;
  const char* units;
  const char* long_name;
  std::span<const double> values;
};

std::vector<NamedField> named_fields(const Case& problem, const Result& result);

/// All there is: grid, fields, walls, profiles, case and report. Layout: docs/formats/output.md.
void write_hdf5(const Case& problem, const Result& result, const std::string& report,
                const PendingFile& file);

/// XDMF description of an HDF5 result, for ParaView and VisIt. `hdf5_name` is relative to it.
std::string xdmf_text(const Case& problem, const Result& result, const std::string& hdf5_name);

/// VTK rectilinear grid with raw appended data.
void write_vtr(const Case& problem, const Result& result, const PendingFile& file);

/// Plane-averaged profile with error bars.
std::string csv_text(const Case& problem, const Result& result, std::size_t axis);

}  // namespace ermine
