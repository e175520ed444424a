#pragma once

#include "flow.hpp"
#include "hdf5_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace channel {

struct NamedField {
  std::string name;
  const double* values;  ///< in the flow's memory
};

/// All cells of a field, x slowest, then z, then y; `file` on the first process only. Collective.
void write_field(Flow& flow, Hdf5Writer* file, const std::string& name, const double* field);
void read_field(Flow& flow, const Hdf5Reader& file, const std::string& name, double* field);

/// Planes nearest to `planes`, one file per time.
void write_slices(Flow& flow, const std::filesystem::path& path, const std::vector<double>& planes,
                  double time, const std::vector<NamedField>& fields);

/// All of the fields, with an XDMF file beside that says to viewers where they are.
void write_fields(Flow& flow, const std::filesystem::path& path, double time,
                  const std::vector<NamedField>& fields);

/// Runs `write` on the first process; what goes wrong is thrown on all.
template <class Write>
void on_first(const Ranks& ranks, Write&& write) {
  std::string error;
  if (ranks.first()) {
    try {
      write();
    } catch (const std::exception& failure) {
      error = failure.what();
    }
  }
  ranks.agree(error);
}

}  // namespace channel
